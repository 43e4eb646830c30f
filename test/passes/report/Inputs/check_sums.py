# check_sums.py REPORT.json BUDGET - whether the sums of a report by op and dialect, and its steps above BUDGET, follow
# from its buffers, none of which share bytes while both are live. Exits 1 if not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys


def sums(report, name_of):
    """By name: buffers, bytes, bytes at the peak of the pool."""
    found, peaks = {}, {pool["name"]: pool["peak"] for pool in report["pools"]}
    constant = {pool["name"] for pool in report["pools"] if pool["kind"] == "constant"}
    for buffer in report["buffers"]:
        if buffer["alias_of"] or buffer["pool"] in constant:
            continue
        entry = found.setdefault(name_of(buffer["op"]), [0, 0, 0])
        entry[0] += 1
        entry[1] += buffer["size"]
        entry[2] += buffer["size"] * (buffer["name"] in peaks[buffer["pool"]]["buffers"])
    return found


def live(report, pool, step):
    return sum(
        buffer["size"] for buffer in report["buffers"]
        if buffer["pool"] == pool and not buffer["alias_of"] and any(b <= step < e for b, e in buffer["ranges"]))


def excess(report, pool, budget):
    """[begin, end, bytes] of neighbouring steps above the budget."""
    found = []
    for step in range(report["steps"]):
        bytes_ = live(report, pool, step)
        if bytes_ > budget and found and found[-1][1] == step:
            found[-1] = [found[-1][0], step + 1, max(found[-1][2], bytes_)]
        elif bytes_ > budget:
            found.append([step, step + 1, bytes_])
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    wrong = []
    for key, name_of in (("by_op", lambda op: op), ("by_dialect", lambda op: op.split(".")[0])):
        written = {entry["name"]: [entry["buffers"], entry["bytes"], entry["at_peak"]] for entry in report[key]}
        if written != sums(report, name_of):
            wrong.append(f"{key}: {written}, not {sums(report, name_of)}")
    parts = 0
    for pool in report["pools"]:
        if pool["kind"] == "workspace":
            written = [[part["begin"], part["end"], part["bytes"]] for part in pool["over_budget"]]
            parts += len(written)
            expected = excess(report, pool["name"], int(sys.argv[2]))
            if written != expected:
                wrong.append(f"over_budget of {pool['name']}: {written}, not {expected}")
    print("\n".join(wrong) or f"{len(report['by_op'])} ops, {parts} parts above the budget: as the buffers say")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
