# random_weights.py - pseudo-random elements of constants, as MLIR writes them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For the networks that are run: with weights that are one repeated value all
channels of a layer are equal, and a plan that mixes them up goes unnoticed."""

from math import prod
from struct import pack


class RandomWeights:
    """The same numbers on every machine and with every version of Python."""

    def __init__(self, seed):
        self._state = seed

    def unit(self):
        """In [-1, 1): the upper bits of a linear congruential generator, with
        the multiplier and the increment of Knuth's MMIX."""
        self._state = (self._state * 6364136223846793005 +
                       1442695040888963407) % 2**64
        return (self._state >> 40) / 2**23 - 1

    def floats(self, shape, limit):
        """Elements in [-limit, limit), f32."""
        return self._text("<f", (limit * self.unit()
                                 for _ in range(prod(shape))))

    def bytes(self, shape, limit):
        """Elements in [-limit, limit], i8."""
        return self._text("<b", (round(limit * self.unit())
                                 for _ in range(prod(shape))))

    @staticmethod
    def _text(element, values):
        """The text between dense< and >."""
        return f'"0x{b"".join(pack(element, value) for value in values).hex().upper()}"'
