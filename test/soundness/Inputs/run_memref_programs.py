# run_memref_programs.py [--break] [--messages] [--unlike=GMEM-OPT] FOLDER FIRST END - plans and materialises the
# random programs on memrefs of seeds [FIRST, END), many in one module, runs
# each module as it was and as it has become, by MLIR's own tools, and demands
# the same numbers. Exits 1 when some differ; the text of such a seed is kept in
# FOLDER, with the command that repeats it.
#
# --break moves, in each program, a few views of the arena onto others, and says in
# how many of them that was noticed: a control that a bad plan would be.
# --messages takes programs that send and receive while they compute.
# --unlike=GMEM-OPT runs only what that tool materialises otherwise.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import math
import os
import random
import re
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from memref_program import DYNAMIC_BOUND, IN, MESSAGES, memref_programs
from messages import as_calls
from unsound_plans import MOST_VERIFIED, add_arguments, in_turn, is_judged, said_of

BATCH = 20  # programs of one module: they have one set of options
TIMEOUT = 600  # seconds, for a tool that hangs
RUN_TIMEOUT = 60  # a program takes milliseconds, but one that crashes may hang instead
ALGORITHMS = ["auto", "greedy-by-size", "ref-count", "first-fit", "best-fit", "hill-climb"]
MODES = ["arg", "alloc", "global"]
DIFFERENT = "other numbers come out"

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

# memref.view of an arena at a constant: (offset, dimensions, element).
VIEW = re.compile(r"memref\.view %[^\[ ]+\[(%\w+)\]\[\] : memref<\d+xi8[^>]*> to memref<([\dx]*x)(\w+)>")
MOVES = 4  # in a broken program
View = namedtuple("View", "line function begin end")
SIZES = {"i8": 1, "i16": 2, "i32": 4, "f32": 4, "i64": 8, "index": 8}


class ToolFailed(Exception):
    pass


class ProgramFailed(ToolFailed):
    """The program itself, unplanned, does not end in time."""


def options_of(batch):
    """(of the plan, of the materialisation, for running); they take turns of different lengths."""
    algorithm = ALGORITHMS[batch % len(ALGORITHMS)]
    alignment = [64, 1, 16, 256][batch % 4]
    bound = ["none", DYNAMIC_BOUND][batch // 2 % 2]
    allocas = ["false", "true"][batch // 3 % 2]
    plan = f"algorithm={algorithm} memref-alignment={max(alignment, 8)} dynamic-bound={bound} allocas={allocas}"
    scopes = batch % 2 == 1
    return plan, f"arena-mode={MODES[batch % 3]}", scopes


def run_tool(*command, text=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"{command[0]} hangs") from error
    return output_of(command, done.returncode, done.stdout, done.stderr)


def output_of(command, code, output, errors):
    if code:
        lines = [line for line in errors.splitlines() if "error" in line] or [errors.strip()]
        raise ToolFailed(f"{command[0]} exits with {code}: {lines[0][:300]}")
    return output


def run_program(*command):
    """What it prints. When free() finds that memory is not sound, it says so; what handles that signal
    in the runner may then wait for a lock that free() has."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(RUN_TIMEOUT):
            try:
                output, errors = process.communicate(timeout=1)
                return output_of(command, process.returncode, output, errors)
            except subprocess.TimeoutExpired as waiting:
                if waiting.stderr:
                    process.kill()
                    raise ToolFailed(f"{command[0]} says: {waiting.stderr.decode().strip()[:300]}") from waiting
        process.kill()
    raise ToolFailed(f"{command[0]} hangs")


def planning(plan):
    return f"gmem-expand-allocs,gmem-plan{{{plan}}}"


def materialise(text, plan, arena, tool="gmem-opt"):
    passes = f"builtin.module({planning(plan)},gmem-materialize{{{arena}}})"
    return run_tool(tool, f"--pass-pipeline={passes}", "-", text=text)


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
    lowered = run_tool(tool, f"--pass-pipeline=builtin.module({lowering})", "-", text=with_entry(as_calls(text), size))
    with open(path, "w", encoding="utf-8") as file:
        file.write(lowered)
    libraries = subprocess.run(["llvm-config-22", "--libdir"], capture_output=True, text=True, check=True)
    shared = [
        f"--shared-libs={libraries.stdout.strip()}/libmlir_{name}.so"
        for name in ["runner_utils", "c_runner_utils"]
    ]
    level = "-O2" if scopes else "-O0"
    try:
        command = ["mlir-runner-22", level, "-e", "entry", "-entry-point-result=void", *shared, path]
        printed = run_program(*command)
    finally:
        os.remove(path)
    lists = re.findall(r"^\[(.*)\]$", printed, re.M)
    return [[int(number) for number in numbers.split(",")] for numbers in lists]


def views_of(text):
    """By seed, the views of arenas in its functions. Not those whose place is computed: of parts that take turns."""
    seed, function, numbers, found = -1, 0, {}, {}
    for number, line in enumerate(text.split("\n")):
        if head := re.search(r"func\.func .*?@[a-z]+_?(\d+)?", line):
            seed, function, numbers = int(head.group(1) or -1), number, {}
        elif constant := re.search(r"(%\w+) = arith\.constant (\d+) : index", line):
            numbers[constant.group(1)] = int(constant.group(2))
        elif (view := VIEW.search(line)) and view.group(1) in numbers:
            size = math.prod(int(n) for n in re.findall(r"(\d+)x", view.group(2))) * SIZES[view.group(3)]
            begin = numbers[view.group(1)]
            found.setdefault(seed, []).append(View(number, function, begin, begin + size))
    return found


def moves_of(views, chosen):
    """Some views, each with one nearby that may be live with it: they are apart, and it fits there."""
    pairs = [
        (a, b) for a in views for b in views
        if a.function == b.function and a.end - a.begin <= b.end - b.begin
        and (a.end <= b.begin or b.end <= a.begin)
    ]
    pairs.sort(key=lambda pair: abs(pair[0].line - pair[1].line))
    near = pairs[: len(pairs) // 4 + 1]
    return {a.line: b.begin for a, b in chosen.sample(near, min(MOVES, len(near)))}


def broken(text, chosen):
    """|text| with views of each program moved onto others; (text, the seeds of those)."""
    lines, moved = text.split("\n"), set()
    for seed, views in views_of(text).items():
        moves = moves_of(views, chosen) if seed >= 0 else {}
        for number, begin in moves.items():
            view = VIEW.search(lines[number])
            line = f"{lines[number][: view.start(1)]}%moved{number}{lines[number][view.end(1) :]}"
            lines[number] = f"%moved{number} = arith.constant {begin} : index\n{line}"
            moved.add(seed)
    return "\n".join(lines), moved


def differing(seeds, wanted, lists):
    """The seeds of which a number is another one."""
    return [
        seed for number, seed in enumerate(seeds)
        if len(lists) != 2 or any(values[number] != wanted[number] for values in lists)
    ]


def unplanned(folder, name, seeds):
    """(the text, the numbers that it leaves)."""
    text = memref_programs(seeds)
    try:
        lists = run(folder, f"{name}.unplanned.mlir", text, len(seeds))
    except ToolFailed as error:
        raise ProgramFailed(f"unplanned: {error}") from error
    if len(lists) != 2 or lists[0] != lists[1]:
        raise ToolFailed("the program itself is not deterministic")
    return text, lists[0]


def examine(folder, name, seeds, options, unlike=None):
    """(the seeds that differ, memrefs of the text, those that are left)."""
    plan, arena, scopes = options
    text = memref_programs(seeds)
    planned = materialise(text, plan, arena)
    counts = text.count("memref.alloc"), planned.count("memref.alloc")
    if unlike and planned == materialise(text, plan, arena, unlike):
        return [], *counts
    _, wanted = unplanned(folder, name, seeds)
    lists = run(folder, f"{name}.planned.mlir", planned, len(seeds), scopes)
    return differing(seeds, wanted, lists), *counts


def examine_broken(folder, batch, seeds):
    """(programs with a view moved, those of which the numbers differ then)."""
    plan, _, _ = options_of(batch)
    text, wanted = unplanned(folder, f"broken-{batch}", seeds)
    planned, moved = broken(materialise(text, plan, "arena-mode=global"), random.Random(batch))
    try:
        lists = run(folder, f"broken-{batch}.mlir", planned, len(seeds))
    except ToolFailed:  # a program that overwrites a function's address crashes
        if len(seeds) == 1:
            return len(moved), len(moved)
        alone = [examine_broken(folder, batch, [seed]) for seed in seeds]
        return sum(count[0] for count in alone), sum(count[1] for count in alone)
    return len(moved), len(moved & set(differing(seeds, wanted, lists)))


def repeat_command(path, options):
    plan, arena, _ = options
    return f"gmem-opt --pass-pipeline='builtin.module({planning(plan)},gmem-materialize{{{arena}}})' {path}"


def keep(folder, seed, planned, options, why):
    """(|planned|, a text): the program of |seed| is wrong in the plan of the programs |planned|."""
    path = os.path.abspath(os.path.join(folder, f"seed-{seed}.mlir"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(memref_programs(planned))
    plan, arena, scopes = options
    more = " with alias scopes" if scopes else ""
    beside = "" if len(planned) == 1 else f" when seeds {planned[0]} to {planned[-1]} are planned together"
    return planned, f"seed {seed} ({plan} {arena}{more}): {why}{beside}\n  repeat: {repeat_command(path, options)}"


def verdict(seeds, options, verifier):
    """What |verifier| says of the plan of the programs."""
    passes = f"builtin.module({planning(options[0])})"
    planned = run_tool("gmem-opt", f"--pass-pipeline={passes}", "-", text=memref_programs(seeds))
    return said_of(verifier, planned)


def examine_alone(folder, seed, options, unlike):
    """What is wrong with one program, or None."""
    try:
        bad, _, _ = examine(folder, f"alone-{seed}", [seed], options, unlike)
    except ToolFailed as error:
        return str(error)
    return DIFFERENT if bad else None


def faulty_alone(folder, seeds, options, arguments):
    """(seed, what is wrong with it) of those with which something is; --stop: one is enough."""
    found = []
    for seed in seeds:
        why = examine_alone(folder, seed, options, arguments.unlike)
        if why:
            found.append((seed, why))
        if found and arguments.stop:
            break
    return found


def examine_batch(folder, batch, seeds, arguments):
    """(what is wrong, a text for each bad seed; memrefs; those that are left)."""
    bad, before, after = judge_batch(folder, batch, seeds, arguments)
    texts, asked = [], []
    for planned, text in bad:
        if arguments.verifier and is_judged(text) and planned not in asked and len(asked) < MOST_VERIFIED:
            asked.append(planned)
            text += verdict(planned, options_of(batch), arguments.verifier)
        texts.append(text)
    return texts, before, after


def judge_batch(folder, batch, seeds, arguments):
    """(what is wrong: the seeds of a plan, and a text, for each bad seed; memrefs; those that are left)."""
    options = options_of(batch)
    try:
        bad, before, after = examine(folder, f"batch-{batch}", seeds, options, arguments.unlike)
    except ToolFailed as error:
        bad = [keep(folder, s, [s], options, why) for s, why in faulty_alone(folder, seeds, options, arguments)]
        return bad or [(seeds, f"batch {batch} ({options}) fails as a whole: {error}")], 0, 0
    kept = []
    for seed in bad:  # another plan is made of it alone, which may be sound
        why = examine_alone(folder, seed, options, arguments.unlike)
        kept.append(keep(folder, seed, [seed] if why else seeds, options, why or DIFFERENT))
    return kept, before, after


def count_broken(folder, batches, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        counts = list(pool.map(lambda batch: examine_broken(folder, *batch), batches))
    moved, found = (sum(count[i] for count in counts) for i in (0, 1))
    print(f"{found} of {moved} broken programs found")
    return 1 if 2 * found < moved or not moved else 0  # two thirds of them when this was written


def compare(folder, batches, arguments):
    failed, judged, before, after = 0, 0, 0, 0
    examined = in_turn(lambda batch: examine_batch(folder, *batch, arguments), batches, arguments.jobs)
    for bad, made, left in examined:
        judged += sum(map(is_judged, bad))
        failed, before, after = failed + len(bad), before + made, after + left
        for text in bad:
            print(text, flush=True)
        if (judged if arguments.verifier else failed) and arguments.stop:
            break
    count = sum(len(seeds) for _, seeds in batches)
    print(f"{count} programs, {failed} differ")
    if before:
        print(f"{100 * (before - after) // before} % of {before} memrefs planned")
    return 1 if failed or not count else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--break", dest="is_broken", action="store_true")
    parser.add_argument("--messages", action="store_true")
    parser.add_argument("--unlike", help="a gmem-opt: what it materialises in the same way is not run")
    add_arguments(parser)
    arguments = parser.parse_args()
    shift = MESSAGES if arguments.messages else 0
    first, end = arguments.first + shift, arguments.end + shift
    global TIMEOUT, RUN_TIMEOUT
    TIMEOUT = arguments.timeout or TIMEOUT
    RUN_TIMEOUT = min(RUN_TIMEOUT, TIMEOUT // 2)
    os.makedirs(arguments.folder, exist_ok=True)
    batches = [(b // BATCH, range(b, min(b + BATCH, end))) for b in range(first, end, BATCH)]
    if arguments.is_broken:
        return count_broken(arguments.folder, batches, arguments.jobs)
    return compare(arguments.folder, batches, arguments)


if __name__ == "__main__":
    sys.exit(main())
