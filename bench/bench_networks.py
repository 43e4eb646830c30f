#!/usr/bin/env python3
# bench_networks.py BUILD_FOLDER [FILE.mlir ...] - peaks of all algorithms, and
# the time that planning adds to parsing and printing. Without files: the
# examples, and what is below GMEM_INPUTS.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import statistics
import subprocess
import sys
import time

ALGORITHMS = ["none", "ref-count", "greedy-by-size", "auto"]
RUNS = 7


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def seconds(command):
    """Median wall time of RUNS runs, output to nowhere."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def figures(opt, path, options):
    """(peak, lower bound, weights) of all plans in the file, summed."""
    text = run([opt, "--allow-unregistered-dialect", f"--gmem-plan={options}", path])
    total = lambda pattern: sum(int(n) for n in re.findall(pattern, text))
    plans = r"gmem\.plan = \{[^}]*"
    heads = " ".join(re.findall(plans, text))
    text, whole = heads, text
    peak, bound = total(r"peak = (\d+)"), total(r"lower_bound = (\d+)")
    text = whole
    return peak, bound, total(r'name = "weights", size = (\d+)')


def main():
    build, files = sys.argv[1], sys.argv[2:]
    opt = os.path.join(build, "bin", "gmem-opt")
    stock = os.path.join(run(["llvm-config-22", "--bindir"]).strip(), "mlir-opt")
    inputs = os.environ.get("GMEM_INPUTS")
    if not files:
        files = sorted(glob.glob("examples/*.mlir"))
        if inputs:
            files += sorted(glob.glob(os.path.join(inputs, "*", "*.mlir")))

    print("Peak in bytes, and as a multiple of the lower bound\n")
    print(f"{'network':44}{'weights':>13}{'lower bound':>13}" + "".join(f"{a:>22}" for a in ALGORITHMS))
    for path in files:
        row, bound, weights = "", 0, 0
        for algorithm in ALGORITHMS:
            peak, bound, weights = figures(opt, path, f"algorithm={algorithm}")
            row += f"{peak:>14} {peak / bound if bound else 1:>7.3f}"
        name = "/".join(path.split("/")[-2:])[:43]
        print(f"{name:44}{weights:>13}{bound:>13}{row}", flush=True)

    addressed = sorted(p for p in files if p.endswith(".addressed.mlir"))
    if addressed:
        print("\nInputs kept intact, beside the addresses that another compiler chose\n")
        print(f"{'network':44}{'other':>13}{'lower bound':>13}" + "".join(f"{a:>22}" for a in ALGORITHMS))
    for path in addressed:
        with open(path, encoding="utf-8") as file:
            other = int(re.search(r"neuron_size = (\d+)", file.read()).group(1))
        row = ""
        for algorithm in ALGORITHMS:
            peak, bound, _ = figures(opt, path, f"algorithm={algorithm} keep-inputs=true")
            row += f"{peak:>14} {peak / bound:>7.3f}"
        name = "/".join(path.split("/")[-2:])[:43]
        print(f"{name:44}{other:>13}{bound:>13}{row}", flush=True)

    print(f"\nSeconds, median of {RUNS}: the whole tools, and what planning adds\n")
    print(f"{'network':44}{'KiB':>8}{'mlir-opt':>10}{'gmem-opt':>10}{'planned':>10}{'added':>9}{'planned/mlir-opt':>18}")
    largest = sorted(files, key=os.path.getsize, reverse=True)[:6]
    for path in largest:
        flags = ["--allow-unregistered-dialect", path]
        parse, same, plan = seconds([stock, *flags]), seconds([opt, *flags]), seconds([opt, "--gmem-plan", *flags])
        name = "/".join(path.split("/")[-2:])[:43]
        print(f"{name:44}{os.path.getsize(path) // 1024:>8}{parse:>10.3f}{same:>10.3f}{plan:>10.3f}"
              f"{plan - same:>9.3f}{plan / parse:>18.2f}", flush=True)


if __name__ == "__main__":
    main()
