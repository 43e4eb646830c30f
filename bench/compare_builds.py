#!/usr/bin/env python3
"""compare_builds.py BEFORE AFTER [--runs N] [--most N] [--ops N,...] - planning
with two builds.

Plans the largest networks (examples/ and the folder in GMEM_INPUTS) and
solves the largest problems (GMEM_PROBLEMS) with the tools of both build folders,
in turn, and prints CPU seconds (the least of the runs), peak memory and their
ratios. --ops: generated networks of that many ops instead. Run it alone on the
machine.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import glob
import os
import subprocess
import tempfile


def run(command):
    """CPU seconds and peak resident bytes of a command."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def largest(pattern, most):
    return sorted(glob.glob(pattern, recursive=True), key=os.path.getsize, reverse=True)[:most]


def write_network(path, count):
    """A network of |count| ops in layers: weights, views in place, skips over four ops."""
    shape = "tensor<64x16xf32>"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"func.func @net(%y0: {shape}) -> {shape} {{\n")
        for i in range(1, count + 1):
            last, skipped = f"%y{i - 1}", f"%y{max(i - 4, 0)}"
            if i % 8 == 1:
                file.write(f"%y{i} = arith.constant dense<{i}.0> : {shape}\n")
            elif i % 8 == 5:
                file.write(f"%y{i} = arith.addf {last}, {skipped} : {shape}\n")
            else:
                file.write(f'%y{i} = "net.op"({last}, {skipped}) : ({shape}, {shape}) -> {shape}\n')
        file.write(f"return %y{count} : {shape}\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--most", type=int, default=8, help="inputs of each kind")
    parser.add_argument("--ops", help="sizes of generated networks")
    options = parser.parse_args()
    networks = largest("examples/*.mlir", options.most)
    if os.environ.get("GMEM_INPUTS"):
        networks = largest(os.environ["GMEM_INPUTS"] + "/**/*.mlir", options.most)
    problems = largest(os.environ["GMEM_PROBLEMS"] + "/**/*.csv", options.most) if os.environ.get("GMEM_PROBLEMS") else []
    folder = tempfile.TemporaryDirectory()
    if options.ops:
        networks, problems = [f"{folder.name}/{count}.mlir" for count in options.ops.split(",")], []
        for path in networks:
            write_network(path, int(os.path.basename(path).partition(".")[0]))
    print("| input | CPU s before | after | ratio | peak MiB before | after | ratio |\n| --- | --- | --- | --- | --- | --- | --- |")
    for path in networks + problems:
        results = []
        for _ in range(options.runs):
            for at, build in enumerate((options.before, options.after)):
                tool = [f"{build}/bin/gmem-solve", path] if path.endswith(".csv") else [
                    f"{build}/bin/gmem-opt", "--allow-unregistered-dialect", "--gmem-plan", path, "-o", os.devnull]
                results.append((at, *run(tool)))
        seconds, memory = ([min(r[i] for r in results if r[0] == at) for at in (0, 1)] for i in (1, 2))
        print(f"| {os.path.basename(path)} | {seconds[0]:.3f} | {seconds[1]:.3f} | {seconds[1] / max(seconds[0], 1e-6):.2f} "
              f"| {memory[0] / 2**20:.1f} | {memory[1] / 2**20:.1f} | {memory[1] / max(memory[0], 1):.2f} |", flush=True)


if __name__ == "__main__":
    main()
