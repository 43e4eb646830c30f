# ds_cnn.py - a keyword spotter in TOSA, int8, to be run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Y. Zhang, N. Suda, L. Lai, V. Chandra: Hello Edge: Keyword Spotting on
Microcontrollers, 2017: the small depthwise separable CNN (DS-CNN), which MLPerf
Tiny uses. 49 frames of 10 coefficients in, one number for each of 12 words out.
Weights are pseudo-random."""

import mobilenet_v2
from mobilenet_v2 import average_pool, conv, depthwise, relu6
from random_weights import RandomWeights

SUMMARY = "DS-CNN, 49x10, int8, TOSA, pseudo-random weights."
RUN = "gmem-run examples/ds_cnn.mlir --entry main --compare"

CHANNELS = 64
BLOCKS = 4
WORDS = 12
LARGEST = 127  # of the weights
DEVIATION = LARGEST / 3**0.5  # of a uniform distribution in [-LARGEST, LARGEST]


class Tosa(mobilenet_v2.Tosa):

    def __init__(self):
        super().__init__()
        self._random = RandomWeights(1)

    def kernel(self, loc, shape, fan_in):
        """The sum of |fan_in| products with the weights is as large as one
        factor when it is divided by their deviation and the root of |fan_in|.
        """
        weight = self.constant(loc, shape, "i8",
                               self._random.bytes(shape, LARGEST))
        return weight, 1 / (DEVIATION * fan_in**0.5)


def network(net, x):
    net.zero_points()
    x = relu6(net, "stem", conv(net, "stem", x, CHANNELS, kernel=(10, 4),
                                stride=2, gain=1.5))
    for block in range(1, BLOCKS + 1):
        name = f"block{block}/depthwise"
        x = relu6(net, name, depthwise(net, name, x, 1, gain=1.5))
        name = f"block{block}/pointwise"
        x = relu6(net, name, conv(net, name, x, CHANNELS, gain=1.5))
    x = average_pool(net, "pool", x)
    x = conv(net, "classifier", x, WORDS)
    # The classifier has a plain bias: no batch norm was folded into it.
    net.figures.norm_channels -= WORDS
    net.figures.biases += WORDS
    return net.reshape("logits", x, (1, WORDS))


def build(header):
    net = Tosa()
    net.header(header)
    net.open("module @ds_cnn {")
    (sound,) = net.function("main", [("sound", (1, 49, 10, 1), "i8")],
                            [((1, WORDS), "i8")])
    net.end_function([network(net, sound)])
    net.close()
    return net
