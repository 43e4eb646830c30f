# named_cases.py ROOT DOCUMENT - prints the tests that the last column of the
# document's tables names and that do not exist, or do not hold what is named
# behind them: "`FILE` `WORDS` `WORDS`; `FILE`".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import sys

root, document = sys.argv[1:]
with open(os.path.join(root, document), encoding="utf-8") as file:
    rows = [line for line in file if line.startswith("| ") and "`test/" in line]
count, faults = 0, []
for row in rows:
    for named in row.rstrip().rstrip("|").split("|")[-1].split(";"):
        path, *words = re.findall(r"`([^`]+)`", named)
        count += 1
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:
            faults.append(f"missing: {path}")
            continue
        faults += [f"{path}: no '{word}'" for word in words if word not in text]
print("\n".join([*faults, f"{count} tests, {len(faults)} faults"]))
