# linalg_text.py - linalg-on-tensors ops for the networks written in linalg.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Named linalg ops, generics, and the tensors they write into; all in f32."""

from mlir_text import Text, names, types


class Linalg(Text):
    """Every op's result is new (`tensor.empty`): sharing is the planner's job.
    """

    def scalar(self, name, value):
        """Writes a scalar constant %name, for fills and for generic bodies."""
        self.line(f"%{name} = arith.constant {value} : f32")

    def weight(self, loc, shape, value):
        """A constant of one repeated value. Values differ between layers, so
        that no pass merges the weights of two layers."""
        return self.assign(loc, shape, "f32",
                           f"arith.constant dense<{value:.6e}> :")

    def empty(self, loc, shape):
        return self.assign(loc + "/init", shape, "f32", "tensor.empty() :")

    def filled(self, loc, shape, scalar):
        init = self.empty(loc, shape)
        return self.assign(loc + "/fill", shape, "f32",
                           f"linalg.fill ins({scalar} : f32) "
                           f"outs({init.name} : {init.type}) ->")

    def named(self, loc, op, inputs, init, attributes=""):
        """A named op that writes into |init|."""
        return self.assign(
            loc, init.shape, init.element,
            f"linalg.{op} {attributes}ins({names(inputs)} : {types(inputs)}) "
            f"outs({init.name} : {init.type}) ->")

    def transpose(self, loc, x, permutation):
        shape = [x.shape[axis] for axis in permutation]
        return self._moved(loc, "transpose", x, shape,
                           f"permutation = {list(permutation)}")

    def broadcast(self, loc, x, shape):
        """|x| repeated along new leading dimensions."""
        added = list(range(len(shape) - len(x.shape)))
        return self._moved(loc, "broadcast", x, shape, f"dimensions = {added}")

    def _moved(self, loc, op, x, shape, attributes):
        """The ops whose text ends in an attribute, not in a type."""
        init = self.empty(loc, shape)
        value = self.name(loc, shape, x.element)
        self.line(f"{value.name} = linalg.{op} ins({x.name} : {x.type}) "
                  f'outs({init.name} : {init.type}) {attributes} loc("{loc}")')
        return value

    def generic(self, loc, inputs, init, maps, body, reduces=False):
        """|maps| names an affine map per input, then the output's. |body| is
        lines that use %in0, %in1, ... and %out and define %result. With
        |reduces| the last loop is a reduction."""
        loops = self._loop_count(maps)
        iterators = ['"parallel"'] * loops
        if reduces:
            iterators[-1] = '"reduction"'
        value = self.name(loc, init.shape, init.element)
        self.open(f"{value.name} = linalg.generic {{indexing_maps = "
                  f"[{', '.join('#' + name for name in maps)}], "
                  f"iterator_types = [{', '.join(iterators)}]}} "
                  f"ins({names(inputs)} : {types(inputs)}) "
                  f"outs({init.name} : {init.type}) {{")
        arguments = [f"%in{i}: f32" for i in range(len(inputs))]
        self.block(f"^bb0({', '.join([*arguments, '%out: f32'])}):",
                   [*body, "linalg.yield %result : f32"])
        self.close(f'}} -> {value.type} loc("{loc}")')
        return value

    def maps(self, **maps):
        """Writes affine maps, to be named in generics."""
        self._maps = maps
        for name, text in maps.items():
            self.line(f"#{name} = affine_map<{text}>")
        self.line("")

    def _loop_count(self, maps):
        return self._maps[maps[0]].split("->")[0].count(",") + 1
