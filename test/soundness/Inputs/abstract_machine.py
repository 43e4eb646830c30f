# abstract_machine.py - executes a program on a memory laid out by a plan, and
# finds a value that is read where other bytes are by then.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# It knows places, not lives: nothing here asks how long a value is needed. Every
# value that is computed gets a new number, its *content*; byte i of it is the
# pair (content, i). To write a value is to put its bytes at its place; to read
# it is to demand that they are all still there. What the plan must allow:
#
# * An op writes its results while its operands are still being read.
# * Operands of calls, branches and loops are copied to the arguments, results to
#   the results, all at once. Where the plan has both in one place nothing moves,
#   which is how passing by reference shows.
# * A reshape moves nothing: its result must be where its operand is.
# * A layer group runs as one: it may write any of its results from its first
#   op on, and read any of its operands until its last.
# * Weights are in memory before the start and are never written.

import random

UNDEFINED = 0  # content of bytes of which only the place is known
SPAN = 1 << 10  # byte i of content c is c * SPAN + i; no value is larger
MOST_CALLS = 300  # in one run, for calls in loops multiply
MOST_BRANCHES = 12  # in one call
RUNS = 6  # of each entry function: which way it goes is random


class Unsound(Exception):
    """The plan breaks the program."""


class Unfinished(Exception):
    """The run is long enough: no verdict on what would come after."""


def content_bytes(content, size):
    return list(range(content * SPAN, content * SPAN + size))


class Memory:
    """The pools of a plan. |places|: (location, index) of a value to (pool, offset)."""

    def __init__(self, places, locals_):
        self.places = places
        self.locals = locals_  # values that may have no place
        self.pools = {}
        self.weights = {}  # value: content
        self.constant = set()  # pools of weights

    def place(self, value):
        place = self.places.get((value.location, value.index))
        if place is None and value not in self.locals:
            raise Unsound(f"{value.name} has no place")
        return place

    def pool(self, name, end):
        pool = self.pools.setdefault(name, [])
        pool.extend([UNDEFINED] * (end - len(pool)))
        return pool

    def write(self, value, content):
        place = self.place(value)
        if place is None or self.holds(value, content):
            return
        if place[0] in self.constant:
            raise Unsound(f"{value.name} is written in the pool of weights")
        self.store(place, value, content)

    def store(self, place, value, content):
        name, offset = place
        pool = self.pool(name, offset + value.size)
        pool[offset : offset + value.size] = content_bytes(content, value.size)

    def holds(self, value, content):
        place = self.place(value)
        if place is None:
            return True
        name, offset = place
        pool = self.pool(name, offset + value.size)
        return pool[offset : offset + value.size] == content_bytes(content, value.size)

    def load_weights(self, values, contents):
        """All weights at once; later each is checked where it is used."""
        for value, content in zip(values, contents):
            self.weights[value] = content
            self.store(self.place(value), value, content)
            self.constant.add(self.place(value)[0])


class Machine:
    """One run of one function. A run takes a random way through the program."""

    def __init__(self, program, places, seed):
        self.random = random.Random(seed)
        self.memory = Memory(places, program.group_locals())
        self.contents = 0
        self.calls = 0
        weights = program.weights()
        self.memory.load_weights(weights, [self.new_content() for _ in weights])

    def new_content(self):
        self.contents += 1
        return self.contents

    def check(self, values, known, why):
        for value in values:
            if not self.memory.holds(value, known[value]):
                raise Unsound(f"{why} {value.name} is overwritten at {self.memory.place(value)}")

    def copy(self, targets, contents, known):
        """All at once, as if through a buffer beside: a swap is no error."""
        for value, content in zip(targets, contents):
            self.memory.write(value, content)
            known[value] = content
        self.check(targets, known, "copied")

    def run_entry(self, function, keep_inputs):
        contents = [self.new_content() for _ in function.arguments]
        known = {}
        self.run(function, contents, known)
        if keep_inputs:
            self.check(function.arguments, known, "kept input")

    def run(self, function, contents, known):
        """Runs |function|; the contents of its results. |known|: value to content, its frame."""
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise Unfinished()
        self.copy(function.arguments, contents, known)
        held = []
        block = function.blocks[0]
        for _ in range(MOST_BRANCHES):
            last = self.run_ops(block.ops, known, held)
            if last.kind == "return":
                self.check(held, known, "held")
                self.check(last.operands, known, "returned")
                return [known[value] for value in last.operands]
            number, operands = self.random.choice(last.successors)
            self.check(operands, known, "branch operand")
            block = function.blocks[number]
            self.copy(block.arguments, [known[value] for value in operands], known)
        raise Unfinished()

    def run_ops(self, ops, known, held):
        """Runs |ops|, which is a block's; the op that ends it."""
        members = {}
        for op in ops:
            members.setdefault(op.flat_group, []).append(op)
        members.pop(None, None)
        for op in ops:
            group = members.get(op.flat_group, [])
            if group and op is group[0]:
                self.undefine(value for member in group for value in member.results)
            self.check(op.operands, known, f"operand of {op.kind}")
            if op.kind in ("return", "yield", "branch"):
                return op
            getattr(self, "run_" + op.kind)(op, known, held)
            held += op.results if op.hold else []
            if group and op is group[-1]:
                for member in group:
                    self.check(member.operands, known, "operand of flat group")
        return None

    def undefine(self, values):
        for value in values:
            self.memory.write(value, UNDEFINED)

    def define(self, op, known):
        """Writes new results while the operands are still there."""
        for value in op.results:
            known[value] = self.new_content()
            self.memory.write(value, known[value])
        self.check(op.operands + op.captures, known, f"{op.kind} while writing: operand")
        self.check(op.results, known, f"{op.kind} while writing: result")

    def run_compute(self, op, known, held):
        self.define(op, known)

    def run_reshape(self, op, known, held):
        known[op.results[0]] = known[op.operands[0]]
        self.check(op.results, known, "reshaped")

    def run_weight(self, op, known, held):
        known[op.results[0]] = self.memory.weights[op.results[0]]
        self.check(op.results, known, "weight")

    def run_call(self, op, known, held):
        results = self.run(op.callees[0], [known[value] for value in op.operands], {})
        self.copy(op.results, results, known)

    def run_group(self, op, known, held):
        self.undefine(op.results)
        for callee in op.callees:
            self.run(callee, [self.new_content() for _ in callee.arguments], {})
        self.define(op, known)

    def run_loop(self, op, known, held):
        body = op.bodies[0]
        carried = [known[value] for value in op.operands]
        for _ in range(self.random.randint(0, 3)):
            self.copy(body.arguments, carried, known)
            last = self.run_ops(body.ops, known, held)
            carried = [known[value] for value in last.operands]
        self.copy(op.results, carried, known)

    def run_if(self, op, known, held):
        last = self.run_ops(self.random.choice(op.bodies).ops, known, held)
        self.copy(op.results, [known[value] for value in last.operands], known)


def find_violation(program, places, keep_inputs, seed):
    """Runs every entry function of |program| some times; the first violation, or None."""
    for function in program.entries():
        for run in range(RUNS):
            try:
                machine = Machine(program, places, seed * RUNS + run)
                machine.run_entry(function, keep_inputs)
            except Unfinished:
                continue
            except Unsound as error:
                return f"run {run} of @{function.name}: {error}"
    return None
