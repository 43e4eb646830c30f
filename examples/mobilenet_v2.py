# mobilenet_v2.py - MobileNetV2 1.0 in TOSA, int8.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""M. Sandler, A. Howard, M. Zhu, A. Zhmoginov, L.-C. Chen: MobileNetV2:
Inverted Residuals and Linear Bottlenecks, 2018, table 2. Inference form: batch
norm is folded, activations and weights are int8 with zero points 0,
convolutions accumulate in i32 and are rescaled."""

from math import frexp, prod

from mlir_text import (Text, names, pooled_size, same_padding, tensor_type,
                       types)

SUMMARY = "MobileNetV2 1.0, 224x224, int8, TOSA."

# (t, c, n, s): expansion, output channels, repetitions, stride of the first.
BLOCKS = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
          (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


class Tosa(Text):
    """TOSA ops for symmetric int8."""

    layer = 0  # convolutions written so far

    def constant(self, loc, shape, element, value):
        type_ = tensor_type(shape, element)
        return self.assign(loc, shape, element,
                           f'"tosa.const"() <{{values = dense<{value}> : '
                           f"{type_}}}> : () ->")

    def op(self, loc, name, inputs, shape, element, attributes=""):
        return self.assign(loc, shape, element,
                           f"tosa.{name} {names(inputs)} {attributes}: "
                           f"({types(inputs)}) ->")

    def kernel(self, loc, shape, fan_in):
        """Weights, and the scale that undoes what |fan_in| of them add up to.
        One repeated value here, which differs between layers, so that no pass
        merges equal weights."""
        return (self.constant(loc, shape, "i8", self.layer),
                1 / (fan_in * self.layer))

    def zero_points(self):
        """Zero points shared by all layers."""
        self.zero_i8 = self.constant("zero_i8", (1,), "i8", 0)
        self.zero_i32 = self.constant("zero_i32", (1,), "i32", 0)

    def zero_point(self, element):
        return self.zero_i8 if element == "i8" else self.zero_i32

    def rescale(self, loc, x, element, scale):
        """round(x * scale), as a 31-bit multiplier and a shift."""
        mantissa, exponent = frexp(scale)  # mantissa in [0.5, 1)
        multiplier = self.constant(loc + "/multiplier", (1,), "i32",
                                   int(mantissa * 2**31))
        shift = self.constant(loc + "/shift", (1,), "i8", 31 - exponent)
        return self.op(
            loc, "rescale",
            (x, multiplier, shift, self.zero_point(x.element),
             self.zero_point(element)), x.shape, element,
            "{input_unsigned = false, output_unsigned = false, "
            "per_channel = false, rounding_mode = SINGLE_ROUND, "
            "scale32 = true} ")

    def reshape(self, loc, x, shape):
        name = "%" + loc.replace("/", ".") + ".shape"
        rank = len(shape)
        self.line(f"{name} = tosa.const_shape {{values = dense<{list(shape)}> "
                  f": tensor<{rank}xindex>}} : () -> !tosa.shape<{rank}>")
        return self.assign(loc, shape, x.element,
                           f"tosa.reshape {x.name}, {name} : ({x.type}, "
                           f"!tosa.shape<{rank}>) ->")


def window(x, kernel, stride):
    """Padding and output size of a convolution with "same" padding."""
    (top, bottom), (left, right) = (same_padding(*side, stride)
                                    for side in zip(x.shape[1:3], kernel))
    height = pooled_size(x.shape[1], kernel[0], stride, top, bottom)
    width = pooled_size(x.shape[2], kernel[1], stride, left, right)
    attributes = ("{acc_type = i32, dilation = array<i64: 1, 1>, "
                  f"pad = array<i64: {top}, {bottom}, {left}, {right}>, "
                  f"stride = array<i64: {stride}, {stride}>}} ")
    return height, width, attributes


def convolve(net, loc, op, x, channels, weight_shape, fan_in, stride, gain=1):
    """Convolution and rescale to int8, so that activations keep their
    magnitude."""
    first = 0 if op == "depthwise_conv2d" else 1
    kernel = weight_shape[first:first + 2]
    net.figures.weights += prod(weight_shape)
    net.figures.norm_channels += channels
    net.layer += 1
    weight, scale = net.kernel(loc + "/weight", weight_shape, fan_in)
    bias = net.constant(loc + "/bias", (channels,), "i32", net.layer)
    height, width, attributes = window(x, kernel, stride)
    shape = (x.shape[0], height, width, channels)
    net.figures.macs += prod(shape) * fan_in
    y = net.op(loc, op, (x, weight, bias, net.zero_i8, net.zero_i8), shape,
               "i32", attributes)
    return net.rescale(loc + "/rescale", y, "i8", gain * scale)


def conv(net, loc, x, channels, kernel=(1, 1), stride=1, gain=1):
    weight_shape = (channels, *kernel, x.shape[3])
    return convolve(net, loc, "conv2d", x, channels, weight_shape,
                    prod(weight_shape[1:]), stride, gain)


def depthwise(net, loc, x, stride, gain=1):
    channels = x.shape[3]
    return convolve(net, loc, "depthwise_conv2d", x, channels,
                    (3, 3, channels, 1), 9, stride, gain)


def relu6(net, loc, x):
    """The scale of these activations is 6 / 127, so 6 is the largest int8."""
    return net.op(loc + "/relu6", "clamp", (x,), x.shape, "i8",
                  "{max_val = 127 : i8, min_val = 0 : i8} ")


def add(net, loc, x, y):
    """int8 addition: both operands in i32, each with half its weight."""
    wide = [net.rescale(f"{loc}/{side}", value, "i32", 2.0**10)
            for side, value in (("left", x), ("right", y))]
    total = net.op(loc + "/add", "add", wide, x.shape, "i32")
    return net.rescale(loc, total, "i8", 2.0**-11)


def inverted_residual(net, loc, x, expansion, channels, stride):
    """1x1 expand, 3x3 depthwise, 1x1 linear projection, shortcut."""
    y = x
    if expansion != 1:
        name = loc + "/expand"
        y = relu6(net, name, conv(net, name, x, expansion * x.shape[3]))
    name = loc + "/depthwise"
    y = relu6(net, name, depthwise(net, name, y, stride))
    y = conv(net, loc + "/project", y, channels)
    if stride == 1 and x.shape == y.shape:
        y = add(net, loc + "/residual", x, y)
    return y


def average_pool(net, loc, x):
    n, h, w, c = x.shape
    return net.op(loc, "avg_pool2d", (x, net.zero_i8, net.zero_i8),
                  (n, 1, 1, c), "i8",
                  f"{{acc_type = i32, kernel = array<i64: {h}, {w}>, "
                  "pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} ")


def network(net, x):
    net.zero_points()
    x = relu6(net, "stem", conv(net, "stem", x, 32, kernel=(3, 3), stride=2,
                                gain=4))
    index = 0
    for expansion, channels, repeats, stride in BLOCKS:
        for repeat in range(repeats):
            index += 1
            x = inverted_residual(net, f"block{index}", x, expansion, channels,
                                  stride if repeat == 0 else 1)
    x = relu6(net, "head", conv(net, "head", x, 1280))
    x = average_pool(net, "pool", x)
    x = conv(net, "classifier", x, 1000)
    # The classifier has a plain bias: no batch norm was folded into it.
    net.figures.norm_channels -= 1000
    net.figures.biases += 1000
    return net.reshape("logits", x, (1, 1000))


def build(header):
    net = Tosa()
    net.header(header)
    net.open("module @mobilenet_v2 {")
    (image,) = net.function("main", [("image", (1, 224, 224, 3), "i8")],
                            [((1, 1000), "i8")])
    net.end_function([network(net, image)])
    net.close()
    return net
