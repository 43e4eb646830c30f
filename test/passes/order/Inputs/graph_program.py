# graph_program.py FAMILY [ARGUMENT...] - a program of linalg ops with the graph of a network of bench/order_graphs.py:
# each op computes its elements from those of all its operands. Sizes are 1/256 of the network's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 4, "bench"))
import order_graphs  # noqa: E402


class Writer:
    def __init__(self, graph):
        self.graph, self.lines, self.count = graph, [], 0

    def type(self, tensor):
        return f"tensor<{self.elements(tensor)}xf32>"

    def elements(self, tensor):
        return max(self.graph.tensors[tensor]["bytes"] // 1024, 1)

    def value(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def sized(self, name, source, target):
        """|name| with as many elements as |target|: cut off, or with zeros behind."""
        have, want = self.elements(source), self.elements(target)
        if have > want:
            return self.value(f"tensor.extract_slice {name}[0] [{want}] [1] : {self.type(source)} to {self.type(target)}")
        if have < want:
            empty = self.value(f"tensor.empty() : {self.type(target)}")
            zeros = self.value(f"linalg.fill ins(%zero : f32) outs({empty} : {self.type(target)}) -> {self.type(target)}")
            return self.value(
                f"tensor.insert_slice {name} into {zeros}[0] [{have}] [1] : {self.type(source)} into {self.type(target)}")
        return name

    def op(self, inputs, output, is_elementwise):
        kind = self.type(output)
        empty = self.value(f"tensor.empty() : {kind}")
        first = empty if is_elementwise else self.value(f"linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}")
        # An op that is not element-wise reads its operands for each weight again.
        maps = ", ".join(["#element"] * len(inputs) + ["#weight", "#element"])
        arguments = ", ".join([f"%i{k}: f32" for k in range(len(inputs))] + ["%weight: f32", "%out: f32"])
        body, last = ["    %s0 = arith.mulf %i0, %weight : f32"], "%s0"
        for k in range(1, len(inputs)):
            body.append(f"    %s{k} = arith.subf %i{k}, {last} : f32")
            last = f"%s{k}"
        if not is_elementwise:
            body.append(f"    %sum = arith.addf %out, {last} : f32")
            last = "%sum"
        weights = f"%weights{1 if is_elementwise else 2}"
        listed = ", ".join([*inputs, weights])
        types = ", ".join([kind] * len(inputs) + [f"tensor<{1 if is_elementwise else 2}xf32>"])
        lines = "\n".join(body)
        return self.value(
            f'linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction"]}} ins({listed} : {types}) '
            f"outs({first} : {kind}) {{\n  ^bb0({arguments}):\n{lines}\n    linalg.yield {last} : f32\n  }} -> {kind}")

    def program(self):
        tensors = self.graph.tensors
        names = {t: f"%x{t}" for t, tensor in enumerate(tensors) if "producer" not in tensor}
        arguments = ", ".join(f"{name}: {self.type(t)}" for t, name in names.items())
        for op in range(len(self.graph.ops)):
            output = next(t for t, tensor in enumerate(tensors) if tensor.get("producer") == op)
            inputs = [t for t, tensor in enumerate(tensors) if op in tensor["users"]]
            sized = [self.sized(names[t], t, output) for t in inputs]
            names[output] = self.op(sized, output, any(reuse["output"] == output for reuse in self.graph.reuses))
        kept = [t for t, tensor in enumerate(tensors) if tensor.get("kept") and "producer" in tensor]
        types = ", ".join(map(self.type, kept))
        lines = "\n".join(self.lines)
        return (f"#element = affine_map<(d0, d1) -> (d0)>\n#weight = affine_map<(d0, d1) -> (d1)>\nfunc.func @main({arguments}) -> ({types}) {{\n"
                f"  %zero = arith.constant 0.0 : f32\n  %weights1 = arith.constant dense<0.75> : tensor<1xf32>\n"
                f"  %weights2 = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>\n{lines}\n"
                f"  return {', '.join(names[t] for t in kept)} : {types}\n}}")


print(Writer(getattr(order_graphs, sys.argv[1])(*map(int, sys.argv[2:]))).program())
