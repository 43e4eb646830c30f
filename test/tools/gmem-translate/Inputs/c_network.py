#!/usr/bin/env python3
"""c_network.py FOLDER MODEL - writes FOLDER/glue.h: the names that c_driver.c
needs, found in the generated FOLDER/MODEL.h."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

folder, model = sys.argv[1:]
header = open(f"{folder}/{model}.h").read()
source = open(f"{folder}/{model}.c", errors="replace").read()
tables = open(f"{folder}/reference_tables.h").read()
capitals = model.upper()


def members(what):
    found = re.search(r"typedef struct %s_%s {\n(.*?)\n}" % (model, what), header, re.S)
    if not found:
        return []
    names = re.findall(r"\*(\w+);", found.group(1))
    return [name for name in names if name != "nothing"]


def macro(name):
    return int(re.search(r"#define %s_%s\b[ \\\n]*UINT\d+_C\((\d+)\)" % (capitals, name), header).group(1))


def parameters(function):
    return re.search(r"%s_%s\((.*?)\);" % (model, function), header, re.S).group(1)


def identifier(name):
    name = "_".join(re.findall("[A-Za-z0-9]+", name))
    return "n" + name if name[0].isdigit() else name


pools = re.search(r"ref_pools\[\] = {(.*)};", tables).group(1)
pools = [pool for pool in re.findall('"(.*?)"', pools) if pool]
run = parameters("run")
given = {what: f"{model}_{what} *" in run for what in ["inputs", "outputs", "workspaces", "parameters"]}
is_mapped = f"{model}_map_inputs(" in header
inputs, outputs = members("inputs"), members("outputs")
out = ['#include "%s.h"' % model]
out += ["#define MODEL(name) %s_##name" % model, "#define MODEL_CAPITALS(name) %s_##name" % capitals]
out += [f"#define INPUTS {len(inputs)}", f"#define OUTPUTS {len(outputs)}"]
out += [f"#define HAS_GUARD {int('_is_busy' in source)}"]
operators = re.findall(r"^int32_t (%s_op_\w+)\(" % model, header, re.M)
out += ["#define OPERATORS " + " ".join(f"OPERATOR({name})" for name in operators)]


def pool_macro(pool, what):
    name = identifier(pool).upper()
    kind = "PARAMETER" if f"{capitals}_{name}_PARAMETER_SIZE" in header else "WORKSPACE"
    return f"{capitals}_{name}_{kind}_{what}"


out += ["#define POOL_SIZES " + ", ".join([pool_macro(pool, "SIZE") for pool in pools] + ["0"])]
out += ["#define POOL_FILES " + ", ".join(['"%s/%s_%s.bin"' % (folder, model, identifier(pool)) for pool in pools] + ['""'])]

# Memory of the user's, with bytes around it that nobody may write.
out += ["enum { CANARY = 64 };"]
blocks = []


def block(name, size, alignment):
    blocks.append((name, size))
    out.append(f"static uint8_t *block_{name};")
    return f"  block_{name} = new_block({size}, {alignment});"


out.append(
    """
static uint8_t *new_block(size_t size, size_t alignment) {
  size_t room = alignment < CANARY ? CANARY : alignment;
  uint8_t *block = (uint8_t *)aligned_alloc(
      room, (size + room - 1) / room * room + 2 * room);
  memset(block, 0xC5, (size + room - 1) / room * room + 2 * room);
  return block + room;
}
static void check_block(const uint8_t *block, size_t size, const char *name) {
  for (size_t i = 1; i <= CANARY; ++i)
    if (block[-(ptrdiff_t)i] != 0xC5 || block[size + i - 1] != 0xC5) {
      fprintf(stderr, "bytes around %s were written\\n", name);
      exit(1);
    }
}
"""
)
prepare = []
for what in ["inputs", "outputs", "workspaces", "parameters"]:
    if given[what] or (is_mapped and what in ["inputs", "outputs"]):
        out.append(f"static {model}_{what} the_{what};")
for what in ["inputs", "outputs"]:
    if not given[what]:
        continue
    for name in members(what):
        prepare.append(block(name + "_" + what, f"{capitals}_{name.upper()}_SIZE", 1))
        prepare.append(f"  the_{what}.{name} = block_{name}_{what};")
for what in ["workspaces", "parameters"]:
    if not given[what]:
        continue
    kind = what.upper()[:-1]
    for name in members(what):
        stem = f"{capitals}_{name.upper()}_{kind}"
        prepare.append(block(name + "_" + what, stem + "_SIZE", stem + "_ALIGNMENT"))
        prepare.append(f"  the_{what}.{name} = block_{name}_{what};")
        if what == "parameters":
            index = [identifier(pool) for pool in pools].index(name)
            prepare.append(f"  memcpy(block_{name}_{what}, ref_pool_bytes[{index}], {stem}_SIZE);")

arguments = ", ".join("&the_" + what for what in given if given[what])
if is_mapped:
    for what in ["inputs", "outputs"]:
        prepare.append(f"  the_{what} = {model}_map_{what}({arguments});")
out.append("static void prepare_model(void) {\n%s\n}" % "\n".join(prepare))
separator = ", " if arguments else ""
out.append("static int32_t run_model(void *user) { return %s_run(%s%suser); }" % (model, arguments, separator))
for what, names, type in [("input", inputs, "uint8_t"), ("output", outputs, "const uint8_t")]:
    cases = "".join(
        f"    case {i}: return ({type} *)(uintptr_t)the_{what}s.{name};\n" for i, name in enumerate(names)
    )
    out.append(
        f"static {type} *{what}_data(size_t i) {{\n  switch (i) {{\n{cases}    default: return NULL;\n  }}\n}}"
    )
lines = [f'  check_block(block_{name}, {size}, "{name}");' for name, size in blocks]
out.append("static void check_canaries(void) {\n%s\n}" % "\n".join(lines))

# Each pointer NULL, not aligned, with a byte too few, in the next one's place.
checks = []
for what in given:
    if not given[what]:
        continue
    for name in members(what):
        pool = what in ["workspaces", "parameters"]
        stem = f"{capitals}_{name.upper()}" + (f"_{what.upper()[:-1]}" if pool else "")
        size = macro(stem[len(capitals) + 1 :] + "_SIZE")
        if size == 0:
            continue
        checks.append(f"  the_{what}.{name} = NULL;")
        checks.append(f'  expect(run_model(NULL), {capitals}_NULL, "{name} is NULL");')
        if pool and macro(stem[len(capitals) + 1 :] + "_ALIGNMENT") > 1:
            checks.append(f"  the_{what}.{name} = block_{name}_{what} + 1;")
            checks.append(f'  expect(run_model(NULL), {capitals}_MISALIGNED, "{name} is misaligned");')
        checks.append(f"  the_{what}.{name} = block_{name}_{what};")
        checks.append(f"  {{ {model}_{what}_sizes sizes;")
        checks.append("  memset(&sizes, 0xFF, sizeof sizes);")
        checks.append(f"  sizes.{name} = {stem}_SIZE;")
        checks.append(f'  expect({model}_check_{what}(&the_{what}, &sizes), {capitals}_OK, "{name} is large enough");')
        checks.append(f"  sizes.{name} = {stem}_SIZE - 1;")
        checks.append(f'  expect({model}_check_{what}(&the_{what}, &sizes), {capitals}_TOO_SMALL, "{name} is too small"); }}')
    checks.append(f'  expect({model}_check_{what}(NULL, NULL), {capitals}_NULL, "no {what}");')
if given["workspaces"] and given["outputs"] and outputs and members("workspaces"):
    name, pool = outputs[0], members("workspaces")[0]
    if macro(name.upper() + "_SIZE"):
        checks.append(f"  the_outputs.{name} = block_{pool}_workspaces;")
        checks.append(f'  expect(run_model(NULL), {capitals}_OVERLAP, "an output in a workspace");')
        checks.append(f"  the_outputs.{name} = block_{name}_outputs;")
out.append(
    """
static void expect(int32_t found, int32_t wanted, const char *what) {
  if (found == wanted)
    return;
  fprintf(stderr, "wrong: %%s: %%d\\n", what, (int)found);
  exit(1);
}
static void check_model(void) {
%s
  (void)expect;
}"""
    % "\n".join(checks)
)
open(f"{folder}/glue.h", "w").write("\n".join(out) + "\n")
