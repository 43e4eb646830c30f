# compare_keys.py DOCUMENT PLAN.json - whether the document's nine tables of
# keys are the keys of a plan, of its pools, of its buffers, of its aliases and,
# where it has some, of its workbuffers, copies, ops, relocations and transforms, in
# their order.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import sys

ROW = re.compile(r"^\| `(\w+)` \| ([^|]*) \|")
TITLES = {"## The plan": 0, "## A pool": 1, "## A buffer": 2,
          "## An alias": 3, "## A workbuffer": 4,
          "## A copy": 5, "## An op": 6, "## A relocation": 7,
          "## A transform": 8}
TYPES = {"text": str, "boolean": bool, "integer": int, "array": list}


def described(path):
    tables, at = [{} for _ in range(9)], None
    with open(path, encoding="utf-8") as document:
        for line in document:
            if line.startswith("## "):
                at = TITLES.get(line.strip())
            row = ROW.match(line)
            if row and at is not None:
                tables[at][row.group(1)] = row.group(2)
    return tables


def compare(keys, entry):
    faults = []
    extra = [key for key in entry if key not in keys]
    missing = [key for key in keys if key not in entry]
    if extra:
        faults.append(f"not described: {extra}")
    if missing:
        faults.append(f"not written: {missing}")
    if not faults and list(keys) != list(entry):
        faults.append("another order")
    for key, kind in keys.items():
        value = entry.get(key)
        if value is not None and type(value) is not TYPES[kind.split()[0]]:
            faults.append(f"{key} is no {kind}")
    return faults


def main():
    tables = described(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        plan = json.load(file)
    faults = compare(tables[0], plan)
    lists = (plan["pools"], plan["buffers"], plan["aliases"],
             plan["workbuffers"], plan["copies"], plan["ops"],
             plan["relocations"], plan["transforms"])
    for table, entries in zip(tables[1:], lists):
        assert table and (entries or table in tables[4:])
        for entry in entries:
            faults += compare(table, entry)
    print("\n".join(faults))
    return bool(faults)


sys.exit(main())
