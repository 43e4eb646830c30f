# stream_machine.py - runs a planned program of stream_program.py as hardware with
# streams may run it, and says which bytes it may use too early. Shares nothing
# with the passes: it unrolls the program, in the order of the planned text, draws an
# edge for each rule of gmem.stream and gmem.wait, and takes the transitive closure.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random
import re
from dataclasses import dataclass

MOST_OPS = 3000  # of one run: calls in loops in calls


@dataclass(frozen=True)
class Place:
    pool: str
    begin: int
    end: int


def list_of(text):
    return [int(number) for number in re.findall(r"-?\d+", text.split("array<i64", 1)[-1])] if text else []


def places_of(line, attribute_source):
    """The places that gmem.pool, gmem.offset and gmem.size of one op state."""
    pools = re.search(r'gmem\.pool = \[([^\]]*)\]', attribute_source)
    offsets = re.search(r"gmem\.offset = array<i64: ([^>]*)>", attribute_source)
    sizes = re.search(r"gmem\.size = array<i64: ([^>]*)>", attribute_source)
    if not offsets:
        return []
    named = re.findall(r'"([^"]*)"', pools.group(1))
    starts = [int(n) for n in offsets.group(1).split(",")]
    lengths = [int(n) for n in sizes.group(1).split(",")]
    return [Place(p, o, o + s) if o >= 0 else None for p, o, s in zip(named, starts, lengths)]


def read_plan(text):
    """Places: of results and of loop arguments by test.id, of arguments by function, of workbuffers by test.id. Then the
    positions of the ops in their blocks, by test.id."""
    results, arguments, functions, work, positions = {}, {}, {}, {}, {}
    for line in text.splitlines():
        if '"func.func"()' in line:
            name = re.search(r'sym_name = "(\w+)"', line).group(1)
            listed = re.search(r"arg_attrs = \[(.*?)\], function_type", line)
            functions[name] = []
            for entry in re.findall(r"\{([^}]*)\}", listed.group(1)) if listed else []:
                offset = re.search(r"gmem\.offset = (-?\d+)", entry)
                size = re.search(r"gmem\.size = (\d+)", entry)
                pool = re.search(r'gmem\.pool = "([^"]*)"', entry)
                begin = int(offset.group(1)) if offset else -1
                functions[name].append(Place(pool.group(1), begin, begin + int(size.group(1))) if begin >= 0 else None)
        number = re.search(r"test\.id = (\d+)", line)
        if not number:
            continue
        positions[int(number.group(1))] = len(positions)
        blocks = re.search(r"gmem\.block_args = \[\{block = 0 : i64, offset = array<i64: ([^>]*)>, "
                           r"pool = \[([^\]]*)\], region = 0 : i64, size = array<i64: ([^>]*)>\}\]", line)
        rest = line
        if blocks:
            rest = line.replace(blocks.group(0), "")
            pools = re.findall(r'"([^"]*)"', blocks.group(2))
            starts = [int(n) for n in blocks.group(1).split(",")]
            lengths = [int(n) for n in blocks.group(3).split(",")]
            found = [Place(p, o, o + s) if o >= 0 else None for p, o, s in zip(pools, starts, lengths)]
            arguments[int(number.group(1))] = found[1:]  # without the counter
        results[int(number.group(1))] = places_of(line, rest)
        buffer = re.search(r'gmem\.workbuffer_offset = array<i64: (\d+)>, gmem\.workbuffer_pool = \["(\w+)"\]', line)
        if buffer:
            work[int(number.group(1))] = (buffer.group(2), int(buffer.group(1)))
    return results, arguments, functions, work, positions


class TooLong(Exception):
    pass


class Machine:
    """One run. A node is an op that runs; |before| holds, as bits, all that happens before it."""

    def __init__(self, plan, seed):
        self.results, self.arguments, self.functions, self.work, self.positions = plan
        self.random = random.Random(seed)
        self.before = []
        self.names = []
        self.accesses = []  # (node, place, writes, contents, address of their first byte)
        self.host = 0  # all that the host has been through
        self.tails = {}  # by stream: its last node
        self.contents = 0
        self.made_of = {}  # by contents that others are parts of: of each byte its contents and offset

    # --- order ---------------------------------------------------------------

    def node(self, op, stream, made, is_gone=False):
        """Adds a node behind the nodes |made|. A removed one orders only its readers."""
        if len(self.before) >= MOST_OPS:
            raise TooLong()
        number, bit = len(self.before), 1 << len(self.before)
        waits = [self.tails[s] for s in (op.waits if op and not is_gone else []) if s in self.tails]
        waited = 0
        for tail in waits:
            waited |= self.before[tail] | 1 << tail
        known = self.host | waited
        if stream < 0:
            self.host |= waited
        if stream >= 0 and stream in self.tails and not is_gone:
            known |= self.before[self.tails[stream]] | 1 << self.tails[stream]
        for maker in made:
            known |= self.before[maker] | 1 << maker
        self.before.append(known)
        self.names.append(f"{op.kind} {op.number}" if op else "request")
        if not is_gone and stream < 0:
            self.host |= known | bit
        if not is_gone and stream >= 0:
            self.tails[stream] = number
        return number

    def access(self, node, value, writes, begin=None):
        _, place, contents = value
        if place and place.begin < place.end:
            self.accesses.append((node, place, writes, contents, place.begin if begin is None else begin))

    # --- values: (node that makes it, place, contents) -----------------------

    def fresh(self):
        self.contents += 1
        return self.contents

    def bytes_of(self, contents, offset, size):
        made_of = self.made_of.get(contents, [])
        return [made_of[i] if i < len(made_of) else (contents, i) for i in range(offset, offset + size)]

    def places(self, op):
        found = self.results.get(op.number, [])
        return found + [None] * (len(op.results) - len(found))

    def hand_on(self, node, sources, places):
        """A copy, but for what is there already."""
        made = []
        for (_, place, contents), target in zip(sources, places):
            if place != target or not place:
                self.access(node, (None, place, contents), False)
                contents = self.fresh()
                self.access(node, (None, target, contents), True)
            made.append((node, target, contents))
        return made

    # --- ops -----------------------------------------------------------------

    def run(self, ops, seen, stream):
        """|stream|: in which all of it runs as a whole, or -1. Returns what the last op hands on."""
        for op in sorted(ops, key=lambda op: self.positions[op.number]):
            own = op.stream if op.stream >= 0 else stream
            operands = [seen[v] for v in op.operands]
            if op.kind in ("yield", "return"):
                return op, operands
            step = getattr(self, "run_" + op.kind, self.run_op)
            for value, made in zip(op.results, step(op, own, operands, seen)):
                seen[value] = made
        return None, []

    def run_op(self, op, stream, operands, _):
        node = self.node(op, stream, [maker for maker, _, _ in operands])
        for value, operand in zip(op.operands, operands):
            self.access(node, operand, value.is_memref)
        made = [(node, place, self.fresh()) for place in self.places(op)]
        for value in made:
            self.access(node, value, True)
        if op.work:
            pool, begin = self.work[op.number]
            self.access(node, (node, Place(pool, begin, begin + op.work), self.fresh()), True)
        return made

    def run_alloc(self, op, stream, operands, _):
        node = self.node(op, stream, [], True)
        return [(node, place, self.fresh()) for place in self.places(op)]

    def run_reshape(self, op, stream, operands, _):
        (maker, place, contents), (target,) = operands[0], self.places(op)
        if place != target:
            return self.run_op(op, stream, operands, None)
        return [(self.node(op, stream, [maker], True), place, contents)]

    def run_slice(self, op, stream, operands, _):
        (maker, place, contents), (target,) = operands[0], self.places(op)
        size = op.results[0].size
        if not target or not place or target != Place(place.pool, place.begin + op.offset, place.begin + op.offset + size):
            return self.run_op(op, stream, operands, None)
        part = self.fresh()
        self.made_of[part] = self.bytes_of(contents, op.offset, size)
        return [(self.node(op, stream, [maker], True), target, part)]

    def assemble(self, op, stream, pieces, target, rest=None):
        """|pieces|: (operand, offset in the result, size). Only what is not there is copied. |rest|: the operand
        that has all other bytes, elsewhere."""
        contents = self.fresh()
        self.made_of[contents] = made_of = self.bytes_of(rest[2] if rest else contents, 0, op.results[0].size)
        copied = []
        for operand, offset, size in reversed(pieces):
            made_of[offset : offset + size] = self.bytes_of(operand[2], 0, size)
        for operand, offset, size in pieces:
            _, place, _ = operand
            there = Place(target.pool, target.begin + offset, target.begin + offset + size) if target else None
            if not place or place != there:
                copied.append((operand, there))
        makers = [operand[0] for operand, _, _ in pieces] + ([rest[0]] if rest else [])
        node = self.node(op, stream, makers, not copied and not rest and target is not None)
        for operand, there in copied:
            self.access(node, operand, False)
            self.access(node, (node, there, contents), True, target and target.begin)
        return node, contents

    def run_concat(self, op, stream, operands, _):
        (target,), offset, pieces = self.places(op), 0, []
        for value, operand in zip(op.operands, operands):
            pieces.append((operand, offset, value.size))
            offset += value.size
        node, contents = self.assemble(op, stream, pieces, target)
        return [(node, target, contents)]

    def run_insert(self, op, stream, operands, _):
        (target,), size = self.places(op), op.operands[0].size
        part, whole = operands
        pieces = [(part, op.offset, size)]
        if whole[1] and whole[1] == target:
            node, contents = self.assemble(op, stream, pieces + [(whole, 0, op.operands[1].size)], target)
            return [(node, target, contents)]
        node, contents = self.assemble(op, stream, pieces, target, whole)
        self.access(node, whole, False)
        if target:  # around the part
            begin, end = target.begin + op.offset, target.begin + op.offset + size
            self.access(node, (node, Place(target.pool, target.begin, begin), contents), True)
            self.access(node, (node, Place(target.pool, end, target.end), contents), True, target.begin)
        return [(node, target, contents)]

    # --- control flow --------------------------------------------------------

    def run_if(self, op, stream, operands, seen):
        self.node(op, stream, [])
        end, handed = self.run(self.random.choice(op.regions), dict(seen), stream)
        node = self.node(end, stream, [maker for maker, _, _ in handed])
        if any(value.is_memref for value in op.results):
            return [(node, place, contents) for _, place, contents in handed]
        return self.hand_on(node, handed, self.places(op))

    def run_for(self, op, stream, operands, seen):
        node = self.node(op, stream, [maker for maker, _, _ in operands])
        places = self.arguments.get(op.number, [])
        places = places + [None] * (len(op.arguments) - len(places))
        handed = operands
        for _ in range(self.random.randint(0, 3)):
            made = self.hand_on(node, handed, places)
            inside = dict(seen)
            inside.update(zip(op.arguments, made))
            end, handed = self.run(op.regions[0], inside, stream)
            node = self.node(end, stream, [maker for maker, _, _ in handed])
        return self.hand_on(node, handed, self.places(op))

    def run_call(self, op, stream, operands, _):
        node = self.node(op, stream, [maker for maker, _, _ in operands])
        places = self.functions[op.callee.name]
        made = self.hand_on(node, operands, places + [None] * (len(operands) - len(places)))
        end, handed = self.run(op.callee.ops, dict(zip(op.callee.arguments, made)), stream)
        node = self.node(end, stream, [maker for maker, _, _ in handed])
        return self.hand_on(node, handed, self.places(op))

    def run_request(self, function):
        node = self.node(None, -1, [])
        places = self.functions[function.name]
        places = places + [None] * (len(function.arguments) - len(places))
        made = [(node, place, self.fresh()) for place in places]
        for value in made:
            self.access(node, value, True)
        self.run(function.ops, dict(zip(function.arguments, made)), -1)

    # --- what goes wrong -----------------------------------------------------

    def have_same(self, one, other):
        """Whether two accesses find, or leave, the same in the bytes that they have in common."""
        begin, end = max(one[1].begin, other[1].begin), min(one[1].end, other[1].end)
        return self.bytes_of(one[3], begin - one[4], end - begin) == self.bytes_of(other[3], begin - other[4], end - begin)

    def fault(self):
        """Two uses of a byte, one of them a write of something else, by ops that nothing orders; or None."""
        for later, (node, place, writes, contents, _) in enumerate(self.accesses):
            for earlier in range(later):
                other, there, wrote, had, _ = self.accesses[earlier]
                if (
                    not (writes or wrote)
                    or other == node
                    or contents == had
                    or place.pool != there.pool
                    or place.end <= there.begin
                    or there.end <= place.begin
                    or self.before[node] >> other & 1
                    or self.have_same(self.accesses[later], self.accesses[earlier])
                ):
                    continue
                return f"'{self.names[other]}' and '{self.names[node]}' use bytes of {there} and {place} in any order"
        return None


def fault_of(functions, plan_text, seed, runs=4):
    """What is wrong with the plan, or None."""
    plan = read_plan(plan_text)
    for run in range(runs):
        machine = Machine(plan, seed * 16 + run)
        try:
            machine.run_request(functions[-1])
        except TooLong:
            pass
        found = machine.fault()
        if found:
            return found
    return None
