# transformer_block.py - one decoder block of a language model, linalg, f32.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pre-norm decoder block as in today's open language models: RMSNorm (Zhang and
Sennrich 2019), rotary positions (Su et al. 2021), causal attention (Vaswani et
al. 2017) and a gated MLP (Shazeer 2020). It reads a whole prompt at once and
also returns its keys and values, which a cache would keep."""

from math import prod, sqrt

from linalg_text import Linalg

SUMMARY = "decoder block, width 1024, 512 tokens, f32, linalg."

TOKENS = 512
MODEL = 1024
HEADS = 16
HEAD = MODEL // HEADS
MLP = 4 * MODEL


def rms_norm(net, loc, x):
    """x / sqrt(mean(x^2) + eps) * scale, per token."""
    net.figures.biases += MODEL
    scale = net.weight(loc + "/scale", (MODEL,),
                       1 + net.figures.biases / 1e5)
    squares = net.generic(loc + "/sum_of_squares", (x,),
                          net.filled(loc, (TOKENS,), "%zero"),
                          ("row_col", "row"),
                          ["%square = arith.mulf %in0, %in0 : f32",
                           "%result = arith.addf %out, %square : f32"],
                          reduces=True)
    inverse = net.generic(loc + "/inverse", (squares,),
                          net.empty(loc + "/inverse", (TOKENS,)),
                          ("vector", "vector"),
                          ["%mean = arith.divf %in0, %model : f32",
                           "%safe = arith.addf %mean, %epsilon : f32",
                           "%result = math.rsqrt %safe : f32"])
    return net.generic(loc, (x, inverse, scale),
                       net.empty(loc + "/scaled", x.shape),
                       ("row_col", "row", "col", "row_col"),
                       ["%unit = arith.mulf %in0, %in1 : f32",
                        "%result = arith.mulf %unit, %in2 : f32"])


def linear(net, loc, x, features, gain=1.0):
    """x * weight; these models have no bias."""
    shape = (x.shape[1], features)
    net.figures.weights += prod(shape)
    net.figures.macs += x.shape[0] * prod(shape)
    # A step per layer keeps equal shapes from holding equal constants.
    step = 1 + net.figures.weights / 1e9
    weight = net.weight(loc + "/weight", shape, gain * step / shape[0])
    init = net.filled(loc, (x.shape[0], features), "%zero")
    return net.named(loc, "matmul", (x, weight), init)


def add(net, loc, x, y):
    return net.generic(loc, (x, y), net.empty(loc, x.shape),
                       ("row_col", "row_col", "row_col"),
                       ["%result = arith.addf %in0, %in1 : f32"])


def split_heads(net, loc, x):
    return net.assign(loc + "/heads", (TOKENS, HEADS, HEAD), "f32",
                      f"tensor.expand_shape {x.name} [[0], [1, 2]] "
                      f"output_shape [{TOKENS}, {HEADS}, {HEAD}] : "
                      f"{x.type} into")


def half(net, loc, x, index):
    """Sub-tensor [:, :, index-th half]."""
    return net.assign(f"{loc}/half{index}", (TOKENS, HEADS, HEAD // 2), "f32",
                      f"tensor.extract_slice {x.name}"
                      f"[0, 0, {index * HEAD // 2}] "
                      f"[{TOKENS}, {HEADS}, {HEAD // 2}] [1, 1, 1] : "
                      f"{x.type} to")


def put_half(net, loc, part, whole, index):
    return net.assign(f"{loc}/put{index}", whole.shape, "f32",
                      f"tensor.insert_slice {part.name} into {whole.name}"
                      f"[0, 0, {index * HEAD // 2}] "
                      f"[{TOKENS}, {HEADS}, {HEAD // 2}] [1, 1, 1] : "
                      f"{part.type} into")


def rotate_half(net, loc, halves, table, op):
    """first * cos |op| second * sin, per position and pair of features."""
    return net.generic(loc, (*halves, *table), net.empty(loc, halves[0].shape),
                       ("shf", "shf", "sf", "sf", "shf"),
                       ["%left = arith.mulf %in0, %in2 : f32",
                        "%right = arith.mulf %in1, %in3 : f32",
                        f"%result = arith.{op} %left, %right : f32"])


def rotate(net, loc, x, table):
    """Rotary positions: every pair (first, second half) of a head turns."""
    first, second = half(net, loc, x, 0), half(net, loc, x, 1)
    new_first = rotate_half(net, loc + "/first", (first, second), table, "subf")
    new_second = rotate_half(net, loc + "/second", (second, first), table,
                             "addf")
    whole = net.empty(loc, x.shape)
    whole = put_half(net, loc, new_first, whole, 0)
    return put_half(net, loc, new_second, whole, 1)


def batch_matmul(net, loc, x, y):
    """[heads, m, k] * [heads, k, n]."""
    shape = (x.shape[0], x.shape[1], y.shape[2])
    net.figures.macs += prod(shape) * x.shape[2]
    init = net.filled(loc, shape, "%zero")
    return net.named(loc, "batch_matmul", (x, y), init)


def masked(net, loc, scores):
    """Scales, and hides later tokens from earlier ones."""
    return net.generic(loc, (scores,), net.empty(loc, scores.shape),
                       ("hqk", "hqk"),
                       ["%query = linalg.index 1 : index",
                        "%key = linalg.index 2 : index",
                        "%seen = arith.cmpi ule, %key, %query : index",
                        "%scaled = arith.mulf %in0, %head_scale : f32",
                        "%result = arith.select %seen, %scaled, %lowest : f32"])


def softmax(net, loc, x):
    """Along the last axis, shifted by the maximum."""
    rows = x.shape[:2]
    largest = net.generic(loc + "/max", (x,),
                          net.filled(loc + "/max", rows, "%lowest"),
                          ("hqk", "hq"),
                          ["%result = arith.maximumf %out, %in0 : f32"],
                          reduces=True)
    powers = net.generic(loc + "/exp", (x, largest),
                         net.empty(loc + "/exp", x.shape), ("hqk", "hq", "hqk"),
                         ["%shifted = arith.subf %in0, %in1 : f32",
                          "%result = math.exp %shifted : f32"])
    total = net.generic(loc + "/sum", (powers,),
                        net.filled(loc + "/sum", rows, "%zero"), ("hqk", "hq"),
                        ["%result = arith.addf %out, %in0 : f32"], reduces=True)
    return net.generic(loc, (powers, total), net.empty(loc, x.shape),
                       ("hqk", "hq", "hqk"),
                       ["%result = arith.divf %in0, %in1 : f32"])


def attention(net, x, table):
    """Returns the projected context, and keys and values for a cache."""
    loc = "attention"
    query, key, value = (
        split_heads(net, name, linear(net, name, x, MODEL))
        for name in (f"{loc}/query", f"{loc}/key", f"{loc}/value"))
    query = rotate(net, loc + "/query/rotary", query, table)
    key = rotate(net, loc + "/key/rotary", key, table)
    scores = batch_matmul(net, loc + "/scores",
                          net.transpose(loc + "/query/t", query, (1, 0, 2)),
                          net.transpose(loc + "/key/t", key, (1, 2, 0)))
    scores = masked(net, loc + "/masked", scores)
    weights = softmax(net, loc + "/softmax", scores)
    context = batch_matmul(net, loc + "/context", weights,
                           net.transpose(loc + "/value/t", value, (1, 0, 2)))
    context = net.transpose(loc + "/context/t", context, (1, 0, 2))
    merged = net.assign(loc + "/merged", (TOKENS, MODEL), "f32",
                        f"tensor.collapse_shape {context.name} [[0], [1, 2]] : "
                        f"{context.type} into")
    return linear(net, loc + "/output", merged, MODEL), key, value


def gated_mlp(net, x):
    """down(silu(gate(x)) * up(x))."""
    gate = linear(net, "mlp/gate", x, MLP)
    up = linear(net, "mlp/up", x, MLP, gain=0.5)
    gated = net.generic("mlp/silu_mul", (gate, up),
                        net.empty("mlp/silu_mul", gate.shape),
                        ("row_col", "row_col", "row_col"),
                        ["%minus = arith.negf %in0 : f32",
                         "%power = math.exp %minus : f32",
                         "%denominator = arith.addf %power, %one : f32",
                         "%silu = arith.divf %in0, %denominator : f32",
                         "%result = arith.mulf %silu, %in1 : f32"])
    return linear(net, "mlp/down", gated, MODEL)


def scalars(net):
    net.scalar("zero", "0.0")
    net.scalar("one", "1.0")
    net.scalar("lowest", "0xFF800000")
    net.scalar("epsilon", "1.0e-05")
    net.scalar("model", f"{MODEL}.0")
    net.scalar("head_scale", f"{1 / sqrt(HEAD):.6e}")


def build(header):
    net = Linalg()
    net.header(header)
    net.maps(row_col="(i, j) -> (i, j)", row="(i, j) -> (i)",
             col="(i, j) -> (j)", vector="(i) -> (i)",
             shf="(s, h, f) -> (s, h, f)", sf="(s, h, f) -> (s, f)",
             hqk="(h, q, k) -> (h, q, k)", hq="(h, q, k) -> (h, q)")
    net.open("module @transformer_block {")
    rotary = ((TOKENS, HEAD // 2), "f32")
    hidden, cosine, sine = net.function(
        "main",
        [("hidden", (TOKENS, MODEL), "f32"), ("cosine", *rotary),
         ("sine", *rotary)],
        [((TOKENS, MODEL), "f32")] + 2 * [((TOKENS, HEADS, HEAD), "f32")])
    scalars(net)
    context, key, value = attention(
        net, rms_norm(net, "attention_norm", hidden), (cosine, sine))
    x = add(net, "attention_residual", hidden, context)
    y = gated_mlp(net, rms_norm(net, "mlp_norm", x))
    x = add(net, "mlp_residual", x, y)
    net.end_function([x, key, value])
    net.close()
    return net
