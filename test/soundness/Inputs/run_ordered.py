# run_ordered.py [--stop] FOLDER FIRST END - plans the random programs of seeds [FIRST, END) with order=best, and has
# order_judge.py say whether the ops still do the same, and gmem-machine whether the plan is sound. Exits 1 if not; the
# text of such a seed is kept in FOLDER. A control beside it: the same with every op listed as free of effects.
#
# Programs take turns: as they are, with fences (gmem.keep_order), with ops in streams, with ops on memrefs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import re
import subprocess
import sys

from order_judge import fault_of, has_moved
from random_program import Generator
from run_orders import MODELS, PURE
from run_programs import options_of
from unsound_plans import add_arguments, in_turn, is_judged

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

    def emit(self, scope, op, operands, results, attributes=(), regions=""):
        super().emit(scope, op, operands, results, [*attributes, *self.extra(op, scope)], regions)
        if self.kind == "memrefs" and scope.group is None and self.chance(0.2):
            self.remember(scope)

    def remember(self, scope):
        """An op that reads or writes a memref, which are a buffer's of the function."""
        if scope.depth > 0 or not self.may_hold:
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
        names = sorted(set(re.findall(r'"(any\.[a-z_]+)"', file.read())) | {"any.store"})
    listed = ", ".join(f'"{name}"' for name in names if name not in ("any.func", "any.return", "any.yield", "any.branch"))
    write(path, f'"gmem.pure_ops"() {{ops = [{listed}]}} : () -> ()\n')
    return path


def repeat_command(path, options):
    return f"gmem-opt {' '.join(FLAGS)} --gmem-plan='{options}' {path}"


class Result:
    def __init__(self):
        self.bad, self.moved, self.caught, self.blind = [], 0, 0, 0


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
            kept = os.path.abspath(os.path.join(folder, f"seed-{seed}.mlir"))
            write(kept, program(seed))
            result.bad.append(f"seed {seed} ({options}): {why}\n  repeat: {repeat_command(kept, options)}")
        if blind:
            result.blind += has_moved(given[seed], other[seed])
            result.caught += fault_of(given[seed], other[seed], PURE) is not None


def examine(seeds, folder, blind):
    batch, result = seeds.start // BATCH, Result()
    options = f"{options_of(batch, True)} order=best op-models={MODELS}"
    try:
        look(seeds, folder, options, blind, result)
    except ToolFailed as error:
        result.bad = [f"batch {batch} ({options}): {error}"]
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--control", action="store_true", help="plan also as if no op had effects")
    add_arguments(parser)
    arguments = parser.parse_args()
    folder, first, end = arguments.folder, arguments.first, arguments.end
    os.makedirs(folder, exist_ok=True)
    blind = blind_models(folder) if arguments.control else None
    failed, judged, total = 0, 0, Result()
    global TIMEOUT
    TIMEOUT = arguments.timeout or TIMEOUT
    batches = [range(begin, min(begin + BATCH, end)) for begin in range(first, end, BATCH)]
    for result in in_turn(lambda seeds: examine(seeds, folder, blind), batches, arguments.jobs):
        failed += len(result.bad)
        judged += sum(map(is_judged, result.bad))
        total.moved += result.moved
        total.caught += result.caught
        total.blind += result.blind
        for text in result.bad:
            print(text, flush=True)
        if (judged if arguments.verifier else failed) and arguments.stop:
            break
    count = max(end - first, 0)
    print(f"{count} programs, {total.moved} in another order, {failed} wrong")
    if blind:
        print(f"as if no op had effects: {total.blind} in another order, {total.caught} found to be wrong")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
