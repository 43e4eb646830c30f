# npu_unet.py - a U-Net for an accelerator with an unregistered dialect.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A U-Net (Ronneberger, Fischer, Brox 2015) with "same" padding and half the
paper's channels, and self-attention at the bottleneck, in an unregistered
dialect `npu.*`. Convolutions are int8, attention and head bf16. It shows the
output of an accelerator compiler after it has formed layer groups:

* `npu.group` with a region, marked gmem.layer_group: loads into local memory,
  several layers, stores, a yield;
* flat groups: neighbours that share one gmem.layer_group = N;
* ops outside groups, skip connections with long live ranges, concatenations,
  reshapes.

mlir-opt cannot verify the shapes of a dialect that is not registered: every
shape below is inferred by the function that writes the op."""

from contextlib import contextmanager
from math import prod

from mlir_text import Text, names, pooled_size, types

SUMMARY = "U-Net in layer groups, 256x256, int8 and bf16, npu.* ops."

BASE = 32  # channels at full resolution
CLASSES = 21
LOCAL_MEMORY_BYTES = 2 << 20


class Npu(Text):
    """npu.* ops in generic form, NCHW."""

    flat_group = None  # id written on every op while a flat group is open

    def op(self, loc, name, inputs, shape, element, attributes=()):
        attributes = list(attributes)
        if self.flat_group is not None:
            attributes.append(f"gmem.layer_group = {self.flat_group} : i64")
        text = f" {{{', '.join(attributes)}}}" if attributes else ""
        return self.assign(loc, shape, element,
                           f'"npu.{name}"({names(inputs)}){text} : '
                           f"({types(inputs)}) ->")

    def weight(self, loc, shape, element):
        return self.op(loc, "weight", (), shape, element)

    def same(self, loc, name, x, attributes=()):
        """An op whose result has its operand's type."""
        return self.op(loc, name, (x,), x.shape, x.element, attributes)

    @contextmanager
    def flat(self, group):
        """Ops written inside belong to flat layer group |group|."""
        self.flat_group = group
        yield
        self.flat_group = None


class Kernel:
    """Weights of one convolution, written before the op (or group) using them.
    """

    def __init__(self, net, loc, cin, cout, size, element="i8"):
        self.size = size
        self.cout = cout
        net.figures.weights += cout * cin * size * size
        net.figures.biases += cout
        self.weight = net.weight(loc + "/weight", (cout, cin, size, size),
                                 element)
        self.bias = net.weight(loc + "/bias", (1, cout, 1, 1),
                               "i32" if element == "i8" else "f32")

    @property
    def values(self):
        return self.weight, self.bias


def conv(net, loc, x, kernel, values=None, relu=True):
    """Stride 1, "same" padding. |values| are the loaded weights, in a group."""
    n, _, h, w = x.shape
    size, pad = kernel.size, kernel.size // 2
    shape = (n, kernel.cout, pooled_size(h, size, 1, pad, pad),
             pooled_size(w, size, 1, pad, pad))
    net.figures.macs += prod(shape) * x.shape[1] * size * size
    attributes = [f"kernel_shape = [{size}, {size}]", "strides = [1, 1]",
                  f"pads = [{pad}, {pad}, {pad}, {pad}]",
                  f"do_relu = {str(relu).lower()}"]
    return net.op(loc, "conv", (x, *(values or kernel.values)), shape,
                  x.element, attributes)


def upsample_conv(net, loc, x):
    """2x2 transposed convolution with stride 2 and half the channels."""
    n, c, h, w = x.shape
    kernel = Kernel(net, loc, c, c // 2, 2)
    net.figures.macs += n * c * (c // 2) * h * w * 4
    return net.op(loc, "deconv", (x, *kernel.values), (n, c // 2, 2 * h, 2 * w),
                  x.element, ["kernel_shape = [2, 2]", "strides = [2, 2]"])


def max_pool(net, loc, x):
    n, c, h, w = x.shape
    return net.op(loc, "max_pool", (x,), (n, c, h // 2, w // 2), x.element,
                  ["kernel_shape = [2, 2]", "strides = [2, 2]"])


def concat(net, loc, inputs):
    n, _, h, w = inputs[0].shape
    assert all(x.shape[2:] == (h, w) for x in inputs)
    channels = sum(x.shape[1] for x in inputs)
    return net.op(loc, "concat", inputs, (n, channels, h, w), inputs[0].element,
                  ["axis = 1 : i64"])


def cast(net, loc, x, element):
    return net.op(loc, "cast", (x,), x.shape, element)


def reshape(net, loc, x, shape):
    assert prod(shape) == prod(x.shape)
    return net.op(loc, "reshape", (x,), shape, x.element,
                  [f"shape = {list(shape)}"])


def permute(net, loc, x, order):
    return net.op(loc, "permute", (x,), [x.shape[axis] for axis in order],
                  x.element, [f"order = {list(order)}"])


def matmul(net, loc, x, y, transpose_y=False):
    """[n, m, k] * [n, k, c], or * [n, c, k] transposed."""
    inner, columns = (2, 1) if transpose_y else (1, 2)
    assert x.shape[2] == y.shape[inner]
    shape = (*x.shape[:2], y.shape[columns])
    net.figures.macs += prod(shape) * x.shape[2]
    return net.op(loc, "matmul", (x, y), shape, x.element,
                  [f"transpose_rhs = {str(transpose_y).lower()}"])


def add(net, loc, x, y):
    assert x.type == y.type
    return net.op(loc, "add", (x, y), x.shape, x.element)


def load(net, x, loc):
    return net.same(loc + "/load", "load", x)


def total_bytes(values):
    return sum(value.size_bytes for value in values)


def slice_count(activations, weights):
    """Horizontal slices, a power of two, such that the slices of all
    activations fit beside the weights. Rows that neighbours share are not
    counted."""
    room = LOCAL_MEMORY_BYTES - total_bytes(weights)
    assert room > 0
    count = 1
    while total_bytes(activations) > count * room:
        count *= 2
    return count


def group_body(net, loc, x, kernels, pool):
    """Inside of a group: returns what it stores, and its activations."""
    y = load(net, x, loc + "/in")
    local = [y]
    for index, kernel in enumerate(kernels, 1):
        values = [load(net, value, f"{loc}/{name}{index}") for name, value
                  in zip(("weight", "bias"), kernel.values)]
        y = conv(net, f"{loc}/local{index}", y, kernel, values)
        local.append(y)
    stored = [net.same(loc + "/store", "store", y)]
    if pool:
        y = max_pool(net, loc + "/local_pool", y)
        local.append(y)
        stored.append(net.same(loc + "/store_pool", "store", y))
    return stored, local


def group(net, loc, x, channels, pool):
    """Two 3x3 convolutions in local memory (and pooling, with |pool|): a region
    op. Its results, named |loc| and |loc|/pool, are all that is global."""
    kernels = [Kernel(net, f"{loc}/conv{i}", cin, channels, 3)
               for i, cin in ((1, x.shape[1]), (2, channels))]
    n, _, h, w = x.shape
    results = [net.name(loc, (n, channels, h, w), x.element)]
    if pool:
        shape = (n, channels, h // 2, w // 2)
        results.append(net.name(loc + "/pool", shape, x.element))
    net.open(f'{names(results)} = "npu.group"({x.name}) ({{')
    stored, local = group_body(net, loc, x, kernels, pool)
    assert types(stored) == types(results)
    net.line(f'"npu.yield"({names(stored)}) : ({types(stored)}) -> ()')
    weights = [value for kernel in kernels for value in kernel.values]
    where = f'fused["{loc}", "{loc}/pool"]' if pool else f'"{loc}"'
    net.close("}) {gmem.layer_group, "
              f"h_slices = {slice_count(local, weights)} : i64}}"
              f" : ({x.type}) -> ({types(results)}) loc({where})")
    return results


def flat_group(net, loc, x, channels, pool, group_id):
    """The same layers as flat ops that share |group_id|."""
    kernels = [Kernel(net, f"{loc}/conv{i}", cin, channels, 3)
               for i, cin in ((1, x.shape[1]), (2, channels))]
    with net.flat(group_id):
        y = conv(net, loc + "/conv1", x, kernels[0])
        y = conv(net, loc + "/conv2", y, kernels[1])
        return [y, max_pool(net, loc + "/pool", y)] if pool else [y]


def loose(net, loc, x, channels):
    """Two convolutions outside of any group: each result is global."""
    for i in (1, 2):
        kernel = Kernel(net, f"{loc}/conv{i}", x.shape[1], channels, 3)
        x = conv(net, f"{loc}/conv{i}", x, kernel)
    return x


def projection(net, loc, x):
    """x * square matrix, bf16."""
    features = x.shape[2]
    net.figures.weights += features * features
    weight = net.weight(loc + "/weight", (1, features, features), "bf16")
    return matmul(net, loc, x, weight)


def attention(net, loc, x):
    """Self-attention over the pixels of the coarsest level, in bf16."""
    n, c, h, w = x.shape
    pixels = reshape(net, loc + "/flatten", cast(net, loc + "/to_bf16", x,
                                                 "bf16"), (n, c, h * w))
    tokens = permute(net, loc + "/tokens", pixels, (0, 2, 1))
    query, key, value = (projection(net, f"{loc}/{name}", tokens)
                         for name in ("query", "key", "value"))
    scores = matmul(net, loc + "/scores", query, key, transpose_y=True)
    weights = net.same(loc + "/softmax", "softmax", scores, ["axis = 2 : i64"])
    context = matmul(net, loc + "/context", weights, value)
    y = add(net, loc + "/residual", tokens,
            projection(net, loc + "/output", context))
    y = permute(net, loc + "/pixels", y, (0, 2, 1))
    y = reshape(net, loc + "/unflatten", y, (n, c, h, w))
    return cast(net, loc + "/to_i8", y, "i8")


def encoder(net, x):
    """Returns the four skip connections, finest first, and the coarsest x."""
    skips = []
    for level in range(4):
        loc, channels = f"down{level + 1}", BASE << level
        if level == 2:
            skip, x = flat_group(net, loc, x, channels, True, 3)
        else:
            skip, x = group(net, loc, x, channels, True)
        skips.append(skip)
    return skips, x


def decoder(net, skips, x):
    for level in reversed(range(4)):
        loc, channels = f"up{level + 1}", BASE << level
        x = upsample_conv(net, loc + "/upsample", x)
        x = concat(net, loc + "/concat", (skips[level], x))
        if level == 1:
            (x,) = flat_group(net, loc, x, channels, False, 4)
        else:
            (x,) = group(net, loc, x, channels, False)
    return x


def unet(net, image_type, logits_type):
    (x,) = net.function("unet", [("quantized", *image_type)], [logits_type],
                        'npu.unit = "accelerator"')
    skips, x = encoder(net, x)
    x = loose(net, "bottom", x, BASE << 4)
    x = attention(net, "attention", x)
    x = cast(net, "head/to_bf16", decoder(net, skips, x), "bf16")
    kernel = Kernel(net, "head", BASE, CLASSES, 1, "bf16")
    x = conv(net, "head", x, kernel, relu=False)
    assert (x.shape, x.element) == logits_type
    net.end_function([x])


def postprocess(net, logits_type, labels_type):
    """Class probabilities and labels, on the host's side."""
    (x,) = net.function("postprocess", [("logits", *logits_type)],
                        [(logits_type[0], "f32"), labels_type],
                        'npu.unit = "host"')
    scores = net.same("scores", "softmax", cast(net, "logits_f32", x, "f32"),
                      ["axis = 1 : i64"])
    best = net.op("argmax", "argmax", (scores,),
                  (1, 1, *logits_type[0][2:]), "i32", ["axis = 1 : i64"])
    net.end_function([scores, reshape(net, "labels", best, labels_type[0])])


def main(net, image_type, quantized_type, logits_type, labels_type):
    (image,) = net.function("main", [("image", *image_type)],
                            [(logits_type[0], "f32"), labels_type])
    x = net.same("input", "input", image)
    x = net.op("quantize", "cast", (x,), *quantized_type)
    logits = net.assign("unet", *logits_type,
                        f"func.call @unet({x.name}) : ({x.type}) ->")
    scores = net.name("scores", logits_type[0], "f32")
    labels = net.name("labels", *labels_type)
    results = (scores, labels)
    net.line(f"{names(results)} = func.call @postprocess({logits.name}) : "
             f"({logits.type}) -> ({types(results)}) "
             'loc(fused["scores", "labels"])')
    net.end_function(results)


def build(header):
    net = Npu()
    net.header(header)
    size = (256, 256)
    image, quantized = ((1, 3, *size), "f32"), ((1, 3, *size), "i8")
    logits, labels = ((1, CLASSES, *size), "bf16"), ((1, *size), "i32")
    net.open(f"module @npu_unet attributes {{npu.local_memory_bytes = "
             f"{LOCAL_MEMORY_BYTES} : i64}} {{")
    main(net, image, quantized, logits, labels)
    unet(net, quantized, logits)
    postprocess(net, logits, labels)
    net.close()
    return net
