# check_owners.py PLAN.json POOL.csv - whether the rows of the pool "tensors" as
# CSV own what lives in it according to JSON: each byte of each live buffer is
# in one row that lives at that step, in no more, and rows live no longer than
# their buffers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import csv
import json
import sys


def gaps_of(text):
    return [tuple(map(int, gap.split("-"))) for gap in text.split()]


def steps_of_row(row):
    steps = set(range(int(row["lower"]), int(row["upper"])))
    for begin, end in gaps_of(row.get("gaps") or ""):
        steps -= set(range(begin, end))
    return steps


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    with open(sys.argv[2], encoding="utf-8", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    buffers = [b for b in plan["buffers"]
               if b["pool"] == "tensors" and b["alias_of"] is None]
    owned = {}
    for buffer in buffers:
        row = rows.get(buffer["name"])
        steps = steps_of_row(row) if row else set()
        life = {s for r in buffer["ranges"] for s in range(*r)}
        assert steps <= life, buffer["name"]
        for step in steps:
            owned.setdefault(step, []).append(
                (buffer["offset"], buffer["offset"] + buffer["size"]))
    for step, extents in owned.items():
        extents.sort()
        assert all(a[1] <= b[0] for a, b in zip(extents, extents[1:])), step
    for buffer in buffers:
        end = buffer["offset"] + buffer["size"]
        for step in {s for r in buffer["ranges"] for s in range(*r)}:
            at = buffer["offset"]
            for begin, stop in owned.get(step, []):
                if begin <= at < stop:
                    at = stop
            assert at >= end, f"{buffer['name']}: byte {at} at step {step}"
    views = sum(1 for b in buffers if b["name"] not in rows and b["size"])
    print(f"ok: {len(rows)} rows, {views} views")


main()
