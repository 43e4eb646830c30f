#!/usr/bin/env python3
"""plan_of_problem.py PLAN.json - a plan that gmem-solve has written, in the form of
docs/plan-json.md as far as check_page.py reads it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    problem = json.load(file)
places = problem["plan"]["placements"]
buffers = [
    {"name": b["name"], "op": None, "pool": p["pool"], "offset": p["offset"], "size": b["size"],
     "ranges": b["lives"], "alias_of": None}
    for b, p in zip(problem["buffers"], places)
]
ends = [b["lives"][-1][1] for b in problem["buffers"]]
pools = [
    {"name": p["name"], "kind": "workspace", "capacity": p.get("capacity"),
     "size": max((b["offset"] + b["size"] for b in buffers if b["pool"] == p["name"]), default=0)}
    for p in problem["pools"]
]
aliases = [
    {"child": buffers[a["child"]]["name"], "parent": buffers[a["parent"]]["name"]}
    for a in problem.get("aliases", [])
    if places[a["child"]]["pool"] == places[a["parent"]]["pool"]
    and places[a["child"]]["offset"] == places[a["parent"]]["offset"] + a.get("offset", 0)
]
json.dump({"peak": sum(p["size"] for p in pools), "steps": max(ends), "pools": pools,
           "buffers": buffers, "aliases": aliases}, sys.stdout)
