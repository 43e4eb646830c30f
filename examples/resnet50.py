# resnet50.py - ResNet-50 v1 in linalg on tensors, f32.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""K. He, X. Zhang, S. Ren, J. Sun: Deep Residual Learning for Image
Recognition, 2015, table 1 (50-layer). Inference form: batch norm is folded into
the convolutions, which then have a bias."""

from math import prod

from linalg_text import Linalg
from mlir_text import pooled_size

SUMMARY = "ResNet-50 v1, 224x224, f32, linalg on tensors."

# (stage, inner channels, blocks); a block's output has 4 times as many.
STAGES = [("conv2", 64, 3), ("conv3", 128, 4), ("conv4", 256, 6),
          ("conv5", 512, 3)]
EXPANSION = 4
RELU = "%result = arith.maximumf {}, %zero : f32"


def pad(net, loc, x, amount, scalar):
    """Pads height and width, or returns |x| when there is nothing to pad."""
    if amount == 0:
        return x
    n, h, w, c = x.shape
    shape = (n, h + 2 * amount, w + 2 * amount, c)
    value = net.name(loc + "/pad", shape, x.element)
    edge = f"[0, {amount}, {amount}, 0]"
    net.open(f"{value.name} = tensor.pad {x.name} low{edge} high{edge} {{")
    net.block("^bb0(%n: index, %h: index, %w: index, %c: index):",
              [f"tensor.yield {scalar} : f32"])
    net.close(f'}} : {x.type} to {value.type} loc("{loc}/pad")')
    return value


def window(x, kernel, stride, channels):
    """Output shape of a convolution or pooling of a padded |x|."""
    n, h, w, _ = x.shape
    return (n, pooled_size(h, kernel, stride, 0, 0),
            pooled_size(w, kernel, stride, 0, 0), channels)


def window_attributes(stride):
    return (f"{{dilations = dense<1> : tensor<2xi64>, "
            f"strides = dense<{stride}> : tensor<2xi64>}} ")


def conv(net, loc, x, channels, kernel, stride=1, relu=True, gain=1.0):
    """Convolution (+ ReLU) that accumulates onto the bias. The repeated weight
    is gain / fan-in, so activations neither vanish nor explode in fifty layers.
    """
    x = pad(net, loc, x, kernel // 2, "%zero")
    shape = (kernel, kernel, x.shape[3], channels)
    fan_in = prod(shape[:3])
    net.figures.weights += prod(shape)
    net.figures.norm_channels += channels
    # A tiny step per layer keeps equal shapes from holding equal constants.
    step = 1 + net.figures.norm_channels / 1e6
    weight = net.weight(loc + "/weight", shape, gain * step / fan_in)
    bias = net.weight(loc + "/bias", (channels,), 0.01 * step)
    init = net.broadcast(loc + "/start", bias,
                         window(x, kernel, stride, channels))
    net.figures.macs += prod(init.shape) * fan_in
    y = net.named(loc, "conv_2d_nhwc_hwcf", (x, weight), init,
                  window_attributes(stride))
    if not relu:
        return y
    return net.generic(loc + "/relu", (y,), net.empty(loc + "/relu", y.shape),
                       ("nhwc", "nhwc"), [RELU.format("%in0")])


def add_relu(net, loc, x, shortcut):
    body = ["%sum = arith.addf %in0, %in1 : f32", RELU.format("%sum")]
    return net.generic(loc, (x, shortcut), net.empty(loc, x.shape),
                       ("nhwc", "nhwc", "nhwc"), body)


def bottleneck(net, loc, x, inner, stride, project, stride_in_3x3):
    """1x1 down, 3x3, 1x1 up, plus the shortcut."""
    first, second = (1, stride) if stride_in_3x3 else (stride, 1)
    y = conv(net, loc + "/a", x, inner, 1, first)
    y = conv(net, loc + "/b", y, inner, 3, second)
    y = conv(net, loc + "/c", y, EXPANSION * inner, 1, relu=False, gain=0.25)
    if project:
        x = conv(net, loc + "/shortcut", x, EXPANSION * inner, 1, stride,
                 relu=False)
    return add_relu(net, loc + "/add_relu", y, x)


def max_pool(net, loc, x, kernel, stride):
    x = pad(net, loc, x, kernel // 2, "%lowest")
    shape = window(x, kernel, stride, x.shape[3])
    init = net.filled(loc, shape, "%lowest")
    frame = net.empty(loc + "/window", (kernel, kernel))
    return net.named(loc, "pooling_nhwc_max", (x, frame), init,
                     window_attributes(stride))


def global_average_pool(net, loc, x):
    n, h, w, c = x.shape
    init = net.filled(loc, (n, 1, 1, c), "%zero")
    frame = net.empty(loc + "/window", (h, w))
    total = net.named(loc + "/sum", "pooling_nhwc_sum", (x, frame), init,
                      window_attributes(1))
    mean = net.generic(loc + "/mean", (total,), net.empty(loc, total.shape),
                       ("nhwc", "nhwc"),
                       [f"%count = arith.constant {h * w}.0 : f32",
                        "%result = arith.divf %in0, %count : f32"])
    return net.assign(loc + "/flat", (n, c), "f32",
                      f"tensor.collapse_shape {mean.name} [[0], [1, 2, 3]] : "
                      f"{mean.type} into")


def fully_connected(net, loc, x, classes):
    features = x.shape[1]
    net.figures.weights += features * classes
    net.figures.biases += classes
    net.figures.macs += features * classes
    weight = net.weight(loc + "/weight", (features, classes), 1 / features)
    bias = net.weight(loc + "/bias", (classes,), 0.01)
    init = net.broadcast(loc + "/start", bias, (x.shape[0], classes))
    return net.named(loc, "matmul", (x, weight), init)


def network(net, x, stride_in_3x3):
    x = conv(net, "conv1", x, 64, 7, 2)
    x = max_pool(net, "pool1", x, 3, 2)
    for stage, inner, blocks in STAGES:
        for block in range(blocks):
            first = block == 0
            stride = 2 if first and stage != "conv2" else 1
            x = bottleneck(net, f"{stage}_{block + 1}", x, inner, stride, first,
                           stride_in_3x3)
    x = global_average_pool(net, "pool5", x)
    return fully_connected(net, "fc1000", x, 1000)


def build(header, stride_in_3x3=False):
    """The paper strides in the first 1x1 of a stage; v1.5, which most
    frameworks ship, in the 3x3 (same parameters, more multiplications)."""
    net = Linalg()
    net.header(header)
    net.maps(nhwc="(n, h, w, c) -> (n, h, w, c)")
    net.open("module @resnet50 {")
    (image,) = net.function("main", [("image", (1, 224, 224, 3), "f32")],
                            [((1, 1000), "f32")])
    net.scalar("zero", "0.0")
    net.scalar("lowest", "0xFF800000")
    net.end_function([network(net, image, stride_in_3x3)])
    net.close()
    return net
