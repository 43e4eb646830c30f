#!/usr/bin/env python3
# bench_model.py BUILD_FOLDER [OPS ...] - time of the analysis and of planning on
# one generated function of so many ops, pass by pass as MLIR's own timing gives
# it: seconds, and nanoseconds per op, which stay level when time is linear.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import subprocess
import sys
import tempfile

SIZES = [10_000, 100_000, 1_000_000]
PASSES = ["gmem-assign-weights", "gmem-assign-tensors", "gmem-verify-plan"]
WIDE, HALF = "tensor<1x64x32x32xf32>", "tensor<1x32x32x32xf32>"

# Twenty ops: a residual block, a slice of it and a concatenation, a branch and
# a loop, on %{x}, which an earlier block has made; %{far} is from further up.
BLOCK = """
%a{i} = "net.conv"(%{x}) : (W) -> W
%b{i} = arith.maximumf %a{i}, %{x} : W
%c{i} = "net.conv"(%b{i}) : (W) -> W
%d{i} = arith.addf %c{i}, %{x} : W
%e{i} = tensor.extract_slice %d{i}[0, 0, 0, 0] [1, 32, 32, 32] [1, 1, 1, 1] : W to H
%f{i} = tensor.extract_slice %d{i}[0, 32, 0, 0] [1, 32, 32, 32] [1, 1, 1, 1] : W to H
%g{i} = "net.conv"(%e{i}) : (H) -> H
%h{i} = tensor.concat dim(1) %g{i}, %f{i} : (H, H) -> W
%k{i} = scf.if %flag -> (W) {{
  %p{i} = "net.conv"(%h{i}) : (W) -> W
  scf.yield %p{i} : W
}} else {{
  %q{i} = arith.negf %h{i} : W
  scf.yield %q{i} : W
}}
%m{i} = scf.for %n{i} = %zero to %nine step %one iter_args(%o{i} = %k{i}) -> (W) {{
  %r{i} = arith.addf %o{i}, %{far} : W
  %s{i} = "net.conv"(%r{i}) : (W) -> W
  scf.yield %s{i} : W
}}
%t{i} = tensor.collapse_shape %m{i} [[0, 1, 2, 3]] : W into tensor<65536xf32>
%u{i} = tensor.expand_shape %t{i} [[0, 1, 2, 3]] output_shape [1, 64, 32, 32] : tensor<65536xf32> into W
%v{i} = arith.mulf %u{i}, %{x} : W
"""


def program(ops):
    yield f"func.func @net(%x0: {WIDE}, %flag: i1) -> {WIDE} {{\n"
    for value, number in ("zero", 0), ("one", 1), ("nine", 9):
        yield f"%{value} = arith.constant {number} : index\n"
    block = BLOCK.replace("W", WIDE).replace("H", HALF)
    last = "x0"
    for i in range(ops // 20):
        far = f"v{max(i - 7, 0) // 8 * 8}" if i > 7 else "x0"
        yield block.format(i=i, x=last, far=far)
        last = f"v{i}"
    yield f"return %{last} : {WIDE}\n}}\n"


def measure(opt, ops, folder):
    """Seconds by pass, of the best of two runs, and the plan's figures."""
    path = os.path.join(folder, "net.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(program(ops))
    best = {}
    for _ in range(2):
        planned = os.path.join(folder, "planned.mlir")
        done = subprocess.run(
            [opt, "--allow-unregistered-dialect", "--gmem-plan=effort=fast", "--mlir-timing",
             "--mlir-timing-display=list", path, "-o", planned],
            capture_output=True, text=True, check=True)
        for name in PASSES:
            found = re.search(r"([\d.]+) +\( *[\d.]+%\) +[^\n]*" + name, done.stderr)
            seconds = float(found.group(1))
            best[name] = min(seconds, best.get(name, seconds))
    with open(planned, encoding="utf-8") as file:
        text = file.read()
    head = re.search(r"gmem\.plan = \{([^}]*)", text).group(1)
    peak, bound = (int(re.search(rf"{key} = (\d+)", head).group(1)) for key in ("peak", "lower_bound"))
    return best, peak / bound


def main():
    opt = os.path.join(sys.argv[1], "bin", "gmem-opt")
    sizes = [int(text) for text in sys.argv[2:]] or SIZES
    print(f"{'ops':>9}" + "".join(f"{name[5:]:>16} s{'ns/op':>7}" for name in PASSES) + f"{'peak/bound':>12}")
    for ops in sizes:
        with tempfile.TemporaryDirectory() as folder:
            seconds, ratio = measure(opt, ops, folder)
        cells = "".join(f"{seconds[name]:>18.3f}{seconds[name] / ops * 1e9:>7.0f}" for name in PASSES)
        print(f"{ops:>9}{cells}{ratio:>12.4f}", flush=True)


if __name__ == "__main__":
    main()
