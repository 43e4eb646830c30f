# run_programs.py [--break=N] [--pad] [--dimensions] [--work] [--state] [--strided] [--imports] [--verifier=GMEM-OPT] FOLDER FIRST END - plans the random programs of
# seeds [FIRST, END), many in one file, and has gmem-machine execute each under
# its plan. Exits 1 when a plan is unsound; the text of such a seed is kept in
# FOLDER, with the command that repeats it.
#
# --break=N moves, in each planned file, one value of N in a hundred onto another
# one, and says how many of the moves were found: a control of the machine.
#
# --pad gives values with memory a gmem.padding: they are planned once to know
# which have any, and then again. --dimensions gives some elements around them in
# each dimension. --work gives ops workbuffers, and --state makes
# arguments states, in the same way. --strided plans programs of strided_program.py,
# --imports those of imported_program.py.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import random
import re
import subprocess
import sys

from broken_plans import break_plans
from imported_program import imported_program
from random_program import random_program
from strided_program import strided_program
from unsound_plans import MOST_VERIFIED, add_arguments, in_turn, is_judged, said_of

BATCH = 50  # programs of one file: they have one set of options
TIMEOUT = 600  # seconds, for a tool that hangs

ALGORITHMS = [
    "auto", "greedy-by-size", "ref-count", "first-fit", "best-fit", "sweep",
    "greedy-by-conflicts", "hill-climb", "none", "exact",
]
QUICK_ALGORITHMS = ["greedy-by-size", "first-fit", "best-fit", "auto", "ref-count"]
SHARING = [
    "all", "all", "inplace", "destination", "slice", "concat", "transfer",
    "slice+concat", "inplace+destination", "concat+inplace", "none",
]

# Memories of the machine: none, one, several that fill up, one behind another.
POOLS = [
    "", "", "",
    " pools=a:size=500,speed=3;b:size=2000,speed=2;c",
    " pools=a:alignment=16,after=weights;b:alignment=256,after=a",
    " pools=c;a:size=1K,alignment=8,speed=9",
    " pools=a:capacity=3000,speed=2,alignment=32;b:capacity=600,speed=4;c:speed=1",
]


def options_of(batch, is_quick=False):
    """The options take turns of lengths that have no common factor with each other's."""
    algorithms = QUICK_ALGORITHMS if is_quick else ALGORITHMS
    algorithm = algorithms[batch % len(algorithms)]
    sharing = "all" if batch % 3 else SHARING[batch // 3 % len(SHARING)]
    keep = ["false", "false", "true"][batch // 2 % 3]
    alignment = [1, 1, 64, 4096][batch // 5 % 4]
    view_alignment = [1, 1, 16, 64][batch % 4]
    # A sweep that tries all it may takes seconds for some of these programs.
    effort = "fast" if is_quick or algorithm == "sweep" else ["fast", "fast", "normal"][batch // 4 % 3]
    share_weights = ["false", "true"][batch // 7 % 2]
    return (
        f"algorithm={algorithm} sharing={sharing} keep-inputs={keep} alignment={alignment} "
        f"view-alignment={view_alignment} effort={effort} share-weights={share_weights} "
        f"weight-alignment=1{POOLS[batch % len(POOLS)]}"
    )


program_of = random_program  # of a seed


class ToolFailed(Exception):
    pass


def run_tool(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"{command[0]} hangs") from error
    return done


def plan(path, options, planned):
    flags = ["--allow-unregistered-dialect", "--mlir-print-debuginfo", "--mlir-print-op-generic"]
    done = run_tool("gmem-opt", *flags, f"--gmem-plan={options}", path, "-o", planned)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr]
        raise ToolFailed(f"gmem-opt exits with {done.returncode}: {errors[0].strip()}")


PADDINGS = [0, 0, 0, 1, 8, 16, 24, 64, 100]
PLACED = re.compile(r'gmem\.pool = (\[[^]]*\]|"[^"]*")')


def pad(planned, seed):
    """|planned| with a gmem.padding beside every place in a workspace."""
    chosen = random.Random(seed)

    def one(pool):
        sides = [chosen.choice(PADDINGS) if pool not in ("", "weights") else 0 for _ in range(2)]
        return f"array<i64: {sides[0]}, {sides[1]}>"

    def beside(match):
        pools = re.findall(r'"([^"]*)"', match.group(1))
        listed = ", ".join(map(one, pools))
        if match.group(1).startswith("["):
            listed = f"[{listed}]"
        return f"gmem.padding = {listed}, {match.group(0)}"

    return PLACED.sub(beside, planned)


def add_work(planned, seed):
    """|planned| with gmem.workbuffers beside some of the gmem.pool of ops, each as if for threads."""
    chosen = random.Random(seed)

    def one():
        size, threads = chosen.choice([0, 4, 16, 60, 200]), chosen.choice([1, 1, 2])
        alignment = chosen.choice([1, 1, 8, 64])
        return f"{{size = {size} : i64, threads = {threads} : i64, alignment = {alignment} : i64}}"

    def beside(match):
        if "weights" in match.group(0) or match.group(1)[0] != "[" or chosen.random() < 0.6:
            return match.group(0)
        return f"gmem.workbuffers = [{', '.join(one() for _ in range(chosen.choice([1, 2])))}], {match.group(0)}"

    return PLACED.sub(beside, planned)


def add_states(planned, seed):
    """|planned| with gmem.state beside places of arguments of functions that no other one names.
    Half of them have a name: states of one size that functions share."""
    chosen = random.Random(seed)

    def of_function(match, named):
        taken = set()  # names in this function

        def beside(place):
            name = "state " + place.group(1)
            if chosen.random() >= 0.4:
                return place.group(0)
            if name in taken or chosen.random() < 0.5:
                return f"gmem.state, {place.group(0)}"
            taken.add(name)
            return f'gmem.state = "{name}", {place.group(0)}'

        if match.group(2) in named or "gmem.pool" not in match.group(1):
            return match.group(0)
        return re.sub(r'gmem\.pool = "(?!weights)[^"]*", gmem\.size = (\d+)', beside, match.group(0))

    parts = re.split(r'(?="builtin\.module"\(\) <\{sym_name = "seed_)', planned)
    for i, part in enumerate(parts):
        named = set(re.findall(r"@(f\d+)", part))
        parts[i] = re.sub(
            r'"func\.func"\(\) <\{arg_attrs = (.*?)sym_name = "(f\d+)"',
            lambda match, named=named: of_function(match, named), part)
    return "".join(parts)


COMPUTE = {"any.compute", "any.elementwise", "any.into", "any.matrix", "any.join", "any.cut"}  # ops that pass nothing on
MADE = re.compile(r'\s*(%\d+) = "([a-z_.]+)"\(.*-> tensor<((?:[1-9]\d*x)+)[if](?:8|16|32|64)>')
USER = re.compile(r'\s*(?:%\S+ = )?"([a-z_.]+)"\(')


def pad_dimensions(planned, seed):
    """|planned| with elements around some results that such ops make and read, in each dimension."""
    chosen = random.Random(seed)

    def sides(rank):
        numbers = [", ".join(str(chosen.choice([0, 0, 1, 3])) for _ in range(rank)) for _ in range(2)]
        return f"gmem.padding = [{{before = array<i64: {numbers[0]}>, after = array<i64: {numbers[1]}>}}]"

    def is_safe(line):
        user = USER.match(line)
        return user and user.group(1) in COMPUTE

    def of_function(text):
        lines = text.split("\n")
        for i, line in enumerate(lines):
            made = MADE.match(line)
            if not made or made.group(2) not in COMPUTE or 'gmem.pool = ["' not in line or '"weights"' in line:
                continue
            name = re.compile(re.escape(made.group(1)) + r"\b")
            others = lines[:i] + lines[i + 1:]
            if chosen.random() < 0.5 and all(map(is_safe, filter(name.search, others))):
                padding = sides(made.group(3).count("x"))
                lines[i] = line.replace("gmem.pool =", f"{padding}, gmem.pool =", 1)
        return "\n".join(lines)

    return "".join(map(of_function, re.split(r'(?="func\.func"\()', planned)))


def extras_of(arguments):
    asked = [(pad, arguments.pad), (pad_dimensions, arguments.dimensions),
             (add_work, arguments.work), (add_states, arguments.state)]
    return [add for add, is_asked in asked if is_asked]


def with_extras(planned, seed, extras):
    for add in extras:
        planned = add(planned, seed)
    return planned


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def repeat_command(path, options):
    flags = "--allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-op-generic"
    return f"gmem-opt {flags} --gmem-plan='{options}' {path} | gmem-machine -"


def run_files(folder, name, texts, options, seed, extras):
    """Plans and executes; (faults as lines, planned text)."""
    path = os.path.join(folder, f"{name}.mlir")
    planned = os.path.join(folder, f"{name}.planned.mlir")
    write(path, "module {\n" + "".join(texts) + "}\n")
    try:
        plan(path, options, planned)
        if extras:
            with open(planned, encoding="utf-8") as file:
                write(path, with_extras(file.read(), seed, extras))
            plan(path, options, planned)
        done = run_tool("gmem-machine", f"--seed={seed}", planned)
    finally:
        os.remove(path)
    with open(planned, encoding="utf-8") as file:
        text = file.read()
    os.remove(planned)
    # A wrong gmem.alias is said before the run, and often comes with more: those of the run first.
    faults = sorted(filter(None, done.stdout.splitlines()[:-1]), key=is_judged, reverse=True)
    if done.returncode not in (0, 1):
        raise ToolFailed(f"gmem-machine exits with {done.returncode}: {done.stderr.strip()}")
    return faults, text


def keep(folder, seed, options, extras, why):
    """Writes the program of |seed| into |folder|; what to say of it."""
    path = os.path.abspath(os.path.join(folder, f"seed-{seed}.mlir"))
    write(path, program_of(seed))
    if extras:
        planned = path + ".planned"
        plan(path, options, planned)
        with open(planned, encoding="utf-8") as file:
            write(path, with_extras(file.read(), seed, extras))
        os.remove(planned)
    return f"seed {seed} ({options}): {why}\n  repeat: {repeat_command(path, options)}"


def module_of(planned, seed):
    """The module of |seed| in the planned text of a batch, with the names of attributes and places."""
    found = re.search(rf'^  "builtin\.module"\(\) <{{sym_name = "seed_{seed}"}}> .*?^  }}\).*?$', planned, re.M | re.S)
    names = re.findall(r"^#.*$", planned, re.M)
    return "\n".join([*names, found.group(0), ""]) if found else None


def verdict(planned, seed, verifier):
    """What |verifier| says of the plan of the program, as it is in the batch."""
    module = module_of(planned, seed)
    return said_of(verifier, module) if module else "\n  verifier: not asked: there is no such module"


def examine_alone(folder, seed, options, extras):
    """What is wrong with one program, or None; its planned text."""
    try:
        faults, planned = run_files(folder, f"alone-{seed}", [program_of(seed)], options, seed, extras)
    except ToolFailed as error:
        return str(error), ""
    return faults[0] if faults else None, planned


def with_verdicts(bad, planned_of, verifier):
    """|bad|, by seed, as texts with what |verifier| says of the first plans that are judged."""
    judged = [seed for seed, text in bad.items() if is_judged(text)] if verifier else []
    for seed in judged[:MOST_VERIFIED]:
        bad[seed] += verdict(planned_of[seed], seed, verifier)
    return list(bad.values())


def examine_batch(folder, batch, first, end, arguments):
    """(what is wrong, one text for each bad seed; planned text)."""
    extras = extras_of(arguments)
    options = options_of(batch, arguments.quick)
    texts = [program_of(seed) for seed in range(first, end)]
    try:
        faults, planned = run_files(folder, f"batch-{batch}", texts, options, first, extras)
    except ToolFailed:
        # Which one it is shows when each is alone.
        alone = {s: examine_alone(folder, s, options, extras) for s in range(first, end)}
        bad = {s: keep(folder, s, options, [], why) for s, (why, _) in alone.items() if why}
        texts = with_verdicts(bad, {s: planned for s, (_, planned) in alone.items()}, arguments.verifier)
        return texts or [f"batch {batch} ({options}) fails as a whole"], ""
    found = {}
    for fault in faults:
        number = re.search(r'"seed_(\d+)"', fault)
        found.setdefault(int(number.group(1)) if number else first, fault)
    bad = {s: keep(folder, s, options, extras, why) for s, why in found.items()}
    return with_verdicts(bad, dict.fromkeys(bad, planned), arguments.verifier), planned


def count_found(folder, batch, planned, share):
    """(broken plans, those that are found)."""
    path = os.path.join(folder, f"broken-{batch}.mlir")
    text, broken = break_plans(planned, batch, share)
    write(path, text)
    done = run_tool("gmem-machine", path)
    os.remove(path)
    found = {int(number) for number in re.findall(r'"seed_(\d+)"', done.stdout)}
    return len(broken), len(broken & found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--break", dest="share", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="by quick algorithms only")
    parser.add_argument("--pad", action="store_true")
    parser.add_argument("--dimensions", action="store_true")
    parser.add_argument("--work", action="store_true")
    parser.add_argument("--state", action="store_true")
    parser.add_argument("--strided", action="store_true")
    parser.add_argument("--imports", action="store_true")
    add_arguments(parser)
    arguments = parser.parse_args()
    folder, first, end = arguments.folder, arguments.first, arguments.end
    os.makedirs(folder, exist_ok=True)
    failed, judged, broken, found = 0, 0, 0, 0
    global TIMEOUT, program_of
    program_of = strided_program if arguments.strided else imported_program if arguments.imports else random_program
    TIMEOUT = arguments.timeout or TIMEOUT

    def examine(begin):
        batch = begin // BATCH
        bad, planned = examine_batch(folder, batch, begin, min(begin + BATCH, end), arguments)
        counted = count_found(folder, batch, planned, arguments.share) if arguments.share and planned else (0, 0)
        return bad, counted

    for bad, counted in in_turn(examine, range(first, end, BATCH), arguments.jobs):
        failed += len(bad)
        judged += sum(map(is_judged, bad))
        broken += counted[0]
        found += counted[1]
        for text in bad:
            print(text, flush=True)
        if (judged if arguments.verifier else failed) and arguments.stop:
            break
    print(f"{max(end - first, 0)} programs, {failed} unsound plans")
    if arguments.share:
        print(f"at random: {found} of {broken} broken plans found")
    too_few = 2 * found < broken  # 70 % of them when this was written
    return 1 if failed or end <= first or too_few else 0


if __name__ == "__main__":
    sys.exit(main())
