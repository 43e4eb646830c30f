# call_chain.py CALLS OPS - a function of OPS ops on memrefs that returns what it is
# given, and CALLS calls of it, each with what the one before has returned.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

MEMREF = "memref<64xi32>"


def text(calls, ops):
    lines = [f"func.func private @f(%m: {MEMREF}) -> {MEMREF} {{", f"%t0 = memref.alloc() : {MEMREF}"]
    lines.append(f"memref.copy %m, %t0 : {MEMREF} to {MEMREF}")
    last = ops // 2 - 2
    for i in range(last):
        lines.append(f"%t{i + 1} = memref.alloc() : {MEMREF}")
        lines.append(f"linalg.add ins(%t{i}, %t{i} : {MEMREF}, {MEMREF}) outs(%t{i + 1} : {MEMREF})")
    lines += [f"memref.copy %t{last}, %m : {MEMREF} to {MEMREF}", f"return %m : {MEMREF}", "}"]
    lines += [f"func.func @main(%in: {MEMREF}, %out: {MEMREF}) {{", f"%r0 = memref.alloc() : {MEMREF}"]
    lines.append(f"memref.copy %in, %r0 : {MEMREF} to {MEMREF}")
    for i in range(calls):
        lines.append(f"%r{i + 1} = func.call @f(%r{i}) : ({MEMREF}) -> {MEMREF}")
    lines += [f"memref.copy %r{calls}, %out : {MEMREF} to {MEMREF}", "return", "}"]
    return "\n".join(lines)


print(text(int(sys.argv[1]), int(sys.argv[2])))
