#!/usr/bin/env python3
# networks.py - writes the networks of this folder to a folder (default: this
# one): programs of tensors with the shardings by which they are split.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

PARALLEL, REDUCTION = "parallel", "reduction"
MULTIPLY = """\
    %p = arith.mulf %a0, %a1 : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32"""


def tensor(*sizes, element="f32"):
    return "tensor<" + "x".join(str(size) for size in sizes) + "x" + element + ">"


def element_of(type_):
    return type_[:-1].rsplit("x", 1)[1]


class Network:
    """A function @main whose weights are split over a grid of one axis."""

    AXES = {"whole": "[], []", "columns": "[], [0]", "rows": "[0], []", "heads": "[0], [], []"}

    def __init__(self, title, arguments, result, shardings):
        self.text = f"// {title}\n// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n\n"
        self.text += "shard.grid @grid(shape = 2)\n"
        listed = ", ".join(f"%{name}: {type_}" for name, type_, _ in arguments)
        self.text += f"func.func @main({listed}) -> {result} {{\n"
        for name in shardings:
            self.line(f"%{name} = shard.sharding @grid split_axes = [{self.AXES[name]}] : !shard.sharding")
        for name, type_, how in arguments:
            self.line(f"%{name}_s = shard.shard %{name} to %{how} annotate_for_users : {type_}")
        zero = "0" if element_of(result) == "i32" else "0.0"
        self.line(f"%zero = arith.constant {zero} : {element_of(result)}")

    def line(self, text):
        self.text += "  " + text + "\n"

    def filled(self, name, type_, value="%zero"):
        self.line(f"%e_{name} = tensor.empty() : {type_}")
        self.line(f"%i_{name} = linalg.fill ins({value} : {element_of(type_)}) outs(%e_{name} : {type_}) -> {type_}")

    def matmul(self, name, left, left_type, right, right_type, type_):
        self.filled(name, type_)
        self.line(f"%{name} = linalg.matmul ins({left}, {right} : {left_type}, {right_type}) "
                  f"outs(%i_{name} : {type_}) -> {type_}")

    def elementwise(self, name, op, operands, type_):
        self.line(f"%e_{name} = tensor.empty() : {type_}")
        types = ", ".join([type_] * len(operands))
        self.line(f"%{name} = linalg.{op} ins({', '.join(operands)} : {types}) "
                  f"outs(%e_{name} : {type_}) -> {type_}")

    def generic(self, name, maps, iterators, operands, types, type_, body, value="%zero"):
        self.filled(name, type_, value)
        listed = ", ".join(f"affine_map<{one}>" for one in maps)
        kinds = ", ".join(f'"{one}"' for one in iterators)
        self.line(f"%{name} = linalg.generic {{indexing_maps = [{listed}], iterator_types = [{kinds}]}} "
                  f"ins({', '.join(operands)} : {', '.join(types)}) outs(%i_{name} : {type_}) {{")
        scalars = [f"%a{i}" for i in range(len(operands))] + ["%acc"]
        self.line("^bb0(" + ", ".join(f"{one}: f32" for one in scalars) + "):")
        self.text += body + "\n"
        self.line(f"}} -> {type_}")

    def gathered(self, name, type_):
        """The value is summed over the ranks, and whole on each of them after."""
        self.line(f"%{name}_s = shard.shard %{name} to %whole : {type_}")
        self.line(f"%{name}_u = shard.shard %{name}_s to %whole annotate_for_users : {type_}")
        return f"%{name}_u"

    def end(self, value, type_, how="whole"):
        self.line(f"%result = shard.shard {value} to %{how} : {type_}")
        self.line(f"return %result : {type_}")
        return self.text + "}\n"


def mlp(title, element, rows, width, hidden, how=("whole", "columns", "rows")):
    outer, inner = tensor(rows, width, element=element), tensor(rows, hidden, element=element)
    up, down = tensor(width, hidden, element=element), tensor(hidden, width, element=element)
    network = Network(title, list(zip(["x", "up", "down"], [outer, up, down], how)), outer,
                      sorted(set(how)))
    network.matmul("hidden", "%x_s", outer, "%up_s", up, inner)
    if element == "f32":
        network.elementwise("active", "tanh", ["%hidden"], inner)
    else:
        network.elementwise("active", "max", ["%hidden", "%hidden"], inner)
    network.matmul("out", "%active", inner, "%down_s", down, outer)
    return network.end("%out", outer, how[0])


def add_attention(network, value, rows, width, heads, depth):
    sequence, parts = tensor(rows, width), tensor(heads, rows, depth)
    into, out = tensor(heads, width, depth), tensor(heads, depth, width)
    scores, per_row = tensor(heads, rows, rows), tensor(heads, rows)
    triple = [PARALLEL] * 3
    reduce_last = triple + [REDUCTION]
    for name in "qkv":
        network.generic(name, ["(h, s, e, d) -> (s, d)", "(h, s, e, d) -> (h, d, e)",
                               "(h, s, e, d) -> (h, s, e)"], reduce_last,
                        [value, f"%w{name}_s"], [sequence, into], parts, MULTIPLY)
    network.generic("score", ["(h, s, r, e) -> (h, s, e)", "(h, s, r, e) -> (h, r, e)",
                              "(h, s, r, e) -> (h, s, r)"], reduce_last,
                    ["%q", "%k"], [parts, parts], scores, MULTIPLY)
    whole, row = "(h, s, r) -> (h, s, r)", "(h, s, r) -> (h, s)"
    by_row = [PARALLEL, PARALLEL, REDUCTION]
    network.generic("top", [whole, row], by_row, ["%score"], [scores], per_row,
                    "    %p = arith.maximumf %acc, %a0 : f32\n    linalg.yield %p : f32", "%low")
    network.generic("weight", [whole, row, whole], triple, ["%score", "%top"], [scores, per_row], scores,
                    "    %p = arith.subf %a0, %a1 : f32\n    %n = math.exp %p : f32\n    linalg.yield %n : f32")
    network.generic("total", [whole, row], by_row, ["%weight"], [scores], per_row,
                    "    %p = arith.addf %acc, %a0 : f32\n    linalg.yield %p : f32")
    network.generic("share", [whole, row, whole], triple, ["%weight", "%total"], [scores, per_row], scores,
                    "    %p = arith.divf %a0, %a1 : f32\n    linalg.yield %p : f32")
    network.generic("context", ["(h, s, e, r) -> (h, s, r)", "(h, s, e, r) -> (h, r, e)",
                                "(h, s, e, r) -> (h, s, e)"], reduce_last,
                    ["%share", "%v"], [scores, parts], parts, MULTIPLY)
    network.generic("mixed", ["(s, d, h, e) -> (h, s, e)", "(s, d, h, e) -> (h, e, d)",
                              "(s, d, h, e) -> (s, d)"], [PARALLEL] * 2 + [REDUCTION] * 2,
                    ["%context", "%wo_s"], [parts, out], sequence, MULTIPLY)


def attention_arguments(rows, width, heads, depth):
    into = [(f"w{name}", tensor(heads, width, depth), "heads") for name in "qkv"]
    return [("x", tensor(rows, width), "whole")] + into + [("wo", tensor(heads, depth, width), "heads")]


def attention(title, rows, width, heads, depth):
    sequence = tensor(rows, width)
    network = Network(title, attention_arguments(rows, width, heads, depth), sequence, ["whole", "heads"])
    network.line("%low = arith.constant -1.0e30 : f32")
    add_attention(network, "%x_s", rows, width, heads, depth)
    return network.end("%mixed", sequence)


def block(title, rows, width, heads, depth, hidden):
    sequence, inner = tensor(rows, width), tensor(rows, hidden)
    up, down = tensor(width, hidden), tensor(hidden, width)
    arguments = attention_arguments(rows, width, heads, depth)
    network = Network(title, arguments + [("up", up, "columns"), ("down", down, "rows")], sequence,
                      ["whole", "heads", "columns", "rows"])
    network.line("%low = arith.constant -1.0e30 : f32")
    add_attention(network, "%x_s", rows, width, heads, depth)
    mixed = network.gathered("mixed", sequence)
    network.elementwise("first", "add", ["%x_s", mixed], sequence)
    first = network.gathered("first", sequence)
    network.matmul("hidden", first, sequence, "%up_s", up, inner)
    network.elementwise("active", "tanh", ["%hidden"], inner)
    network.matmul("out", "%active", inner, "%down_s", down, sequence)
    out = network.gathered("out", sequence)
    network.elementwise("last", "add", [first, out], sequence)
    return network.end("%last", sequence)


NETWORKS = {
    "mlp": mlp("An MLP: columns of the first weight and rows of the second are split over ranks.",
               "f32", 64, 128, 512),
    "mlp_i32": mlp("The same MLP with integers, whose sums are equal in any order.", "i32", 64, 128, 512),
    "batch": mlp("The MLP with its weights on every rank and a part of the rows on each.",
                 "f32", 64, 128, 512, ("rows", "whole", "whole")),
    "attention": attention("Attention whose heads are split over ranks.", 32, 64, 8, 8),
    "block": block("A transformer block: attention by heads, an MLP by columns and rows.",
                   32, 64, 8, 8, 256),
}

folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
for name, text in NETWORKS.items():
    with open(os.path.join(folder, name + ".mlir"), "w") as file:
        file.write(text)
