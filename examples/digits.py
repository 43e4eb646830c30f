# digits.py - a small residual network in linalg on tensors, f32, to be run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A residual network for 28x28 grey-scale images and ten classes, built from the
blocks of ResNet-50. Weights are pseudo-random."""

from math import prod

from linalg_text import Linalg
from random_weights import RandomWeights
from resnet50 import (add_relu, conv, fully_connected, global_average_pool,
                      max_pool)

SUMMARY = "a residual network, 28x28, f32, linalg on tensors."
RUN = "gmem-run examples/digits.mlir --entry main --compare"

STAGES = [8, 16]  # channels
CLASSES = 10


class RandomLinalg(Linalg):

    def __init__(self):
        super().__init__()
        self._random = RandomWeights(1)

    def weight(self, loc, shape, value):
        """Kernels as initialised by K. He et al. (Delving Deep into Rectifiers,
        2015), so that activations keep their magnitude; small biases."""
        limit = (6 / prod(shape[:-1]))**0.5 if len(shape) > 1 else 0.1
        return self.assign(
            loc, shape, "f32",
            f"arith.constant dense<{self._random.floats(shape, limit)}> :")


def block(net, loc, x):
    channels = x.shape[3]
    y = conv(net, loc + "/a", x, channels, 3)
    y = conv(net, loc + "/b", y, channels, 3, relu=False)
    return add_relu(net, loc + "/add_relu", y, x)


def network(net, x):
    for stage, channels in enumerate(STAGES, 1):
        x = conv(net, f"conv{stage}", x, channels, 3)
        x = block(net, f"block{stage}", x)
        x = max_pool(net, f"pool{stage}", x, 3, 2)
    x = global_average_pool(net, "pool", x)
    return fully_connected(net, "classes", x, CLASSES)


def build(header):
    net = RandomLinalg()
    net.header(header)
    net.maps(nhwc="(n, h, w, c) -> (n, h, w, c)")
    net.open("module @digits {")
    (image,) = net.function("main", [("image", (1, 28, 28, 1), "f32")],
                            [((1, CLASSES), "f32")])
    net.scalar("zero", "0.0")
    net.scalar("lowest", "0xFF800000")
    net.end_function([network(net, image)])
    net.close()
    return net
