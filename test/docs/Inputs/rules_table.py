#!/usr/bin/env python3
"""rules_table.py BUILD PAGE EXAMPLES - computes the table of rules on the examples again."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys

build, page, examples = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    table = re.search(r"^\| example \| lower bound .*\n\|.*\n((?:\|.*\n)+)", file.read(), re.M)[1]
wrong = 0
for line in table.splitlines():
    name, bound, *ratios = [cell.strip() for cell in line.strip("|").split("|")]
    for algorithm, ratio in zip(["ref-count", "greedy-by-size", "auto"], ratios):
        text = subprocess.run(
            [f"{build}/bin/gmem-opt", "--allow-unregistered-dialect",
             f"--gmem-plan=algorithm={algorithm}", f"{examples}/{name}.mlir"],
            capture_output=True, text=True, check=True).stdout
        plan = re.search(r"gmem\.plan = \{[^}]*", text)[0]
        peak, least = (int(re.search(rf"\b{key} = (\d+)", plan)[1]) for key in ("peak", "lower_bound"))
        if bound != str(least) or ratio != f"{peak / least:.3f}":
            print(f"{page}: {name}, {algorithm}: {peak} of {least}, {peak / least:.3f}")
            wrong = 1
sys.exit(wrong or not table)
