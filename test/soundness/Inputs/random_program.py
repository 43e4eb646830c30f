# random_program.py - makes a random program from a seed, as MLIR text: the same
# seed is the same text on any machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ops of upstream dialects are used for their semantics. Ops of "any"
# are of no dialect: gmem.op_model tells the planner what they do, test.* tells
# the abstract machine, each in words of its own.

import random
from collections import namedtuple

Value = namedtuple("Value", "name size")  # a tensor<SIZExi8>
Function = namedtuple("Function", "name sizes result_sizes dialect")

# Few sizes, in bytes: many values fit each other's places, and overlap in part
# as well as in whole.
SIZES = [16, 16, 32, 32, 48, 64, 64, 96, 128, 24, 40]
DEEPEST = 3  # regions in each other


def flat(size):
    return f"tensor<{size}xi8>"


def names(values):
    return ", ".join(value.name for value in values)


def types(values):
    return ", ".join(flat(value.size) for value in values)


def signature(operands, results):
    return f"({types(operands)}) -> ({types(results)})"


def typed(values):
    return ", ".join(f"{value.name}: {flat(value.size)}" for value in values)


class Scope:
    """A block that is being written: its text, and the values it may use."""

    def __init__(self, seen, depth):
        self.text = []
        self.seen = list(seen)
        self.depth = depth
        self.group = None
        self.has_memory = True  # its values have global memory


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rare = random.Random(f"rare {seed}")  # of what is added to few programs
        self.held = random.Random(f"held {seed}")  # of gmem.hold in regions and among blocks
        self.holds = 0.1 if self.held.random() < 0.3 else 0  # how many ops have it
        self.numbers = 0
        self.groups = 0
        self.modifiers = []  # texts of functions that change their argument
        self.callable = []  # functions after the current one: no recursion
        self.is_straight = True  # the function has one block, and its regions are left out

    # --- small choices -----------------------------------------------------

    def chance(self, probability):
        return self.random.random() < probability

    def size(self):
        return 0 if self.chance(0.01) else self.random.choice(SIZES)

    def sizes(self, most):
        return [self.size() for _ in range(self.random.randint(0, most))]

    def name(self, prefix="v"):
        self.numbers += 1
        return f"%{prefix}{self.numbers}"

    def value(self, size):
        return Value(self.name(), size)

    def values(self, sizes):
        return [self.value(size) for size in sizes]

    def pick(self, scope, size=None, least=0):
        """A value that is there already, mostly a late one; None if there is none."""
        fitting = [v for v in scope.seen if size in (None, v.size) and v.size >= least]
        if not fitting:
            return None
        if self.chance(0.6):
            fitting = fitting[-4:]
        return self.random.choice(fitting)

    def picks(self, scope, most):
        picked = [self.pick(scope) for _ in range(self.random.randint(0, most))]
        return [value for value in picked if value]

    def wanted(self, scope, sizes):
        """Values of |sizes|: mostly some that are there (one may come twice), else new ones."""
        found = []
        for size in sizes:
            value = self.pick(scope, size)
            if value is None or self.chance(0.15):
                value = self.value(size)
                self.emit(scope, "any.compute", [], [value])
            found.append(value)
        return found

    def one(self, scope, size=None, least=0):
        """A value of |size| bytes, an old one if there is any."""
        found = self.pick(scope, size, least)
        if found is None:
            found = self.wanted(scope, [size or max(least, 32)])[0]
        return found

    # --- text --------------------------------------------------------------

    def add(self, scope, line, results=()):
        scope.text.append(line)
        scope.seen += results

    def emit(self, scope, op, operands, results, attributes=(), regions=""):
        """An op in the generic form."""
        left = f"{names(results)} = " if results else ""
        more = [] if scope.group is None else [f"gmem.layer_group = {scope.group}"]
        share = self.holds * (3 if op.endswith(".call") else 1)  # few calls return what they are given
        if results and scope.has_memory and "gmem.hold" not in attributes and self.held.random() < share:
            more.append("gmem.hold")
        listed = ", ".join([*attributes, *more])
        right = f" {{{listed}}}" if listed else ""
        self.add(
            scope,
            f'{left}"{op}"({names(operands)}){regions}{right} : {signature(operands, results)}',
            results,
        )

    def other(self, scope, op, kind):
        """A value that is no tensor, for conditions and bounds."""
        name = self.name("s")
        self.add(scope, f'{name} = "any.{op}"() : () -> {kind}')
        return name

    def view(self, scope, value, shape):
        """|value| under the shape |shape|, which is two numbers; a name."""
        name = self.name("r")
        kind = f"tensor<{shape[0]}x{shape[1]}xi8>"
        self.add(
            scope,
            f"{name} = tensor.expand_shape {value.name} [[0, 1]] output_shape "
            f"[{shape[0]}, {shape[1]}] : {flat(value.size)} into {kind}",
        )
        return name, kind

    def flatten(self, scope, name, kind, size):
        result = self.value(size)
        self.add(
            scope,
            f"{result.name} = tensor.collapse_shape {name} [[0, 1]] : {kind} into {flat(size)}",
            [result],
        )
        return result

    # --- functions ---------------------------------------------------------

    def program(self, number):
        functions = []
        for index in range(self.random.choice([1, 1, 2, 3, 4])):
            dialect = "any" if self.chance(0.2) else "func"
            functions.append(
                Function(f"f{index}", self.sizes(3), self.sizes(3), dialect)
            )
        texts = []
        for index in reversed(range(len(functions))):
            self.callable = functions[index + 1 :]
            texts.append(self.function(functions[index]))
        texts += self.modifiers
        self.random.shuffle(texts)  # callees before callers, too
        body = "\n".join(texts)
        return f"module @seed_{number} {{\n{body}\n}}\n"

    def function(self, function):
        self.dialect = function.dialect
        arguments = self.values(function.sizes)
        results = ", ".join(flat(size) for size in function.result_sizes)
        self.is_straight = not self.chance(0.25)
        if self.is_straight:
            scope = Scope(arguments, 0)
            self.fill(scope, self.random.randint(3, 14))
            if self.rare.random() < 0.1:
                self.write_of_copy(scope)
            if self.rare.random() < 0.1:
                self.rotate(scope)
            # A function that code of unknown order runs passes copies.
            if function.name == "f0" and function.dialect == "func" and self.rare.random() < 0.3:
                self.modify_in_callee(scope)
            self.end(scope, self.return_of(function), function.result_sizes)
            text = "\n".join(scope.text)
        else:
            text = self.graph(arguments, self.return_of(function), function.result_sizes, 0)
        if function.dialect == "func":
            return f"func.func @{function.name}({typed(arguments)}) -> ({results}) {{\n{text}\n}}"
        kind = f"({types(arguments)}) -> ({results})"
        return (
            f'"any.func"() ({{\n^bb0({typed(arguments)}):\n{text}\n}}) '
            f'{{sym_name = "{function.name}", function_type = {kind}}} : () -> ()'
        )

    @staticmethod
    def return_of(function):
        return "func.return" if function.dialect == "func" else "any.return"

    def end(self, scope, op, sizes):
        operands = self.wanted(scope, sizes)
        self.add(scope, f'"{op}"({names(operands)}) : ({types(operands)}) -> ()')

    def graph(self, arguments, end, result_sizes, depth):
        """Blocks with arguments, of which the first alone dominates the others."""
        count = self.random.randint(2, 4)
        blocks = [(f"^b{self.numbers}_{i}", self.values(self.sizes(2)) if i else []) for i in range(count)]
        texts = []
        dominating = list(arguments)
        for number, (label, block_arguments) in enumerate(blocks):
            scope = Scope(dominating + block_arguments, depth + 1)
            self.fill(scope, self.random.randint(1, 5))
            if number == 0:
                dominating = list(scope.seen)
            if number == count - 1 or (number > 0 and self.chance(0.2)):
                self.end(scope, end, result_sizes)
            else:
                self.branch(scope, blocks[1:])
            head = f"{label}({typed(block_arguments)}):\n" if number else ""
            texts.append(head + "\n".join(scope.text))
        rest = texts[1:]
        self.random.shuffle(rest)
        return "\n".join([texts[0], *rest])

    def branch(self, scope, blocks):
        targets = [self.random.choice(blocks) for _ in range(2)]
        if blocks[-1] not in targets and self.chance(0.5):
            targets[0] = blocks[-1]  # or few runs would reach a return
        taken = [
            (label, self.wanted(scope, [a.size for a in arguments]), arguments)
            for label, arguments in targets
        ]
        condition = self.other(scope, "condition", "i1")
        texts = [f"{label}({names(v)} : {types(v)})" if v else label for label, v, _ in taken]
        kind = self.random.choice(["br", "cond_br", "cond_br", "switch", "unknown"])
        if kind == "br":
            self.add(scope, f"cf.br {texts[0]}")
        elif kind == "cond_br":
            self.add(scope, f"cf.cond_br {condition}, {', '.join(texts)}")
        elif kind == "switch":
            flag = self.other(scope, "flag", "i32")
            self.add(scope, f"cf.switch {flag} : i32, [default: {texts[0]}, 7: {texts[1]}]")
        else:
            labels = ", ".join(label for label, _, _ in taken)
            operands = taken[0][1] + taken[1][1]
            self.add(scope, f'"any.branch"({names(operands)})[{labels}] : ({types(operands)}) -> ()')

    # --- ops ---------------------------------------------------------------

    def fill(self, scope, count):
        deep = scope.depth >= DEEPEST
        calls = 9 if self.callable else 0
        regions = 0 if deep else 1
        steps = {
            self.compute: 14,
            self.add_elements: 9,
            self.elementwise: 8,
            self.generic: 8,
            self.reduction: 3,
            self.into: 7,
            self.destination: 5,
            self.update: 4,
            self.slice: 11,
            self.rows: 6,
            self.concat: 9,
            self.concat_of_inserts: 4,
            self.insert: 6,
            self.reshape: 6,
            self.permute: 6,
            self.rowwise: 5,
            self.cast: 3,
            self.weight: 4,
            self.unread: 2,
            self.write: 2,
            self.bits: 2,
            self.graph_region: 2,
            self.call: calls,
            self.dispatch: 1 if self.callable else 0,
            self.layer_group: 4,
            self.flat_group: 5,
            self.conditional: 6 * regions,
            self.loop: 6 * regions,
            self.while_loop: 4 * regions,
            self.own_loop: 4 * regions,
            self.unknown_regions: 4 * regions,
            self.blocks: 2 * regions,
            self.late: regions,
        }
        for _ in range(count):
            step = self.random.choices(list(steps), list(steps.values()))[0]
            step(scope)

    def compute(self, scope):
        results = self.values(self.size() for _ in range(self.random.choice([0, 1, 1, 1, 2])))
        hold = results and self.is_straight and scope.depth == 0 and self.chance(0.1)
        self.emit(scope, "any.compute", self.picks(scope, 3), results, ["gmem.hold"] if hold else [])

    def add_elements(self, scope):
        left = self.one(scope)
        right = left if self.chance(0.15) else self.one(scope, left.size)
        result = self.value(left.size)
        op = self.random.choice(["arith.addi", "arith.muli", "arith.subi"])
        self.add(
            scope, f"{result.name} = {op} {left.name}, {right.name} : {flat(left.size)}", [result]
        )

    def elementwise(self, scope):
        """Of all operands or of one, beside others of other sizes, and repeated ones."""
        first = self.one(scope)
        operands = [first, *self.picks(scope, 2)]
        if self.chance(0.2):
            operands.append(first)
        self.random.shuffle(operands)
        number = self.random.randrange(len(operands))
        result = self.value(operands[number].size)
        if self.chance(0.6):
            attributes = ['gmem.op_model = {inplace = "all"}', "test.elementwise"]
        else:
            attributes = [
                f"gmem.op_model = {{inplace = array<i64: {number}>}}",
                f"test.elementwise = array<i64: {number}>",
            ]
        self.emit(scope, "any.elementwise", operands, [result], attributes)

    def out(self, scope, size, shape=None):
        """What linalg writes into: an old value or an empty tensor; (name, type)."""
        if self.chance(0.5):
            value = self.one(scope, size)
            return self.view(scope, value, shape) if shape else (value.name, flat(size))
        name = self.name("e")
        kind = f"tensor<{shape[0]}x{shape[1]}xi8>" if shape else flat(size)
        self.add(scope, f"{name} = tensor.empty() : {kind}")
        return name, kind

    def generic(self, scope):
        """Operands as they are, transposed, or by rows; the result may be transposed, too."""
        size = self.random.choice([16, 32, 64, 96])
        rows = 1 if size == 96 else 4
        columns = size // rows
        # The only index of an axis of one row, and the first of four rows.
        first = "(0, d1)" if size in (64, 96) else "(d0, d1)"
        inputs, maps = [], []
        for _ in range(self.random.randint(1, 3)):
            form = self.random.choice(["same", "same", "transposed", "row"])
            if form == "row":
                value = self.pick(scope, columns)
                if value is None:
                    continue
                inputs.append((value.name, flat(columns)))
                maps.append("(d1)")
                continue
            value = self.one(scope, size)
            straight = form == "same"
            shape = (rows, columns) if straight else (columns, rows)
            inputs.append(self.view(scope, value, shape))
            own = "(d0, d1)" if inputs[:-1] else first
            maps.append(own if straight else "(d1, d0)")
        if not inputs:
            return
        turned = self.chance(0.2)
        shape = (columns, rows) if turned else (rows, columns)
        count = 2 if self.chance(0.2) else 1
        outputs = [self.out(scope, size, shape) for _ in range(count)]
        maps += ["(d1, d0)" if turned else "(d0, d1)"] * count
        self.linalg(scope, inputs, outputs, maps, ["parallel", "parallel"], size)

    def linalg(self, scope, inputs, outputs, maps, iterators, size):
        affine = ", ".join(f"affine_map<(d0, d1) -> {m}>" for m in maps)
        loops = ", ".join(f'"{iterator}"' for iterator in iterators)
        made = [self.name("g") for _ in outputs]
        elements = [f"%x{i}" for i in range(len(maps))]
        yielded = elements[: len(outputs)] if self.chance(0.5) else elements[-len(outputs) :]
        if len(yielded) < len(outputs):
            yielded = elements[-len(outputs) :]
        listed = ", ".join(kind for _, kind in outputs)
        seen = ""
        captured = self.pick(scope, None, 64) if self.chance(0.15) else None
        if captured:  # the body looks at a whole tensor by itself
            index, element = self.name("i"), self.name("x")
            seen = f"{index} = linalg.index 0 : index\n"
            seen += f"{element} = tensor.extract {captured.name}[{index}] : {flat(captured.size)}\n"
            yielded = [element, *yielded[1:]]
        self.add(
            scope,
            f"{', '.join(made)} = linalg.generic {{indexing_maps = [{affine}], "
            f"iterator_types = [{loops}]}} "
            f"ins({', '.join(n for n, _ in inputs)} : {', '.join(k for _, k in inputs)}) "
            f"outs({', '.join(n for n, _ in outputs)} : {listed}) {{\n"
            f"^bb0({', '.join(f'{e}: i8' for e in elements)}):\n{seen}"
            f"linalg.yield {', '.join(yielded)} : {', '.join(['i8'] * len(outputs))}\n"
            f"}} -> {listed if len(outputs) == 1 else f'({listed})'}",
        )
        for name, (_, kind) in zip(made, outputs):
            if "xi8" in kind and kind.count("x") == 2:
                self.flatten(scope, name, kind, size)
            else:
                scope.seen.append(Value(name, size))

    def reduction(self, scope):
        """The operand is indexed as the result, but each element is read again and again."""
        vector = self.one(scope, 16)
        matrix = self.view(scope, self.one(scope, 64), (16, 4))
        inputs = [(vector.name, flat(16)), matrix]
        maps = ["(d0)", "(d0, d1)", "(d0)"]
        out = self.out(scope, 16)
        self.linalg(scope, inputs, [out], maps, ["parallel", "reduction"], 16)

    def into(self, scope):
        """Named ops of linalg, which write into what they are given."""
        left = self.one(scope)
        right = self.one(scope, left.size)
        result = self.value(left.size)
        name, kind = self.out(scope, left.size)
        form = self.random.choice(["fill", "add", "copy", "map"])
        if form == "fill":
            scalar = self.other(scope, "scalar", "i8")
            text = f"linalg.fill ins({scalar} : i8) outs({name} : {kind}) -> {kind}"
        elif form == "add":
            text = f"linalg.add ins({left.name}, {right.name} : {kind}, {kind}) outs({name} : {kind}) -> {kind}"
        elif form == "copy":
            text = f"linalg.copy ins({left.name} : {kind}) outs({name} : {kind}) -> {kind}"
        else:
            text = f"linalg.map {{ arith.addi }} ins({left.name}, {right.name} : {kind}, {kind}) outs({name} : {kind})"
        self.add(scope, f"{result.name} = {text}", [result])

    def destination(self, scope):
        """Several results, each written into an operand of its own."""
        sizes = [self.size() for _ in range(self.random.randint(1, 2))]
        read = self.picks(scope, 2)
        operands = read + [self.one(scope, size) if size else self.wanted(scope, [0])[0] for size in sizes]
        attributes = [
            'gmem.op_model = {destination = "trailing"}',
            f"test.destination = {len(read)}",
        ]
        self.emit(scope, "any.into", operands, self.values(sizes), attributes)

    def update(self, scope):
        """An op that writes an unknown part of its first operand."""
        operands = [self.one(scope), *self.picks(scope, 2)]
        attributes = ["gmem.op_model = {destination = 0}", "test.destination = 0"]
        self.emit(scope, "any.update", operands, [self.value(operands[0].size)], attributes)

    # --- parts of tensors --------------------------------------------------

    def part_of(self, size):
        """A random part of |size| bytes: (offset, its size); often at an end or in halves."""
        part = self.random.choice([s for s in SIZES if s <= size] or [size])
        offset = self.random.choice([0, size - part, (size - part) // 2, self.random.randint(0, size - part)])
        return offset, part

    def slice(self, scope):
        value = self.one(scope, None, 16)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.slice_of(scope, value)

    def slice_of(self, scope, value):
        if value.size:
            offset, size = self.part_of(value.size)
            result = self.value(size)
            if self.chance(0.6):
                self.add(
                    scope,
                    f"{result.name} = tensor.extract_slice {value.name}[{offset}] [{size}] [1] : "
                    f"{flat(value.size)} to {flat(size)}",
                    [result],
                )
                return
            attributes = [
                f"begin = array<i64: {offset}>",
                f"size = array<i64: {size}>",
                'gmem.op_model = {slice = {begin = "begin", size = "size"}}',
                'test.does = "slice"',
                "test.part = 0",
                f"test.offset = {offset}",
            ]
            self.emit(scope, "any.slice", [value], [result], attributes)

    def rows(self, scope):
        """Rows or columns of a matrix, perhaps every second."""
        value = self.one(scope, None, 32)
        if value.size % 4:
            return
        columns = value.size // 4
        name, kind = self.view(scope, value, (4, columns))
        form = self.random.choice(["row", "rows", "column", "steps"])
        if form == "row":
            begin, shape, step = (self.random.randrange(4), 0), (1, columns), 1
        elif form == "rows":
            begin, shape, step = (self.random.randrange(3), 0), (2, columns), 1
        elif form == "column":
            begin, shape, step = (0, self.random.randrange(columns // 2)), (4, columns // 2), 1
        else:
            begin, shape, step = (0, 0), (2, columns), 2
        made = self.name("r")
        part = f"tensor<{shape[0]}x{shape[1]}xi8>"
        self.add(
            scope,
            f"{made} = tensor.extract_slice {name}[{begin[0]}, {begin[1]}] [{shape[0]}, {shape[1]}] "
            f"[{step}, 1] : {kind} to {part}",
        )
        self.flatten(scope, made, part, shape[0] * shape[1])

    def concat(self, scope):
        """Of any operands: repeated ones, constants, parts of each other."""
        operands = [self.one(scope, None, 1) for _ in range(self.random.randint(1, 4))]
        if self.chance(0.2):
            operands.append(operands[0])
        result = self.value(sum(value.size for value in operands))
        if self.chance(0.6):
            self.add(
                scope,
                f"{result.name} = tensor.concat dim(0) {names(operands)} : {signature(operands, [result])[:-1].replace('-> (', '-> ')}",
                [result],
            )
            return
        attributes = [
            "axis = 0",
            'gmem.op_model = {concat = {axis = "axis"}}',
            'test.does = "join"',
            "test.part = 0",
        ]
        self.emit(scope, "any.concat", operands, [result], attributes)

    def insert_into(self, scope, part, whole, size, offset, is_seen=True):
        """|part| at |offset| of |whole|, a name; the result."""
        result = self.value(size)
        self.add(
            scope,
            f"{result.name} = tensor.insert_slice {part.name} into {whole}[{offset}] [{part.size}] [1] : "
            f"{flat(part.size)} into {flat(size)}",
            [result] if is_seen else [],
        )
        return result

    def concat_of_inserts(self, scope):
        """Parts of an empty tensor, made before the inserts or between them.

        They come in any order; one may write over another, and others may use a
        tensor that is not complete.
        """
        sizes = [self.one(scope, None, 1).size for _ in range(self.random.randint(2, 4))]
        whole, size = self.name("e"), sum(sizes)
        self.add(scope, f"{whole} = tensor.empty() : {flat(size)}")
        places = [(sum(sizes[:i]), own) for i, own in enumerate(sizes)]
        if self.chance(0.4):
            self.random.shuffle(places)
        if self.chance(0.2):
            offset, own = self.random.choice(places)
            places.append((max(0, offset - self.random.choice([0, 1, 64])), own))
        for number, (offset, own) in enumerate(places):
            part = self.value(own)
            if self.chance(0.4):
                self.emit(scope, "any.compute", self.picks(scope, 1), [part])
            else:
                part = self.one(scope, own)
            is_seen = number == len(places) - 1 or self.chance(0.2)
            whole = self.insert_into(scope, part, whole, size, offset, is_seen).name

    def insert(self, scope):
        whole = self.one(scope, None, 16)
        fitting = [v for v in scope.seen if 0 < v.size <= whole.size]
        part = self.random.choice(fitting)
        offset = self.random.choice([0, whole.size - part.size, self.random.randint(0, whole.size - part.size)])
        if self.chance(0.5):
            self.insert_into(scope, part, whole.name, whole.size, offset)
            return
        attributes = [
            f"begin = array<i64: {offset}>",
            'gmem.op_model = {destination = 0, insert = {operand = 1, begin = "begin"}}',
            'test.does = "insert"',
            "test.part = 1",
            "test.destination = 0",
            f"test.offset = {offset}",
        ]
        self.emit(scope, "any.insert", [whole, part], [self.value(whole.size)], attributes)

    def reshape(self, scope):
        """To another type and back, perhaps with an op in between."""
        value = self.one(scope, None, 2)
        if value.size % 2:
            return
        name, kind = self.view(scope, value, (2, value.size // 2))
        if self.chance(0.3):
            self.compute(scope)
        self.flatten(scope, name, kind, value.size)

    def permute(self, scope):
        """Axes in another order, which moves elements or does not, and back."""
        value = self.one(scope, None, 2)
        rows = self.random.choice([1, 1, 2]) if value.size % 2 == 0 else 1
        name, kind = self.view(scope, value, (rows, value.size // rows))
        op, order = self.random.choice(
            [
                ("ttir.permute", "permutation = array<i64: 1, 0>"),
                ("stablehlo.transpose", "permutation = array<i64: 1, 0>"),
                ("ttir.transpose", "dim0 = -1 : si32, dim1 = 0 : si32"),
                ("onnx.Transpose", None),
            ]
        )
        turned, turned_kind = self.name("t"), f"tensor<{value.size // rows}x{rows}xi8>"
        listed = f" {{{order}}}" if order else ""
        self.add(scope, f'{turned} = "{op}"({name}){listed} : ({kind}) -> {turned_kind}')
        if self.chance(0.3):
            self.compute(scope)
        self.flatten(scope, turned, turned_kind, value.size)

    def rowwise(self, scope):
        """Row by row of the first operand, beside others, and repeated ones."""
        first = self.one(scope)
        operands = [first, *self.picks(scope, 1)]
        if self.chance(0.2):
            operands.append(first)
        result = self.value(first.size)
        op = self.random.choice(["ttir.softmax", "onnx.LayerNormalization", "tpu.RMSNorm"])
        self.emit(scope, op, operands, [result])

    def cast(self, scope):
        """Element by element into elements of another size, and of the same."""
        value = self.one(scope, None, 1)
        wide, back = self.name("c"), self.value(value.size)
        kind = self.random.choice(["i16", "i32"])
        self.add(scope, f"{wide} = arith.extui {value.name} : {flat(value.size)} to tensor<{value.size}x{kind}>")
        self.add(
            scope,
            f"{back.name} = arith.trunci {wide} : tensor<{value.size}x{kind}> to {flat(value.size)}",
            [back],
        )

    def weight(self, scope):
        result = self.value(self.size() or 16)
        if self.chance(0.5):
            self.emit(scope, "npu.weight", [], [result])
        else:
            number = self.random.randrange(3)
            self.add(scope, f"{result.name} = arith.constant dense<{number}> : {flat(result.size)}", [result])

    def unread(self, scope):
        operands = [self.one(scope), *self.picks(scope, 1)]
        attributes = [
            "gmem.op_model = {unread = array<i64: 0>}",
            "test.unread = array<i64: 0>",
        ]
        self.emit(scope, "any.shape", operands, self.values([self.size()]), attributes)

    def write(self, scope):
        """An op without results that changes an operand."""
        value = self.one(scope, None, 1)
        # Constants are not changed, and inputs of the function may be some.
        copy = self.value(value.size)
        self.emit(scope, "any.compute", [value], [copy])
        if self.chance(0.5):
            self.slice_of(scope, copy)
        attributes = ["gmem.op_model = {writes = array<i64: 0>}", "test.writes = array<i64: 0>"]
        self.emit(scope, "any.write", [copy, *self.picks(scope, 1)], [], attributes)

    def write_of_copy(self, scope):
        """Changes what a branch copies a value to; the value itself is read later."""
        source, copy, made, last = self.values([self.rare.choice([8, 32, 64])] * 4)
        self.emit(scope, "any.compute", [], [source])
        kind = flat(source.size)
        attributes = "gmem.op_model = {writes = array<i64: 0>}, test.writes = array<i64: 0>"
        block = self.name("write")[1:]
        self.add(
            scope,
            f'{made.name} = "scf.execute_region"() ({{\n"cf.br"({source.name})[^{block}] : ({kind}) -> ()\n'
            f'^{block}({copy.name}: {kind}):\n"any.write"({copy.name}) {{{attributes}}} : ({kind}) -> ()\n'
            f'"scf.yield"({copy.name}) : ({kind}) -> ()\n}}) : () -> {kind}',
        )
        self.emit(scope, "any.compute", [source, made], [last])

    def modify_in_callee(self, scope):
        """Functions that change what they are given. A copy is changed if two calls give different tensors: then
        no op reads those again."""
        size = self.rare.choice([8, 32, 64])
        callee, returns = self.modifier(size, self.rare.choice([1, 1, 2]))
        inits = self.values([size] * self.rare.choice([1, 1, 2]))
        calls = self.rare.choice([1, 2]) if returns == "argument" else 1
        is_alone = len(inits) * calls == 1
        aside = Scope([], DEEPEST)  # its values are for this alone
        aside.has_memory = False  # nothing is held: a copy may be changed instead
        made = []
        for init in inits:
            self.emit(aside, "any.compute", [], [init])
            given = init
            for _ in range(calls):
                results = self.values([size] if returns else [])
                self.call_of(aside, callee, given, results, is_alone and self.rare.random() < 0.3)
                made += results
                given = results[0] if returns == "argument" else given
        scope.text += aside.text
        self.emit(scope, "any.compute", [*(inits if is_alone else []), *made[-1:]], self.values([size]))

    def call_of(self, scope, callee, given, results, in_loop):
        call = f'"func.call"({given.name}) {{callee = @{callee}}} : {signature([given], results)}'
        if not in_loop or results:
            self.add(scope, f"{names(results)} = {call}" if results else call)
            return
        bounds = [self.other(scope, "index", "index") for _ in range(3)]
        self.add(
            scope,
            f'"scf.for"({", ".join(bounds)}) ({{\n^bb0({self.name("i")}: index):\n'
            f'"any.compute"({given.name}) : ({flat(given.size)}) -> ()\n{call}\n"scf.yield"() : () -> ()\n}}) : '
            "(index, index, index) -> ()",
        )

    def modifier(self, size, depth):
        """Such a function, the name of it and what it returns."""
        name, kind = f"m{self.name('m')[2:]}", flat(size)
        argument, made = self.values([size] * 2)
        inside = Scope([argument], DEEPEST)
        if depth > 1:
            inner, inner_returns = self.modifier(size, depth - 1)
            self.call_of(inside, inner, argument, self.values([size] if inner_returns else []), False)
        if depth == 1 or self.rare.random() < 0.3:
            attributes = ["gmem.op_model = {writes = array<i64: 0>}", "test.writes = array<i64: 0>"]
            self.emit(inside, "any.write", [argument], [], attributes)
        self.emit(inside, "any.compute", [argument] if self.rare.random() < 0.7 else [], [made])
        returns = self.rare.choice(["argument", "made", ""])
        returned = {"argument": [argument], "made": [made], "": []}[returns]
        self.add(inside, f'"func.return"({names(returned)}) : ({types(returned)}) -> ()')
        body = "\n".join(inside.text)
        self.modifiers.append(f"func.func @{name}({typed([argument])}) -> ({types(returned)}) {{\n{body}\n}}")
        return name, returns

    def rotate(self, scope):
        """A loop hands an argument on to another one, when its last op has read it."""
        sizes = [self.rare.choice([8, 32, 64])] * 2
        inits, results, (first, second), (read, made) = (self.values(sizes) for _ in range(4))
        for init in inits:
            self.emit(scope, "any.compute", [], [init])
        inside = Scope([], DEEPEST)
        self.emit(inside, "any.compute", [second], [read])
        self.add(inside, f"{made.name} = arith.addi {first.name}, {read.name} : {flat(made.size)}")
        self.add(inside, f'"any.yield"({names([made, first])}) : ({types([made, first])}) -> ()')
        body = "\n".join([f"^bb0({typed([first, second])}):", *inside.text])
        attributes = ['gmem.op_model = {kind = "for"}', 'test.does = "for"']
        self.emit(scope, "any.for", inits, results, attributes, f" ({{\n{body}\n}})")

    def bits(self, scope):
        """A tensor that does not fill its last byte."""
        count = self.random.choice([7, 9, 130])
        name, kind = self.name("b"), f"tensor<{count}xi1>"
        self.add(scope, f'{name} = "any.bits"() : () -> {kind}')
        self.compute(scope)
        result = self.value(self.size())
        self.add(
            scope, f'{result.name} = "any.of_bits"({name}) : ({kind}) -> {flat(result.size)}', [result]
        )

    def graph_region(self, scope):
        """Its ops run when their operands are there, not in the order of the text."""
        made = []
        inside = Scope([], DEEPEST)
        for _ in range(self.random.randint(2, 6)):
            results = [self.value(self.size())]
            self.emit(inside, "any.compute", self.picks(inside, 2), results)
            made += results
        lines = list(inside.text)
        self.random.shuffle(lines)
        read = [self.random.choice(made)]
        lines.append(f'"any.yield"({names(read)}) : ({types(read)}) -> ()')
        body = "\n".join(lines)
        self.emit(scope, "any.graph", self.picks(scope, 1), self.values(self.sizes(1)), [], f" ({{\n{body}\n}})")

    # --- functions and groups ----------------------------------------------

    def call(self, scope):
        callee = self.random.choice(self.callable)
        operands = self.wanted(scope, callee.sizes)
        results = self.values(callee.result_sizes)
        # In an op of no dialect, MLIR looks no further for what func.call names.
        is_plain = callee.dialect == "func" and self.dialect == "func" and scope.depth == 0
        op = "func.call" if is_plain else "any.call"
        self.emit(scope, op, operands, results, [f"callee = @{callee.name}"])

    def dispatch(self, scope):
        """An op that calls functions with unknown arguments."""
        callees = [self.random.choice(self.callable) for _ in range(self.random.randint(1, 2))]
        listed = ", ".join(f"@{callee.name}" for callee in callees)
        self.emit(scope, "any.dispatch", self.picks(scope, 2), self.values(self.sizes(1)), [f"callees = [{listed}]"])

    def layer_group(self, scope):
        captured = self.picks(scope, 2)
        inside = Scope([], DEEPEST)
        inside.has_memory = False
        self.emit(inside, "any.read", captured, [])
        local = self.values([32, 32])
        self.emit(inside, "any.local", [], local)
        if self.callable and self.chance(0.4):
            callee = self.random.choice(self.callable)
            operands = self.values(callee.sizes)
            if operands:
                self.emit(inside, "any.local", [], operands)
            self.emit(inside, "any.call", operands, self.values(callee.result_sizes), [f"callee = @{callee.name}"])
        if self.chance(0.3):
            self.weight(inside)
        body = "\n".join(inside.text)
        op, attributes = self.random.choice([("npu.group", []), ("any.fused", ["gmem.layer_group"])])
        self.emit(scope, op, self.picks(scope, 2), self.values(self.sizes(2)), attributes, f" ({{\n{body}\n}})")

    def flat_group(self, scope):
        """A few ops with one number, others between them."""
        self.groups += 1
        for _ in range(self.random.randint(1, 4)):
            if self.chance(0.2):
                self.compute(scope)
            scope.group = self.groups
            form = self.random.choice([self.compute, self.compute, self.elementwise, self.update, self.destination])
            form(scope)
            scope.group = None

    # --- regions -----------------------------------------------------------

    def body(self, scope, arguments, sizes, end, first=()):
        """The text of a block: |first| are operands of its end that are no tensors."""
        inside = Scope(scope.seen + arguments, scope.depth + 1)
        hold, self.is_straight = self.is_straight, False
        self.fill(inside, self.random.randint(0, 4))
        self.is_straight = hold
        operands = self.wanted(inside, sizes)
        extra = [self.other(inside, "condition", kind) for kind in first]
        listed = ", ".join([*extra, *(v.name for v in operands)])
        kinds = ", ".join([*first, *(flat(v.size) for v in operands)])
        inside.text.append(f'"{end}"({listed}) : ({kinds}) -> ()')
        head = f"^bb0({typed(arguments)}):\n" if arguments else ""
        return "{\n" + head + "\n".join(inside.text) + "\n}"

    def conditional(self, scope):
        sizes = self.sizes(2)
        results = self.values(sizes)
        left = f"{names(results)} = " if results else ""
        listed = ", ".join(flat(size) for size in sizes)
        form = self.random.choice(["if", "if", "switch", "own"])
        if form == "own":
            regions = ", ".join(self.body(scope, [], sizes, "any.yield") for _ in range(self.random.randint(1, 3)))
            self.emit(
                scope, "any.choose", [], results,
                ['gmem.op_model = {kind = "branch"}', 'test.does = "choose"'], f" ({regions})",
            )
        elif form == "if":
            condition = self.other(scope, "condition", "i1")
            arms = [self.body(scope, [], sizes, "scf.yield") for _ in range(2)]
            if not sizes and self.chance(0.5):
                arms[1] = "{\n}"
            self.add(scope, f'{left}"scf.if"({condition}) ({arms[0]}, {arms[1]}) : (i1) -> ({listed})', results)
        else:
            index = self.other(scope, "index", "index")
            arms = ", ".join(self.body(scope, [], sizes, "scf.yield") for _ in range(3))
            self.add(
                scope,
                f'{left}"scf.index_switch"({index}) ({arms}) {{cases = array<i64: 2, 5>}} : (index) -> ({listed})',
                results,
            )

    def loop(self, scope):
        inits = self.picks(scope, 3)
        sizes = [value.size for value in inits]
        results = self.values(sizes)
        bounds = [self.other(scope, "index", "index") for _ in range(3)]
        arguments = self.values(sizes)
        counter = self.name("i")
        body = self.body(scope, arguments, sizes, "scf.yield")
        inside = body[body.index("\n", body.index("^bb0")) + 1 :] if arguments else body[2:]
        listed = ", ".join([f"{counter}: index", *(f"{v.name}: {flat(v.size)}" for v in arguments)])
        left = f"{names(results)} = " if results else ""
        kinds = ", ".join(["index"] * 3 + [flat(size) for size in sizes])
        self.add(
            scope,
            f'{left}"scf.for"({", ".join(bounds + [v.name for v in inits])}) ({{\n^bb0({listed}):\n{inside}) : '
            f"({kinds}) -> ({', '.join(flat(size) for size in sizes)})",
            results,
        )

    def while_loop(self, scope):
        """The condition may hand on other values than it gets."""
        inits = self.picks(scope, 2)
        sizes = [value.size for value in inits]
        handed = sizes if self.chance(0.5) else self.sizes(2)
        results = self.values(handed)
        own = self.chance(0.4)
        ends = ("any.condition", "any.yield") if own else ("scf.condition", "scf.yield")
        before = self.body(scope, self.values(sizes), handed, ends[0], ["i1"])
        after = self.body(scope, self.values(handed), sizes, ends[1])
        attributes = ['gmem.op_model = {kind = "while"}', 'test.does = "while"'] if own else []
        self.emit(scope, "any.while" if own else "scf.while", inits, results, attributes, f" ({before}, {after})")

    def own_loop(self, scope):
        inits = self.picks(scope, 3)
        sizes = [value.size for value in inits]
        body = self.body(scope, self.values(sizes), sizes, "any.yield")
        attributes = ['gmem.op_model = {kind = "for"}', 'test.does = "for"']
        self.emit(scope, "any.for", inits, self.values(sizes), attributes, f" ({body})")

    def unknown_regions(self, scope):
        """Nothing is known of when and how often they run."""
        bodies = [
            self.body(scope, self.values(self.sizes(2)), self.sizes(2), "any.yield")
            for _ in range(self.random.randint(1, 2))
        ]
        self.emit(scope, "any.regions", self.picks(scope, 2), self.values(self.sizes(2)), [], f" ({', '.join(bodies)})")

    def blocks(self, scope):
        """A region with branches inside of it, run once."""
        sizes = self.sizes(2)
        hold, self.is_straight = self.is_straight, False
        text = self.graph(scope.seen, "scf.yield", sizes, scope.depth)
        self.is_straight = hold
        results = self.values(sizes)
        self.emit(scope, "scf.execute_region", [], results, [], f" ({{\n{text}\n}})")

    def late(self, scope):
        """Runs when it likes, from here to the function's end. What is made anew while it
        still reads it has no one place: in loops it reads nothing."""
        outside = scope if self.is_straight and scope.depth == 0 else Scope([], scope.depth)
        body = self.body(outside, self.values(self.sizes(1)), [], "any.yield")
        operands = self.picks(outside, 1)
        self.add(
            scope,
            f'{self.name("t")} = "any.start"({names(operands)}) ({body}) : ({types(operands)}) -> !any.token',
        )


def random_program(seed):
    return Generator(seed).program(seed)


if __name__ == "__main__":
    import sys

    print(random_program(int(sys.argv[1])))
