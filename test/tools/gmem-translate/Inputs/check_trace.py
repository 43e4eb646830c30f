#!/usr/bin/env python3
"""check_trace.py TRACE.json PLAN.json - whether trace events tell what the plan
does, in the form that viewers demand: every event has a phase, a name and a
process; slices of a thread contain each other or do not meet; counters ascend.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import sys


def live_bytes(plan, pool, step):
    """The bytes of the pool that some buffer has at a step."""
    places = sorted((b["offset"], b["offset"] + b["size"]) for b in plan["buffers"] if b["pool"] == pool
                    and any(begin <= step < end for begin, end in b["ranges"]))
    total = at = 0
    for begin, end in places:
        total += max(0, end - max(at, begin))
        at = max(at, end)
    return total


def main(trace, plan):
    with open(trace, encoding="utf-8") as file:
        trace = json.load(file)
    with open(plan, encoding="utf-8") as file:
        plan = json.load(file)
    names, rows, counters = {}, collections.defaultdict(list), collections.defaultdict(list)
    slices = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        assert isinstance(event["pid"], int) and event["pid"] > 0, event
        if event["ph"] == "M" and event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        elif event["ph"] == "X":
            assert event["dur"] > 0, event
            rows[event["tid"]].append((event["pid"], event["ts"], event["ts"] + event["dur"]))
            slices[names[event["pid"]]].append(event)
        elif event["ph"] == "C":
            counters[names[event["pid"]]].append((event["ts"], event["args"]["bytes"]))
        else:
            assert event["ph"] == "M", event
    for row in rows.values():
        assert len({pid for pid, _, _ in row}) == 1, row
        for i, (_, begin, end) in enumerate(row):
            for _, b, e in row[:i]:
                assert end <= b or e <= begin or (b <= begin and end <= e), f"slices overlap: {row}"
    ops = [(o["name"], o["begin"], o["end"]) for o in plan["ops"]]
    assert ops == [(e["name"], e["ts"], e["ts"] + e["dur"]) for e in slices.pop("ops")]
    for pool in plan["pools"]:
        want = sorted((b["name"], *r, b["offset"], b["size"]) for b in plan["buffers"]
                      if b["pool"] == pool["name"] for r in b["ranges"])
        got = sorted((e["name"], e["ts"], e["ts"] + e["dur"], e["args"]["offset"], e["args"]["size"])
                     for e in slices.pop(pool["name"], []))
        assert want == got, pool["name"]
        points = counters[pool["name"]]
        assert points == sorted(points) and (not points or points[-1][1] == 0), points
        for step in range(plan["steps"]):
            shown = [bytes for at, bytes in points if at <= step]
            live = live_bytes(plan, pool["name"], step)
            assert (shown[-1] if shown else 0) == live, f"{pool['name']}: {live} bytes live at step {step}, not {shown[-1:]}"
    assert not slices, slices.keys()
    print(f"ok: {len(ops)} ops, {len(plan['buffers'])} buffers")


main(*sys.argv[1:])
