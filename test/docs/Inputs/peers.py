#!/usr/bin/env python3
"""peers.py BUILD PAGE... - checks the tables of the pages that compare planners: each row
of another planner is one that bench/bench_problems.py prints, and those of gmem are what
the tools compute. BUILD "-": the rows of others alone."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "bench"))
import bench_problems  # noqa: E402

OURS = "1.0000 on all 11, proved"


def rows(page):
    """The rows of the table with the head planner | peak / bound | time."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    table = re.search(r"^\| planner \| peak / bound \| time \|\n\|.*\n((?:\|.*\n)+)", text, re.M)[1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def is_known(row):
    """Whether the bench prints it: a planner may be one of several in a row there."""
    words = row[0].replace("if told the right capacity", "told the capacity")
    return any(row[1:] == [figures, time] and words in name
               for name, figures, time in bench_problems.PEERS_CHALLENGING)


def solve_all(build):
    folder = os.path.join(os.environ["GMEM_PROBLEMS"], "challenging")
    run = subprocess.run([f"{build}/bin/gmem-solve", "--json", "--progress=never", folder],
                         capture_output=True, text=True, check=True)
    figures = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(figures) == len(glob.glob(folder + "/*.csv")) == 11
    return all(f["optimal"] and f["peak"] == f["lower_bound"] for f in figures)


build, *pages = sys.argv[1:]
wrong = 0
for page in pages:
    ours = [row for row in rows(page) if row[0] == "gmem"]
    others = [row for row in rows(page) if row[0] != "gmem"]
    bad = [row for row in others if not is_known(row)]
    bad += [row for row in ours if row[1] != OURS]
    if len(ours) != 1 or len(others) < 6:
        print(f"{page}: a row is missing")
        wrong += 1
    for row in bad:
        print(f"{page}: no command prints", row)
        wrong += 1
if build != "-" and not solve_all(build):
    print("gmem does not reach the bound on all")
    wrong += 1
sys.exit(wrong != 0)
