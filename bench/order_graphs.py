# order_graphs.py - graphs of operators, written from the papers that describe the
# networks, in the format of docs/graph-json.md.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import random


class Graph:
    def __init__(self):
        self.ops, self.tensors, self.edges, self.reuses = [], [], [], []

    def input(self, size, kept=False):
        self.tensors.append({"bytes": size, "users": [], "kept": kept})
        return len(self.tensors) - 1

    def op(self, name, inputs, size, scratch=0, inplace=False, parts=False):
        """An op with one result; returns the result's tensor."""
        op = len(self.ops)
        self.ops.append({"name": name, "scratch": scratch} if scratch else {"name": name})
        for tensor in sorted(set(inputs)):
            self.tensors[tensor]["users"].append(op)
        self.tensors.append({"bytes": size, "producer": op, "users": []})
        out = len(self.tensors) - 1
        if inplace or parts:
            for tensor in sorted(set(inputs)):
                self.reuses.append({"output": out, "input": tensor, "part": parts})
        return out

    def keep(self, tensor):
        self.tensors[tensor]["kept"] = True

    def text(self):
        return json.dumps({"format": "gmem-graph", "version": 1, "ops": self.ops, "tensors": self.tensors,
                           "edges": self.edges, "reuses": self.reuses})


def finish(g, tensor):
    g.keep(g.op("pool", [tensor], 4096))
    return g


# --- irregularly wired networks ------------------------------------------------

def watts_strogatz(n, k, p, rng):
    """Watts and Strogatz 1998, as RandWire uses it: edges by number."""
    edges = set()
    for i in range(n):
        for step in range(1, k // 2 + 1):
            edges.add((i, (i + step) % n))
    for step in range(1, k // 2 + 1):
        for i in range(n):
            if rng.random() < p:
                free = [j for j in range(n) if j != i and (i, j) not in edges and (j, i) not in edges]
                if free and (i, (i + step) % n) in edges:
                    edges.remove((i, (i + step) % n))
                    edges.add((i, rng.choice(free)))
    return {(min(e), max(e)) for e in edges}


def randwire(seed, nodes=32, k=4, p=0.75, stages=3, size=56, channels=78):
    """Xie et al. 2019 (RandWire, WS): a node sums its inputs (with weights), then
    ReLU, separable convolution, batch norm; a stage halves the image."""
    g, rng = Graph(), random.Random(seed)
    x = g.input(2 * size * 2 * size * 3 * 4)
    x = g.op("stem", [x], size * size * channels * 4)
    for stage in range(stages):
        size //= 2
        width = channels * 2 ** stage
        bytes_ = size * size * width * 4
        edges = watts_strogatz(nodes, k, p, rng)
        out = {}
        for n in range(nodes):
            inputs = [out[a] for a, b in sorted(edges) if b == n]
            source = not inputs
            total = x if source else inputs[0] if len(inputs) == 1 else g.op(f"s{stage}n{n}.sum", inputs, bytes_, inplace=True)
            out[n] = g.op(f"s{stage}n{n}.conv", [total], bytes_)
        sinks = [out[n] for n in range(nodes) if not any(a == n for a, _ in edges)]
        x = g.op(f"s{stage}.mean", sinks, bytes_, inplace=True) if len(sinks) > 1 else sinks[0]
    return finish(g, x)


def sep(g, name, x, size):
    """A separable convolution: depthwise, then pointwise."""
    return g.op(name + ".pw", [g.op(name + ".dw", [x], size)], size)


def nasnet(cells, size=28, filters=44):
    """Zoph et al. 2018, NASNet-A: five blocks from the outputs of the two cells before."""
    g = Graph()
    image = g.input(4 * size * size * 3 * 4)
    prev2 = prev = g.op("stem", [image], size * size * filters * 4)
    for cell in range(cells):
        reduce = cell in (cells // 3, 2 * cells // 3)
        if reduce:
            size, filters = size // 2, filters * 2
        b = size * size * filters * 4
        h1 = g.op(f"c{cell}.fit1", [prev], b)
        h0 = g.op(f"c{cell}.fit0", [prev2], b)
        add = lambda n, x, y: g.op(f"c{cell}.add{n}", [x, y], b, inplace=True)
        pool = lambda n, x: g.op(f"c{cell}.pool{n}", [x], b)
        s = lambda n, x: sep(g, f"c{cell}.sep{n}", sep(g, f"c{cell}.sep{n}a", x, b), b)
        if not reduce:
            blocks = [add(0, s(0, h1), h1), add(1, s(1, h0), s(2, h1)), add(2, pool(0, h1), h0),
                      add(3, pool(1, h0), pool(2, h0)), add(4, s(3, h0), s(4, h0))]
            out = [h0] + blocks
        else:
            x0 = add(0, s(0, h1), s(1, h0))
            x1 = add(1, pool(0, h1), s(2, h0))
            x2 = add(2, pool(1, h1), s(3, h0))
            x3 = add(3, pool(2, h1), s(4, x0))
            x4 = add(4, pool(3, x0), x1)
            out = [x1, x2, x3, x4]
        prev2, prev = prev, g.op(f"c{cell}.concat", out, len(out) * b, parts=True)
    return finish(g, prev)


def darts(cells, size=28, filters=48):
    """Liu et al. 2019, DARTS_V2: four nodes, each the sum of two ops, concatenated."""
    g = Graph()
    image = g.input(4 * size * size * 3 * 4)
    prev2 = prev = g.op("stem", [image], size * size * filters * 4)
    normal = [("sep", 0, "sep", 1), ("sep", 0, "sep", 1), ("sep", 1, "skip", 0), ("skip", 0, "dil", 2)]
    reduction = [("pool", 0, "pool", 1), ("skip", 2, "pool", 1), ("pool", 0, "skip", 2), ("skip", 2, "pool", 1)]
    for cell in range(cells):
        reduce = cell in (cells // 3, 2 * cells // 3)
        if reduce:
            size, filters = size // 2, filters * 2
        b = size * size * filters * 4
        state = [g.op(f"c{cell}.pre0", [prev2], b), g.op(f"c{cell}.pre1", [prev], b)]
        for n, (o1, i1, o2, i2) in enumerate(reduction if reduce else normal):
            parts = []
            for which, (o, i) in enumerate(((o1, i1), (o2, i2))):
                name = f"c{cell}.n{n}.{which}{o}"
                parts.append(state[i] if o == "skip" else g.op(name, [state[i]], b) if o == "pool" else
                             sep(g, name, state[i], b) if o == "dil" else sep(g, name, sep(g, name + "a", state[i], b), b))
            state.append(g.op(f"c{cell}.add{n}", parts, b, inplace=True))
        prev2, prev = prev, g.op(f"c{cell}.concat", state[2:], 4 * b, parts=True)
    return finish(g, prev)


def swiftnet(seed, cells=3, nodes=9, size=28, channels=32):
    """SwiftNet (Cheng et al. 2019) as Serenity describes it: three cells of an
    irregular wiring, each node a convolution of a concatenation."""
    g, rng = Graph(), random.Random(seed)
    x = g.op("stem", [g.input(4 * size * size * 3)], size * size * channels)
    for cell in range(cells):
        widths, out = [channels * rng.choice((1, 1, 2)) for _ in range(nodes)], [x]
        for n in range(nodes):
            chosen = sorted(rng.sample(range(max(0, len(out) - 5), len(out)), min(len(out), rng.choice((1, 2, 2, 3)))))
            inputs = [out[c] for c in chosen]
            total = sum(g.tensors[t]["bytes"] for t in inputs)
            joined = inputs[0] if len(inputs) == 1 else g.op(f"c{cell}n{n}.concat", inputs, total)
            out.append(g.op(f"c{cell}n{n}.conv", [joined], size * size * widths[n]))
        unused = [t for t in out if not g.tensors[t]["users"]]
        x = g.op(f"c{cell}.concat", unused, sum(g.tensors[t]["bytes"] for t in unused)) if len(unused) > 1 else unused[0]
        size, channels = size // 2, channels * 2
        x = g.op(f"c{cell}.reduce", [x], size * size * channels)
    return finish(g, x)


# --- regular networks ------------------------------------------------------------

def inception(modules=9, size=28):
    g = Graph()
    x = g.op("stem", [g.input(224 * 224 * 3 * 4)], size * size * 192 * 4)
    for m in range(modules):
        px = size * size * 4
        a = g.op(f"m{m}.1x1", [x], px * 64)
        b = g.op(f"m{m}.3x3", [g.op(f"m{m}.3x3r", [x], px * 96)], px * 128)
        c = g.op(f"m{m}.5x5", [g.op(f"m{m}.5x5r", [x], px * 16)], px * 32)
        d = g.op(f"m{m}.proj", [g.op(f"m{m}.pool", [x], g.tensors[x]["bytes"])], px * 32)
        x = g.op(f"m{m}.concat", [a, b, c, d], px * 256, parts=True)
        if m in (1, 6):
            size //= 2
            x = g.op(f"m{m}.max", [x], size * size * 256 * 4)
    return finish(g, x)


def densenet(blocks=(6, 12, 24, 16), growth=32, size=56):
    g = Graph()
    channels = 64
    x = g.op("stem", [g.input(224 * 224 * 3 * 4)], size * size * channels * 4)
    for i, layers in enumerate(blocks):
        for layer in range(layers):
            px = size * size * 4
            norm = g.op(f"b{i}l{layer}.norm", [x], px * channels)
            new = g.op(f"b{i}l{layer}.conv", [g.op(f"b{i}l{layer}.1x1", [norm], px * 4 * growth)], px * growth)
            channels += growth
            x = g.op(f"b{i}l{layer}.concat", [x, new], px * channels, parts=True)
        if i + 1 < len(blocks):
            channels //= 2
            size //= 2
            x = g.op(f"t{i}.pool", [g.op(f"t{i}.conv", [x], 4 * size * size * channels * 4)], size * size * channels * 4)
    return finish(g, x)


def unet(depth=4, size=256, channels=32):
    g = Graph()
    x, skips = g.input(size * size * 4 * 3), []
    for d in range(depth):
        x = g.op(f"e{d}b", [g.op(f"e{d}a", [x], size * size * channels * 4)], size * size * channels * 4)
        skips.append(x)
        size, channels = size // 2, channels * 2
        x = g.op(f"e{d}pool", [x], size * size * channels * 2)
    for d in reversed(range(depth)):
        size, channels = size * 2, channels // 2
        up = g.op(f"d{d}up", [x], size * size * channels * 4)
        joined = g.op(f"d{d}cat", [up, skips[d]], 2 * size * size * channels * 4, parts=True)
        x = g.op(f"d{d}conv", [joined], size * size * channels * 4)
    return finish(g, x)


def transformer(layers=4, heads=32, tokens=256, width=2048):
    """Vaswani et al. 2017, every head by itself."""
    g = Graph()
    x = g.input(tokens * width * 2)
    for l in range(layers):
        n = g.op(f"l{l}.norm", [x], tokens * width * 2)
        outs = []
        for h in range(heads):
            hb = tokens * width // heads * 2
            q, k, v = (g.op(f"l{l}h{h}.{c}", [n], hb) for c in "qkv")
            scores = g.op(f"l{l}h{h}.scores", [q, k], tokens * tokens * 2)
            soft = g.op(f"l{l}h{h}.softmax", [scores], tokens * tokens * 2, inplace=True)
            outs.append(g.op(f"l{l}h{h}.values", [soft, v], hb))
        joined = g.op(f"l{l}.concat", outs, tokens * width * 2, parts=True)
        x = g.op(f"l{l}.add", [x, g.op(f"l{l}.proj", [joined], tokens * width * 2)], tokens * width * 2, inplace=True)
        n = g.op(f"l{l}.norm2", [x], tokens * width * 2)
        up = g.op(f"l{l}.up", [n], tokens * width * 8)
        act = g.op(f"l{l}.gelu", [up], tokens * width * 8, inplace=True)
        x = g.op(f"l{l}.add2", [x, g.op(f"l{l}.down", [act], tokens * width * 2)], tokens * width * 2, inplace=True)
    return finish(g, x)


def moe(layers=4, experts=16, tokens=256, width=1024):
    """Shazeer et al. 2017: a gate, experts on their tokens, the weighted sum."""
    g = Graph()
    x = g.input(tokens * width * 2)
    for l in range(layers):
        gate = g.op(f"l{l}.gate", [x], tokens * experts * 4)
        outs = []
        for e in range(experts):
            part = g.op(f"l{l}e{e}.take", [x, gate], tokens * width * 2 // 4)
            up = g.op(f"l{l}e{e}.up", [part], tokens * width * 8 // 4)
            outs.append(g.op(f"l{l}e{e}.down", [up], tokens * width * 2 // 4))
        x = g.op(f"l{l}.combine", outs + [gate], tokens * width * 2)
    return finish(g, x)


def training(layers, seed=0, branches=False):
    """A chain of layers forward and backward; gradients of weights, then the update
    of each weight in place, all given after the whole backward pass."""
    g, rng = Graph(), random.Random(seed)
    sizes = [rng.choice((1, 1, 2, 4)) << 16 for _ in range(layers + 1)]
    weights = [g.input(rng.choice((1, 2, 8)) << 16, kept=True) for _ in range(layers)]
    acts = [g.input(sizes[0])]
    for i in range(layers):
        inputs = [acts[-1], weights[i]]
        if branches and i % 3 == 2:
            inputs.append(acts[-3])
        acts.append(g.op(f"f{i}", inputs, sizes[i + 1]))
    grad = g.op("loss", [acts[-1]], sizes[-1])
    grads = []
    for i in reversed(range(layers)):
        grads.append((i, g.op(f"w{i}", [acts[i], grad], g.tensors[weights[i]]["bytes"])))
        if i:
            grad = g.op(f"b{i}", [grad, weights[i], acts[i]], sizes[i])
    for i, t in grads:
        g.op(f"u{i}", [t, weights[i]], 0)
    return g


# --- random graphs ---------------------------------------------------------------

def layered(n, width, seed):
    g, rng = Graph(), random.Random(seed)
    layer = [g.input(1 << 14)]
    while len(g.ops) < n:
        new = []
        for _ in range(width):
            inputs = rng.sample(layer, min(len(layer), rng.choice((1, 1, 2, 3))))
            new.append(g.op(f"o{len(g.ops)}", inputs, rng.randrange(1, 64) << 10))
        layer = new + [t for t in layer if not g.tensors[t]["users"]]
    return finish_all(g)


def finish_all(g):
    ends = [t for t in range(len(g.tensors)) if not g.tensors[t]["users"]]
    g.keep(g.op("end", ends, 1 << 10))
    return g


def series_parallel(n, seed):
    g, rng = Graph(), random.Random(seed)

    def build(x, budget):
        if budget <= 2:
            return g.op(f"o{len(g.ops)}", [x], rng.randrange(1, 64) << 10)
        if rng.random() < 0.5:
            half = rng.randrange(1, budget)
            return build(build(x, half), budget - half)
        count = rng.choice((2, 2, 3))
        return g.op(f"o{len(g.ops)}", [build(x, budget // count) for _ in range(count)], rng.randrange(1, 64) << 10)

    x = g.op("begin", [g.input(1 << 14)], 1 << 14)
    while len(g.ops) < n:
        x = build(x, min(40, n - len(g.ops)))
    return finish(g, x)


def families(full=False):
    """(family, name, graph maker); those of |full| take longer."""
    few, some = range(3 if not full else 10), range(5 if not full else 20)
    for s in range(10 if not full else 40):
        yield "RandWire WS(32,4,0.75)", f"randwire-{s}", lambda s=s: randwire(s)
    for c in (6, 12, 18):
        yield "NASNet-A", f"nasnet-{c}", lambda c=c: nasnet(c)
    for c in (8, 14, 20):
        yield "DARTS", f"darts-{c}", lambda c=c: darts(c)
    for s in some:
        yield "SwiftNet cells", f"swiftnet-{s}", lambda s=s: swiftnet(s)
    yield "Inception", "inception", inception
    yield "DenseNet", "densenet", densenet
    yield "U-Net", "unet", unet
    for h in (8, 32):
        yield "transformer", f"transformer-{h}", lambda h=h: transformer(heads=h)
    for e in (8, 64):
        yield "mixture of experts", f"moe-{e}", lambda e=e: moe(experts=e)
    for n in (50, 150, 500, 1500, 5000):
        yield "training", f"training-{n}", lambda n=n: training(n)
        yield "training", f"training-skip-{n}", lambda n=n: training(n, 1, True)
    for s in few:
        for n in (50, 200, 1000):
            yield "random series-parallel", f"sp-{n}-{s}", lambda s=s, n=n: series_parallel(n, s)
            yield "random layered", f"layered-{n}-{s}", lambda s=s, n=n: layered(n, 8, s)
