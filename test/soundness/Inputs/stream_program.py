# stream_program.py - makes a random program whose ops are in streams from a
# seed, as MLIR text and as a tree: the same seed is the same on any machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random
from dataclasses import dataclass, field

SIZES = [16, 16, 32, 32, 48, 64]


@dataclass(eq=False)
class Value:
    name: str
    size: int
    is_memref: bool = False

    @property
    def type(self):
        return f"{'memref' if self.is_memref else 'tensor'}<{self.size}xi8>"


@dataclass(eq=False)
class Op:
    kind: str  # op, over, slice, concat, insert, reshape, alloc, for, if, call, yield, return
    number: int  # test.id
    operands: list = field(default_factory=list)
    results: list = field(default_factory=list)
    stream: int = -1
    waits: list = field(default_factory=list)
    offset: int = 0  # of a slice or an insertion
    work: int = 0  # bytes of a workbuffer
    regions: list = field(default_factory=list)  # lists of ops
    arguments: list = field(default_factory=list)  # of the region of a loop
    callee: object = None


@dataclass(eq=False)
class Function:
    name: str
    arguments: list
    ops: list = field(default_factory=list)
    result_sizes: list = field(default_factory=list)
    uses_streams: bool = False


class Generator:
    def __init__(self, seed, shape):
        self.random = random.Random(seed)
        self.numbers = 0
        self.shape = shape  # "straight" or "any"
        self.streams = self.random.choice([1, 2, 2, 3, 4])
        self.share = self.random.choice([0.3, 0.6, 0.9])  # of ops in streams
        self.wait_share = self.random.choice([0.0, 0.05, 0.15, 0.3])
        self.functions = []
        self.current = None
        self.in_stream = False  # what is written runs in a stream as a whole

    def chance(self, probability):
        return self.random.random() < probability

    def number(self):
        self.numbers += 1
        return self.numbers

    def value(self, size, is_memref=False):
        return Value(f"%v{self.number()}", size, is_memref)

    def pick(self, seen, size=None):
        fitting = [v for v in seen if not v.is_memref and size in (None, v.size)]
        if not fitting:
            return None
        return self.random.choice(fitting[-4:] if self.chance(0.6) else fitting)

    def wanted(self, seen, ops, size):
        found = self.pick(seen, size)
        if found is None:
            found = self.value(size)
            self.add(seen, ops, Op("op", self.number(), [], [found]))
        return found

    def add(self, seen, ops, op, may_stream=True):
        if may_stream and not self.in_stream and self.chance(self.share):
            op.stream = self.random.randrange(self.streams)
            self.current.uses_streams = True
        if not self.in_stream and self.chance(self.wait_share):
            op.waits = self.random.sample(range(self.streams + 1), self.random.choice([1, 1, 2]))
        ops.append(op)
        seen += op.results

    def fill(self, seen, ops, count, depth):
        forms = {self.plain: 10, self.over: 5, self.slice: 3, self.concat: 3, self.insert: 3, self.reshape: 2}
        if self.shape == "any":
            forms.update({self.alloc: 2, self.touch: 4, self.either: 1})
            if depth < 2:
                forms.update({self.branch: 2, self.loop: 3, self.pipeline: 1})
            if self.functions:
                forms[self.call] = 3
        for _ in range(count):
            form = self.random.choices(list(forms), list(forms.values()))[0]
            form(seen, ops, depth)

    def plain(self, seen, ops, _):
        operands = [v for v in (self.pick(seen) for _ in range(self.random.randint(0, 3))) if v]
        results = [self.value(self.random.choice(SIZES)) for _ in range(self.random.choice([0, 1, 1, 1, 2]))]
        work = self.random.choice(SIZES) if self.current.name == "main" and self.chance(0.2) else 0  # a function may run in several streams
        self.add(seen, ops, Op("op", self.number(), operands, results, work=work))

    def over(self, seen, ops, _):
        operand = self.pick(seen)
        if operand:
            self.add(seen, ops, Op("over", self.number(), [operand], [self.value(operand.size)]))

    def slice(self, seen, ops, _):
        whole = self.pick(seen)
        if whole and whole.size > 16:
            size = self.random.choice([s for s in SIZES if s < whole.size])
            offset = self.random.choice([0, whole.size - size])
            self.add(seen, ops, Op("slice", self.number(), [whole], [self.value(size)], offset=offset))

    def concat(self, seen, ops, _):
        parts = [v for v in (self.pick(seen) for _ in range(self.random.randint(2, 3))) if v]
        if parts:
            self.add(seen, ops, Op("concat", self.number(), parts, [self.value(sum(v.size for v in parts))]))

    def insert(self, seen, ops, _):
        part, whole = self.pick(seen), self.pick(seen)
        if part and part.size <= whole.size and part is not whole:
            offset = self.random.choice([0, whole.size - part.size])
            self.add(seen, ops, Op("insert", self.number(), [part, whole], [self.value(whole.size)], offset=offset))

    def reshape(self, seen, ops, _):
        value = self.pick(seen)
        if value:
            self.add(seen, ops, Op("reshape", self.number(), [value], [self.value(value.size)]))

    def alloc(self, seen, ops, _):
        self.add(seen, ops, Op("alloc", self.number(), [], [self.value(self.random.choice(SIZES), True)]), False)

    def touch(self, seen, ops, _):
        memrefs = [v for v in seen if v.is_memref]
        if memrefs:
            operands = [self.random.choice(memrefs)]
            other = self.pick(seen)
            self.add(seen, ops, Op("op", self.number(), operands + ([other] if other else []), []))

    def either(self, seen, ops, _):
        """A memref that is one that is there, or one that is allocated here."""
        memrefs = [v for v in seen if v.is_memref]
        if not memrefs:
            return
        old = self.random.choice(memrefs)
        new = self.value(old.size, True)
        op = Op("if", self.number(), [], [self.value(old.size, True)])
        other = [Op("alloc", self.number(), [], [new])]
        self.add([], other, Op("op", self.number(), [new], []))
        other.append(Op("yield", self.number(), [new]))
        op.regions = [[Op("yield", self.number(), [old])], other]
        self.add(seen, ops, op, False)

    def pipeline(self, seen, ops, _):
        """A loop in which a part of a tensor is still read when the tensor is done with."""
        if self.in_stream:
            return
        whole, part = self.value(64), self.value(32)
        streams = [self.random.randrange(self.streams) for _ in range(2)]
        body = [
            Op("op", self.number(), [], [whole], stream=streams[0]),
            Op("slice", self.number(), [whole], [part], stream=streams[1]),
            Op("op", self.number(), [], [], waits=sorted(set(streams))),
            Op("op", self.number(), [part], [], stream=streams[1]),
            Op("yield", self.number(), []),
        ]
        self.current.uses_streams = True
        self.add(seen, ops, Op("for", self.number(), regions=[body]), False)

    def branch(self, seen, ops, depth):
        sizes = [self.random.choice(SIZES) for _ in range(self.random.randint(0, 2))]
        op = Op("if", self.number(), [], [self.value(size) for size in sizes])
        self.with_regions(seen, ops, op, [(list(seen), sizes) for _ in range(2)], depth)

    def loop(self, seen, ops, depth):
        inits = [v for v in (self.pick(seen) for _ in range(self.random.randint(0, 2))) if v]
        op = Op("for", self.number(), inits, [self.value(v.size) for v in inits])
        op.arguments = [self.value(v.size) for v in inits]
        self.with_regions(seen, ops, op, [(list(seen) + op.arguments, [v.size for v in inits])], depth)

    def with_regions(self, seen, ops, op, bodies, depth):
        """In a stream now and then: then nothing inside of it is."""
        is_whole = not self.in_stream and self.chance(0.15)
        outer, self.in_stream = self.in_stream, self.in_stream or is_whole
        for inside, sizes in bodies:
            body = []
            self.fill(inside, body, self.random.randint(1, 5), depth + 1)
            self.end(inside, body, "yield", sizes)
            op.regions.append(body)
        self.in_stream = outer
        if is_whole:
            op.stream = self.random.randrange(self.streams)
            self.current.uses_streams = True
        self.add(seen, ops, op, False)

    def end(self, seen, ops, kind, sizes):
        operands = [self.wanted(seen, ops, size) for size in sizes]
        self.add(seen, ops, Op(kind, self.number(), operands), False)

    def call(self, seen, ops, _):
        callee = self.random.choice(self.functions)
        if self.in_stream and callee.uses_streams:
            return
        operands = [self.wanted(seen, ops, v.size) for v in callee.arguments]
        op = Op("call", self.number(), operands, [self.value(s) for s in callee.result_sizes], callee=callee)
        self.add(seen, ops, op, not callee.uses_streams)
        self.current.uses_streams |= callee.uses_streams

    def function(self, name, least, most):
        sizes = [self.random.choice(SIZES) for _ in range(self.random.randint(0, 2))]
        function = Function(name, [self.value(size) for size in sizes])
        self.current = function
        seen = list(function.arguments)
        function.result_sizes = [self.random.choice(SIZES) for _ in range(self.random.randint(0, 2))]
        self.fill(seen, function.ops, self.random.randint(least, most), 0)
        self.end(seen, function.ops, "return", function.result_sizes)
        self.functions.append(function)
        return function


def names(values):
    return ", ".join(v.name for v in values)


def types(values):
    return ", ".join(v.type for v in values)


def attributes_of(op, with_streams, more=()):
    listed = [f"test.id = {op.number}", *more]
    if op.work:
        listed.append(f"gmem.workbuffers = [{{size = {op.work} : i64}}]")
    if with_streams and op.stream >= 0:
        listed.append(f"gmem.stream = {op.stream} : i64")
    if with_streams and op.waits:
        listed.append(f"gmem.wait = array<i64: {', '.join(map(str, op.waits))}>")
    return "{" + ", ".join(listed) + "}"


def text_of_op(op, on):
    left = f"{names(op.results)} = " if op.results else ""
    kinds = f"({types(op.operands)}) -> ({types(op.results)})"
    a, r = op.operands, op.results
    if op.kind == "over":
        note = attributes_of(op, on, ['gmem.op_model = {inplace = "all"}', "test.elementwise"])
        return f'{left}"any.over"({names(a)}) {note} : {kinds}'
    if op.kind == "slice":
        note = attributes_of(op, on)
        return f"{left}tensor.extract_slice {a[0].name}[{op.offset}] [{r[0].size}] [1] {note} : {a[0].type} to {r[0].type}"
    if op.kind == "concat":
        note = attributes_of(op, on)
        return f"{left}tensor.concat dim(0) {names(a)} {note} : ({types(a)}) -> {r[0].type}"
    if op.kind == "insert":
        note = attributes_of(op, on)
        return (
            f"{left}tensor.insert_slice {a[0].name} into {a[1].name}[{op.offset}] [{a[0].size}] [1] {note} : "
            f"{a[0].type} into {a[1].type}"
        )
    if op.kind == "reshape":
        note = attributes_of(op, on, ['gmem.op_model = {kind = "reshape"}', 'test.does = "view"'])
        return f'{left}"any.reshape"({names(a)}) {note} : {kinds}'
    if op.kind == "alloc":
        return f"{left}memref.alloc() {attributes_of(op, on)} : {r[0].type}"
    if op.kind == "call":
        return f"{left}func.call @{op.callee.name}({names(a)}) {attributes_of(op, on)} : {kinds}"
    if op.kind == "return":
        return f'"func.return"({names(a)}) {attributes_of(op, on)} : ({types(a)}) -> ()'
    if op.kind == "yield":
        return f'"scf.yield"({names(a)}) {attributes_of(op, on)} : ({types(a)}) -> ()'
    if op.kind == "if":
        arms = ", ".join("{\n" + text_of_ops(body, on) + "\n}" for body in op.regions)
        number = f"%c{op.number}"
        return (
            f'{number} = "any.condition"() : () -> i1\n'
            f'{left}"scf.if"({number}) ({arms}) {attributes_of(op, on)} : (i1) -> ({types(r)})'
        )
    if op.kind == "for":
        n = f"%i{op.number}"
        listed = ", ".join([f"{n}: index", *(f"{v.name}: {v.type}" for v in op.arguments)])
        operands = ", ".join([f"{n}_n"] * 3 + [v.name for v in a])
        kinds = ", ".join(["index"] * 3 + [v.type for v in a])
        return (
            f'{n}_n = "any.index"() : () -> index\n'
            f'{left}"scf.for"({operands}) ({{\n^bb0({listed}):\n{text_of_ops(op.regions[0], on)}\n}}) '
            f"{attributes_of(op, on)} : ({kinds}) -> ({types(r)})"
        )
    return f'{left}"any.op"({names(a)}) {attributes_of(op, on)} : {kinds}'


def text_of_ops(ops, on):
    return "\n".join(text_of_op(op, on) for op in ops)


def text_of(functions, number, with_streams=True):
    """The program as a module; |with_streams| false: as if nothing ran beside anything."""
    texts = []
    for f in functions:
        listed = ", ".join(f"{v.name}: {v.type}" for v in f.arguments)
        results = ", ".join(f"tensor<{size}xi8>" for size in f.result_sizes)
        texts.append(f"func.func @{f.name}({listed}) -> ({results}) {{\n{text_of_ops(f.ops, with_streams)}\n}}")
    body = "\n".join(texts)
    return f"module @seed_{number} {{\n{body}\n}}\n"


def stream_program(seed):
    """The functions of the program; the last one is what a request runs."""
    shape = "straight" if seed % 3 == 0 else "any"
    generator = Generator(seed, shape)
    count = generator.random.choice([0, 0, 1, 2]) if shape == "any" else 0
    for i in range(count):
        generator.function(f"f{i}", 1, 6)
    generator.function("main", 4, 16)
    return generator.functions


if __name__ == "__main__":
    import sys

    print(text_of(stream_program(int(sys.argv[1])), int(sys.argv[1])))
