# mlir_text.py - MLIR text under construction, and the figures of a network.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tiny emitter: values know their shape, every op carries a location.

Shapes are computed when an op is written, never typed in by hand, so a network
module states channels, kernels and strides and nothing else.
"""

from collections import Counter
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

ELEMENT_BYTES = {"i8": 1, "bf16": 2, "i32": 4, "f32": 4}


class Value(NamedTuple):
    """An SSA value of ranked tensor type with a static shape."""

    name: str  # with its %
    shape: tuple
    element: str  # "f32", "i8", ...

    @property
    def type(self):
        return tensor_type(self.shape, self.element)

    @property
    def size_bytes(self):
        return prod(self.shape) * ELEMENT_BYTES[self.element]


def tensor_type(shape, element):
    return f"tensor<{'x'.join(map(str, (*shape, element)))}>"


def names(values):
    return ", ".join(value.name for value in values)


def types(values):
    return ", ".join(value.type for value in values)


def pooled_size(size, kernel, stride, pad_before, pad_after):
    """Output size of a window that slides over one padded dimension."""
    return (size + pad_before + pad_after - kernel) // stride + 1


def same_padding(size, kernel, stride):
    """(before, after) so that the output has ceil(size / stride) elements."""
    out = -(-size // stride)
    total = max((out - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2


@dataclass
class Figures:
    """Figures that papers report about a network, counted during generation."""

    weights: int = 0  # elements of kernels and matrices
    biases: int = 0  # biases, and scales that stand alone
    norm_channels: int = 0  # channels whose batch norm became one folded bias
    macs: int = 0  # multiply-accumulates of convolutions and matrix products

    @property
    def parameters(self):
        """Parameters in the file: batch norm is folded into the weights."""
        return self.weights + self.biases + self.norm_channels

    @property
    def trained_parameters(self):
        """As papers count: batch norm has a scale and a shift per channel."""
        return self.parameters + self.norm_channels


class Text:
    """Lines of one MLIR file, in order."""

    def __init__(self):
        self.figures = Figures()
        self._lines = []
        self._depth = 0
        self._taken = Counter()

    def __str__(self):
        return "\n".join(self._lines) + "\n"

    def line(self, text):
        self._lines.append("  " * self._depth + text if text else "")

    def open(self, text):
        """Writes a line that opens a region."""
        self.line(text)
        self._depth += 1

    def close(self, text="}"):
        self._depth -= 1
        self.line(text)

    def block(self, label, body):
        """A labelled block, its label level with the op that holds it."""
        self._depth -= 1
        self.line(label)
        self._depth += 1
        for line in body:
            self.line(line)

    def header(self, comments):
        for comment in comments:
            self.line(f"// {comment}".rstrip())
        self.line("")

    def function(self, name, arguments, results, attributes=""):
        """Opens a function; SSA names start afresh. Returns its arguments."""
        self._taken.clear()
        values = [self.name(loc, *rest) for loc, *rest in arguments]
        locs = [loc for loc, *_ in arguments]
        params = ", ".join(f'{value.name}: {value.type} loc("{loc}")'
                           for value, loc in zip(values, locs))
        outs = ", ".join(tensor_type(*result) for result in results)
        attributes = f"attributes {{{attributes}}} " if attributes else ""
        self.open(f"func.func @{name}({params}) -> ({outs}) {attributes}{{")
        return values

    def end_function(self, results, op="return"):
        self.line(f"{op} {names(results)} : {types(results)}")
        self.close()

    def name(self, loc, shape, element):
        """A fresh value named after its location: a/b gives %a.b."""
        base = "%" + loc.replace("/", ".")
        self._taken[base] += 1
        count = self._taken[base]
        return Value(base if count == 1 else f"{base}_{count}", tuple(shape),
                     element)

    def assign(self, loc, shape, element, op):
        """Writes one op; |op| is its text up to the result type, which comes
        last in every op used here."""
        value = self.name(loc, shape, element)
        self.line(f'{value.name} = {op} {value.type} loc("{loc}")')
        return value
