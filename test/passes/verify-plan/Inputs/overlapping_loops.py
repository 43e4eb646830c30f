# overlapping_loops.py FILE - plans and verifies a function of 60 blocks that
# each jump back by five blocks and hand on memrefs, and says how much memory
# that needed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import resource
import subprocess
import sys

COUNT, M = 60, "memref<64xf32>"


def network():
    yield f"func.func @main(%a: {M}, %c: i1) {{\n%m = memref.alloc() : {M}\n%k = memref.alloc() : {M}"
    yield f"cf.br ^b0(%m, %k: {M}, {M})"
    for i in range(COUNT):
        yield f"^b{i}(%x{i}: {M}, %y{i}: {M}):\n%z{i} = memref.alloc() : {M}"
        yield f"memref.copy %x{i}, %z{i} : {M} to {M}"
        yield f"cf.cond_br %c, ^b{i + 1}(%y{i}, %z{i}: {M}, {M}), ^b{max(0, i - 5)}(%z{i}, %x{i}: {M}, {M})"
    yield f"^b{COUNT}(%x{COUNT}: {M}, %y{COUNT}: {M}):\nmemref.copy %x{COUNT}, %a : {M} to {M}\nreturn\n}}"


with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\n".join(network()) + "\n")
subprocess.run(["gmem-opt", "--gmem-plan", sys.argv[1], "-o", "/dev/null"], stderr=subprocess.DEVNULL, check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
print(f"{peak} MiB: {'less' if peak < 500 else 'more'} than 500 MiB")
