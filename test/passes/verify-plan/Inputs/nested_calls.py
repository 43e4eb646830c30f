# nested_calls.py WRITES - a plan of functions each of which calls the next one in loops
# that swap memrefs. A function that all of them call fills memory of its own and the
# memref that it is given, which has the same bytes: the latter last, or, if WRITES is
# "first", first.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

DEPTH, LOOPS = 7, 4
M = "memref<16xf32>"


def alloc(name, offset):
    place = f'gmem.offset = array<i64: {offset}>, gmem.pool = ["memory"], gmem.size = array<i64: 64>'
    return f"%{name} = memref.alloc() {{{place}}} : {M}"


def fill(name):
    return f"linalg.fill ins(%f : f32) outs(%{name} : {M})"


def function(number):
    yield f"func.func private @f{number}(%given: {M}, %f: f32) {{"
    yield "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index"
    for i, name in enumerate(["one", "other"]):
        yield f"{alloc(name, 64 + 128 * number + 64 * i)}\n{fill(name)}"
    x, y = "%one", "%other"
    for i in range(LOOPS):
        yield f"%r{i}:2 = scf.for %i{i} = %c0 to %c1 step %c1 iter_args(%x{i} = {x}, %y{i} = {y}) -> ({M}, {M}) {{"
        x, y = f"%x{i}", f"%y{i}"
    yield f"{alloc('late', 0)}\nfunc.call @fill(%late, %f) : ({M}, f32) -> ()\nmemref.copy %late, {x} : {M} to {M}"
    if number + 1 < DEPTH:
        yield f"func.call @f{number + 1}({x}, %f) : ({M}, f32) -> ()"
    for i in reversed(range(LOOPS)):
        yield f"scf.yield {y}, {x} : {M}, {M}\n}}"
        x, y = f"%r{i}#0", f"%r{i}#1"
    yield f"memref.copy {x}, %given : {M} to {M}\nreturn\n}}"


print(
    'module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false,'
    ' peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 8192 : i64}]} {'
)
print(f"func.func private @fill(%given: {M}, %f: f32) {{\n{alloc('own', 0)}")
names = ["given", "own"] if sys.argv[1] == "first" else ["own", "given"]
print("\n".join([*map(fill, names), "return\n}"]))
for n in range(DEPTH):
    print("\n".join(function(n)))
print(f"func.func @main(%in: {M}, %f: f32) {{\nfunc.call @f0(%in, %f) : ({M}, f32) -> ()\nreturn\n}}\n}}")
