# imported_program.py - random programs as importers of other frameworks print them:
# attributes are properties of ops that are not registered, an op stands for many, globals
# are mutable or not, lists stand for tensors, and calls are in layer groups. The same seed
# is the same text on any machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A list is a value of LIST bytes: nothing else is made of it or picks it.

import random_program
from random_program import Generator, flat, names, signature

LIST = -1
MODELS = """
\\22gmem.op_name\\22() {op = \\22any.kernel\\22, attribute = \\22kernel\\22} : () -> ()
\\22gmem.op_model\\22() {op = \\22any.kernel\\22, destination = 0} : () -> ()
\\22gmem.op_model\\22() {op = \\22any.kernel.scale\\22, inplace = array<i64: 0>} : () -> ()
\\22gmem.op_model\\22() {op = \\22own.view\\22, kind = \\22reshape\\22} : () -> ()
\\22gmem.op_model\\22() {op = \\22any.kernel.table\\22, kind = \\22weight\\22} : () -> ()
""".replace("\n", "")
# By name of the kernel: what the machine is told.
KERNELS = {
    '"scale"': ["test.elementwise = array<i64: 0>"],
    "@lib::@scale": ["test.elementwise = array<i64: 0>"],
    '"own.view"': ['test.does = "view"'],
    '"other"': ["test.destination = 0"],
    '"own"': ["test.destination = 0"],
    "1": ["test.destination = 0"],
}


def kind_of(size):
    return "!any.list" if size == LIST else tensor(size)


tensor, random_program.flat = flat, kind_of


class ImportedGenerator(Generator):
    # --- lists ---------------------------------------------------------------

    def __init__(self, seed):
        super().__init__(seed)
        self.passes_lists = self.takes_lists = True  # control flow, ops that are being written

    def sizes(self, most):
        return [LIST if self.passes_lists and self.chance(0.15) else size for size in super().sizes(most)]

    def graph(self, arguments, end, result_sizes, depth):
        saved, self.passes_lists = self.passes_lists, True
        text = super().graph(arguments, end, result_sizes, depth)
        self.passes_lists = saved
        return text

    # An op with regions that returns a list is one that goes on behind that.
    def without_lists(self, step, scope):
        allowed, self.takes_lists = self.takes_lists, False
        step(scope)
        self.takes_lists = allowed

    def elementwise(self, scope):
        self.without_lists(super().elementwise, scope)

    def loop(self, scope):
        self.without_lists(super().loop, scope)

    def while_loop(self, scope):
        self.without_lists(super().while_loop, scope)

    def own_loop(self, scope):
        self.without_lists(super().own_loop, scope)

    def unknown_regions(self, scope):
        self.without_lists(super().unknown_regions, scope)

    def list_of(self, scope):
        lists = [value for value in scope.seen if value.size == LIST]
        if lists and self.chance(0.7):
            return self.random.choice(lists[-3:])
        return self.make_list(scope)

    def make_list(self, scope):
        result = self.value(LIST)
        op = self.random.choice(["any.list", "torch.prim.ListConstruct", "torch.aten.chunk", "hal.tensor.export"])
        operands = [self.one(scope), *self.picks(scope, 2)]
        self.emit(scope, op, operands, [result])
        return result

    def use_list(self, scope):
        result = self.value(self.size())
        op = self.random.choice(["any.unlist", "torch.prim.ListUnpack", "hal.tensor.import.of"])
        self.emit(scope, op, [self.list_of(scope)], [result])

    def picks(self, scope, most):
        takes = self.takes_lists
        return [self.list_of(scope) if takes and self.rare.random() < 0.08 else value for value in super().picks(scope, most)]

    def wanted(self, scope, sizes):
        return [self.list_of(scope) if size == LIST else super(ImportedGenerator, self).wanted(scope, [size])[0] for size in sizes]

    # --- properties ----------------------------------------------------------

    def emit(self, scope, op, operands, results, attributes=(), regions=""):
        """What is no annotation is a property, mostly."""
        own = [a for a in attributes if not a.startswith(("gmem.", "test."))]
        if not own or op.startswith("func.") or self.rare.random() < 0.2:
            super().emit(scope, op, operands, results, attributes, regions)
            return
        rest = [a for a in attributes if a not in own]
        rest += [] if scope.group is None else [f"gmem.layer_group = {scope.group}"]
        left = f"{names(results)} = " if results else ""
        listed = f" {{{', '.join(rest)}}}" if rest else ""
        properties = f" <{{{', '.join(own)}}}>"
        self.add(scope, f'{left}"{op}"({names(operands)}){properties}{regions}{listed} : {signature(operands, results)}', results)

    def constant(self, scope):
        """Some differ in a property alone."""
        value = self.value(self.random.choice([16, 32]))
        number = f"dense<{self.random.randrange(3)}> : {flat(value.size)}"
        form = self.random.choice(["tf.Const", "kernel", "torch"])
        if form == "tf.Const":
            self.emit(scope, form, [], [value], [f"value = {number}"])
        elif form == "kernel":
            self.emit(scope, "any.kernel", [], [value], ['kernel = "table"', f"value = {number}", 'test.does = "weight"'])
        else:
            self.emit(scope, "torch.operator", [], [value], ['name = "onnx.Constant"', f"torch.onnx.value = {number}", 'test.does = "weight"'])

    def load(self, scope):
        """Of the globals of the module, every second is mutable."""
        size, number = self.random.choice([16, 32, 64]), self.random.randrange(2)
        self.emit(scope, "util.global.load", [], [self.value(size)], [f"global = @g{number}_{size}"])

    def store(self, scope):
        value = self.one(scope, self.random.choice([16, 32, 64]))
        self.emit(scope, "util.global.store", [value], [], [f"global = @g1_{value.size}"])

    # --- ops that stand for many ---------------------------------------------

    def kernel(self, scope):
        first = self.one(scope, None, 1)
        operands = [first, *self.picks(scope, 1)]
        name = self.random.choice(list(KERNELS))
        self.emit(scope, "any.kernel", operands, [self.value(first.size)], [f"kernel = {name}", *KERNELS[name]])

    def framework_op(self, scope):
        first = self.one(scope, None, 1)
        name = self.random.choice(["onnx.Relu", "onnx.Softmax", "onnx.Identity", "own.double"])
        test = {"onnx.Relu": ["test.elementwise"], "onnx.Softmax": ["test.elementwise"], "onnx.Identity": ['test.does = "view"']}
        self.emit(scope, "torch.operator", [first], [self.value(first.size)], [f'name = "{name}"', *test.get(name, [])])

    # --- calls ---------------------------------------------------------------

    def partitioned_call(self, scope):
        """Nothing is known of it but that it names a function, somewhere."""
        if self.callable:
            callee = self.random.choice(self.callable)
            op, named = self.random.choice([
                ("tf.PartitionedCall", [f"f = @{callee.name}", 'config = ""']),
                ("stablehlo.composite", ['name = "own.op"', f"decomposition = @{callee.name}", "composite_attributes = {}"]),
                ("any.run", [f"how = {{one = [@{callee.name}]}}"]),
            ])
            self.emit(scope, op, self.picks(scope, 2), [self.value(self.size())], named)

    def flat_group(self, scope):
        """With a call among its ops, or a list."""
        super().flat_group(scope)
        if self.chance(0.6):
            self.groups += 1
            for _ in range(self.random.randint(2, 4)):
                if self.chance(0.2):
                    self.compute(scope)
                form = self.random.choice([self.call_in_group, self.call_in_group, self.use_list, self.list_in_group, self.compute])
                scope.group = self.groups
                form(scope)
                scope.group = None

    # Others than func.call may go on behind a list that they return.
    def with_callable(self, step, scope, is_plain):
        all_ = self.callable
        self.callable = [f for f in all_ if (is_plain and f.dialect == "func") or LIST not in f.sizes + f.result_sizes]
        if self.callable or step == super().layer_group:
            step(scope)
        self.callable = all_

    def call(self, scope):
        self.with_callable(super().call, scope, self.dialect == "func" and scope.depth == 0)

    def layer_group(self, scope):
        self.with_callable(super().layer_group, scope, False)

    def call_in_group(self, scope):
        if self.callable:
            self.call(scope)

    def list_in_group(self, scope):
        self.make_list(scope)

    # --- programs ------------------------------------------------------------

    def fill(self, scope, count):
        saved = self.passes_lists, self.takes_lists
        self.passes_lists, self.takes_lists = False, True
        self.fill_more(scope, count)
        self.passes_lists, self.takes_lists = saved

    def fill_more(self, scope, count):
        super().fill(scope, count)
        steps = [
            self.make_list, self.use_list, self.use_list, self.constant, self.load, self.store, self.kernel, self.kernel,
            self.framework_op, self.partitioned_call,
        ]
        for _ in range(self.random.randint(1, 4)):
            self.random.choice(steps)(scope)
            if self.chance(0.5):
                super().fill(scope, 1)

    def program(self, number):
        text = super().program(number)
        globals_ = "".join(
            f'"util.global"() <{{sym_name = "g{i}_{size}", type = {flat(size)}{", is_mutable" * i}}}> : () -> ()\n'
            for i in range(2) for size in (16, 32, 64)
        )
        head, body = text.split("{\n", 1)
        return f'{head}attributes {{gmem.op_models = "{MODELS}"}} {{\n{globals_}{body}'


def imported_program(seed):
    return ImportedGenerator(seed).program(seed)


if __name__ == "__main__":
    import sys

    print(imported_program(int(sys.argv[1])))
