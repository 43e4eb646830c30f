# run_ordered.py [--stop] FOLDER FIRST END - plans the random programs of seeds [FIRST, END) with order=best, and has
# order_judge.py say whether the ops still do the same, and gmem-machine whether the plan is sound. Exits 1 if not; the
# text of such a seed is kept in FOLDER. A control beside it: the same with every op listed as free of effects.
#
# Programs take turns: as they are, with fences (gmem.keep_order), with ops in streams, with ops on memrefs. All have
# pairs of ops that would need fewer bytes in the other order, but have to keep theirs. If no plan is made of a file, its
# programs are planned one by one; if MLIR refuses an order, as an op stands before what it uses, the order is judged.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import re
import subprocess
import sys

from order_judge import fault_of, has_moved
from random_program import DEEPEST, Generator, Scope, flat
from run_orders import MODELS, PURE
from run_programs import options_of
from unsound_plans import add_arguments, in_turn, is_judged, said_of

BATCH = 50  # programs of one file
TIMEOUT = 600  # seconds, for a tool that hangs
FLAGS = [
    "--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-local-scope",
]


def kind_of(seed):
    return ["plain", "fences", "streams", "memrefs"][seed % 4]


class FencedGenerator(Generator):
    def __init__(self, seed):
        super().__init__(seed)
        self.kind = kind_of(seed)
        self.buffers = []

    def extra(self, op, scope):
        if self.kind == "fences" and self.chance(0.06):
            return ["gmem.keep_order"]
        if self.kind != "streams" or op != "any.compute" or scope.group is not None:
            return []
        waits = ["gmem.wait = array<i64: 1>"] if self.chance(0.1) else []
        return waits + ([f"gmem.stream = {self.random.randrange(2)}"] if self.chance(0.3) else [])

    # --- ops that would be better in the other order --------------------------

    def compute(self, scope):
        super().compute(scope)
        if scope.group is None and self.rare.random() < 0.25:
            self.tempt(scope)

    def tempt(self, scope):
        """Two ops that have to keep their order, though fewer bytes would be live in the other one."""
        copy = self.value(32)
        self.emit(scope, "any.compute", self.picks(scope, 1), [copy])
        view = self.flatten(scope, *self.view(scope, copy, (2, 16)), copy.size)
        early, small, late = self.values([self.rare.choice([256, 512, 1024]), 16, self.rare.choice([256, 512, 1024])])
        self.emit(scope, "any.compute", [copy], [early])
        self.emit(scope, "any.compute", [early], [small])
        self.emit(scope, "any.compute", [small], [late])
        kind = self.rare.random()
        if kind < 0.1:
            self.hand_on(scope, late, early)
        elif kind < 0.5:
            read = self.rare.choice([self.read, self.read_in_region])
            forms = self.rare.choice([(self.write_in_place, read), (read, self.write_in_place)])
            for form, operand in zip(forms, (late, early)):
                form(scope, operand, self.rare.choice([copy, view]))
        else:
            forms = [self.touch, self.touch_in_group, self.touch_in_region, self.queued, self.queued_region]
            for operand in (late, early):
                self.rare.choice(forms)(scope, operand)

    def hand_on(self, scope, late, early):
        """A value without bytes from one to the other."""
        name, result = self.name("s"), self.value(16)
        self.add(scope, f'{name} = "any.index"({late.name}) : ({flat(late.size)}) -> index')
        kinds = f"(index, {flat(early.size)}) -> {flat(result.size)}"
        self.add(scope, f'{result.name} = "any.compute"({name}, {early.name}) : {kinds}', [result])

    def write_in_place(self, scope, operand, copy):
        attributes = ["gmem.op_model = {writes = array<i64: 0>}", "test.writes = array<i64: 0>"]
        self.emit(scope, "any.write", [copy, operand], [], attributes)

    def read(self, scope, operand, copy):
        self.emit(scope, "any.compute", [copy, operand], self.values([16]))

    def read_in_region(self, scope, operand, copy):
        self.region(scope, operand, "any.compute", [copy])

    def touch(self, scope, operand):
        """An op of which nothing is known."""
        self.emit(scope, "any.touch", [operand], [])

    def touch_in_group(self, scope, operand):
        self.groups += 1
        scope.group = self.groups
        self.touch(scope, operand)
        self.emit(scope, "any.compute", [], self.values([16]))
        scope.group = None

    def touch_in_region(self, scope, operand):
        self.region(scope, operand, "any.touch", [])

    def in_queue(self):
        forms = ["gmem.stream = 1", "gmem.wait = array<i64: 1>"]
        return [self.rare.choice(forms)] if self.kind == "streams" else []

    def queued(self, scope, operand):
        Generator.emit(self, scope, "any.compute", [operand], self.values([16]), self.in_queue())

    def queued_region(self, scope, operand):
        self.region(scope, operand, "any.compute", [], self.in_queue())

    def region(self, scope, operand, op, read, attributes=()):
        inside = Scope([], DEEPEST)
        Generator.emit(self, inside, op, read, [], attributes)
        body = "\n".join([*inside.text, '"any.yield"() : () -> ()'])
        self.emit(scope, "any.regions", [operand], self.values([16]), [], f" ({{\n{body}\n}})")

    def emit(self, scope, op, operands, results, attributes=(), regions=""):
        super().emit(scope, op, operands, results, [*attributes, *self.extra(op, scope)], regions)
        if self.kind == "memrefs" and scope.group is None and self.chance(0.2):
            self.remember(scope)

    def remember(self, scope):
        """An op that reads or writes a memref, which are a buffer's of the function."""
        if scope.depth > 0 or not self.is_straight:
            return
        if not self.buffers:
            self.buffers.append(self.name("m"))
            self.add(scope, f'{self.buffers[0]} = "memref.alloc"() : () -> memref<32xi8>')
        elif self.chance(0.5):
            value = self.one(scope)
            self.add(scope, f'"any.store"({self.buffers[0]}, {value.name}) : (memref<32xi8>, tensor<{value.size}xi8>) -> ()')
        else:
            result = self.value(32)
            self.add(scope, f'{result.name} = "any.compute"({self.buffers[0]}) : (memref<32xi8>) -> tensor<32xi8>', [result])

    def end(self, scope, op, sizes):
        super().end(scope, op, sizes)
        if self.kind == "fences" and self.chance(0.1):
            scope.text[-1] = scope.text[-1].replace(") : (", ") {gmem.keep_order} : (")

    def function(self, function):
        self.buffers = []
        text = super().function(function)
        if self.kind == "fences" and self.chance(0.1) and function.dialect == "func":
            return text.replace(") {\n", ") attributes {gmem.keep_order} {\n", 1)
        return text


def program(seed):
    return FencedGenerator(seed).program(seed)


class ToolFailed(Exception):
    pass


def run(path, *command, expected=(0,)):
    try:
        done = subprocess.run([*command, path], capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"{command[0]} hangs") from error
    if done.returncode not in expected:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr]
        raise ToolFailed(f"{command[0]} exits with {done.returncode}: {errors[0].strip()}")
    return done.stdout


def split(text):
    """The modules, by their number."""
    parts = re.split(r'(?=^  "builtin\.module"\(\))', text, flags=re.MULTILINE)
    found = {}
    for part in parts:
        name = re.search(r'sym_name = "seed_(\d+)"', part)
        if name:
            found[int(name.group(1))] = re.sub(r'\n"?}\) : \(\) -> \(\) loc\([^\n]*\)\n$', "\n", part)
    return found


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def blind_models(folder):
    """Op models that list every op of the programs as free of effects."""
    path = os.path.join(folder, "blind.mlir")
    with open(os.path.join(os.path.dirname(MODELS), "random_program.py"), encoding="utf-8") as file:
        names = sorted(set(re.findall(r'"(any\.[a-z_]+)"', file.read())) | {"any.store", "any.touch"})
    listed = ", ".join(f'"{name}"' for name in names if name not in ("any.func", "any.return", "any.branch"))
    write(path, f'"gmem.pure_ops"() {{ops = [{listed}]}} : () -> ()\n')
    return path


def repeat_command(path, options, flags, name):
    return f"gmem-opt {' '.join(flags)} --{name}='{options}' {path}"


class Result:
    def __init__(self):
        self.bad, self.moved, self.caught, self.blind = [], 0, 0, 0

    def add(self, other):
        self.bad += other.bad
        self.moved += other.moved
        self.caught += other.caught
        self.blind += other.blind

    def add_fault(self, seed, folder, options, why, flags=FLAGS, name="gmem-plan"):
        kept = os.path.abspath(os.path.join(folder, f"seed-{seed}.mlir"))
        write(kept, program(seed))
        self.bad.append(f"seed {seed} ({options}): {why}\n  repeat: {repeat_command(kept, options, flags, name)}")


def look(seeds, folder, options, blind, result):
    """Plans the programs, and adds what is wrong with them to |result|."""
    path = os.path.join(folder, f"ordered-{seeds.start}.mlir")
    planned_path = path + ".planned"
    write(path, "module {\n" + "".join(map(program, seeds)) + "}\n")
    try:
        given = split(run(path, "gmem-opt", *FLAGS))
        planned = run(path, "gmem-opt", *FLAGS, f"--gmem-plan={options}")
        write(planned_path, planned)
        ordered = split(planned)
        unsound = run(planned_path, "gmem-machine", expected=(0, 1))
        other = split(run(path, "gmem-opt", *FLAGS, f"--gmem-plan={options.replace(MODELS, blind)}")) if blind else {}
    finally:
        for name in (path, planned_path):
            if os.path.exists(name):
                os.remove(name)
    for seed in seeds:
        why = fault_of(given[seed], ordered[seed], PURE)
        found = re.search(rf'^.*"seed_{seed}".*$', unsound, re.M)
        # The machine knows nothing of streams, nor of memrefs that nobody has written yet.
        if not why and found and kind_of(seed) in ("plain", "fences"):
            why = found.group(0)
        result.moved += has_moved(given[seed], ordered[seed])
        if why:
            result.add_fault(seed, folder, options, why)
        if blind:
            result.blind += has_moved(given[seed], other[seed])
            result.caught += fault_of(given[seed], other[seed], PURE) is not None


def judge_refused(seed, folder, options, verifier, error):
    """What is wrong with a program of which no plan was made. Its order may be one in which an op stands before what
    it uses: MLIR refuses that, so that it is made without a look at it."""
    path, flags, result = os.path.join(folder, f"ordered-{seed}.mlir"), [*FLAGS, "--verify-each=0"], Result()
    order = " ".join(option for option in options.split() if "weight" not in option)  # which have no order
    write(path, f"module {{\n{program(seed)}}}\n")
    try:
        given = run(path, "gmem-opt", *FLAGS)
        ordered = run(path, "gmem-opt", *flags, f"--gmem-order-ops={order}")
        why = fault_of(split(given)[seed], split(ordered)[seed], PURE)
    except ToolFailed:
        why = None
    finally:
        os.remove(path)
    if why:
        result.add_fault(seed, folder, order, why, flags, "gmem-order-ops")
    else:
        result.add_fault(seed, folder, options, error)
    if why and verifier:
        result.bad[-1] += said_of(verifier, ordered)
    return result


def examine(seeds, folder, blind, verifier):
    batch, result = seeds.start // BATCH, Result()
    options = f"{options_of(batch, True)} order=best op-models={MODELS}"
    try:
        look(seeds, folder, options, blind, result)
    except ToolFailed as error:
        if len(seeds) == 1:
            return judge_refused(seeds.start, folder, options, verifier, error)
        for seed in seeds if "hangs" not in str(error) else []:
            result.add(examine(range(seed, seed + 1), folder, blind, verifier))
        result.bad = result.bad or [f"batch {batch} ({options}): {error}"]
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--control", action="store_true", help="plan also as if no op had effects")
    add_arguments(parser)
    arguments = parser.parse_args()
    folder, first, end = arguments.folder, arguments.first, arguments.end
    os.makedirs(folder, exist_ok=True)
    blind = blind_models(folder) if arguments.control else None
    judged, total = 0, Result()
    global TIMEOUT
    TIMEOUT = arguments.timeout or TIMEOUT
    batches = [range(begin, min(begin + BATCH, end)) for begin in range(first, end, BATCH)]
    for result in in_turn(lambda seeds: examine(seeds, folder, blind, arguments.verifier), batches, arguments.jobs):
        judged += sum(map(is_judged, result.bad))
        total.add(result)
        for text in result.bad:
            print(text, flush=True)
        if (judged if arguments.verifier else total.bad) and arguments.stop:
            break
    count = max(end - first, 0)
    print(f"{count} programs, {total.moved} in another order, {len(total.bad)} wrong")
    if blind:
        print(f"as if no op had effects: {total.blind} in another order, {total.caught} found to be wrong")
    return 1 if total.bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
