#!/usr/bin/env python3
# bench_decode_layer.py - what each rank needs for a decode layer of a large language
# model (grouped-query attention on a cache, gated MLP) that is split over many
# ranks: bench/bench_decode_layer.py [--ranks=8,64] [--json] BUILD_FOLDER
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks are a grid of two axes: sequences are split over the first, the groups of
heads and the MLP over the second, which has at most as many ranks as there are
groups. Sizes of models are those that their makers published."""
import argparse
import json
import os
import subprocess

MODELS = {  # width, heads, groups of heads, depth of a head, hidden width
    "8B": (4096, 32, 8, 128, 14336),
    "70B": (8192, 64, 8, 128, 28672),
}
SEQUENCES, POSITIONS = 64, 8192
MULTIPLY = ("%p = arith.mulf %a0, %a1 : bf16\n    %n = arith.addf %acc, %p : bf16\n"
            "    linalg.yield %n : bf16")


def tensor(*sizes):
    return "tensor<" + "x".join(map(str, sizes)) + "xbf16>"


class Layer:
    def __init__(self):
        self.lines = []

    def line(self, text):
        self.lines.append("  " + text)

    def shard(self, name, how, type_):
        self.line(f"%{name}_s = shard.shard %{name} to %{how} annotate_for_users : {type_}")

    def op(self, name, iterators, maps, operands, types, type_, body, value="%zero"):
        """linalg.generic; |maps| are the loops that index operands and result."""
        self.line(f"%e_{name} = tensor.empty() : {type_}")
        self.line(f"%i_{name} = linalg.fill ins({value} : bf16) outs(%e_{name} : {type_}) -> {type_}")
        loops = ", ".join(iterators)
        listed = ", ".join(f"affine_map<({loops}) -> ({', '.join(one)})>" for one in maps)
        kinds = ", ".join('"parallel"' if one in maps[-1] else '"reduction"' for one in iterators)
        self.line(f"%{name} = linalg.generic {{indexing_maps = [{listed}], iterator_types = [{kinds}]}} "
                  f"ins({', '.join(operands)} : {', '.join(types)}) outs(%i_{name} : {type_}) {{")
        scalars = [f"%a{i}" for i in range(len(operands))] + ["%acc"]
        self.line("^bb0(" + ", ".join(f"{one}: bf16" for one in scalars) + "):")
        self.line("  " + body)
        self.line(f"}} -> {type_}")


def network(model, ranks):
    width, heads, groups, depth, hidden = MODELS[model]
    group = heads // groups
    parts = min(ranks, groups)
    b, t = SEQUENCES, POSITIONS
    x, into, back = tensor(b, width), tensor(groups, group, width, depth), tensor(groups, group, depth, width)
    cache, query, score = tensor(groups, b, t, depth), tensor(groups, group, b, depth), tensor(groups, group, b, t)
    row, up, down, inner = tensor(groups, group, b), tensor(width, hidden), tensor(hidden, width), tensor(b, hidden)
    arguments = [("x", x, "batch"), ("wq", into, "groups"), ("wo", back, "groups"), ("k", cache, "cached"),
                 ("v", cache, "cached"), ("gate", up, "columns"), ("up", up, "columns"), ("down", down, "rows")]
    layer = Layer()
    shardings = {"batch": "[0], []", "groups": "[1], [], [], []", "cached": "[1], [0], [], []",
                 "columns": "[], [1]", "rows": "[1], []"}
    for name, axes in shardings.items():
        layer.line(f"%{name} = shard.sharding @grid split_axes = [{axes}] : !shard.sharding")
    for name, type_, how in arguments:
        layer.shard(name, how, type_)
    layer.line("%zero = arith.constant 0.0 : bf16")
    layer.line("%low = arith.constant -1.0e30 : bf16")
    add = "%p = arith.addf %acc, %a0 : bf16\n    linalg.yield %p : bf16"
    layer.op("q", "grbed", ["bd", "grde", "grbe"], ["%x_s", "%wq_s"], [x, into], query, MULTIPLY)
    layer.op("score", "grbte", ["grbe", "gbte", "grbt"], ["%q", "%k_s"], [query, cache], score, MULTIPLY)
    layer.op("top", "grbt", ["grbt", "grb"], ["%score"], [score], row,
             "%p = arith.maximumf %acc, %a0 : bf16\n    linalg.yield %p : bf16", "%low")
    layer.op("weight", "grbt", ["grbt", "grb", "grbt"], ["%score", "%top"], [score, row], score,
             "%p = arith.subf %a0, %a1 : bf16\n    %n = math.exp %p : bf16\n    linalg.yield %n : bf16")
    layer.op("total", "grbt", ["grbt", "grb"], ["%weight"], [score], row, add)
    layer.op("share", "grbt", ["grbt", "grb", "grbt"], ["%weight", "%total"], [score, row], score,
             "%p = arith.divf %a0, %a1 : bf16\n    linalg.yield %p : bf16")
    layer.op("context", "grbet", ["grbt", "gbte", "grbe"], ["%share", "%v_s"], [score, cache], query, MULTIPLY)
    layer.op("mixed", "bdgre", ["grbe", "gred", "bd"], ["%context", "%wo_s"], [query, back], x, MULTIPLY)
    layer.shard("mixed", "batch", x)
    layer.lines[-1] = layer.lines[-1].replace(" annotate_for_users", "")
    layer.shard("mixed_s", "batch", x)
    plus = "%p = arith.addf %a0, %a1 : bf16\n    linalg.yield %p : bf16"
    layer.op("first", "bd", ["bd", "bd", "bd"], ["%x_s", "%mixed_s_s"], [x, x], x, plus)
    for name in ("gate", "up"):
        layer.op(f"h{name}", "bfd", ["bd", "df", "bf"], ["%first", f"%{name}_s"], [x, up], inner, MULTIPLY)
    layer.op("gated", "bf", ["bf", "bf", "bf"], ["%hgate", "%hup"], [inner, inner], inner,
             "%p = math.tanh %a0 : bf16\n    %n = arith.mulf %p, %a1 : bf16\n    linalg.yield %n : bf16")
    layer.op("out", "bdf", ["bf", "fd", "bd"], ["%gated", "%down_s"], [inner, down], x, MULTIPLY)
    layer.shard("out", "batch", x)
    layer.lines[-1] = layer.lines[-1].replace(" annotate_for_users", "")
    layer.shard("out_s", "batch", x)
    layer.op("last", "bd", ["bd", "bd", "bd"], ["%first", "%out_s_s"], [x, x], x, plus)
    layer.line(f"%result = shard.shard %last to %batch : {x}")
    layer.line(f"return %result : {x}")
    listed = ", ".join(f"%{name}: {type_}" for name, type_, _ in arguments)
    return (f"shard.grid @grid(shape = {ranks // parts}x{parts})\n"
            f"func.func @main({listed}) -> {x} {{\n" + "\n".join(layer.lines) + "\n}\n")


def parts_of(model, ranks):
    """Bytes of weights, caches and the other arguments of one rank."""
    width, heads, groups, depth, hidden = MODELS[model]
    parts = min(ranks, groups)
    weights = 2 * (2 * heads * width * depth + 3 * width * hidden) // parts
    cache = 2 * 2 * groups * SEQUENCES * POSITIONS * depth // ranks
    others = 2 * 2 * SEQUENCES * width * parts // ranks  # the input and the output
    return weights, cache, others


def report(build, model, counts, options=""):
    """What a rank needs, for each of the numbers of ranks."""
    most = max(*counts, MODELS[model][2])
    command = [os.path.join(build, "bin/gmem-opt"), "-o", os.devnull,
               f"--gmem-report=ranks={','.join(map(str, counts))} format=json alignment=64 {options}"]
    text = subprocess.run(command, input=network(model, most), text=True, capture_output=True, check=True).stderr
    rows = {row["ranks"]: row for row in json.loads(text)["ranks"]}
    return [rows[count] for count in counts]


def measure(build, model, counts):
    ordered = report(build, model, counts, "order=best")
    hoisted = report(build, model, counts, "constants=hoist")
    for row, best, hoist in zip(report(build, model, counts), ordered, hoisted):
        weights, cache, others = parts_of(model, row["ranks"])
        assert weights + cache + others == row["arguments"], (model, row)
        yield {"model": model, "ranks": row["ranks"], "weights": weights, "cache": cache,
               "workspace": row["workspace"], "lower_bound": row["lower_bound"], "ordered": best["workspace"],
               "hoisted": hoist["workspace"], "without_reuse": row["without_reuse"],
               "message_bytes": row["message_bytes"]}


def main():
    parser = argparse.ArgumentParser(description="what each rank needs for a decode layer")
    parser.add_argument("build", help="build folder")
    parser.add_argument("--ranks", default="1,8,64,512", help="numbers of ranks, separated by commas")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--print", metavar="MODEL", choices=MODELS, help="print the layer for the first of --ranks")
    options = parser.parse_args()
    counts = [int(count) for count in options.ranks.split(",")]
    if options.print:
        print(network(options.print, counts[0]), end="")
        return
    rows = [row for model in MODELS for row in measure(options.build, model, counts)]
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    columns = list(rows[0])[2:]
    print(f"{'model':5} {'ranks':>5} " + " ".join(f"{name:>14}" for name in columns))
    for row in rows:
        print(f"{row['model']:5} {row['ranks']:5} " + " ".join(f"{row[name]:14,}" for name in columns))


if __name__ == "__main__":
    main()
