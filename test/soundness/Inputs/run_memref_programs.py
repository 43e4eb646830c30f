# run_memref_programs.py [--break] FOLDER FIRST END - plans and materialises the
# random programs on memrefs of seeds [FIRST, END), many in one module, runs
# each module as it was and as it has become, by MLIR's own tools, and demands
# the same numbers. Exits 1 when some differ; the text of such a seed is kept in
# FOLDER, with the command that repeats it.
#
# --break moves, in each module, views of the arena onto others, and says in how
# many modules that was noticed: a control that a bad plan would be.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from memref_program import DYNAMIC_BOUND, IN, memref_programs

BATCH = 50  # programs of one module: they have one set of options
TIMEOUT = 600  # seconds, for a tool that hangs
ALGORITHMS = ["auto", "greedy-by-size", "ref-count", "first-fit", "best-fit", "hill-climb"]
MODES = ["arg", "alloc", "global"]

LOWERING = (
    "canonicalize,cse,expand-strided-metadata,func.func(convert-linalg-to-loops),lower-affine,"
    "convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-arith-to-llvm,"
    "convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
    "reconcile-unrealized-casts"
)

# Runs @main twice. The arenas hold other bytes each time before; %in is the same.
ENTRY = """
func.func private @printMemrefI32(memref<*xi32>)
func.func @entry() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %factor = arith.constant 1103515245 : i32
  %dirt = arith.constant 90 : i8
  %more = arith.constant 73 : i8
  %in = memref.alloc() : {input}
  %out = memref.alloc() : {output}
{arenas}
  scf.for %i = %c0 to %c64 step %c1 {{
    %x = arith.index_cast %i : index to i32
    %y = arith.muli %x, %factor : i32
    memref.store %y, %in[%i] : {input}
  }}
  %list = memref.cast %out : {output} to memref<*xi32>
{runs}
  return
}}
"""


class ToolFailed(Exception):
    pass


def options_of(batch):
    """(of the plan, of the materialisation, for running); they take turns of different lengths."""
    algorithm = ALGORITHMS[batch % len(ALGORITHMS)]
    alignment = [64, 1, 16, 256][batch % 4]
    bound = [0, DYNAMIC_BOUND][batch // 2 % 2]
    allocas = ["false", "true"][batch // 3 % 2]
    plan = f"algorithm={algorithm} memref-alignment={max(alignment, 8)} dynamic-bound={bound} allocas={allocas}"
    scopes = batch // 3 % 2 == 1
    return plan, f"arena-mode={MODES[batch % 3]}", scopes


def run_tool(*command, text=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"{command[0]} hangs") from error
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr.strip()]
        raise ToolFailed(f"{command[0]} exits with {done.returncode}: {errors[0][:300]}")
    return done.stdout


def materialise(text, plan, arena):
    passes = f"builtin.module(gmem-plan{{{plan}}},gmem-materialize{{{arena}}})"
    return run_tool("gmem-opt", f"--pass-pipeline={passes}", "-", text=text)


def with_entry(text, size):
    """|text| of a module with a function that runs @main on memory of its own."""
    output = f"memref<{size}xi32>"
    head = re.search(r"func\.func @main\(([^{]*(?:\{[^}]*\}[^{]*)*?)\) *(?:attributes[^{]*\{[^}]*\} *)?\{", text)
    kinds = [
        kind for kind in re.findall(r"%\w+: (memref<[^<>]*(?:<[^<>]*>[^<>]*)*>)", head.group(1))
    ]
    names, arenas = [], []
    for number, kind in enumerate(kinds):
        if kind in (IN, output):
            names.append("%in" if kind == IN else "%out")
            continue
        names.append(f"%arena{number}")
        arenas.append(f"  %arena{number} = memref.alloc() {{alignment = 4096 : i64}} : {kind}")
    runs = []
    for dirt in ["%dirt", "%more"]:
        for name, kind in zip(names, kinds):
            if name.startswith("%arena"):
                runs.append(f"  linalg.fill ins({dirt} : i8) outs({name} : {kind})")
        runs.append(f"  func.call @main({', '.join(names)}) : ({', '.join(kinds)}) -> ()")
        runs.append("  func.call @printMemrefI32(%list) : (memref<*xi32>) -> ()")
    entry = ENTRY.format(input=IN, output=output, arenas="\n".join(arenas), runs="\n".join(runs))
    end = text.rindex("}")
    return text[:end] + entry + text[end:]


def run(folder, name, text, size, scopes=False):
    """The numbers that @main leaves, of both runs."""
    path = os.path.join(folder, name)
    lowering = LOWERING + (",gmem-alias-scopes" if scopes else "")
    tool = "gmem-opt" if scopes else "mlir-opt-22"
    lowered = run_tool(tool, f"--pass-pipeline=builtin.module({lowering})", "-", text=with_entry(text, size))
    with open(path, "w", encoding="utf-8") as file:
        file.write(lowered)
    libraries = subprocess.run(["llvm-config-22", "--libdir"], capture_output=True, text=True, check=True)
    shared = [
        f"--shared-libs={libraries.stdout.strip()}/libmlir_{name}.so"
        for name in ["runner_utils", "c_runner_utils"]
    ]
    level = "-O2" if scopes else "-O0"
    try:
        printed = run_tool("mlir-runner-22", level, "-e", "entry", "-entry-point-result=void", *shared, path)
    finally:
        os.remove(path)
    lists = re.findall(r"^\[(.*)\]$", printed, re.M)
    return [[int(number) for number in numbers.split(",")] for numbers in lists]


def broken(text, seed, count):
    """|text| with |count| views of each arena moved onto other ones, or None: there are none."""
    chosen = random.Random(seed)
    constants = dict(re.findall(r"(%\w+) = arith\.constant (\d+) : index", text))
    view = re.compile(r"memref\.view (%\w+)\[(%\w+)\]\[[^\]]*\] : memref<\d+xi8[^>]*> to (memref<[\dx]*\w+>)")
    found = [m for m in view.finditer(text) if m.group(2) in constants]
    pairs = [
        (a, b) for a in found for b in found
        if a.group(1) == b.group(1) and a.group(3) == b.group(3) and constants[a.group(2)] != constants[b.group(2)]
    ]
    if not pairs:
        return None
    moves = {}
    for a, b in chosen.sample(pairs, min(count, len(pairs))):
        moves[a.start(2)] = (a, b)
    for start in sorted(moves, reverse=True):
        a, b = moves[start]
        text = text[:start] + b.group(2) + text[a.end(2) :]
    return text


def differing(seeds, wanted, lists):
    """The seeds of which a number is another one."""
    return [
        seed for number, seed in enumerate(seeds)
        if len(lists) != 2 or any(values[number] != wanted[number] for values in lists)
    ]


def examine(folder, name, seeds, options, is_broken=False):
    """(the seeds that differ, memrefs of the text, those that are left)."""
    plan, arena, scopes = options
    text = memref_programs(seeds)
    wanted = run(folder, f"{name}.unplanned.mlir", text, len(seeds))
    if len(wanted) != 2 or wanted[0] != wanted[1]:
        raise ToolFailed("the program itself is not deterministic")
    planned = materialise(text, plan, arena)
    counts = text.count("memref.alloc"), planned.count("memref.alloc")
    if is_broken:
        planned = broken(planned, seeds[0], len(seeds))
        if planned is None:
            return None, *counts
    lists = run(folder, f"{name}.planned.mlir", planned, len(seeds), scopes)
    return differing(seeds, wanted[0], lists), *counts


def repeat_command(path, options):
    plan, arena, _ = options
    return f"gmem-opt --pass-pipeline='builtin.module(gmem-plan{{{plan}}},gmem-materialize{{{arena}}})' {path}"


def keep(folder, seed, options, why):
    path = os.path.abspath(os.path.join(folder, f"seed-{seed}.mlir"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(memref_programs([seed]))
    plan, arena, scopes = options
    more = " with alias scopes" if scopes else ""
    return f"seed {seed} ({plan} {arena}{more}): {why}\n  repeat: {repeat_command(path, options)}"


def examine_alone(folder, seed, options):
    """What is wrong with one program, or None."""
    try:
        bad, _, _ = examine(folder, f"alone-{seed}", [seed], options)
    except ToolFailed as error:
        return str(error)
    return "other numbers come out" if bad else None


def examine_batch(folder, batch, seeds):
    """(what is wrong, a text for each bad seed; memrefs; those that are left)."""
    options = options_of(batch)
    try:
        bad, before, after = examine(folder, f"batch-{batch}", seeds, options)
        return [keep(folder, s, options, "other numbers come out") for s in bad], before, after
    except ToolFailed as error:
        faulty = [(s, examine_alone(folder, s, options)) for s in seeds]
        bad = [keep(folder, s, options, why) for s, why in faulty if why]
        return bad or [f"batch {batch} ({options}) fails as a whole: {error}"], 0, 0


def notices(folder, batch, seeds):
    """Whether a broken plan changes what comes out; None: there was nothing to break."""
    try:
        bad, _, _ = examine(folder, f"broken-{batch}", seeds, options_of(batch), True)
    except ToolFailed:
        return True
    return None if bad is None else bool(bad)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--break", dest="is_broken", action="store_true")
    parser.add_argument("--stop", action="store_true", help="at the first bad seed")
    parser.add_argument("folder")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    arguments = parser.parse_args()
    folder, first, end = arguments.folder, arguments.first, arguments.end
    os.makedirs(folder, exist_ok=True)
    batches = [(b // BATCH, range(b, min(b + BATCH, end))) for b in range(first, end, BATCH)]
    failed, before, after, noticed = 0, 0, 0, []

    def work(batch):
        number, seeds = batch
        if arguments.is_broken:
            return notices(folder, number, seeds)
        return examine_batch(folder, number, seeds)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for result in pool.map(work, batches):
            if arguments.is_broken:
                noticed.append(result)
                continue
            failed, before, after = failed + len(result[0]), before + result[1], after + result[2]
            for text in result[0]:
                print(text, flush=True)
            if failed and arguments.stop:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    if arguments.is_broken:
        print(f"{noticed.count(True)} of {len(noticed)} broken modules noticed")
        return 0 if noticed and all(noticed) else 1
    print(f"{max(end - first, 0)} programs, {failed} differ")
    if before:
        print(f"{100 * (before - after) // before} % of {before} memrefs planned")
    return 1 if failed or end <= first else 0


if __name__ == "__main__":
    sys.exit(main())
