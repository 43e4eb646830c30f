# large_weights.py - runs a network with 134 MB of weights on pseudo-random
# weights, and says how much memory gmem-run needed, as a multiple of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import resource
import subprocess
import sys

LAYERS, WIDTH = 8, 2048


def network():
    row, weight = f"tensor<1x{WIDTH}xf32>", f"tensor<{WIDTH}x{WIDTH}xf32>"
    yield f"func.func @main(%y0: {row}) -> {row} {{\n%z = arith.constant 0.0 : f32"
    for i in range(LAYERS):
        yield f"%w{i} = arith.constant dense<0.0{i + 1}> : {weight}"
        yield f"%e{i} = tensor.empty() : {row}"
        yield f"%f{i} = linalg.fill ins(%z : f32) outs(%e{i} : {row}) -> {row}"
        yield f"%y{i + 1} = linalg.matmul ins(%y{i}, %w{i} : {row}, {weight}) outs(%f{i} : {row}) -> {row}"
    yield f"return %y{LAYERS} : {row}\n}}"


with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\n".join(network()) + "\n")
run = subprocess.run(["gmem-run", sys.argv[1], "--entry", "main", "--random-weights"], stdout=subprocess.PIPE, check=True)
assert b"run ms" in run.stdout
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(f"peak {peak} bytes: {'less' if peak < 4.5 * LAYERS * WIDTH * WIDTH * 4 else 'more'} than 4.5 times the weights")
