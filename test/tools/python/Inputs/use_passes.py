# use_passes.py NETWORK - passes by the Python module.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys
import threading

import gmem

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()

planned = gmem.plan(text, alignment=64)
assert "gmem.offset" in planned and "gmem.offset" not in gmem.run(text)
gmem.verify(planned)
pools = gmem.report(planned)["pools"]
print("pools", {pool["name"]: pool["size"] for pool in pools})

# The steps of the pipeline one by one make the same plan.
known = gmem.passes()
assert known["gmem-plan"].options["alignment"] == "4096"
assert known["gmem-plan"](text, alignment=64) == planned
assert gmem.run(text, "gmem-plan{alignment=64}", "gmem-verify-plan") == planned
steps = known["gmem-assign-weights"](text)
assert "gmem.offset" in steps
assert known["gmem-assign-tensors"](steps, alignment=64) == planned
assert "loc(" in planned and "loc(" not in gmem.run(text, "cse", locations=False)

# Diagnostics: remarks and errors.
said = []
gmem.plan('%0 = "my.op"() : () -> tensor<4xf32>', messages=said)
print(said)
broken = planned.replace("gmem.offset = array<i64: ", "gmem.offset = array<i64: 7", 1)
for call in (
    lambda: gmem.verify(broken),
    lambda: gmem.run("not a module"),
    lambda: gmem.run(text, "gmem-plam"),
    lambda: gmem.run(text, "gmem-plan", algorithm="best"),
):
    try:
        call()
    except gmem.Error as error:
        print("wrong:", str(error).splitlines()[0])
    else:
        raise AssertionError("no error")

# Threads do not disturb one another.
results = []
threads = [
    threading.Thread(target=lambda: results.append(gmem.plan(text, alignment=64)))
    for _ in range(4)
]
for one in threads:
    one.start()
for one in threads:
    one.join()
assert results == [planned] * 4
print("passes: good")
