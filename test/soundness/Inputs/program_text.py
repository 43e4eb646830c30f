# program_text.py - prints a program of program_model.py as MLIR, in ops of no
# registered dialect. Every value carries its location.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Ops that gmem has a model of; to it all others are ops it knows nothing about.
OP_NAMES = {
    "compute": "any.compute",
    "reshape": "npu.reshape",
    "weight": "npu.weight",
    "call": "any.call",
    "group": "npu.group",
    "loop": "any.loop",
    "if": "any.if",
    "yield": "any.yield",
    "return": "any.return",
}


def flat_type(size):
    return f"tensor<{size}xi8>"


def type_of(value):
    return f"tensor<1x{value.size}xi8>" if value.reshaped else flat_type(value.size)


def names(values):
    return ", ".join(value.name for value in values)


def types(values):
    return ", ".join(type_of(value) for value in values)


def arguments(values):
    return ", ".join(f'{v.name}: {type_of(v)} loc("{v.location}")' for v in values)


class Printer:
    def __init__(self):
        self.extra = 0  # values that only the text has

    def extra_name(self):
        self.extra += 1
        return f"%x{self.extra}"

    def program(self, program):
        return "".join(self.function(function) for function in program.functions)

    def function(self, function):
        order = function.print_order or range(len(function.blocks))
        text = f"^bb0({arguments(function.arguments)}):\n"
        for number in order:
            block = function.blocks[number]
            if number:  # the first block's arguments are the function's
                label = f"({arguments(block.arguments)})" if block.arguments else ""
                text += f"^bb{number}{label}:\n"
            text += self.ops(block)
        results = ", ".join(flat_type(size) for size in function.result_sizes)
        signature = f"({types(function.arguments)}) -> ({results})"
        attributes = f'{{sym_name = "{function.name}", function_type = {signature}}}'
        return f'"any.func"() ({{\n{text}}}) {attributes} : () -> ()\n'

    def ops(self, block):
        return "".join(self.op(op) + "\n" for op in block.ops)

    def op(self, op):
        if op.kind == "branch":
            return self.branch(op)
        results = f"{names(op.results)} = " if op.results else ""
        location = f' loc("{op.results[0].location}")' if op.results else ""
        signature = f"({types(op.operands)}) -> ({types(op.results)})"
        regions = self.regions(op)
        attributes = self.attributes(op)
        name = f'"{OP_NAMES[op.kind]}"({names(op.operands)})'
        return f"{results}{name}{regions}{attributes} : {signature}{location}"

    @staticmethod
    def attributes(op):
        entries = []
        if op.kind == "call":
            entries.append(f"callee = @{op.callees[0].name}")
        if op.flat_group is not None:
            entries.append(f"gmem.layer_group = {op.flat_group}")
        if op.hold:
            entries.append("gmem.hold")
        return f" {{{', '.join(entries)}}}" if entries else ""

    def regions(self, op):
        if op.kind == "group":
            return f" ({{\n{self.group_body(op)}}})"
        texts = []
        for body in op.bodies:
            head = f"^bb0({arguments(body.arguments)}):\n" if body.arguments else ""
            texts.append(f"{{\n{head}{self.ops(body)}}}")
        return f" ({', '.join(texts)})" if texts else ""

    def group_body(self, op):
        """What is captured is read, and every callee gets operands made on the spot."""
        text = f'"any.read"({names(op.captures)}) : ({types(op.captures)}) -> ()\n'
        for callee in op.callees:
            operands = [self.extra_name() for _ in callee.arguments]
            for name, argument in zip(operands, callee.arguments):
                text += f'{name} = "any.local"() : () -> {type_of(argument)}\n'
            results = ", ".join(self.extra_name() for _ in callee.result_sizes)
            text += f"{results} = " if results else ""
            text += f'"any.call"({", ".join(operands)}) {{callee = @{callee.name}}} : '
            result_types = ", ".join(flat_type(size) for size in callee.result_sizes)
            text += f"({types(callee.arguments)}) -> ({result_types})\n"
        return text

    def branch(self, op):
        condition = self.extra_name()
        targets = []
        for number, values in op.successors:
            operands = f"({names(values)} : {types(values)})" if values else ""
            targets.append(f"^bb{number}{operands}")
        text = f'{condition} = "any.condition"() : () -> i1\n'
        return text + f"cf.cond_br {condition}, {', '.join(targets)}"
