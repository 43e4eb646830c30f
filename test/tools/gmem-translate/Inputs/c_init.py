#!/usr/bin/env python3
"""c_init.py FOLDER - writes FOLDER/main.c: runs the networks FOLDER/keep.h, which
computes what depends on constants in every run, and FOLDER/once.h, which does so
in init, with operators that mix the bytes they are given, and compares their
outputs."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

folder = sys.argv[1]
out = ["#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"]
out += ['#include "keep.h"\n#include "once.h"', open(__file__.replace("c_init.py", "c_init.h")).read()]


def make(model):
    header = open(f"{folder}/{model}.h").read()
    capitals = model.upper()

    def members(what):
        found = re.search(r"typedef struct %s_%s {\n(.*?)\n}" % (model, what), header, re.S)
        return [name for name in re.findall(r"\*(\w+);", found.group(1)) if name != "nothing"] if found else []

    def takes(function):
        return re.findall(
            r"const %s_(\w+) \*" % model, re.search(r"\b%s_%s\((.*?)\);" % (model, function), header, re.S).group(1)
        )

    for name in re.findall(r"^int32_t %s_op_(\w+)\(" % model, header, re.M):
        out.append(f"OPERATOR({model}, {name})")
    body, arguments = [], {}
    is_mapped = f"{model}_map_inputs(" in header
    run = takes("run")
    init = takes("init") if model == "once" else []
    for what in ["inputs", "outputs", "workspaces", "parameters", "init_workspaces", "init_parameters"]:
        if what not in run + init:
            continue
        out.append(f"static {model}_{what} {model}_the_{what};")
        for name in members(what):
            stem = f"{capitals}_{name.upper()}"
            kind = what.upper().replace("INIT_", "")[:-1] + "_" if what[-2:] == "es" or what[-3:] == "ers" else ""
            if what.endswith("workspaces"):
                kind, data = "WORKSPACE_", "NULL"
            elif what.endswith("parameters"):
                kind, data = "PARAMETER_", f"{model}_{name}_data"
            else:
                kind, data = "", "NULL"
            size, alignment = f"{stem}_{kind}SIZE", f"{stem}_{kind}ALIGNMENT"
            body.append(f"  {model}_the_{what}.{name} = new_block({size}, {alignment}, {data});")
            if what == "inputs":
                body.append(f"  fill((uint8_t *)(uintptr_t){model}_the_{what}.{name}, {size}, {members(what).index(name)});")
    out.append("static void %s_prepare(void) {\n%s\n}" % (model, "\n".join(body)))
    call = lambda words: "".join(f"&{model}_the_{what}, " for what in words) + "&calls"
    out.append(f"static int32_t {model}_start(void) {{ return {model}_run({call(run)}); }}")
    if model == "once":
        out.append(f"static int32_t once_begin(void) {{ return once_init({call(init)}); }}")
        drop = [
            f"  drop_block((uint8_t *)(uintptr_t)once_the_{what}.{name}, "
            f"ONCE_{name.upper()}_{'WORKSPACE' if what.endswith('workspaces') else 'PARAMETER'}_SIZE);"
            for what in init
            if what.startswith("init")
            for name in members(what)
        ]
        out.append("static void once_drop(void) {\n%s\n}" % "\n".join(drop))
        spoil = [f"  once_the_{what}.{name} += 1;" for what in init if what == "init_workspaces" for name in members(what)]
        mend = [line.replace("+=", "-=") for line in spoil]
        out.append("#define SPOILS %d" % bool(spoil))
        out.append("static void once_spoil(void) {\n%s\n}" % "\n".join(spoil[:1]))
        out.append("static void once_mend(void) {\n%s\n}" % "\n".join(mend[:1]))
        out.append("#define HAS_FLAG %d" % ("ONCE_UNINITIALISED" in header))
    words = [what for what in ["workspaces", "parameters"] if what in run]
    for what in ["inputs", "outputs"]:
        cases = "".join(f"    case {i}: return (uint8_t *)(uintptr_t)mapped.{name};\n" for i, name in enumerate(members(what)))
        mapped = f"{model}_map_{what}({call(words)[:-8].rstrip(', ') if words else ''})" if is_mapped else f"{model}_the_{what}"
        out.append(
            f"static uint8_t *{model}_{what}_at(int i) {{\n  const {model}_{what} mapped = {mapped};\n"
            f"  switch (i) {{\n{cases}    default: return NULL;\n  }}\n}}"
        )
        sizes = ", ".join(f"{capitals}_{name.upper()}_SIZE" for name in members(what))
        out.append(f"static const size_t {model}_{what}_size[] = {{{sizes}}};")
        out.append(f"enum {{ {capitals}_{what.upper()} = {len(members(what))} }};")


make("keep")
make("once")
out.append(open(__file__.replace("c_init.py", "c_init_main.h")).read())
open(f"{folder}/main.c", "w").write("\n".join(out) + "\n")
