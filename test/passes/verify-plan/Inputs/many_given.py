# many_given.py STREAM - a plan in which a function fills, in stream 1, the memrefs
# of a hundred calls, and an op in STREAM fills one that shares bytes with the last.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

TYPE = "memref<16xf32>"


def alloc(name, offset):
    place = f'gmem.offset = array<i64: {offset}>, gmem.pool = ["memory"], gmem.size = array<i64: 64>'
    return f"    %{name} = memref.alloc() {{{place}}} : {TYPE}"


print(
    'module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false,'
    ' peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 8192 : i64}]} {'
)
print("  func.func @main(%f: f32) {")
for i in range(100):
    print(alloc(i, 64 * i))
    print(f"    func.call @fill(%{i}, %f) : ({TYPE}, f32) -> ()")
print(alloc("last", 64 * 99))
print(f"    linalg.fill {{gmem.stream = {sys.argv[1]}}} ins(%f : f32) outs(%last : {TYPE})")
print(f"    return\n  }}\n  func.func private @fill(%m: {TYPE}, %f: f32) {{")
print(f"    linalg.fill {{gmem.stream = 1}} ins(%f : f32) outs(%m : {TYPE})\n    return\n  }}\n}}")
