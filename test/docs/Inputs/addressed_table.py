#!/usr/bin/env python3
"""addressed_table.py PAGE PRINTED - checks that the rows of the table of networks with
addresses are those that bench_addressed.py printed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

page, printed = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    table = re.search(r"^\| network \| tpu-mlir .*\n\|.*\n((?:\|.*\n)+)", file.read(), re.M)[1]
with open(printed, encoding="utf-8") as file:
    known = {line.split()[0]: line.split() for line in file if len(line.split()) == 9}
wrong = 0
for line in table.splitlines():
    name, theirs, kept, ratio, freed = [cell.strip() for cell in line.strip("|").split("|")]
    row = known.get(name, [""] * 9)
    if [theirs, kept, ratio, freed] != [row[2], row[3], row[4], row[5]]:
        print(f"{page}: {name}: printed {row}")
        wrong = 1
sys.exit(wrong or not table)
