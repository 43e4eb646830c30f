#!/usr/bin/env python3
# bench_problems.py BUILD_FOLDER [--full] - how tight and how fast the planner is
# on the problems below GMEM_PROBLEMS: CSV files in one folder per set. --full
# adds the effort `exhaustive`, which takes minutes. If MINIMALLOC names that program
# (built from its repository), it is run on the same files: told the lower bound as the
# capacity, and gmem's peak where that is larger, for 20 seconds each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 20  # seconds of minimalloc

# Published for, or measured with, other planners on the same problems, on
# another machine.
PEERS_CHALLENGING = [
    ("minimalloc, told the capacity", "1048576 on all 11", "1.1 - 11.1 s each"),
    ("minimalloc, finding it (20 s)", "1.00 - 1.40", "20 s each"),
    ("OmniMalloc SuperMalloc (3 s)", "1.158 mean", "3 s each"),
    ("OmniMalloc SuperMalloc (20 s)", "1.151 mean", "20 s each"),
    ("Arm Regor hill climb", "1.07 - 1.27", "10 - 35 s each"),
    ("OmniMalloc first-fit portfolio", "1.17 - 1.39", ""),
    ("Glow, TVM USMP hill climb", "1.2 - 1.35", ""),
    ("XLA best of two", "1.3 - 1.4", ""),
    ("TFLite, TFLM", "1.3 - 1.4", ""),
    ("tpu-mlir", "1.3 - 1.44", ""),
    ("LLVM best-fit", "1.2 - 2.4", ""),
    ("IREE", "1.2 - 1.9", ""),
    ("TVM USMP greedy", "1.6 - 3.7", ""),
]
PEERS_NETWORKS = [
    ("Arm Regor hill climb", 140, "1.000", "5.8 ms in all"),
    ("OmniMalloc SuperMalloc", 140, "1.000", "83 ms"),
    ("minimalloc, told the capacity", 140, "1.000", "30 ms"),
    ("Glow", 135, "1.004, 1.17", ""),
    ("OmniMalloc first-fit portfolio", 135, "1.004, 1.17", ""),
    ("XLA best of two", 132, "1.009, 1.29", ""),
    ("TVM USMP hill climb", 132, "1.008, 1.17", ""),
    ("tpu-mlir", 131, "1.016, 1.33", ""),
    ("TFLM", 123, "1.025 max", ""),
    ("TFLite", 122, "1.018", ""),
    ("TVM USMP by conflicts", 39, "1.37, 4.5", ""),
    ("IREE", 30, "1.194, 1.58", ""),
    ("LLVM best-fit", 26, "1.214, 1.67", ""),
    ("TVM USMP by size", 16, "1.36, 4.5", ""),
]


def solve(tool, folder, effort):
    """The figures of every problem in the folder."""
    run = subprocess.run([tool, "--json", f"--effort={effort}", "--progress=never", folder],
                         capture_output=True, text=True)
    sys.stderr.write(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def ratio(figures):
    """1.0000 in a table means: at the bound."""
    exact = figures["peak"] / figures["lower_bound"] if figures["lower_bound"] else 1
    return max(exact, 1.0001) if figures["peak"] > figures["lower_bound"] else exact


def print_sets(results):
    print(f"{'set':16}{'effort':12}{'problems':>9}{'at bound':>9}{'proved':>8}{'mean':>9}{'max':>9}{'seconds':>10}")
    for name, effort, _, rows in results:
        ratios = [ratio(row) for row in rows] or [1]
        print(f"{name:16}{effort:12}{len(rows):>9}{sum(r == 1 for r in ratios):>9}"
              f"{sum(row['optimal'] for row in rows):>8}{sum(ratios) / len(ratios):>9.4f}{max(ratios):>9.4f}"
              f"{sum(row['seconds'] for row in rows):>10.3f}")
    print("\n140 traces of networks, measured elsewhere: at the bound; mean, max; time")
    for name, count, figures, time in PEERS_NETWORKS:
        print(f"  {name:32}{count:>4}  {figures:14}{time}".rstrip())


def print_problems(results):
    """One set, problem by problem."""
    for _, effort, _, rows in results:
        print(f"\n{'problem':12}{'effort':12}{'bound':>9}{'peak':>9}{'ratio':>9}{'proved':>8}{'steps':>14}{'seconds':>10}")
        for row in rows:
            print(f"{row['problem']:12}{effort:12}{row['lower_bound']:>9}{row['peak']:>9}{ratio(row):>9.4f}"
                  f"{'yes' if row['optimal'] else 'no':>8}{row['steps']:>14}{row['seconds']:>10.3f}")
    print("\nthe same problems, measured elsewhere")
    for name, figures, time in PEERS_CHALLENGING:
        print(f"  {name:32}{figures:20}{time}".rstrip())


def told(program, path, capacity):
    """The seconds in which minimalloc finds a plan of that capacity, or what happened."""
    with tempfile.NamedTemporaryFile() as output:
        run = subprocess.run([program, f"--capacity={capacity}", f"--input={path}", f"--output={output.name}",
                              f"--timeout={LIMIT}s"], capture_output=True, text=True)
    seconds = float(re.match(r"[0-9.]+|$", run.stderr).group() or LIMIT)
    return f"{seconds:.3f}" if run.returncode == 0 else "over" if seconds >= LIMIT else "none"


def print_minimalloc(program, results):
    """Beside gmem at normal."""
    print(f"\n{'problem':32}{'bound':>12}{'peak':>12}{'seconds':>10}   minimalloc, told: bound{'peak':>10}")
    for name, effort, folder, rows in results:
        for row in rows if effort == "normal" else []:
            path = os.path.join(folder, row["problem"])
            bound, peak = row["lower_bound"], row["peak"]
            print(f"{name + '/' + row['problem']:32}{bound:>12}{peak:>12}{row['seconds']:>10.3f}"
                  f"{told(program, path, bound):>26}{told(program, path, peak) if peak > bound else '':>10}".rstrip(),
                  flush=True)
    print(f"seconds; over: not in {LIMIT} s; none: minimalloc says there is none, or does not read the file")


def main():
    build, full = sys.argv[1], "--full" in sys.argv[2:]
    tool = os.path.join(build, "bin", "gmem-solve")
    folders = sorted({os.path.dirname(p) for p in glob.glob(os.path.join(os.environ["GMEM_PROBLEMS"], "*", "*.csv"))})
    efforts = ["fast", "normal"] + (["exhaustive"] if full else [])
    results = [(os.path.basename(f), e, f, solve(tool, f, e)) for f in folders for e in efforts]
    print_sets(results)
    challenging = [r for r in results if r[0] == "challenging" and r[1] != "fast"]
    if challenging:
        print_problems(challenging)
    if program := os.environ.get("MINIMALLOC"):
        print_minimalloc(program, results)


if __name__ == "__main__":
    main()
