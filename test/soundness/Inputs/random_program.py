# random_program.py - makes a random program from a seed: the same seed is the
# same program on any machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random

from program_model import Block, Function, Op, Program, Value

# Few and different sizes, in bytes: many values fit each other's operands, and
# places overlap in part as well as in whole.
SIZES = [16, 64, 96, 160]
DEEPEST = 3  # loops and ifs in each other


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = 0
        self.groups = 0
        self.callable = []  # functions after the current one: no recursion
        self.may_hold = True

    # --- small choices -----------------------------------------------------

    def chance(self, probability):
        return self.random.random() < probability

    def size(self):
        return self.random.choice(SIZES)

    def value(self, size, reshaped=False):
        self.numbers += 1
        return Value(self.numbers, size, reshaped)

    def values(self, sizes):
        return [self.value(size) for size in sizes]

    def sizes(self, most):
        return [self.size() for _ in range(self.random.randint(0, most))]

    def pick(self, seen, size=None):
        """A value that is there already, of |size| if given; None if there is none."""
        fitting = [v for v in seen if not v.reshaped and size in (None, v.size)]
        return self.random.choice(fitting) if fitting else None

    def picks(self, seen, most):
        picked = [self.pick(seen) for _ in range(self.random.randint(0, most))]
        return [value for value in picked if value]

    def wanted(self, ops, seen, sizes):
        """Values of |sizes|: mostly some that are there (one may come twice), else new ones."""
        found = []
        for size in sizes:
            value = self.pick(seen, size)
            if value is None or self.chance(0.15):
                value = self.value(size)
                self.append(ops, seen, Op("compute", [], [value]))
            found.append(value)
        return found

    @staticmethod
    def append(ops, seen, op):
        ops.append(op)
        seen += op.results

    # --- functions ---------------------------------------------------------

    def program(self):
        functions = []
        for number in range(self.random.randint(1, 5)):
            arguments = self.values(self.sizes(3))
            functions.append(Function(f"f{number}", arguments, self.sizes(3)))
        for number in reversed(range(len(functions))):
            self.callable = functions[number + 1 :]
            self.fill(functions[number])
        self.random.shuffle(functions)  # callees before callers, too
        return Program(functions)

    def fill(self, function):
        # A held value lives to the function's end, which not every path to it
        # needs to pass: hold is for straight functions.
        self.may_hold = not self.chance(0.3)
        if not self.may_hold:
            self.fill_with_graph(function)
            return
        ops, seen = self.ops(function.arguments, self.random.randint(2, 9), 0)
        self.end_with_return(ops, seen, function)
        function.blocks = [Block([], ops)]

    def end_with_return(self, ops, seen, function):
        ops.append(Op("return", self.wanted(ops, seen, function.result_sizes)))

    def fill_with_graph(self, function):
        """Blocks with arguments, of which the first alone dominates the others."""
        count = self.random.randint(2, 4)
        function.blocks = [Block()]
        function.blocks += [Block(self.values(self.sizes(2))) for _ in range(count - 1)]
        dominating = list(function.arguments)
        for number, block in enumerate(function.blocks):
            visible = dominating + block.arguments
            block.ops, seen = self.ops(visible, self.random.randint(1, 5), 1)
            if number == 0:
                dominating = list(seen)
            if number == count - 1 or (number > 0 and self.chance(0.2)):
                self.end_with_return(block.ops, seen, function)
            else:
                self.end_with_branch(block.ops, seen, function.blocks)
        rest = list(range(1, count))
        self.random.shuffle(rest)
        function.print_order = [0] + rest

    def end_with_branch(self, ops, seen, blocks):
        last = len(blocks) - 1
        targets = [self.random.randint(1, last) for _ in range(2)]
        if last not in targets and self.chance(0.5):
            targets[0] = last  # or few runs would reach a return
        successors = []
        for target in targets:
            sizes = [argument.size for argument in blocks[target].arguments]
            successors.append((target, self.wanted(ops, seen, sizes)))
        ops.append(Op("branch", successors=successors))

    # --- ops ---------------------------------------------------------------

    def ops(self, visible, count, depth):
        """|count| random steps; (their ops, the values visible after them)."""
        ops, seen = [], list(visible)
        group = None
        steps = {
            self.compute: 26,
            self.reshape_twice: 14,
            self.weight: 6,
            self.call: 20 if self.callable else 0,
            self.opaque_group: 5 if self.callable and depth < DEEPEST else 0,
            self.loop: 9 if depth < DEEPEST else 0,
            self.conditional: 8 if depth < DEEPEST else 0,
        }
        for _ in range(count):
            if self.chance(0.25):
                if group is None or self.chance(0.15):
                    self.groups += 1
                    group = self.groups
                self.group_member(ops, seen, group)
            else:
                step = self.random.choices(list(steps), list(steps.values()))[0]
                step(ops, seen, depth)
        return ops, seen

    def compute(self, ops, seen, depth):
        results = self.values(self.size() for _ in range(self.random.choice([0, 1, 1, 1, 2])))
        op = Op("compute", self.picks(seen, 3), results)
        op.hold = bool(results) and self.may_hold and depth == 0 and self.chance(0.1)
        self.append(ops, seen, op)

    def group_member(self, ops, seen, group):
        """An op of a flat layer group. It may be a call. One result at most: values without
        memory are not in the plan, and the results of an op are told apart by counting."""
        callees = [f for f in self.callable if len(f.result_sizes) <= 1]
        if callees and self.chance(0.25):
            op = self.call_of(self.random.choice(callees), ops, seen)
        else:
            op = Op("compute", self.picks(seen, 3), self.values(self.sizes(1)))
        op.flat_group = group
        self.append(ops, seen, op)

    def reshape_twice(self, ops, seen, depth):
        """To another type and back, perhaps with an op in between."""
        value = self.pick(seen)
        if value is None:
            return
        other = self.value(value.size, reshaped=True)
        back = self.value(value.size)
        self.append(ops, seen, Op("reshape", [value], [other]))
        if self.chance(0.3):
            self.append(ops, seen, Op("compute", [], [self.value(self.size())]))
        self.append(ops, seen, Op("reshape", [other], [back]))

    def weight(self, ops, seen, depth):
        self.append(ops, seen, Op("weight", [], [self.value(self.size())]))

    def call_of(self, callee, ops, seen):
        operands = self.wanted(ops, seen, [a.size for a in callee.arguments])
        return Op("call", operands, self.values(callee.result_sizes), callees=[callee])

    def call(self, ops, seen, depth):
        op = self.call_of(self.random.choice(self.callable), ops, seen)
        self.append(ops, seen, op)

    def opaque_group(self, ops, seen, depth):
        op = Op("group", self.picks(seen, 2), self.values(self.sizes(2)))
        op.captures = self.picks(seen, 2)
        op.callees = [self.random.choice(self.callable) for _ in range(self.random.randint(0, 2))]
        self.append(ops, seen, op)

    def body(self, visible, arguments, count, depth, sizes):
        ops, seen = self.ops(visible + arguments, count, depth + 1)
        ops.append(Op("yield", self.wanted(ops, seen, sizes)))
        return Block(arguments, ops)

    def loop(self, ops, seen, depth):
        inits = self.picks(seen, 2)
        sizes = [value.size for value in inits]
        count = self.random.randint(1, 4)
        body = self.body(seen, self.values(sizes), count, depth, sizes)
        self.append(ops, seen, Op("loop", inits, self.values(sizes), bodies=[body]))

    def conditional(self, ops, seen, depth):
        sizes = self.sizes(2)
        counts = [self.random.randint(0, 3) for _ in range(2)]
        bodies = [self.body(seen, [], count, depth, sizes) for count in counts]
        self.append(ops, seen, Op("if", [], self.values(sizes), bodies=bodies))


def random_program(seed):
    return Generator(seed).program()
