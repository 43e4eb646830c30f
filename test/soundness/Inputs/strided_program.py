# strided_program.py - random programs of matrices whose ops take strides: rows and
# columns are cut out of them and put together. The same seed is the same text on any
# machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# gmem.op_model tells the planner what ops do, test.* tells the abstract machine.

import random
from collections import namedtuple

Value = namedtuple("Value", "name shape element")
SHAPES = [(2, 4), (2, 8), (3, 4), (4, 8), (4, 4), (2, 2, 4), (3, 2, 2), (1, 3, 4)]


def kind(value):
    return f"tensor<{'x'.join(map(str, value.shape))}xi{8 * value.element}>"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rare = random.Random(f"rare {seed}")  # of what is added to few programs
        self.numbers = 0

    def chance(self, probability):
        return self.random.random() < probability

    def value(self, shape, element):
        self.numbers += 1
        return Value(f"%v{self.numbers}", tuple(shape), element)

    def emit(self, text, seen, name, operands, results, attributes):
        left = ", ".join(v.name for v in results)
        right = ", ".join(v.name for v in operands)
        kinds = [", ".join(map(kind, values)) for values in (operands, results)]
        text.append(f'{left} = "{name}"({right}) {{{", ".join(attributes)}}} : ({kinds[0]}) -> ({kinds[1]})')
        seen.extend(results)

    def pick(self, seen, fits=lambda value: True):
        some = [value for value in seen[-8:] if fits(value)] or [value for value in seen if fits(value)]
        return self.random.choice(some) if some else None

    # --- ops -----------------------------------------------------------------

    def compute(self, text, seen, shape=None, element=None):
        """Takes strides or not; perhaps in place."""
        operands = [self.pick(seen) for _ in range(self.random.choice([1, 1, 2]))]
        if self.chance(0.3):
            shape, element = shape or operands[0].shape, element or operands[0].element
        results = [self.value(shape or self.random.choice(SHAPES), element or self.random.choice([1, 1, 2]))]
        if shape and self.chance(0.15):
            results.append(self.value(shape, results[0].element))
        model, test = [], []
        if self.chance(0.8):
            listed = [", ".join(map(str, range(len(values)))) for values in (operands, results)]
            model += [f"strided_operands = array<i64: {listed[0]}>", f"strided_results = array<i64: {listed[1]}>"]
            test.append("test.strided")
        if self.chance(0.5) and len(results) == 1:
            model.append('inplace = "all"')
            test.append("test.elementwise")
        self.emit(text, seen, "any.matrix", operands, results, [f"gmem.op_model = {{{', '.join(model)}}}", *test])
        return results[0]

    def join(self, text, seen):
        """Parts that lie beside each other: some made for it, some that were there."""
        first = self.pick(seen, lambda value: len(value.shape) > 1)
        if not first:
            return
        axis = self.random.randrange(1 if self.chance(0.9) else 0, len(first.shape))
        parts = []
        for _ in range(self.random.randint(2, 3)):
            shape = list(first.shape)
            shape[axis] = self.random.choice([1, 2, 4])
            if self.chance(0.7):
                parts.append(self.compute(text, seen, shape, first.element))
                continue
            there = self.pick(seen, lambda v: v.element == first.element and len(v.shape) == len(shape)
                              and all(v.shape[i] == shape[i] for i in range(len(shape)) if i != axis))
            parts.append(there or first)
        if self.chance(0.4):
            self.compute(text, seen)
        shape = list(first.shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        model = ['concat = {axis = "axis"}']
        test = ['test.does = "join"', "test.part = 0", f"test.axis = {axis}"]
        if self.chance(0.3):
            model.append(f"strided_operands = array<i64: {', '.join(map(str, range(len(parts))))}>")
            test.append("test.strided")
        if self.chance(0.2):
            model.append("strided_results = array<i64: 0>")
            test.append("test.strided") if "test.strided" not in test else None
        result = self.value(shape, first.element)
        self.emit(text, seen, "any.join", parts, [result],
                  [f"axis = {axis}", f"gmem.op_model = {{{', '.join(model)}}}", *test])

    def cut(self, text, seen):
        whole = self.pick(seen, lambda value: len(value.shape) > 1 and value.shape[-1] > 1)
        if not whole:
            return
        begin, shape = [0] * len(whole.shape), list(whole.shape)
        for axis in range(len(shape)):
            if self.chance(0.5) or axis == len(shape) - 1:
                shape[axis] = self.random.randint(1, whole.shape[axis])
                begin[axis] = self.random.randint(0, whole.shape[axis] - shape[axis])
        test = ['test.does = "slice"', "test.part = 0"]
        at = ", ".join(map(str, begin))
        test.append(f"test.begin = array<i64: {at}>")
        self.emit(text, seen, "any.cut", [whole], [self.value(shape, whole.element)],
                  [f"begin = array<i64: {at}>", 'gmem.op_model = {slice = {begin = "begin"}}', *test])

    def other_columns(self, text, seen):
        """Columns of one matrix become, perhaps in place, others of the next one."""
        rows, element = self.rare.choice([2, 4]), 1
        whole, part, piece, last = [self.value((rows, n), element) for n in (8, 4, 4, 2)]
        first, joined = self.value((rows, 2), element), self.value((rows, 8), element)
        begin = self.rare.choice([0, 2, 4])
        strided = "strided_operands = array<i64: 0>, strided_results = array<i64: 0>"
        makes = ["gmem.op_model = {strided_results = array<i64: 0>}", "test.strided"]
        at = f"begin = array<i64: 0, {begin}>"
        self.emit(text, seen, "any.matrix", [seen[0]], [whole], makes)
        self.emit(text, seen, "any.cut", [whole], [part], [
            at, 'gmem.op_model = {slice = {begin = "begin"}}', 'test.does = "slice"', "test.part = 0", f"test.{at}"])
        self.emit(text, seen, "any.matrix", [part], [piece], [
            f'gmem.op_model = {{{strided}, inplace = "all"}}', "test.strided", "test.elementwise"])
        for value in (first, last):
            self.emit(text, seen, "any.matrix", [seen[0]], [value], makes)
        self.emit(text, seen, "any.join", [first, piece, last], [joined], [
            "axis = 1", 'gmem.op_model = {concat = {axis = "axis"}}', 'test.does = "join"', "test.part = 0", "test.axis = 1"])

    # --- regions -------------------------------------------------------------

    def body(self, seen, arguments, carried, depth):
        inside, text = [*seen, *arguments], []
        self.fill(text, inside, self.random.randint(1, 5), depth + 1)
        ends = [self.pick(inside, lambda v, c=c: v.shape == c.shape and v.element == c.element) for c in carried]
        head = f"^bb0({', '.join(f'{v.name}: {kind(v)}' for v in arguments)}):\n" if arguments else ""
        listed = ", ".join(v.name for v in ends)
        text.append(f'"scf.yield"({listed}) : ({", ".join(map(kind, ends))}) -> ()')
        return head + "\n".join(text)

    def loop(self, text, seen, depth):
        inits = [self.pick(seen) for _ in range(self.random.randint(1, 2))]
        results = [self.value(v.shape, v.element) for v in inits]
        arguments = [self.value(v.shape, v.element) for v in inits]
        self.numbers += 1
        counter = f"%i{self.numbers}"
        inside = self.body(seen, arguments, inits, depth).replace("^bb0(", f"^bb0({counter}: index, ", 1)
        kinds = ", ".join(map(kind, inits))
        text.append(f'{", ".join(v.name for v in results)} = "scf.for"(%low, %high, %step, '
                    f'{", ".join(v.name for v in inits)}) ({{\n{inside}\n}}) : (index, index, index, {kinds}) -> ({kinds})')
        seen.extend(results)

    def branch(self, text, seen, depth):
        like = [self.pick(seen)]
        results = [self.value(like[0].shape, like[0].element)]
        arms = [self.body(seen, [], like, depth) for _ in range(2)]
        text.append(f'{results[0].name} = "scf.if"(%condition) ({{\n{arms[0]}\n}}, {{\n{arms[1]}\n}}) : (i1) -> ({kind(results[0])})')
        seen.extend(results)

    def fill(self, text, seen, count, depth):
        for _ in range(count):
            if depth < 2 and self.chance(0.1):
                self.random.choice([self.loop, self.branch])(text, seen, depth)
            else:
                self.random.choice([self.join, self.join, self.cut, self.cut, self.compute])(text, seen)

    def program(self):
        inputs = [self.value(self.random.choice(SHAPES), self.random.choice([1, 1, 2])) for _ in range(2)]
        text, seen = [], list(inputs)
        self.fill(text, seen, self.random.randint(4, 14), 0)
        if self.rare.random() < 0.1:
            self.other_columns(text, seen)
        outputs = [self.pick(seen) for _ in range(self.random.randint(1, 2))]
        listed = ", ".join(f"{v.name}: {kind(v)}" for v in inputs)
        kinds = ", ".join(map(kind, outputs))
        returned = ", ".join(v.name for v in outputs)
        return (f"func.func @main(%condition: i1, %low: index, %high: index, %step: index, {listed}) -> ({kinds}) {{\n"
                + "\n".join(text) + f"\nreturn {returned} : {kinds}\n}}\n")


def strided_program(seed):
    return f"module @seed_{seed} {{\n{Generator(seed).program()}}}\n"
