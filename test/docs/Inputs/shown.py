# shown.py DOCUMENT FIRST PRINTED [START ...] - checks that the lines of the
# indented block of DOCUMENT that begins with FIRST (only those that begin with
# a START, if any are given) are all in the file PRINTED. "..." is skipped, and so
# are widths of columns: a slow machine has longer times in a table.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

document, first, printed, *starts = sys.argv[1:]
with open(document, encoding="utf-8") as file:
    lines = file.read().splitlines()
with open(printed, encoding="utf-8") as file:
    known = {" ".join(line.split()) for line in file}
at = next(i for i, line in enumerate(lines) if line.startswith("    " + first))
block = []
while at < len(lines) and (not lines[at] or lines[at].startswith("    ")):
    block.append(lines[at][4:].rstrip())
    at += 1
shown = [line for line in block if line and line != "..." and (not starts or line.startswith(tuple(starts)))]
missing = [line for line in shown if " ".join(line.split()) not in known]
for line in missing:
    print(f"{document} shows, and no command prints: {line}")
sys.exit(bool(missing) or not shown)
