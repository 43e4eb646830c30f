# run_regions.py [--stop] FOLDER FIRST END - plans the random programs of seeds [FIRST, END), whose ops read the
# neighbours of elements, and compares each gmem.valid_region with what follows element by element: an element is valid
# if all that it is computed from is. Exits 1 if a region has an element that is not valid, or, where no op has to leave
# some out, lacks one that is; the text of such a seed is kept in FOLDER. Shares nothing with the passes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools
import os
import random
import re
import subprocess
import sys

from unsound_plans import add_arguments, first_error, in_turn, is_judged

BATCH = 50  # programs of one file
SHAPES = [(9,), (7, 8), (6, 9), (1, 7, 6), (5, 6, 2), (8, 8), (1, 9, 1)]
FLAGS = ["--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-local-scope"]


def indices(shape):
    return itertools.product(*map(range, shape))


def numbers(values):
    return f"array<i64: {', '.join(map(str, values))}>"


class Value:
    """|valid| has the valid elements; |exact|: they are a box, and the planner can say so."""

    def __init__(self, name, shape, valid, exact=True):
        self.name, self.shape, self.valid, self.exact = name, shape, valid, exact
        self.before, self.after, self.border, self.is_padded = [0] * len(shape), [0] * len(shape), "undefined", False

    def type(self):
        return f"tensor<{'x'.join(map(str, self.shape))}xi8>"

    def is_defined(self, index):
        """Of an element, or of one of the border."""
        if all(0 <= i < n for i, n in zip(index, self.shape)):
            return index in self.valid
        in_border = all(-b <= i < n + a for i, n, b, a in zip(index, self.shape, self.before, self.after))
        nearest = tuple(min(max(i, 0), n - 1) for i, n in zip(index, self.shape))
        return in_border and (self.border == "constant" or (self.border == "replicate" and nearest in self.valid))


class Around:
    """What an op reads along each axis of its operand."""

    def __init__(self, rng, rank):
        self.axes = sorted(rng.sample(range(rank), rng.randint(1, rank)))
        if rng.random() < 0.3:
            rng.shuffle(self.axes)
        self.has_kernel = rng.random() < 0.5
        self.kernel = [rng.choice([1, 2, 3, 3, 4, 5]) for _ in self.axes]
        self.before = [rng.choice([0, 1, 1, 2]) for _ in self.axes]
        self.after = [rng.choice([0, 1, 1, 2]) for _ in self.axes]
        if self.has_kernel:
            self.before = [(k - 1) // 2 for k in self.kernel]
            self.after = [k - 1 - (k - 1) // 2 for k in self.kernel]
        self.step = [rng.choice([1, 1, 2, 3]) if rng.random() < 0.3 else 1 for _ in self.axes]
        self.block = [rng.choice([2, 3, 4]) if rng.random() < 0.3 else 1 for _ in self.axes]

    def text(self, rng, rank, operand, attributes):
        def put(key, values):
            if rng.random() < 0.5:
                return f"{key} = {numbers(values)}"
            attributes.append(f"my.{key} = {numbers(values)}")
            return f'{key} = "my.{key}"'

        keys = [put("kernel", self.kernel)] if self.has_kernel else [put("before", self.before), put("after", self.after)]
        if self.axes != list(range(rank)):
            keys.append(put("axes", [a - rank if rng.random() < 0.2 else a for a in self.axes]))
        keys += [put(key, values) for key, values in (("step", self.step), ("block", self.block)) if max(values) > 1]
        keys += [f"operand = {operand}"] if operand else []
        return f"valid_region = {{{', '.join(keys)}}}"

    def entry(self, axis):
        at = self.axes.index(axis)
        return self.before[at], self.after[at], self.step[at], self.block[at]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed, self.count, self.lines, self.made = seed, 0, [], []
        self.seen = []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def pick(self, fits=lambda value: True):
        some = [value for value in self.seen if fits(value)]
        return self.random.choice(some[-6:]) if some else None

    def pad(self, value):
        """Perhaps a border around the value."""
        if self.random.random() > 0.4:
            return []
        value.before = [self.random.choice([0, 1, 2]) for _ in value.shape]
        value.after = [self.random.choice([0, 1, 2, 3]) for _ in value.shape]
        value.border, value.is_padded = self.random.choice(["undefined", "constant", "replicate"]), True
        return [f"gmem.padding = [{{before = {numbers(value.before)}, after = {numbers(value.after)}, "
                f'border = "{value.border}"}}]']

    def emit(self, operands, result, model, attributes=()):
        """Drops an op of whose result no element is valid: it is an error."""
        if not result.valid:
            return
        names = ", ".join(value.name for value in operands)
        types = ", ".join(value.type() for value in operands)
        listed = ", ".join([f"gmem.op_model = {{{model}}}", *attributes])
        self.lines.append(f'{result.name} = "any.op"({names}) {{{listed}}} : ({types}) -> {result.type()}')
        self.seen.append(result)
        self.made.append(result)

    # --- ops -----------------------------------------------------------------

    def around(self):
        source = self.pick()
        rank = len(source.shape)
        around = Around(self.random, rank)
        others = [axis for axis in range(rank) if axis not in around.axes]
        # The planner cannot follow what ends along an axis that is not listed.
        if any(index not in source.valid for index in indices(source.shape)) and others:
            ends = [{index[a] for index in source.valid} for a in others]
            if any(len(end) < source.shape[a] for end, a in zip(ends, others)) or not source.exact:
                return
        shape = list(source.shape)
        for axis in around.axes:
            before, after, step, _ = around.entry(axis)
            if self.random.random() < 0.3:  # no border: the result is smaller
                shape[axis] = max(1, (shape[axis] - before - after + step - 1) // step)
            elif step > 1:
                shape[axis] = (shape[axis] + step - 1) // step
        result = Value(self.name(), tuple(shape), set(), source.exact and source.border != "constant")
        padding = self.pad(result)
        result.valid = {index for index in indices(result.shape) if self.is_computed(around, source, result, index)}
        operands, number = [source], 0
        if self.random.random() < 0.2 and (whole := self.pick(lambda v: len(v.valid) == len(list(indices(v.shape))))):
            operands, number = [whole, source], 1
        attributes = padding
        self.emit(operands, result, around.text(self.random, rank, number, attributes), attributes)

    @staticmethod
    def is_computed(around, source, result, index):
        ranges = []
        for axis, i in enumerate(index):
            if axis not in around.axes:
                ranges.append([i])
                continue
            before, after, step, block = around.entry(axis)
            ranges.append(range(i * step - before, i * step + after + 1))
            last = i - i % block + block - 1  # of the block
            if last >= result.shape[axis] and (
                last >= result.shape[axis] + result.after[axis]
                or last * step + after >= source.shape[axis] + source.after[axis]
            ):
                return False
        return all(source.is_defined(at) for at in itertools.product(*ranges))

    def alike(self):
        """Element by element."""
        first = self.pick()
        operands = [first] + [self.pick(lambda v: v.shape == first.shape) for _ in range(self.random.randrange(2))]
        result = Value(self.name(), first.shape, set.intersection(*(v.valid for v in operands)), all(v.exact for v in operands))
        model = self.random.choice(['valid_region = "same"', 'inplace = "all"', 'valid_region = "full"'])
        if "full" in model:
            result.valid, result.exact = set(indices(result.shape)), True
        self.emit(operands, result, model, self.pad(result))

    def cut(self):
        whole = self.pick()
        at = [self.random.randrange(n) for n in whole.shape]
        size = [self.random.randint(1, n - b) for n, b in zip(whole.shape, at)]
        valid = {index for index in indices(size) if tuple(i + b for i, b in zip(index, at)) in whole.valid}
        kept = [axis for axis, n in enumerate(size) if n > 1 or self.random.random() < 0.5] or [0]
        shape = tuple(size[axis] for axis in kept)
        result = Value(self.name(), shape, {tuple(index[axis] for axis in kept) for index in valid}, whole.exact)
        self.emit([whole], result, 'slice = {begin = "at", size = "size"}', [f"at = {numbers(at)}", f"size = {numbers(size)}"])

    def join(self):
        first = self.pick()
        axis = self.random.randrange(len(first.shape))
        pieces = [first] + [
            self.pick(lambda v: len(v.shape) == len(first.shape)
                      and all(a == b for i, (a, b) in enumerate(zip(v.shape, first.shape)) if i != axis))
            for _ in range(self.random.randint(1, 2))
        ]
        shape, valid, at = list(first.shape), set(), 0
        for piece in pieces:
            valid |= {(*index[:axis], index[axis] + at, *index[axis + 1:]) for index in piece.valid}
            at += piece.shape[axis]
        shape[axis] = at
        if at > 30:
            return
        exact = all(len(v.valid) == len(list(indices(v.shape))) for v in pieces)
        self.emit(pieces, Value(self.name(), tuple(shape), valid, exact), 'concat = {axis = "axis"}', [f"axis = {axis} : i64"])

    def permute(self):
        source = self.pick(lambda v: not v.is_padded)
        if not source:
            return
        axes = list(range(len(source.shape)))
        self.random.shuffle(axes)
        valid = {tuple(index[axis] for axis in axes) for index in source.valid}
        result = Value(self.name(), tuple(source.shape[axis] for axis in axes), valid, source.exact)
        self.emit([source], result, 'permutation = "axes"', [f"axes = {numbers(axes)}"])

    def reshape(self):
        source = self.pick(lambda v: not v.is_padded)
        if not source or len(source.shape) > 3:
            return
        at = self.random.randint(0, len(source.shape))
        valid = {(*index[:at], 0, *index[at:]) for index in source.valid}
        result = Value(self.name(), (*source.shape[:at], 1, *source.shape[at:]), valid, source.exact)
        self.emit([source], result, 'kind = "reshape"')

    def insert(self):
        whole = self.pick()
        at = [self.random.randrange(n) for n in whole.shape]
        size = tuple(self.random.randint(1, n - b) for n, b in zip(whole.shape, at))
        part = self.pick(lambda v: v.shape == size and len(v.valid) == len(list(indices(size))))
        if not part:
            return
        covered = {tuple(i + b for i, b in zip(index, at)) for index in indices(size)}
        result = Value(self.name(), whole.shape, whole.valid | covered, whole.exact and covered <= whole.valid)
        self.emit([part, whole], result, 'insert = {operand = 0, begin = "at"}, destination = 1', [f"at = {numbers(at)}"])

    def arguments(self):
        texts = []
        for i in range(self.random.randint(1, 3)):
            shape = self.random.choice(SHAPES)
            box = [sorted(self.random.sample(range(n + 1), 2)) if self.random.random() < 0.3 else [0, n] for n in shape]
            value = Value(f"%a{i}", shape, set(itertools.product(*(range(*ends) for ends in box))))
            text = f"{value.name}: {value.type()}"
            if self.random.random() < 0.5:
                begin, end = zip(*box)
                text += f" {{gmem.valid_region = {{begin = {numbers(begin)}, end = {numbers(end)}}}}}"
            else:
                value.valid = set(indices(shape))
            texts.append(text)
            self.seen.append(value)
        return ", ".join(texts)

    def program(self):
        arguments = self.arguments()
        ops = [self.around] * 5 + [self.alike] * 2 + [self.cut, self.join, self.permute, self.reshape, self.insert]
        for _ in range(self.random.randint(4, 14)):
            self.random.choice(ops)()
        last = self.seen[-1]
        body = "\n    ".join([*self.lines, f"return {last.name} : {last.type()}"])
        return (f"module @seed_{self.seed} {{\n  func.func @main({arguments}) -> {last.type()} {{\n    {body}\n  }}\n}}\n")


# --- what the planner says -----------------------------------------------------


def read_list(text, key):
    found = re.search(key + r" = array<i64: ([-0-9, ]+)>", text)
    return [int(number) for number in found.group(1).split(", ")]


def region_of(line, shape):
    """The elements of the region that the plan states."""
    found = re.search(r"gmem\.valid_region = \[\{(.*?)\}\]", line)
    if not found:
        return set(indices(shape))
    return set(itertools.product(*map(range, read_list(found.group(1), "begin"), read_list(found.group(1), "end"))))


def fault_of(made, planned):
    """What is wrong with the regions, or None; and the number of those that are parts."""
    lines = re.findall(r'^ *%\S+ = "any\.op".*$', planned, re.M)
    if len(lines) != len(made):
        return f"{len(lines)} ops of {len(made)}", 0
    parts = 0
    for value, line in zip(made, lines):
        stated = region_of(line, value.shape)
        parts += "valid_region = [{b" in line
        if stated - value.valid:
            return f"{value.name}: element {min(stated - value.valid)} is not valid", parts
        if value.exact and value.valid - stated:
            return f"{value.name}: element {min(value.valid - stated)} is valid", parts
    return None, parts


def widened(planned):
    """The plan with one valid element more in front of the first region that does not begin at 0."""
    return re.sub(r"(valid_region = \[\{begin = array<i64: )([1-9])", lambda found: found[1] + str(int(found[2]) - 1), planned, count=1)


def plan(text):
    command = ["gmem-opt", *FLAGS, "--gmem-plan=alignment=64", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=300)


def examine(seeds, folder):
    """(faults, parts, how many plans were widened, how many of these were found to be wrong) of the programs."""
    generators = [Generator(seed) for seed in seeds]
    texts = [generator.program() for generator in generators]
    whole = plan("".join(texts))
    faults, counts = [], [0, 0, 0]
    modules = re.split(r'(?=^  "builtin\.module"\(\))', whole.stdout, flags=re.M)[1:] if whole.returncode == 0 else None
    for i, generator in enumerate(generators):
        done = None if modules else plan(texts[i])
        if done and done.returncode != 0:
            is_loose = "no element of" in done.stderr and not all(value.exact for value in generator.made)
            why = None if is_loose else f"gmem-opt refuses it: {first_error(done.stderr)}"
        else:
            planned = done.stdout if done else modules[i]
            why, parts = fault_of(generator.made, planned)
            other = widened(planned)
            is_wide = other != planned and all(value.exact for value in generator.made)
            is_found = is_wide and fault_of(generator.made, other)[0] is not None
            counts = [a + b for a, b in zip(counts, [parts, is_wide, is_found])]
        if why:
            path = os.path.abspath(os.path.join(folder, f"seed-{generator.seed}.mlir"))
            with open(path, "w", encoding="utf-8") as file:
                file.write(texts[i])
            faults.append(f"seed {generator.seed} (regions): {why}\n  repeat: gmem-opt {' '.join(FLAGS)} "
                          f"--gmem-plan=alignment=64 {path}")
    return faults, counts


def main():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    batches = [range(at, min(at + BATCH, arguments.end)) for at in range(arguments.first, arguments.end, BATCH)]
    failed, judged, totals = 0, 0, [0, 0, 0]
    for faults, counts in in_turn(lambda seeds: examine(seeds, arguments.folder), batches, arguments.jobs):
        failed += len(faults)
        judged += sum(map(is_judged, faults))
        totals = [a + b for a, b in zip(totals, counts)]
        for text in faults:
            print(text, flush=True)
        if arguments.stop and (judged if arguments.verifier else failed):
            break
    count = max(arguments.end - arguments.first, 0)
    print(f"{count} programs, {totals[0]} values of which a part is valid, {failed} programs with a wrong region")
    print(f"with one valid element more: {totals[1]} programs, {totals[2]} found to be wrong")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
