# compare_keys.py DOCUMENT REPORT.json... - whether the document's tables of keys
# are the keys of the objects in reports, in their order and of their types.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import sys

ROW = re.compile(r"^\| `(\w+)` \| ([^|]*) \|")
TYPES = {"text": str, "boolean": bool, "integer": int, "array": list, "op": dict, "peak": dict, "order": dict, "measured": dict, "null": type(None)}


def tables(path):
    """The keys of each section, with the types they may have."""
    found, title = {}, None
    with open(path, encoding="utf-8") as document:
        for line in document:
            if line.startswith("## "):
                title = line[3:].strip()
            row = ROW.match(line)
            if row:
                kinds = [kind.split()[0] for kind in row.group(2).split(" or ")]
                found.setdefault(title, {})[row.group(1)] = kinds
    return found


def objects(report):
    """Every object of a report, with the section it is described in."""
    yield "The report", report
    if report["order"]:
        yield "The order", report["order"]
    for pool in report["pools"]:
        yield "A pool", pool
        for part in pool["over_budget"] or []:
            yield "Steps over the budget", part
        if pool["peak"]:
            yield "A peak", pool["peak"]
            yield "An op", pool["peak"]["at"]
    for buffer in report["buffers"]:
        yield "A buffer", buffer
        for op in filter(None, [buffer["first"], buffer["last"]]):
            yield "An op", op
    for alias in report["aliases"]:
        yield "An alias", alias
    for total in report["by_op"] + report["by_dialect"]:
        yield "A sum", total
    for left in report["left_alone"]:
        yield "A value that is not planned", left
        if left["cause"]:
            yield "An op", left["cause"]
    for entry in report["without_model"]:
        yield "Ops without a model", entry
    for op in report["ops"]:
        yield "An op", op
    for change in report["what_ifs"] or []:
        yield "A what-if", change
    if report["measured"]:
        yield "A measured run", report["measured"]


def faults(described, reports):
    seen = set()
    for title, entry in (found for report in reports for found in objects(report)):
        seen.add(title)
        keys = described.get(title, {})
        if list(keys) != list(entry):
            yield f"{title}: described {list(keys)}, written {list(entry)}"
        for key, kinds in keys.items():
            if key in entry and type(entry[key]) not in [TYPES[kind] for kind in kinds]:
                yield f"{title}: {key} is no {kinds}"
    for title in described.keys() - seen:
        yield f"{title}: nothing of the kind was written"


def main():
    reports = []
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            reports.append(json.load(file))
    found = list(faults(tables(sys.argv[1]), reports))
    print("\n".join(found))
    return bool(found)


sys.exit(main())
