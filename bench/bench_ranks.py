#!/usr/bin/env python3
# bench_ranks.py - networks on 1, 2 and 4 ranks under a real MPI: what gmem-report
# says that each rank needs, beside what a planned and an unplanned step costs on
# rank 0: bench/bench_ranks.py [--repeats=N] BUILD_FOLDER
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where there are more ranks than processors they wait for each other in turns, so
that times are no measure of the plan there."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

NETWORKS = ("mlp", "mlp_i32", "attention", "block", "batch")
COUNTS = (1, 2, 4)
NEEDS = ("arguments", "workspace", "lower_bound", "without_reuse", "message_bytes")
COSTS = ("run ms", "page faults", "malloc calls")


def needs(build, path):
    text = subprocess.run(
        [f"{build}/bin/gmem-opt", path, "-o", os.devnull,
         f"--gmem-report=ranks={','.join(map(str, COUNTS))} alignment=64 format=json"],
        text=True, capture_output=True, check=True).stderr
    return {row["ranks"]: row for row in json.loads(text)["ranks"]}


def costs(build, path, count, repeats):
    """Planned and unplanned figures of rank 0."""
    text = subprocess.run(
        [f"{build}/bin/gmem-run", path, "--entry=main", f"--ranks={count}", "--plan-options=alignment=64",
         "--compare", f"--repeats={max(1, repeats // count ** 2)}"],
        text=True, capture_output=True, check=True).stdout
    row = {}
    for name in COSTS:
        found = re.search(rf"^{name} +(\S+) +(\S+)", text, re.M)
        row[name] = found.group(1, 2)
    return row


def main():
    parser = argparse.ArgumentParser(description="networks on several ranks")
    parser.add_argument("build", help="build folder")
    parser.add_argument("--repeats", type=int, default=1000, help="steps on one rank")
    options = parser.parse_args()
    if not shutil.which("mpiexec"):
        print("skipped: there is no mpiexec")
        return
    folder = os.path.join(os.path.dirname(__file__), "..", "examples", "ranks")
    print(f"{'network':9} {'ranks':>5} " + " ".join(f"{name:>13}" for name in NEEDS)
          + " " + " ".join(f"{name + ', not':>18}" for name in COSTS))
    for network in NETWORKS:
        path = os.path.join(folder, network + ".mlir")
        for count, row in needs(options.build, path).items():
            cost = costs(options.build, path, count, options.repeats)
            print(f"{network:9} {count:5} " + " ".join(f"{row[name]:13,}" for name in NEEDS) + " "
                  + " ".join(f"{'{}, {}'.format(*cost[name]):>18}" for name in COSTS), flush=True)


if __name__ == "__main__":
    main()
