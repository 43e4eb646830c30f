#!/usr/bin/env python3
"""c_random_calls.py SEED COUNT - prints COUNT programs, between lines "// -----",
whose functions call each other, several times each, with constants, inputs,
results, parts of such and tuples, and return any of them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random
import sys

SIZES = [16, 32, 48, 64]


def tensor(size):
    return f"tensor<{size}xi8>"


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.constants = 0

    def types(self, least, most):
        count = self.random.randint(least, most)
        return [self.type() for _ in range(count)]

    def type(self):
        sizes = [self.random.choice(SIZES) for _ in range(2)]
        if self.random.random() < 0.15:
            return f"tuple<{tensor(sizes[0])}, {tensor(sizes[1])}>"
        return tensor(sizes[0])

    def function(self, name, arguments, results, callees, op_count):
        """The text of a function; |callees|: (name, arguments, results)."""
        values = [(f"%a{i}", type) for i, type in enumerate(arguments)]
        lines = []

        def add(op, operands, types, attributes=""):
            result = f"%v{len(lines)}"
            names = [f"{result}#{i}" if len(types) > 1 else result for i in range(len(types))]
            left = f"{result}{f':{len(types)}' if len(types) > 1 else ''} = " if types else ""
            given = ", ".join(name for name, _ in operands)
            kinds = ", ".join(type for _, type in operands)
            lines.append(f'    {left}"{op}"({given}) {attributes} : ({kinds}) -> ({", ".join(types)})')
            values.extend(zip(names, types))
            return values[-1]

        def make(type):
            """A new value."""
            if type.startswith("tuple"):
                return add("stablehlo.tuple", [pick(part) for part in type[6:-1].split(", ")], [type])
            if self.random.random() < 0.5:
                self.constants += 1
                return add("arith.constant", [], [type], f"{{value = dense<{self.constants % 128}> : {type}}}")
            return add("my.op", self.random.sample(values, min(2, len(values))), [type])

        def pick(type):
            fitting = [value for value in values if value[1] == type]
            return self.random.choice(fitting) if fitting and self.random.random() < 0.8 else make(type)

        def move():
            """A part of a value, or several as one."""
            name, type = self.random.choice(values)
            if type.startswith("tuple"):
                number = self.random.randrange(2)
                parts = type[6:-1].split(", ")
                add("stablehlo.get_tuple_element", [(name, type)], [parts[number]], f"{{index = {number} : i32}}")
            elif self.random.random() < 0.5 and type != tensor(16):
                begin = 16 * self.random.randrange(int(type[7:9]) // 16 - 1)
                bounds = f"start_indices = array<i64: {begin}>, limit_indices = array<i64: {begin + 16}>"
                add("stablehlo.slice", [(name, type)], [tensor(16)], f"{{{bounds}, strides = array<i64: 1>}}")
            else:
                parts = [pick(tensor(16)), pick(tensor(32))]
                add("stablehlo.concatenate", parts, [tensor(48)], "{dimension = 0 : i64}")

        for i in range(op_count):
            is_first = name == "main" and i < len(callees)  # no function is left out
            if is_first or (callees and self.random.random() < 0.6):
                callee, wanted, given = callees[i] if is_first else self.random.choice(callees)
                add("func.call", [pick(type) for type in wanted], given, f"{{callee = @{callee}}}")
            elif values and self.random.random() < 0.4:
                move()
            else:
                make(self.type())
        # The last result depends on everything.
        returned = [pick(type) for type in results[:-1]]
        returned.append(add("my.op", list(values), results[-1:]))
        listed = ", ".join(f"%a{i}: {type}" for i, type in enumerate(arguments))
        end = f"    return {', '.join(name for name, _ in returned)} : {', '.join(results)}"
        visibility = "" if name == "main" else "private "
        head = f"  func.func {visibility}@{name}({listed}) -> ({', '.join(results)}) {{"
        return "\n".join([head, *lines, end, "  }"])

    def text(self):
        functions, callees = [], []
        for name in ["leaf", "inner", "outer"]:
            arguments, results = self.types(1, 4), self.types(0, 2) + [tensor(16)]
            functions.append(self.function(name, arguments, results, callees, self.random.randint(0, 4)))
            callees.append((name, arguments, results))
        functions.append(self.function("main", self.types(1, 3), self.types(1, 3) + [tensor(16)], callees, 8))
        return "module {\n" + "\n".join(functions) + "\n}\n"


seed, count = map(int, sys.argv[1:])
print("// -----\n".join(Program(i).text() for i in range(seed, seed + count)), end="")
