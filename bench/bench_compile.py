#!/usr/bin/env python3
"""bench_compile.py BUILD [FILE.mlir ...] - what a plan costs gmem-run, and saves.

Compiles and runs each program planned and unplanned, three times. The columns:
median seconds of compiling, then ratios planned / unplanned: compiling, lowering,
the first run, and later runs. Without files: examples/, and the programs of memrefs
below GMEM_INPUTS.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import os
import statistics
import subprocess
import sys

TIMES = 3


def measure(tool, path):
    """The figures of both programs by their names, or None if they do not run."""
    done = subprocess.run([tool, "--json", "--random-weights", "--compare", "--repeats=3", path],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return None
    return {program["name"]: program for program in json.loads(done.stdout)["programs"]}


def row(tool, path):
    runs = [run for run in (measure(tool, path) for _ in range(TIMES)) if run]
    if not runs:
        return

    def seconds(which):
        return statistics.median(run[which]["compile_seconds"] for run in runs)

    def ratio(key):
        return statistics.median(run["planned"][key] / run["unplanned"][key] for run in runs)

    name = "/".join(path.removesuffix(".mlir").split("/")[-2:])
    print(f"{name:40} {seconds('planned'):9.3f} {seconds('unplanned'):9.3f} {ratio('compile_seconds'):7.2f} "
          f"{ratio('lower_seconds'):6.2f} {ratio('first_run_milliseconds'):6.2f} "
          f"{ratio('run_milliseconds'):6.2f}", flush=True)


def main():
    tool, files = os.path.join(sys.argv[1], "bin", "gmem-run"), sys.argv[2:]
    inputs = os.environ.get("GMEM_INPUTS")
    if not files:
        files = sorted(glob.glob("examples/*.mlir"))
        if inputs:
            files += sorted(glob.glob(os.path.join(inputs, "memref", "*.mlir")))
    print(f"{'program':40} {'planned s':>9} {'unplanned':>9} {'compile':>7} {'lower':>6} {'first':>6} {'run':>6}")
    for path in files:
        row(tool, path)


if __name__ == "__main__":
    main()
