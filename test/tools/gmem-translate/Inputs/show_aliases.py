# show_aliases.py PLAN.json - prints each alias with the lives of both.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)
life = {b["name"]: " ".join(f"[{r[0]},{r[1]})" for r in b["ranges"])
        for b in plan["buffers"]}
for alias in plan["aliases"]:
    child, parent = alias["child"], alias["parent"]
    print(f"{child} {life[child]} {alias['kind']} in {parent} {life[parent]} "
          f"at {alias['offset']}")
