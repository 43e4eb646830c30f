# compare_figures.py DOCUMENT FIGURES.json... - whether the document's table of
# figures has the keys of all these objects together, in their order.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as document:
    keys = re.findall(r"^\| `(\w+)` \|", document.read(), re.M)
seen = set()
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            figures = list(json.loads(line))
            seen.update(figures)
            if figures != [key for key in keys if key in figures]:
                sys.exit(f"{path}: another order, or not described: {figures}")
missing = [key for key in keys if key not in seen]
if missing:
    sys.exit(f"described and not written: {missing}")
