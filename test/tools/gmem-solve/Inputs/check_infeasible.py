# check_infeasible.py PROBLEM.csv FIGURES.json - whether the buffers that the
# certificate in FIGURES names do not fit into its capacity, and do without any
# one of them: gmem-solve itself is asked.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys


def fits(lines, capacity):
    """Whether there is a plan; the problem must be decided."""
    figures = subprocess.run(
        ["gmem-solve", "--json", "--effort=exhaustive"],
        input="".join(lines), text=True, capture_output=True, check=True
    ).stderr
    figures = json.loads(figures)
    assert figures["optimal"], "undecided"
    return figures["peak"] <= capacity


with open(sys.argv[1], encoding="utf-8") as file:
    head, *rows = file.readlines()
with open(sys.argv[2], encoding="utf-8") as file:
    certificate = json.load(file)["certificate"]
buffers = [entry["buffer"] for entry in certificate["infeasible"]]
capacity = certificate["capacity"]
for entry in certificate["infeasible"]:
    name, lower, upper, size = rows[entry["buffer"]].strip().split(",")[:4]
    if [entry["name"], entry["lives"], entry["size"]] != [name, [[int(lower), int(upper)]], int(size)]:
        sys.exit(f"{name} is not as in the problem")
if certificate["sum_of_sizes"] != sum(entry["size"] for entry in certificate["infeasible"]):
    sys.exit("the sum of sizes is wrong")
if fits([head] + [rows[i] for i in buffers], capacity):
    sys.exit("they fit together")
for left_out in buffers:
    if not fits([head] + [rows[i] for i in buffers if i != left_out], capacity):
        sys.exit(f"without buffer {left_out} the others do not fit")
print(f"{len(buffers)} buffers, by {certificate['proof']}")
