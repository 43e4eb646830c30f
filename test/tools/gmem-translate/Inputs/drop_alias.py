# drop_alias.py PLAN.json CHILD - prints the plan without the aliases of CHILD,
# of which there must be one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)
left = [a for a in plan["aliases"] if a["child"] != sys.argv[2]]
assert len(left) < len(plan["aliases"])
plan["aliases"] = left
print(json.dumps(plan))
