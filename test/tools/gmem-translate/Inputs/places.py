# places.py PLAN.json NAME... - which of the named buffers begin at one place:
# "a = b" for each pair, in the order of the names.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import itertools
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    buffers = {buffer["name"]: buffer for buffer in json.load(file)["buffers"]}
for one, other in itertools.combinations(sys.argv[2:], 2):
    places = [(buffers[name]["pool"], buffers[name]["offset"])
              for name in (one, other)]
    if places[0] == places[1]:
        print(one, "=", other)
