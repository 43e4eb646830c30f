# memref_program.py - makes a random program on memrefs from a seed, as MLIR
# text: the same seed is the same text on any machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# All of it can be lowered and run. A program ends, reads nothing that it has
# not written, uses nothing that it has freed and frees nothing twice; what it
# prints depends on what it reads, element by element. It takes a memref that
# it only reads (%in) and one number (%acc) that everything is mixed into.

import itertools
import random
import re
from dataclasses import dataclass, field

from instance_program import InstanceProgram

ACC = "memref<1xi32, strided<[1], offset: ?>>"
IN = "memref<64xi32>"
DYNAMIC_BOUND = 40  # elements: no dynamic size is larger
SHAPES = [(8,), (8,), (16,), (16,), (12,), (24,), (32,), (40,), (5,), (64,)]
SHAPES += [(4, 4), (2, 8), (8, 3), (4, 2), (4, 8), (2, 2, 4)]
ELEMENTS = ["i32"] * 7 + ["i8", "i8", "i16", "i64", "f32"]
DEEPEST = 3  # regions in each other
MESSAGES = 10**8  # from this seed on, programs send and receive while they compute
INSTANCES = 2 * 10**8  # and from this one on, they are those of instance_program.py


@dataclass(eq=False)
class Root:
    """Memory that was made at one place of the text."""

    scope: object = None  # may be freed in this block alone; None: nowhere
    name: str = ""
    kind: str = ""
    is_constant: bool = False
    is_stack: bool = False
    is_freed: bool = False
    number: int = field(default_factory=itertools.count().__next__)  # a set of them has no order of its own


@dataclass(frozen=True)
class Value:
    name: str
    shape: tuple  # (None,): known at run time only
    element: str
    layout: str  # of the type, behind the element; "" is the identity
    dims: str  # of the type: "4x?x"
    roots: frozenset
    is_vague: bool = False  # may also be what |roots| does not list

    @property
    def kind(self):
        return f"memref<{self.dims}{self.element}{self.layout}>"

    @property
    def is_writable(self):
        return not any(root.is_constant for root in self.roots)

    @property
    def is_alive(self):
        return not any(root.is_freed for root in self.roots)


@dataclass
class Scope:
    """A block that is being written: its text, and the memrefs it may use."""

    seen: list
    depth: int
    text: list = field(default_factory=list)


@dataclass
class Function:
    name: str
    arguments: list  # values without a name
    result: object = None  # a value, or None
    hands_over: bool = False  # the result is new memory, the caller's to free


def dims_of(shape):
    return "".join(f"{size}x" for size in shape)


def count(shape):
    total = 1
    for size in shape:
        total *= size
    return total


class Generator:
    def __init__(self, seed):
        self.random = random.Random(f"memref {seed}")
        self.seed = seed
        self.has_messages = seed >= MESSAGES
        self.has_scratch = seed % 4 == 1  # memory that is written anew as a whole, and not read before
        self.has_unknown_calls = seed % 4 == 3  # of functions that keep, or make, what the caller uses
        self.has_crowd = seed % 200 == 70  # points-to sets that cost too much
        self.numbers = 0
        self.callable = []
        self.module = []  # globals and helpers
        self.helpers = set()
        self.prologue = []  # of the current function: what is hoisted there
        self.top = None  # its first block
        self.reads = 0.3  # how much it reads again at the end of a block
        self.frees = 0.0  # how much of what it makes it frees
        self.packed = set()  # names that MLIR prints as %0#1, and cf.switch cannot read again

    # --- small choices and text --------------------------------------------

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, prefix="v"):
        self.numbers += 1
        return f"%{prefix}{self.numbers}"

    @staticmethod
    def add(scope, line):
        scope.text.append(line)

    def let(self, scope, right, prefix="s"):
        """A new name for what |right| computes."""
        name = self.name(prefix)
        self.add(scope, f"{name} = {right}")
        return name

    def index(self, scope, number):
        return self.let(scope, f"arith.constant {number} : index", "c")

    def number(self, scope, value):
        return self.let(scope, f"arith.constant {value} : i32", "c")

    def seen(self, scope, wanted=lambda value: True):
        return [v for v in scope.seen if v.is_alive and wanted(v)]

    def pick(self, scope, wanted=lambda value: True):
        """A memref that is there, mostly a late one; None if there is none."""
        fitting = self.seen(scope, wanted)
        if not fitting:
            return None
        if self.chance(0.6):
            fitting = fitting[-4:]
        return self.random.choice(fitting)

    def some(self, scope):
        return self.pick(scope) or self.new(scope)

    def writable(self, scope):
        return self.pick(scope, lambda v: v.is_writable) or self.new(scope)

    def like(self, scope, value, fresh=0.2):
        """A memref of the type of |value| that may be written to."""
        same = lambda v: v.kind == value.kind and v.shape == value.shape
        found = self.pick(scope, lambda v: same(v) and v.is_writable and v != value)
        if found and not self.chance(fresh):
            return found
        if value.layout or "?" in value.dims:
            return found or (value if value.is_writable else None)
        return self.new(scope, value.shape, value.element)

    # --- elements ------------------------------------------------------------

    def length(self, scope, value):
        if value.shape == (None,):
            zero = self.index(scope, 0)
            return self.let(scope, f"memref.dim {value.name}, {zero} : {value.kind}", "n")
        return self.index(scope, count(value.shape))

    def position(self, scope, value, linear):
        """The indices of element number |linear|."""
        if len(value.shape) == 1:
            return linear
        found = []
        for size in reversed(value.shape):
            wide = self.index(scope, size)
            found.append(self.let(scope, f"arith.remui {linear}, {wide} : index", "i"))
            linear = self.let(scope, f"arith.divui {linear}, {wide} : index", "i")
        return ", ".join(reversed(found))

    def load(self, scope, value, linear):
        """Element number |linear| as an i32."""
        at = self.position(scope, value, linear)
        raw = self.let(scope, f"memref.load {value.name}[{at}] : {value.kind}", "x")
        return self.to_number(scope, raw, value.element)

    def to_number(self, scope, raw, element):
        if element == "i32":
            return raw
        op = {"i64": "trunci", "f32": "bitcast"}.get(element, "extui")
        return self.let(scope, f"arith.{op} {raw} : {element} to i32", "x")

    def from_number(self, scope, number, element):
        if element == "i32":
            return number
        if element == "f32":  # small whole numbers, which are exact
            mask = self.number(scope, 65535)
            small = self.let(scope, f"arith.andi {number}, {mask} : i32", "x")
            return self.let(scope, f"arith.sitofp {small} : i32 to f32", "x")
        op = "extui" if element == "i64" else "trunci"
        return self.let(scope, f"arith.{op} {number} : i32 to {element}", "x")

    def store(self, scope, value, linear, number):
        raw = self.from_number(scope, number, value.element)
        at = self.position(scope, value, linear)
        self.add(scope, f"memref.store {raw}, {value.name}[{at}] : {value.kind}")

    def mixed(self, scope, left, right):
        factor = self.number(scope, self.random.choice([31, 33, 1664525, 69069, 5]))
        scaled = self.let(scope, f"arith.muli {left}, {factor} : i32", "x")
        op = self.random.choice(["addi", "xori", "subi"])
        return self.let(scope, f"arith.{op} {scaled}, {right} : i32", "x")

    def each(self, scope, length):
        """Begins a loop over [0, length); its counter. "}" ends it."""
        counter = self.name("i")
        zero, one = self.index(scope, 0), self.index(scope, 1)
        self.add(scope, f"scf.for {counter} = {zero} to {length} step {one} {{")
        return counter

    def element_of(self, scope, value, counter):
        """An element that differs from |counter| to |counter|."""
        moved = counter
        if self.chance(0.4):
            shift = self.index(scope, self.random.randrange(1, 7))
            moved = self.let(scope, f"arith.addi {counter}, {shift} : index", "i")
        length = self.length(scope, value)
        return self.load(scope, value, self.let(scope, f"arith.remui {moved}, {length} : index", "i"))

    def rounds(self):
        return self.random.choice([0, 1, 2, 2, 3, 3, 4])

    def condition(self, scope):
        """Of what is in memory: the text does not say how it goes."""
        value = self.some(scope)
        number = self.load(scope, value, self.index(scope, 0))
        bit = self.number(scope, 1 << self.random.randrange(4))
        masked = self.let(scope, f"arith.andi {number}, {bit} : i32", "x")
        zero = self.number(scope, 0)
        return self.let(scope, f"arith.cmpi ne, {masked}, {zero} : i32", "b")

    # --- memory --------------------------------------------------------------

    def new(self, scope, shape=None, element=None):
        """New memory, written to in full."""
        shape = shape or self.random.choice(SHAPES)
        element = element or self.random.choice(ELEMENTS)
        value = self.allocate(scope, shape, element)
        self.fill(scope, value)
        scope.seen.append(value)
        return value

    def allocate(self, scope, shape, element):
        name = self.name("m")
        form = self.random.choices(["here", "hoisted", "stack"], [6, 3, 1])[0]
        if form == "stack" and scope is not self.top:
            form = "here"
        into = self.prologue if form == "hoisted" else scope.text
        op = "memref.alloca" if form == "stack" else "memref.alloc"
        kind = f"memref<{dims_of(shape)}{element}>"
        aligned = f" {{alignment = {self.random.choice([8, 16, 64, 128])} : i64}}" if self.chance(0.15) else ""
        into.append(f"{name} = {op}(){aligned} : {kind}")
        root = Root(self.top if form == "hoisted" else scope, name, kind)
        root.is_stack = form == "stack"
        return Value(name, shape, element, "", dims_of(shape), frozenset([root]))

    def dynamic(self, scope):
        """Its size is a number that the text does not show at the alloc."""
        size = self.random.randint(1, DYNAMIC_BOUND)
        element = self.random.choice(ELEMENTS)
        number = self.let(scope, f"arith.constant {size - 1} : index", "n")
        acc = self.let(scope, f"memref.load %acc[{self.index(scope, 0)}] : {ACC}", "x")
        bit = self.let(scope, f"arith.andi {acc}, {self.number(scope, 1)} : i32", "x")
        extra = self.let(scope, f"arith.index_cast {bit} : i32 to index", "n")
        total = self.let(scope, f"arith.addi {number}, {extra} : index", "n")
        total = self.let(scope, f"arith.maxui {total}, {self.index(scope, 1)} : index", "n")
        name = self.let(scope, f"memref.alloc({total}) : memref<?x{element}>", "m")
        root = Root(scope, name, f"memref<?x{element}>")
        value = Value(name, (None,), element, "", "?x", frozenset([root]))
        self.fill(scope, value)
        scope.seen.append(value)

    def fill(self, scope, value):
        """Writes every element."""
        same = lambda v: v.kind == value.kind and v.shape == value.shape and not self.may_overlap(v, value)
        if "?" in value.dims:
            return self.fill_by_loop(scope, value)
        source = self.pick(scope, same)
        form = self.random.choice(["loop", "loop", "fill", "affine", "copy", "map"])
        if form == "copy" and source:
            self.add(scope, f"memref.copy {source.name}, {value.name} : {source.kind} to {value.kind}")
        elif form == "fill":
            raw = self.from_number(scope, self.number(scope, self.random.randrange(1, 1000)), value.element)
            self.add(scope, f"linalg.fill ins({raw} : {value.element}) outs({value.name} : {value.kind})")
        elif form == "map" and source:
            self.map(scope, [source], value)
        elif form == "affine" and len(value.shape) == 1:
            counter = self.name("i")
            self.add(scope, f"affine.for {counter} = 0 to {value.shape[0]} {{")
            wide = self.let(scope, f"arith.index_cast {counter} : index to i32", "x")
            raw = self.from_number(scope, self.mixed(scope, wide, wide), value.element)
            self.add(scope, f"affine.store {raw}, {value.name}[{counter}] : {value.kind}\n}}")
        else:
            self.fill_by_loop(scope, value)

    def fill_by_loop(self, scope, value):
        source = self.pick(scope)
        counter = self.each(scope, self.length(scope, value))
        number = self.let(scope, f"arith.index_cast {counter} : index to i32", "x")
        if source:
            number = self.mixed(scope, number, self.element_of(scope, source, counter))
        self.store(scope, value, counter, number)
        self.add(scope, "}")

    @staticmethod
    def may_overlap(left, right):
        return left.is_vague or right.is_vague or bool(left.roots & right.roots)

    # --- reading and writing ---------------------------------------------------

    def map(self, scope, sources, target):
        """linalg.map of memrefs of one shape and element."""
        listed = ", ".join(v.name for v in sources)
        kinds = ", ".join(v.kind for v in sources)
        elements = [self.name("e") for _ in sources]
        heads = ", ".join(f"{e}: {target.element}" for e in [*elements, self.name("o")])
        self.add(
            scope,
            f"linalg.map ins({listed} : {kinds}) outs({target.name} : {target.kind}) ({heads}) {{",
        )
        number = self.number(scope, self.random.randrange(100))
        for element in elements:
            number = self.mixed(scope, self.to_number(scope, element, target.element), number)
        raw = self.from_number(scope, number, target.element)
        self.add(scope, f"linalg.yield {raw} : {target.element}\n}}")

    def reverse(self, scope, source, target):
        """The last element of one into the first of the other, in one op: they may not share."""
        size = source.shape[0]
        old, new = self.name("e"), self.name("o")
        self.add(
            scope,
            f"linalg.generic {{indexing_maps = [affine_map<(d0) -> ({size - 1} - d0)>, affine_map<(d0) -> (d0)>], "
            f'iterator_types = ["parallel"]}} ins({source.name} : {source.kind}) outs({target.name} : {target.kind}) {{\n'
            f"^bb0({old}: {source.element}, {new}: {target.element}):",
        )
        number = self.to_number(scope, old, source.element)
        raw = self.from_number(scope, self.mixed(scope, number, number), target.element)
        self.add(scope, f"linalg.yield {raw} : {target.element}\n}}")

    def reversed(self, scope):
        source = self.flat(scope)
        target = self.allocate(scope, source.shape, self.random.choice(ELEMENTS))
        self.reverse(scope, source, target)
        scope.seen.append(target)

    def generic(self, scope, source, second, target):
        """linalg.generic of memrefs of one shape, of which all are mostly read where the target is written."""
        rank = len(target.shape)
        axes = [f"d{axis}" for axis in range(rank)]
        written = self.random.sample(axes, rank) if self.chance(0.3) else axes
        read = [written, written]
        turned = None
        if len(set(target.shape)) == 1 and rank > 1 and self.chance(0.3):
            turned = written[::-1]
        elif rank == 1 and self.chance(0.2):
            turned = [f"{target.shape[0] - 1} - d0"]
        if turned:
            read[self.random.randrange(2)] = turned
            if self.chance(0.5):
                second = source
        maps = ", ".join(
            f"affine_map<({', '.join(axes)}) -> ({', '.join(results)})>" for results in [*read, written]
        )
        kinds = ", ".join('"parallel"' for _ in axes)
        names = [self.name("e"), self.name("e"), self.name("o")]
        heads = ", ".join(f"{name}: {v.element}" for name, v in zip(names, [source, second, target]))
        self.add(
            scope,
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({source.name}, {second.name} : {source.kind}, {second.kind}) "
            f"outs({target.name} : {target.kind}) {{\n^bb0({heads}):",
        )
        number = self.mixed(
            scope, self.to_number(scope, names[0], source.element), self.to_number(scope, names[1], second.element)
        )
        if self.chance(0.3):
            number = self.mixed(scope, number, self.load(scope, source, self.index(scope, 0)))
        raw = self.from_number(scope, number, target.element)
        self.add(scope, f"linalg.yield {raw} : {target.element}\n}}")

    def successor(self, scope):
        """New memory, computed from memory that is mostly read no more: it may take its place."""
        source = self.pick(scope, lambda v: "?" not in v.dims) or self.new(scope)
        second = self.pick(scope, lambda v: v.shape == source.shape and "?" not in v.dims) or source
        element = self.random.choice([source.element, source.element, "i32", "f32"])
        target = self.allocate(scope, source.shape, element)
        if element == source.element and self.chance(0.3):
            self.map(scope, [source], target)
        else:
            self.generic(scope, source, second, target)
        if self.chance(0.7) and not source.is_vague:
            scope.seen[:] = [v for v in scope.seen if not self.may_overlap(v, source)]
        scope.seen.append(target)

    def elementwise(self, scope):
        target = self.writable(scope)
        source = self.like(scope, target)
        if source is None or "?" in target.dims:  # no loop bounds for affine.for
            return self.update(scope)
        sources = [source, target] if self.chance(0.4) else [source]
        return self.map(scope, sources, target)

    def update(self, scope):
        """Some elements of one memref change by those of others."""
        target, source = self.writable(scope), self.some(scope)
        counter = self.each(scope, self.length(scope, target))
        old = self.load(scope, target, counter)
        number = self.mixed(scope, old, self.element_of(scope, source, counter))
        if self.chance(0.3):
            number = self.mixed(scope, number, self.element_of(scope, self.some_seen(scope, source), counter))
        self.store(scope, target, counter, number)
        self.add(scope, "}")

    def some_seen(self, scope, otherwise):
        return self.pick(scope) or otherwise

    def copy(self, scope):
        target = self.writable(scope)
        source = self.like(scope, target)
        if source is None or source == target or target.shape == (None,):  # of which sizes may differ
            return
        if self.may_overlap(source, target):
            return
        if "?" in target.dims or self.chance(0.7):
            self.add(scope, f"memref.copy {source.name}, {target.name} : {source.kind} to {target.kind}")
        else:
            self.add(
                scope, f"linalg.copy ins({source.name} : {source.kind}) outs({target.name} : {target.kind})"
            )

    def matmul(self, scope):
        a, b = self.new(scope, (4, 2), "i32"), self.new(scope, (2, 8), "i32")
        out = self.new(scope, (4, 8), "i32")
        self.add(
            scope,
            f"linalg.matmul ins({a.name}, {b.name} : {a.kind}, {b.kind}) outs({out.name} : {out.kind})",
        )

    def digest(self, scope, value=None):
        """All elements go into %acc."""
        value = value or self.some(scope)
        zero = self.index(scope, 0)
        length = self.length(scope, value)
        start = self.let(scope, f"memref.load %acc[{zero}] : {ACC}", "a")
        result, counter, carried = self.name("a"), self.name("i"), self.name("a")
        one = self.index(scope, 1)
        self.add(
            scope,
            f"{result} = scf.for {counter} = {zero} to {length} step {one} iter_args({carried} = {start}) -> (i32) {{",
        )
        factor = self.number(scope, 16777619)
        scaled = self.let(scope, f"arith.muli {carried}, {factor} : i32", "a")
        element = self.load(scope, value, counter)
        mixed = self.let(scope, f"arith.addi {scaled}, {element} : i32", "a")
        self.add(scope, f"scf.yield {mixed} : i32\n}}")
        self.add(scope, f"memref.store {result}, %acc[{zero}] : {ACC}")

    def digest_all(self, scope):
        """Some of what is there, in programs that read much all of it."""
        for value in self.seen(scope):
            if self.chance(self.reads):
                self.digest(scope, value)

    # --- views -----------------------------------------------------------------

    def derived(self, scope, value, right, shape, dims, layout, element=None):
        name = self.let(scope, right, "w")
        made = Value(name, shape, element or value.element, layout, dims, value.roots, value.is_vague)
        scope.seen.append(made)
        return made

    def flat(self, scope):
        """A memref of one dimension, of known size and of identity layout."""
        is_flat = lambda v: len(v.shape) == 1 and v.shape[0] and not v.layout and "?" not in v.dims
        return self.pick(scope, is_flat) or self.new(scope, (16,))

    def subview(self, scope):
        value = self.flat(scope)
        step = self.random.choice([1, 1, 2, 3])
        offset = self.random.randrange(value.shape[0])
        most = (value.shape[0] - offset + step - 1) // step
        size = self.random.randint(1, most)
        layout = f", strided<[{step}], offset: {offset}>" if offset or step > 1 else ""
        if offset == 0 and step == 1:
            layout = ", strided<[1]>"
        kind = f"memref<{size}x{value.element}{layout}>"
        self.derived(
            scope, value,
            f"memref.subview {value.name}[{offset}] [{size}] [{step}] : {value.kind} to {kind}",
            (size,), f"{size}x", layout,
        )

    def row(self, scope):
        """A row or a column of a matrix."""
        value = self.pick(scope, lambda v: len(v.shape) == 2 and not v.layout) or self.new(scope, (4, 4))
        rows, columns = value.shape
        if self.chance(0.5):
            number = self.random.randrange(rows)
            size, layout = columns, f", strided<[1], offset: {number * columns}>"
            part = f"[{number}, 0] [1, {columns}] [1, 1]"
        else:
            number = self.random.randrange(columns)
            size, layout = rows, f", strided<[{columns}], offset: {number}>"
            part = f"[0, {number}] [{rows}, 1] [1, 1]"
        kind = f"memref<{size}x{value.element}{layout}>"
        self.derived(
            scope, value, f"memref.subview {value.name}{part} : {value.kind} to {kind}",
            (size,), f"{size}x", layout,
        )

    def cast(self, scope):
        """To a type that says less."""
        value = self.pick(scope, lambda v: len(v.shape) == 1 and "?" not in v.kind)
        value = value or self.flat(scope)
        dims, layout = "?x", value.layout
        if layout or self.chance(0.4):
            layout = ", strided<[?], offset: ?>"
        shape = value.shape if self.chance(0.5) else (None,)
        kind = f"memref<{dims}{value.element}{layout}>"
        self.derived(scope, value, f"memref.cast {value.name} : {value.kind} to {kind}", shape, dims, layout)

    def reshape(self, scope):
        value = self.flat(scope)
        size, element = value.shape[0], value.element
        if size % 2:
            return
        shape = (2, size // 2)
        kind = f"memref<{dims_of(shape)}{element}>"
        made = self.derived(
            scope, value,
            f"memref.expand_shape {value.name} [[0, 1]] output_shape [{shape[0]}, {shape[1]}] : {value.kind} into {kind}",
            shape, dims_of(shape), "",
        )
        if self.chance(0.4):
            self.derived(
                scope, made, f"memref.collapse_shape {made.name} [[0, 1]] : {kind} into memref<{size}x{element}>",
                (size,), f"{size}x", "",
            )

    def shaped(self, scope):
        """A view whose size is in memory, which is read when the view is made, and overwritten after that."""
        value, zero = self.flat(scope), self.index(scope, 0)
        sizes = [self.index(scope, self.random.randint(1, value.shape[0])) for _ in range(2)]
        shape = self.let(scope, "memref.alloc() : memref<1xindex>", "m")
        self.add(scope, f"memref.store {sizes[0]}, {shape}[{zero}] : memref<1xindex>")
        other = self.allocate(scope, (16,), "i32")
        self.fill(scope, other)
        self.digest(scope, other)
        kind = f"memref<?x{value.element}>"
        view = self.let(scope, f"memref.reshape {value.name}({shape}) : ({value.kind}, memref<1xindex>) -> {kind}", "w")
        size = self.let(scope, f"memref.dim {view}, {zero} : {kind}", "n")
        self.add(scope, f"linalg.fill ins({sizes[1]} : index) outs({shape} : memref<1xindex>)")
        last = self.let(scope, f"memref.load {shape}[{zero}] : memref<1xindex>", "n")
        numbers = [self.let(scope, f"arith.index_cast {n} : index to i32", "x") for n in (size, last)]
        self.store(scope, self.writable(scope), zero, self.mixed(scope, *numbers))

    def reinterpret(self, scope):
        value = self.flat(scope)
        offset = self.random.randrange(value.shape[0])
        size = self.random.randint(1, value.shape[0] - offset)
        layout = f", strided<[1], offset: {offset}>"
        kind = f"memref<{size}x{value.element}{layout}>"
        source = value.name, value.kind
        if self.chance(0.4):
            source = self.base_of(scope, value)
        self.derived(
            scope, value,
            f"memref.reinterpret_cast {source[0]} to offset: [{offset}], sizes: [{size}], strides: [1] : "
            f"{source[1]} to {kind}",
            (size,), f"{size}x", layout,
        )

    def base_of(self, scope, value):
        """The memory below a memref: (a name, its type)."""
        base, rest, element = self.name("w"), self.name("n"), value.element
        self.packed.add(base)
        self.add(
            scope,
            f"{base}, {rest}:3 = memref.extract_strided_metadata {value.name} : {value.kind} -> "
            f"memref<{element}>, index, index, index",
        )
        return base, f"memref<{element}>"

    def typed_view(self, scope):
        """Bytes that are seen as numbers: a small arena of the program's own."""
        value = self.pick(scope, lambda v: v.dims == "64xi8" and not v.layout) or self.new(scope, (64,), "i8")
        base = self.only_root(value)
        if base is None:
            return
        element, wide = self.random.choice([("i32", 4), ("i16", 2), ("i64", 8)])
        offset = 8 * self.random.randrange(6)
        size = (64 - offset) // wide
        shift = self.index(scope, offset)
        self.derived(
            scope, value,
            f"memref.view {base.name}[{shift}][] : {base.kind} to memref<{size}x{element}>",
            (size,), f"{size}x", "", element,
        )

    @staticmethod
    def only_root(value):
        """The memory that |value| is all of, by its own name, or None."""
        if len(value.roots) != 1 or value.is_vague:
            return None
        root = next(iter(value.roots))
        return root if root.name == value.name else None

    def transpose(self, scope):
        value = self.pick(scope, lambda v: len(v.shape) == 2 and not v.layout) or self.new(scope, (2, 8))
        rows, columns = value.shape
        layout = f", strided<[1, {columns}]>"
        kind = f"memref<{columns}x{rows}x{value.element}{layout}>"
        self.derived(
            scope, value, f"memref.transpose {value.name} (i, j) -> (j, i) : {value.kind} to {kind}",
            (columns, rows), f"{columns}x{rows}x", layout,
        )

    def select(self, scope):
        """One of two, and only the run knows which."""
        left = self.some(scope)
        right = self.pick(scope, lambda v: v.kind == left.kind and v.shape == left.shape and v != left)
        right = right or self.like(scope, left)
        if right is None:
            return
        condition = self.condition(scope)
        self.merge(scope, self.let(scope, f"arith.select {condition}, {left.name}, {right.name} : {left.kind}", "w"), left, [right])

    @staticmethod
    def merge(scope, name, like, others, vague=False):
        roots = like.roots.union(*(v.roots for v in others))
        vague = vague or like.is_vague or any(v.is_vague for v in others)
        made = Value(name, like.shape, like.element, like.layout, like.dims, roots, vague)
        scope.seen.append(made)
        return made

    def constant(self, scope):
        size = self.random.choice([8, 16, 24])
        number = self.random.randrange(3)
        symbol = f"@w{self.seed}_{size}_{number}"
        if symbol not in self.helpers:
            self.helpers.add(symbol)
            listed = ", ".join(str(number * 977 + 31 * i) for i in range(size))
            self.module.append(
                f'memref.global "private" constant {symbol} : memref<{size}xi32> = dense<[{listed}]>'
            )
        name = self.let(scope, f"memref.get_global {symbol} : memref<{size}xi32>", "w")
        root = Root(None, name, "", True)
        scope.seen.append(Value(name, (size,), "i32", "", f"{size}x", frozenset([root])))

    # --- frees -----------------------------------------------------------------

    def own(self, scope, kept=()):
        """What was made in this block and may be freed in it."""
        held = set().union(*(v.roots for v in kept)) if kept else set()
        found = {
            root: None
            for value in scope.seen
            for root in sorted(value.roots, key=lambda root: root.number)
            if root.scope is scope and not root.is_freed and not root.is_stack and root not in held
        }
        return list(found)

    def free(self, scope):
        """Somewhere, when it is read no more."""
        roots = self.own(scope)
        if not roots or not self.chance(self.frees):
            return
        root = self.random.choice(roots)
        if self.chance(0.5):
            self.digest_root(scope, root)
        if self.chance(0.15) and "?" not in root.kind and self.consume(scope, root):
            return
        self.add(scope, f"memref.dealloc {root.name} : {root.kind}")
        root.is_freed = True

    def digest_root(self, scope, root):
        for value in scope.seen:
            if root in value.roots and value.is_alive:
                return self.digest(scope, value)

    def consume(self, scope, root):
        """A function that frees what it is given."""
        value = next((v for v in scope.seen if v.name == root.name), None)
        if value is None:
            return False
        symbol = f"@consume{self.seed}_{value.dims}{value.element}"
        if symbol not in self.helpers:
            self.helpers.add(symbol)
            inside = Scope([], 0)
            argument = Value("%m", value.shape, value.element, "", value.dims, frozenset())
            self.digest(inside, argument)
            body = "\n".join(inside.text)
            self.module.append(
                f"func.func private {symbol}(%m: {value.kind}, %acc: {ACC}) {{\n{body}\n"
                f"memref.dealloc %m : {value.kind}\nreturn\n}}"
            )
        self.add(scope, f"func.call {symbol}({value.name}, %acc) : ({value.kind}, {ACC}) -> ()")
        root.is_freed = True
        return True

    def free_rest(self, scope, kept, owner=None):
        """At the end of a block, before its terminator; |kept| goes on. The same text may come
        at the end of several ways out, so nothing is marked as freed."""
        if any(value.is_vague for value in kept):
            return
        held = set().union(*(v.roots for v in kept)) if kept else set()
        for root in self.own(owner or scope, kept):
            if root not in held and self.chance(self.frees):
                self.add(scope, f"memref.dealloc {root.name} : {root.kind}")

    # --- regions -----------------------------------------------------------------

    def inner(self, scope, arguments=(), most=4):
        """A block inside of |scope| with something in it."""
        inside = Scope([*self.seen(scope), *arguments], scope.depth + 1)
        outside = len(inside.seen)
        self.steps(inside, self.random.randint(0, most))
        own = Scope(inside.seen[outside:], inside.depth, inside.text)
        self.digest_all(own)
        return inside

    def conditional(self, scope):
        """What it returns is one of two, perhaps made in there."""
        condition = self.condition(scope)
        if self.chance(0.3):
            inside = self.inner(scope)
            self.free_rest(inside, [])
            self.add(scope, f"scf.if {condition} {{\n" + "\n".join(inside.text) + "\n}")
            return
        like = self.writable(scope)
        arms, yielded = [], []
        for _ in range(2):
            inside = self.inner(scope)
            value = self.like(inside, like, 0.5) or like
            self.free_rest(inside, [value])
            arms.append("\n".join([*inside.text, f"scf.yield {value.name} : {like.kind}"]))
            yielded.append(value)
        result = self.name("w")
        self.add(scope, f"{result} = scf.if {condition} -> ({like.kind}) {{\n{arms[0]}\n}} else {{\n{arms[1]}\n}}")
        self.merge(scope, result, yielded[0], yielded[1:])

    def switch(self, scope):
        number = self.load(scope, self.some(scope), self.index(scope, 0))
        small = self.let(scope, f"arith.andi {number}, {self.number(scope, 3)} : i32", "x")
        index = self.let(scope, f"arith.index_cast {small} : i32 to index", "i")
        like = self.writable(scope)
        arms, yielded = [], []
        for head in ["case 0 {", "case 2 {", "default {"]:
            inside = self.inner(scope, most=2)
            value = self.like(inside, like, 0.4) or like
            self.free_rest(inside, [value])
            body = "\n".join([*inside.text, f"scf.yield {value.name} : {like.kind}"])
            arms.append(f"{head}\n{body}\n}}")
            yielded.append(value)
        result = self.name("w")
        self.add(scope, f"{result} = scf.index_switch {index} -> {like.kind}\n" + "\n".join(arms))
        self.merge(scope, result, yielded[0], yielded[1:])

    def carried(self, scope, most=3):
        """Memrefs for a loop to begin with, mostly of one type: they may change places."""
        first = self.writable(scope)
        found = [first]
        for _ in range(self.random.randint(0, most - 1)):
            value = self.like(scope, first) if self.chance(0.7) else self.writable(scope)
            found.append(value or first)
        return found

    def handed_on(self, inside, arguments, inits):
        """What the next round gets: rotated, made anew, or the same again."""
        found = []
        for argument in arguments:
            same = [a for a in arguments if a.kind == argument.kind and a.shape == argument.shape]
            if self.chance(0.6):
                found.append(self.random.choice(same))
            else:
                found.append(self.like(inside, argument, 0.4) or argument)
        return found

    def arguments_for(self, inits):
        roots = frozenset().union(*(v.roots for v in inits))
        return [
            Value(self.name("a"), v.shape, v.element, v.layout, v.dims, roots, True) for v in inits
        ]

    def results_of(self, scope, inits, *yields):
        """Each result may be whatever the loop had in its hands."""
        everything = [*inits, *(v for values in yields for v in values)]
        names = [self.name("w") for _ in inits]
        self.packed.update(names)
        for name, init in zip(names, inits):
            self.merge(scope, name, init, everything, False)
        # What was carried was vague in the loop only because of it.
        for number in range(len(scope.seen) - len(names), len(scope.seen)):
            value = scope.seen[number]
            vague = any(v.is_vague for v in inits)
            scope.seen[number] = Value(
                value.name, value.shape, value.element, value.layout, value.dims, value.roots, vague
            )
        return ", ".join(names)

    def loop(self, scope):
        inits = self.carried(scope) if self.chance(0.7) else []
        arguments = self.arguments_for(inits) if inits else []
        inside = self.inner(scope, arguments)
        yielded = self.handed_on(inside, arguments, inits)
        self.free_rest(inside, yielded_roots_known(yielded, inits))
        bounds = [self.index(scope, n) for n in (0, self.rounds(), 1)]
        kinds = ", ".join(v.kind for v in inits)
        head = f"scf.for {self.name('i')} = {bounds[0]} to {bounds[1]} step {bounds[2]}"
        if inits:
            listed = ", ".join(f"{a.name} = {v.name}" for a, v in zip(arguments, inits))
            head = f"{self.results_of(scope, inits, yielded)} = {head} iter_args({listed}) -> ({kinds})"
            inside.text.append(f"scf.yield {', '.join(v.name for v in yielded)} : {kinds}")
        self.add(scope, head + " {\n" + "\n".join(inside.text) + "\n}")

    def while_loop(self, scope):
        inits = self.carried(scope, 2)
        kinds = ", ".join(v.kind for v in inits)
        rounds, one = self.number(scope, self.rounds()), self.number(scope, 1)
        zero = self.number(scope, 0)
        before_arguments, left = self.arguments_for(inits), self.name("n")
        before = self.inner(scope, before_arguments, 2)
        handed = self.handed_on(before, before_arguments, inits)
        self.free_rest(before, yielded_roots_known(handed, inits))
        go = self.let(before, f"arith.cmpi sgt, {left}, {zero} : i32", "b")
        before.text.append(f"scf.condition({go}) {left}, {', '.join(v.name for v in handed)} : i32, {kinds}")
        after_arguments = self.arguments_for(inits + handed)[: len(inits)]
        after, count_name = self.inner(scope, after_arguments), self.name("n")
        yielded = self.handed_on(after, after_arguments, inits)
        self.free_rest(after, yielded_roots_known(yielded, inits))
        fewer = self.let(after, f"arith.subi {count_name}, {one} : i32", "n")
        after.text.append(f"scf.yield {fewer}, {', '.join(v.name for v in yielded)} : i32, {kinds}")
        listed = ", ".join(f"{a.name} = {v.name}" for a, v in zip(before_arguments, inits))
        heads = ", ".join([f"{count_name}: i32", *(f"{a.name}: {a.kind}" for a in after_arguments)])
        results = self.results_of(scope, inits, handed, yielded)
        self.add(
            scope,
            f"{self.name('n')}, {results} = scf.while ({left} = {rounds}, {listed}) : (i32, {kinds}) -> (i32, {kinds}) {{\n"
            + "\n".join(before.text) + f"\n}} do {{\n^bb0({heads}):\n" + "\n".join(after.text) + "\n}",
        )

    def parallel(self, scope):
        """Rounds that may run at once, with memory of their own."""
        target = self.new(scope, (8,), "i32")
        counter = self.name("i")
        zero, eight, one = (self.index(scope, n) for n in (0, 8, 1))
        self.add(scope, f"scf.parallel ({counter}) = ({zero}) to ({eight}) step ({one}) {{")
        name = self.let(scope, "memref.alloc() : memref<4xi32>", "m")
        local = Value(name, (4,), "i32", "", "4x", frozenset())
        inner = self.each(scope, self.length(scope, local))
        self.store(scope, local, inner, self.element_of(scope, self.some_seen(scope, target), inner))
        self.add(scope, "}")
        self.store(scope, target, counter, self.element_of(scope, local, counter))
        self.add(scope, f"memref.dealloc {name} : memref<4xi32>\nscf.reduce\n}}")

    def blocks(self, scope):
        """Branches in a region that is run once."""
        like = self.writable(scope)
        text, made = self.graph(scope, "scf.yield", like, [])
        result = self.name("w")
        self.add(scope, f"{result} = scf.execute_region -> {like.kind} {{\n{text}\n}}")
        self.merge(scope, result, like, [*self.seen(scope), *made], True)

    # --- idioms ------------------------------------------------------------------

    def guarded(self, scope):
        """New memory on one of two ways, freed by whoever finds that it owns it."""
        old = self.flat(scope)
        condition = self.condition(scope)
        inside = Scope(self.seen(scope), scope.depth + 1)
        new = self.new(inside, old.shape, old.element)
        value, owned = self.name("w"), self.name("b")
        self.packed.add(value)
        body = "\n".join(inside.text)
        self.add(
            scope,
            f"{value}, {owned} = scf.if {condition} -> ({old.kind}, i1) {{\n{body}\n%yes{owned[1:]} = arith.constant true\n"
            f"scf.yield {new.name}, %yes{owned[1:]} : {old.kind}, i1\n}} else {{\n%no{owned[1:]} = arith.constant false\n"
            f"scf.yield {old.name}, %no{owned[1:]} : {old.kind}, i1\n}}",
        )
        root = next(iter(new.roots))
        merged = self.merge(scope, value, old, [new])
        self.steps(scope, self.random.randint(0, 3))
        if not merged.is_alive or root.scope is not inside:
            return
        self.digest(scope, merged)
        self.add(scope, f"scf.if {owned} {{\nmemref.dealloc {value} : {old.kind}\n}}")
        root.is_freed = True

    def replaced(self, scope):
        """One of two: the old one, or a new one that is made of it in one op, its last use."""
        old = self.new(scope, self.random.choice([(8,), (16,)]))
        self.steps(scope, self.random.randint(0, 1))
        if not old.is_alive:
            return
        scope.seen = [v for v in scope.seen if not old.roots & v.roots]
        condition = self.condition(scope)
        inside = Scope(self.seen(scope), scope.depth + 1)
        new = self.allocate(inside, old.shape, old.element)
        self.reverse(inside, old, new)
        if self.chance(0.5):
            self.steps(inside, 2)
        body, result = "\n".join(inside.text), self.name("w")
        self.add(
            scope,
            f"{result} = scf.if {condition} -> ({old.kind}) {{\n{body}\nscf.yield {new.name} : {old.kind}\n}} else {{\n"
            f"scf.yield {old.name} : {old.kind}\n}}",
        )
        self.digest(scope, self.merge(scope, result, old, [new]))

    def handed_back(self, scope):
        """A function returns what it is given, by which name alone that is used from then on."""
        given = self.new(scope, self.random.choice([(8,), (16,)]))
        if not given.is_alive:
            return
        scope.seen = [v for v in scope.seen if not given.roots & v.roots]
        symbol = f"@back{self.seed}_{given.dims}{given.element}"
        if symbol not in self.helpers:
            self.helpers.add(symbol)
            self.module.append(
                f"func.func private {symbol}(%m: {given.kind}) -> {given.kind} {{\nreturn %m : {given.kind}\n}}"
            )
        name = self.let(scope, f"func.call {symbol}({given.name}) : ({given.kind}) -> {given.kind}", "w")
        self.steps(scope, self.random.randint(1, 2))
        back = Value(name, given.shape, given.element, given.layout, given.dims, given.roots)
        self.digest(scope, back)
        scope.seen.append(back)

    def chain(self, scope):
        """Each round makes new memory out of that of the round before, and may free that."""
        first = self.new(scope, (8,), "i32")
        bounds = [self.index(scope, n) for n in (0, self.random.randint(1, 4), 1)]
        argument, owned = self.arguments_for([first])[0], self.name("b")
        inside = Scope([*self.seen(scope), argument], scope.depth + 1)
        name = self.let(inside, "memref.alloc() : memref<8xi32>", "m")
        new = Value(name, (8,), "i32", "", "8x", frozenset([Root(None, name)]))
        if self.chance(0.5):
            self.reverse(inside, argument, new)
        else:
            counter = self.each(inside, self.length(inside, new))
            old = self.element_of(inside, argument, counter)
            self.store(inside, new, counter, self.mixed(inside, old, self.element_of(inside, self.some(inside), counter)))
            self.add(inside, "}")
        yes, no = self.name("b"), self.name("b")
        if self.chance(0.6):
            self.add(inside, f"scf.if {owned} {{\nmemref.dealloc {argument.name} : memref<8xi32>\n}}")
        inside.text.append(f"{yes} = arith.constant true\nscf.yield {name}, {yes} : memref<8xi32>, i1")
        result, mine = self.name("w"), self.name("b")
        self.packed.add(result)
        self.add(
            scope,
            f"{no} = arith.constant false\n{result}, {mine} = scf.for {self.name('i')} = {bounds[0]} to {bounds[1]} step {bounds[2]} "
            f"iter_args({argument.name} = {first.name}, {owned} = {no}) -> (memref<8xi32>, i1) {{\n"
            + "\n".join(inside.text) + "\n}",
        )
        merged = self.merge(scope, result, first, [new])
        self.digest(scope, merged)

    def gathered(self, scope):
        """Memory from before a loop that its rounds fill bit by bit, or the first one fills for
        all: what is in it has to outlast what else they do."""
        shape = self.random.choice([(5,), (8,)])
        value = self.allocate(scope, shape, "i32")
        counter, by_element = self.name("i"), self.chance(0.5)
        bounds = [self.index(scope, n) for n in (0, shape[0] if by_element else 3, 1)]
        inside = self.inner(scope)
        if by_element:
            number = self.let(inside, f"arith.index_cast {counter} : index to i32", "x")
            self.store(inside, value, counter, self.mixed(inside, number, self.element_of(inside, self.some(inside), counter)))
        else:
            self.fill_once(inside, value, counter)
        body = "\n".join(inside.text)
        self.add(scope, f"scf.for {counter} = {bounds[0]} to {bounds[1]} step {bounds[2]} {{\n{body}\n}}")
        scope.seen.append(value)
        self.digest(scope, value)

    def fill_once(self, scope, value, counter):
        """Fills |value| in round 0, and reads it in all of them."""
        first = self.let(scope, f"arith.cmpi eq, {counter}, {self.index(scope, 0)} : index", "b")
        filling = Scope(self.seen(scope), scope.depth + 1)
        self.fill_by_loop(filling, value)
        self.add(scope, f"scf.if {first} {{\n" + "\n".join(filling.text) + "\n}")
        inner = self.each(scope, self.length(scope, value))
        self.store(scope, value, inner, self.mixed(scope, self.load(scope, value, inner), self.load(scope, value, inner)))
        self.add(scope, "}")
        self.digest(scope, value)

    def late(self, scope):
        """Memory that a function, or one that it calls, fills when it is done with memory of its
        own. When it is called again, it reads what is there, all the time."""
        inner, outer = f"@late{self.seed}", f"@later{self.seed}"
        if inner not in self.helpers:
            self.helpers.add(inner)
            self.late_function(inner, None)
            self.late_function(outer, inner)
        value = self.allocate(scope, (8,), "i32")
        symbol = self.random.choice([inner, outer])
        call = lambda at, n: self.add(at, f"func.call {symbol}({value.name}, {n}, %acc) : ({value.kind}, i32, {ACC}) -> ()")
        call(scope, self.number(scope, 0))
        if self.chance(0.5):
            self.steps(scope, self.random.randint(0, 2))
            if self.chance(0.5):
                symbol = self.random.choice([inner, outer])
            call(scope, self.number(scope, 1))
        scope.seen.append(value)  # no step in between may free it
        self.digest(scope, value)

    def late_function(self, symbol, callee):
        """It takes %m, and whether there is something in it."""
        inside, result = Scope([], 0), Value("%m", (8,), "i32", "", "8x", frozenset())
        own = self.let(inside, "memref.alloc() : memref<8xi32>", "m")
        scratch = Value(own, (8,), "i32", "", "8x", frozenset([Root(None, own)]))
        self.fill_by_loop(inside, scratch)
        self.digest(inside, scratch)
        if callee:
            self.add(inside, f"func.call {callee}(%m, %full, %acc) : (memref<8xi32>, i32, {ACC}) -> ()")
        else:
            empty = self.let(inside, f"arith.cmpi eq, %full, {self.number(inside, 0)} : i32", "b")
            self.add(inside, f"scf.if {empty} {{")
            self.fill_by_loop(inside, result)
            self.add(inside, "} else {")
            counter = self.each(inside, self.length(inside, result))
            old = self.load(inside, result, counter)
            self.store(inside, result, counter, self.mixed(inside, old, old))
            self.add(inside, "}\n}")
        body = "\n".join(inside.text)
        self.module.append(f"func.func private {symbol}(%m: memref<8xi32>, %full: i32, %acc: {ACC}) {{\n{body}\nreturn\n}}")

    def scratch(self, scope):
        """Memory that serves one purpose after another. Mostly all of it is written anew, so that
        what it held before is in nobody's way; but a part, or one of two ways, is not all."""
        value = self.allocate(scope, self.random.choice([(8,), (8,), (16,)]), self.random.choice(["i32", "i32", "i8", "f32"]))
        self.rewrite(scope, value, self.random.choice(["here", "called"]))
        self.digest(scope, value)
        for _ in range(self.random.randint(1, 3)):
            self.steps(scope, self.random.randint(0, 2))
            how = self.random.choice(["here", "here", "called", "called", "read", "part", "maybe", "arms", "rounds"])
            if how in ("maybe", "arms"):
                condition, inside = self.condition(scope), Scope(self.seen(scope), scope.depth + 1)
                self.rewrite_and_more(inside, value)
                text = "\n".join(inside.text)
                if how == "arms":
                    other = Scope(self.seen(scope), scope.depth + 1)
                    self.rewrite_and_more(other, value)
                    text += "\n} else {\n" + "\n".join(other.text)
                self.add(scope, f"scf.if {condition} {{\n{text}\n}}")
            elif how == "rounds":
                bounds, inside = [self.index(scope, n) for n in (0, self.rounds(), 1)], Scope(self.seen(scope), scope.depth + 1)
                self.steps(inside, self.random.randint(0, 1))
                self.rewrite_and_more(inside, value)
                body = "\n".join(inside.text)
                self.add(scope, f"scf.for {self.name('i')} = {bounds[0]} to {bounds[1]} step {bounds[2]} {{\n{body}\n}}")
                if self.chance(0.5):
                    continue  # and nothing reads it behind the loop
            else:
                self.rewrite(scope, self.either(scope, value) if self.chance(0.3) else value, how)
            self.digest(scope, value)
        if self.chance(0.3):
            scope.seen.append(value)

    def either(self, scope, value):
        """That memref or another one."""
        other = self.pick(scope, lambda v: v.kind == value.kind and v.is_writable and not v.roots & value.roots)
        if other is None:
            return value
        name = self.let(scope, f"arith.select {self.condition(scope)}, {value.name}, {other.name} : {value.kind}", "w")
        return Value(name, value.shape, value.element, "", value.dims, value.roots | other.roots, other.is_vague)

    def rewrite_and_more(self, scope, value):
        self.rewrite(scope, value, self.random.choice(["here", "called", "part"]))
        if self.chance(0.7):
            self.digest(scope, value)
        if scope.depth < DEEPEST:
            self.steps(scope, self.random.randint(0, 1))

    def rewrite(self, scope, value, how):
        """Writes to |value|: all of it "here", or in a function that is "called"; a function that
        has "read" some before; or a "part" of it."""
        number = self.mixed(scope, self.load(scope, self.some(scope), self.index(scope, 0)), self.number(scope, self.random.randrange(99)))
        if how in ("called", "read"):
            symbol = self.rewriter(value, self.random.randrange(3), how == "read")
            self.add(scope, f"func.call {symbol}({value.name}, {number}, %acc) : ({value.kind}, i32, {ACC}) -> ()")
        elif how == "part":
            kind = f"memref<4x{value.element}, strided<[1]>>"
            part = self.let(scope, f"memref.subview {value.name}[0] [4] [1] : {value.kind} to {kind}", "w")
            raw = self.from_number(scope, number, value.element)
            self.add(scope, f"linalg.fill ins({raw} : {value.element}) outs({part} : {kind})")
        else:
            self.write_all(scope, value, number)

    def write_all(self, scope, value, number):
        source = self.pick(scope, lambda v: v.kind == value.kind and not v.is_vague and not v.roots & value.roots)
        form = self.random.choice(["fill", "fill", "copy", "map", "reverse", "view"])
        raw, size = self.from_number(scope, number, value.element), value.shape[0]
        if form == "copy" and source:
            self.add(scope, f"memref.copy {source.name}, {value.name} : {source.kind} to {value.kind}")
        elif form == "map" and source:
            self.map(scope, [source], value)
        elif form == "reverse" and source:
            self.reverse(scope, source, value)
        elif form == "view":
            kind = f"memref<2x{size // 2}x{value.element}>"
            view = self.let(
                scope, f"memref.expand_shape {value.name} [[0, 1]] output_shape [2, {size // 2}] : {value.kind} into {kind}", "w"
            )
            self.add(scope, f"linalg.fill ins({raw} : {value.element}) outs({view} : {kind})")
        else:
            self.add(scope, f"linalg.fill ins({raw} : {value.element}) outs({value.name} : {value.kind})")

    def rewriter(self, value, depth, reads):
        """A function, |depth| calls above the one that writes; each has memory of its own."""
        symbol = f"@rewrite{self.seed}_{value.dims}{value.element}_{depth}{'r' if reads else ''}"
        if symbol in self.helpers:
            return symbol
        self.helpers.add(symbol)
        inside = Scope([], 0)
        argument = Value("%m", value.shape, value.element, "", value.dims, frozenset([Root(None, "%m")]))
        if reads and depth == 0:
            self.digest(inside, argument)
        inside.seen.append(self.own_memory(inside, value))
        for round in range(self.random.choice([1, 1, 2])):
            if depth:
                below = self.rewriter(value, depth - 1, reads or round > 0)
                self.add(inside, f"func.call {below}(%m, %n, %acc) : ({value.kind}, i32, {ACC}) -> ()")
            else:
                self.write_all(inside, argument, "%n")
            if self.chance(0.5):
                self.digest(inside, argument)
            if self.chance(0.5):
                self.own_memory(inside, value)
        body = "\n".join(inside.text)
        self.module.append(f"func.func private {symbol}(%m: {value.kind}, %n: i32, %acc: {ACC}) {{\n{body}\nreturn\n}}")
        return symbol

    def own_memory(self, scope, value):
        """New memory of the type of |value|, which is read at once."""
        name = self.let(scope, f"memref.alloc() : {value.kind}", "m")
        own = Value(name, value.shape, value.element, "", value.dims, frozenset([Root(None, name)]))
        self.fill_by_loop(scope, own)
        self.digest(scope, own)
        return own

    def stored(self, scope):
        """A memref goes into memory, and comes out of it by another name."""
        value = self.writable(scope)
        box, zero = f"memref<1x{value.kind}>", self.index(scope, 0)
        name = self.let(scope, f"memref.alloc() : {box}", "m")
        self.add(scope, f"memref.store {value.name}, {name}[{zero}] : {box}")
        self.steps(scope, self.random.randint(0, 2))
        self.merge(scope, self.let(scope, f"memref.load {name}[{zero}] : {box}", "w"), value, [])

    def message(self, scope):
        """A message that is sent or received while other things happen. Nothing touches the buffer
        until the program waits. What was sent, or received, is looked at then."""
        is_buffer = lambda v: v.element == "i32" and len(v.shape) == 1 and not v.layout and "?" not in v.dims
        value = self.pick(scope, lambda v: is_buffer(v) and v.is_writable and self.only_root(v))
        value = value or self.new(scope, self.random.choice([(8,), (16,)]), "i32")
        is_sent = self.chance(0.5)
        world = self.let(scope, "mpi.comm_world : !mpi.comm", "n")
        number = self.number(scope, self.random.randrange(100))
        request = self.let(
            scope,
            f"mpi.{'isend' if is_sent else 'irecv'}({value.name}, {number}, {number}, {world}) : "
            f"{value.kind}, i32, i32 -> !mpi.request",
            "r",
        )
        hidden = [v for v in scope.seen if self.may_overlap(v, value)]
        scope.seen[:] = [v for v in scope.seen if not self.may_overlap(v, value)]
        self.steps(scope, self.random.randint(1, 5))
        self.add(scope, f"mpi.wait({request}) : !mpi.request")
        scope.seen[:] = [*hidden, *scope.seen]
        if not is_sent:
            return self.digest(scope, value) if self.chance(0.7) else None
        zero, total = self.index(scope, 0), "memref<1xi32>"
        sums = self.let(scope, f"memref.get_global @sent : {total}", "m")
        number = self.let(scope, f"memref.load {sums}[{zero}] : {total}", "x")
        old = self.let(scope, f"memref.load %acc[{zero}] : {ACC}", "a")
        self.add(scope, f"memref.store {self.mixed(scope, old, number)}, %acc[{zero}] : {ACC}")

    def empty(self, scope):
        name = self.let(scope, "memref.alloc() : memref<0xi32>", "m")
        if self.chance(0.5):
            self.add(scope, f"memref.dealloc {name} : memref<0xi32>")

    def recursive(self, scope):
        """Memory of a function that is in itself: one for each that is underway."""
        symbol = f"@rec{self.seed}"
        if symbol not in self.helpers:
            self.helpers.add(symbol)
            self.module.append(RECURSIVE.format(symbol=symbol, acc=ACC))
        value = self.flat(scope)
        if value.element != "i32" or not value.is_writable:
            value = self.new(scope, (16,), "i32")
        depth = self.number(scope, self.random.randrange(4))
        cast = self.let(scope, f"memref.cast {value.name} : {value.kind} to memref<?xi32>", "w")
        self.add(scope, f"func.call {symbol}({depth}, {cast}, %acc) : (i32, memref<?xi32>, {ACC}) -> ()")

    def indirect(self, scope):
        """A function of which the call does not say which it is."""
        self.call_indirectly(scope, [f for f in self.callable if not f.hands_over])

    def made_indirectly(self, scope):
        """The same, with new memory as a result."""
        self.call_indirectly(scope, [f for f in self.callable if f.hands_over])

    def call_indirectly(self, scope, fitting):
        if not fitting:
            return
        callee = self.random.choice(fitting)
        operands, kind = self.operands_for(scope, callee), self.type_of(callee)
        symbol = self.let(scope, f"func.constant @{callee.name} : {kind}", "f")
        self.finish_call(scope, callee, f"func.call_indirect {symbol}({operands_text(operands)}) : {kind}", operands)

    def kept(self, scope):
        """A function that is unknown, or recursive, puts a memref into memory, where alone it is found later."""
        symbol = f"@keep{self.seed}"
        if symbol not in self.helpers:
            self.helpers.add(symbol)
            self.module.append(KEEP.format(symbol=symbol))
        value, box, zero = self.allocate(scope, (8,), "i32"), "memref<1xmemref<?xi32>>", self.index(scope, 0)
        self.fill(scope, value)
        name = self.let(scope, f"memref.alloc() : {box}", "m")
        cast = self.let(scope, f"memref.cast {value.name} : {value.kind} to memref<?xi32>", "w")
        operands, kind = f"{self.number(scope, self.random.randrange(2))}, {cast}, {name}", f"(i32, memref<?xi32>, {box}) -> ()"
        if self.chance(0.5):
            self.add(scope, f"func.call {symbol}({operands}) : {kind}")
        else:
            callee = self.let(scope, f"func.constant {symbol} : {kind}", "f")
            self.add(scope, f"func.call_indirect {callee}({operands}) : {kind}")
        self.steps(scope, self.random.randint(1, 4))
        found = self.let(scope, f"memref.load {name}[{zero}] : {box}", "w")
        found = self.let(scope, f"memref.cast {found} : memref<?xi32> to {value.kind}", "w")
        self.digest(scope, self.merge(scope, found, value, []))

    # --- functions -----------------------------------------------------------------

    def operands_for(self, scope, callee):
        found = []
        for argument in callee.arguments:
            fits = lambda v, a=argument: v.kind == a.kind and v.shape == a.shape and v.is_writable
            value = self.pick(scope, fits)
            if value is None or self.chance(0.3):
                value = self.new(scope, argument.shape, argument.element)
            found.append(value)
        return found

    @staticmethod
    def type_of(callee):
        kinds = ", ".join([*(a.kind for a in callee.arguments), IN, ACC])
        return f"({kinds}) -> ({callee.result.kind if callee.result else ''})"

    def call(self, scope):
        self.call_one(scope, self.random.choice(self.callable))

    def call_one(self, scope, callee):
        operands = self.operands_for(scope, callee)
        self.finish_call(
            scope, callee, f"func.call @{callee.name}({operands_text(operands)}) : {self.type_of(callee)}", operands
        )

    def call_rest(self, scope):
        """What nothing calls yet, and something more after each."""
        for callee in self.callable:
            if f"@{callee.name}(" not in "\n".join(scope.text):
                self.call_one(scope, callee)
                self.steps(scope, 2)

    def finish_call(self, scope, callee, text, operands):
        if callee.result is None:
            self.add(scope, text)
            return
        name = self.let(scope, text, "w")
        root = Root(scope if callee.hands_over else None, name, callee.result.kind)
        roots = frozenset([root])
        if not callee.hands_over:
            roots = roots.union(*(v.roots for v in operands))
        vague = not callee.hands_over and any(v.is_vague for v in operands)
        result = callee.result
        scope.seen.append(
            Value(name, result.shape, result.element, "", result.dims, roots, vague)
        )

    def function(self, function, is_entry):
        """Its text; fills in what it returns."""
        behind = f"func.call @behind_{self.seed}(%in, %acc) : ({IN}, {ACC}) -> ()"
        self.prologue = [behind] if is_entry and self.has_crowd else []
        self.frees = self.random.choice([0.0, 0.0, 0.5, 1.0])
        self.reads = self.random.choice([0.1, 0.3, 0.6])
        arguments = []
        for argument in function.arguments:
            name = self.name("a")
            arguments.append(
                Value(name, argument.shape, argument.element, "", argument.dims, frozenset([Root(None, name)]), True)
            )
        inputs = Value("%in", (64,), "i32", "", "64x", frozenset([Root(None, "%in", "", True)]))
        scope = Scope([*arguments, inputs], 0)
        self.top = scope
        if self.chance(0.25):
            like = self.template() if function.result else None
            text, _ = self.graph(scope, "return", like, arguments)
            function.result = like
        else:
            self.steps(scope, self.random.randint(4, 12))
            if is_entry:
                self.call_rest(scope)
            text = "\n".join([*scope.text, self.straight_end(scope, function)])
        heads = ", ".join([*(f"{a.name}: {a.kind}" for a in arguments), f"%in: {IN}, %acc: {ACC}"])
        result = f" -> {function.result.kind}" if function.result else ""
        visibility = "private " if not is_entry or self.chance(0.5) else ""
        body = "\n".join(self.prologue) + "\n" + text
        return f"func.func {visibility}@{function.name}({heads}){result} {{\n{body}\n}}"

    def template(self):
        shape = self.random.choice([s for s in SHAPES if len(s) == 1])
        return Value("", shape, "i32", "", dims_of(shape), frozenset())

    def straight_end(self, scope, function):
        """Returns the end's text, and says in |function| what it hands out."""
        end = Scope(scope.seen, 0)
        value = None
        if function.result:
            fits = lambda v: not v.layout and "?" not in v.kind and v.is_writable and not any(r.is_stack for r in v.roots)
            value = self.pick(end, fits)
            if value is None:
                name = self.let(end, "memref.alloc() : memref<8xi32>", "m")
                value = Value(name, (8,), "i32", "", "8x", frozenset([Root(scope, name, "memref<8xi32>")]))
                self.fill_by_loop(end, value)
                scope.seen.append(value)
            root = self.only_root(value)
            function.result = value
            function.hands_over = root is not None and root.scope is scope
        self.digest_all(end)
        self.digest(end)
        self.free_rest(end, [value] if value else [], scope)
        end.text.append(f"return {value.name} : {value.kind}" if value else "return")
        return "\n".join(end.text)

    # --- blocks --------------------------------------------------------------------

    def graph(self, outside, end, like, arguments):
        """Blocks that jump, back too, for as long as there is fuel; (text, what was made).
        Each block gets its fuel and some memrefs; the first alone dominates the others."""
        label = f"^b{self.numbers}_"
        total = self.random.randint(2, 4)
        is_function = end == "return"
        entry = outside if is_function else Scope(self.seen(outside), outside.depth + 1)
        self.steps(entry, self.random.randint(1, 5))
        types = [[self.writable(entry) for _ in range(self.random.randint(0, 2))] for _ in range(total)]
        heads = [
            [Value(self.name("a"), v.shape, v.element, v.layout, v.dims, frozenset(), True) for v in kinds]
            for kinds in types
        ]
        fuel = self.number(entry, self.random.randint(2, 7))
        entry.text.append(self.jump(entry, f"{label}0", fuel, types[0]))
        dominating = self.seen(entry)
        texts, made = ["\n".join(entry.text)], list(entry.seen)
        for number in range(total):
            inside = Scope([*dominating, *heads[number]], outside.depth + 1)
            left = self.name("n")
            self.steps(inside, self.random.randint(0, 4))
            listed = ", ".join([f"{left}: i32", *(f"{h.name}: {h.kind}" for h in heads[number])])
            tail = self.leave(inside, entry, end, like) if number == total - 1 else self.turn(
                inside, entry, label, left, types, end, like
            )
            texts.append(f"{label}{number}({listed}):\n" + "\n".join(inside.text) + "\n" + tail)
            made += inside.seen
        rest = texts[1:]
        self.random.shuffle(rest)
        return "\n".join([texts[0], *rest]), made

    def jump(self, scope, label, fuel, kinds):
        values = [self.like(scope, kind, 0.2) or kind for kind in kinds]
        listed = ", ".join([fuel, *(v.name for v in values)])
        return f"cf.br {label}({listed} : {', '.join(['i32', *(v.kind for v in values)])})"

    def target(self, scope, label, fuel, kinds):
        return self.jump(scope, label, fuel, kinds).removeprefix("cf.br ")

    def turn(self, inside, entry, label, left, types, end, like):
        """On to one of two blocks; without fuel, out."""
        one, zero = self.number(inside, 1), self.number(inside, 0)
        fewer = self.let(inside, f"arith.subi {left}, {one} : i32", "n")
        go = self.let(inside, f"arith.cmpi sgt, {fewer}, {zero} : i32", "b")
        on, out = f"{label}on{self.numbers}", f"{label}out{self.numbers}"
        inside.text.append(f"cf.cond_br {go}, {on}, {out}")
        further = Scope(self.seen(inside), inside.depth)
        condition = self.condition(further)
        numbers = [self.random.randrange(len(types)) for _ in range(2)]
        targets = [self.target(further, f"{label}{n}", fewer, types[n]) for n in numbers]
        can_switch = not any(name in self.packed for name in re.findall(r"%\w+", " ".join(targets)))
        if can_switch and self.chance(0.5):
            flag = self.let(further, f"arith.extui {condition} : i1 to i32", "x")
            last = f"cf.switch {flag} : i32, [default: {targets[0]}, 1: {targets[1]}]"
        else:
            last = f"cf.cond_br {condition}, {targets[0]}, {targets[1]}"
        leaving = Scope(self.seen(inside), inside.depth)
        tail = self.leave(leaving, entry, end, like)
        return "\n".join([f"{on}:", *further.text, last, f"{out}:", *leaving.text, tail])

    def leave(self, scope, entry, end, like):
        """The end of the region; what the first block made may be freed here."""
        self.digest_all(scope)
        if like is None:
            self.digest(scope)
            self.free_rest(scope, [], entry)
            return end
        fits = lambda v: v.kind == like.kind and v.shape == like.shape and v.is_writable
        on_stack = lambda v: end == "return" and (any(r.is_stack for r in v.roots) or v.is_vague)
        value = self.pick(scope, lambda v: fits(v) and not on_stack(v))
        if value is None:
            name = self.let(scope, f"memref.alloc() : {like.kind}", "m") if not like.layout and "?" not in like.dims else None
            if name is None:
                return f"{end} {like.name} : {like.kind}"
            value = Value(name, like.shape, like.element, "", like.dims, frozenset([Root(None, name)]))
            self.fill_by_loop(scope, value)
            scope.seen.append(value)
        self.free_rest(scope, [value], entry)
        return f"{end} {value.name} : {value.kind}"

    # --- all of it -------------------------------------------------------------------

    def steps(self, scope, number):
        deep = 0 if scope.depth >= DEEPEST else 1
        calls = 1 if self.callable else 0
        weights = {
            self.new: 12, self.update: 12, self.elementwise: 6, self.copy: 5, self.reversed: 4, self.successor: 8, self.digest: 4,
            self.subview: 4, self.row: 3, self.cast: 4, self.reshape: 3, self.shaped: 1, self.reinterpret: 2,
            self.typed_view: 2, self.transpose: 1, self.select: 6, self.constant: 2, self.free: 9,
            self.matmul: 1, self.dynamic: 2, self.empty: 0.3, self.call: 8 * calls,
            self.indirect: 0.2 * calls, self.recursive: 0.4, self.stored: 0.5, self.conditional: 6 * deep, self.switch: deep,
            self.loop: 7 * deep, self.while_loop: 3 * deep, self.blocks: 2 * deep,
            self.guarded: 3 * deep, self.gathered: 3 * deep, self.late: 3, self.chain: 2 * deep, self.replaced: 3 * deep, self.parallel: deep, self.handed_back: 2,
            self.message: 8 * self.has_messages,
            self.scratch: 9 * self.has_scratch,
            self.kept: 3 * self.has_unknown_calls, self.made_indirectly: 3 * calls * self.has_unknown_calls,
        }
        for _ in range(number):
            step = self.random.choices(list(weights), list(weights.values()))[0]
            step(scope)

    def program(self):
        """The text of all functions; the first is @seed_N(%in, %acc)."""
        names = [f"seed_{self.seed}"]
        names += [f"f{self.seed}_{i}" for i in range(self.random.choice([0, 1, 1, 2, 3]))]
        functions = []
        for number, name in enumerate(names):
            arguments = [self.template() for _ in range(self.random.randrange(3))] if number else []
            result = self.template() if number and self.chance(0.5) else None
            functions.append(Function(name, arguments, result))
        texts = []
        for number in reversed(range(len(functions))):
            self.callable = functions[number + 1 :]
            texts.append(self.function(functions[number], number == 0))
        self.random.shuffle(texts)
        return "\n".join([*self.module, *texts])

    def crowd(self):
        """For behind all other programs: memrefs whose points-to sets cost so much that the rest have one, and some of
        these. None is freed, as none of that set would be planned then."""
        inputs = Value("%in", (64,), "i32", "", "64x", frozenset([Root(None, "%in", "", True)]))
        scope = Scope([inputs], 0, [f"func.call @crowd_{self.seed}() : () -> ()"])
        self.top, self.prologue, self.reads = scope, [], 0.6
        steps = [self.new, self.update, self.elementwise, self.copy, self.reversed, self.subview, self.cast, self.reshape]
        for _ in range(20):
            self.random.choice(steps)(scope)
        self.digest_all(scope)
        text = "\n".join([*self.prologue, *scope.text])
        name = f"behind_{self.seed}"
        return f"{crowd(f'crowd_{self.seed}')}\nfunc.func private @{name}(%in: {IN}, %acc: {ACC}) {{\n{text}\nreturn\n}}"


def operands_text(operands):
    return ", ".join([*(v.name for v in operands), "%in", "%acc"])


def yielded_roots_known(yielded, inits):
    """The same values, as no more vague than what the loop began with: all that a loop carries is
    what it was given or what it hands on, and both are listed."""
    if any(v.is_vague for v in inits):
        return yielded
    return [Value(v.name, v.shape, v.element, v.layout, v.dims, v.roots) for v in yielded]


def crowd(name, memrefs=700, reads=100, calls=9):
    """A function in which one of many memrefs is read through many calls: each memref has a set of 2 ** |calls|
    times |reads| accesses, more in all than planning looks at one by one (passes/liveness/points_to.c)."""
    kind = "memref<1xi32>"
    lines = [f"func.func private @{name}() {{\n%b = arith.constant true\n%c0 = arith.constant 0 : index"]
    lines += [f"%one = arith.constant 1 : i32\n%v0 = memref.alloc() : {kind}", f"memref.store %one, %v0[%c0] : {kind}"]
    for number in range(1, memrefs):
        lines.append(f"%m{number} = memref.alloc() : {kind}")
        lines.append(f"%v{number} = arith.select %b, %v{number - 1}, %m{number} : {kind}")
    lines.append(f"func.call @{name}_{calls}(%v{memrefs - 1}) : ({kind}) -> ()\nreturn\n}}")
    for level in range(1, calls + 1):
        call = f"func.call @{name}_{level - 1}(%m) : ({kind}) -> ()\n"
        lines.append(f"func.func private @{name}_{level}(%m: {kind}) {{\n{2 * call}return\n}}")
    loads = "\n".join(f"%x{number} = memref.load %m[%c0] : {kind}" for number in range(reads))
    lines.append(f"func.func private @{name}_0(%m: {kind}) {{\n%c0 = arith.constant 0 : index\n{loads}\nreturn\n}}")
    return "\n".join(lines)


RECURSIVE = """func.func private {symbol}(%n: i32, %m: memref<?xi32>, %acc: {acc}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %more = arith.cmpi sgt, %n, %zero : i32
  scf.if %more {{
    %own = memref.alloc() : memref<4xi32>
    %size = memref.dim %m, %c0 : memref<?xi32>
    scf.for %i = %c0 to %c4 step %c1 {{
      %at = arith.remui %i, %size : index
      %x = memref.load %m[%at] : memref<?xi32>
      %y = arith.addi %x, %n : i32
      memref.store %y, %own[%i] : memref<4xi32>
    }}
    %less = arith.subi %n, %one : i32
    %cast = memref.cast %own : memref<4xi32> to memref<?xi32>
    func.call {symbol}(%less, %cast, %acc) : (i32, memref<?xi32>, {acc}) -> ()
    scf.for %i = %c0 to %c4 step %c1 {{
      %x = memref.load %own[%i] : memref<4xi32>
      %a = memref.load %acc[%c0] : {acc}
      %b = arith.muli %a, %x : i32
      %c = arith.addi %b, %x : i32
      memref.store %c, %acc[%c0] : {acc}
    }}
    memref.dealloc %own : memref<4xi32>
  }}
  return
}}"""


KEEP = """func.func private {symbol}(%n: i32, %m: memref<?xi32>, %box: memref<1xmemref<?xi32>>) {{
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %more = arith.cmpi sgt, %n, %zero : i32
  scf.if %more {{
    %less = arith.subi %n, %one : i32
    func.call {symbol}(%less, %m, %box) : (i32, memref<?xi32>, memref<1xmemref<?xi32>>) -> ()
  }} else {{
    memref.store %m, %box[%c0] : memref<1xmemref<?xi32>>
  }}
  return
}}"""


# What a message held when its sender waited, written by what runs it (messages.py).
SENT = 'memref.global "private" @sent : memref<1xi32> = dense<0>'


def memref_programs(seeds):
    """One module with a program for each seed; @main(%in, %out) runs them, one number each."""
    others = [InstanceProgram(seed, IN, ACC) for seed in seeds if seed >= INSTANCES]
    generators = [Generator(seed) for seed in seeds if seed < INSTANCES]
    texts = [generator.program() for generator in [*generators, *others]]
    crowds = [generator.crowd() for generator in generators if generator.has_crowd]
    size = len(texts)
    lines = [f"func.func @main(%in: {IN}, %out: memref<{size}xi32>) {{"]
    for number, seed in enumerate(seeds):
        lines.append(
            f"%s{number} = memref.subview %out[{number}] [1] [1] : memref<{size}xi32> to "
            f"memref<1xi32, strided<[1], offset: {number}>>\n"
            f"%a{number} = memref.cast %s{number} : memref<1xi32, strided<[1], offset: {number}>> to {ACC}\n"
            f"%c{number} = arith.constant {number} : index\n"
            f"%v{number} = arith.constant {seed} : i32\n"
            f"memref.store %v{number}, %out[%c{number}] : memref<{size}xi32>\n"
            f"func.call @seed_{seed}(%in, %a{number}) : ({IN}, {ACC}) -> ()"
        )
    lines.append("return\n}")
    if any(MESSAGES <= seed < INSTANCES for seed in seeds):
        texts.append(SENT)
    return "module {\n" + "\n".join([*texts, *crowds, *lines]) + "\n}\n"


if __name__ == "__main__":
    import sys

    first = int(sys.argv[1])
    end = int(sys.argv[2]) if len(sys.argv) > 2 else first + 1
    print(memref_programs(range(first, end)))
