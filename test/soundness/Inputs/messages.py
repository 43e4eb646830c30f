# messages.py - runs messages without a second rank: MLIR lowers no mpi.wait. A
# buffer that receives holds garbage from the receive to the wait, and the message
# from then on; one that is sent is read when the program waits. That is the latest
# that a library may do each, so that a plan which gives the bytes to something else
# in between changes what comes out.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

START = re.compile(r"\s*(%[\w#]+) = mpi\.(isend|irecv)\((%[\w#]+), .* : memref<(\d+)xi32>, i32, i32 -> !mpi\.request")
WAIT = re.compile(r"\s*mpi\.wait\((%[\w#]+)\)")
WORLD = re.compile(r"\s*%[\w#]+ = mpi\.comm_world")

# What a buffer of a size holds: after the receive, and after the wait.
WRITE = """func.func private @message_{what}{size}(%m: memref<{size}xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant {size} : index
  %factor = arith.constant {factor} : i32
  scf.for %i = %c0 to %size step %c1 {{
    %x = arith.index_cast %i : index to i32
    %y = arith.addi %x, %factor : i32
    %z = arith.muli %y, %factor : i32
    memref.store %z, %m[%i] : memref<{size}xi32>
  }}
  return
}}
"""
READ = """func.func private @message_isend{size}(%m: memref<{size}xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant {size} : index
  %factor = arith.constant 16777619 : i32
  %zero = arith.constant 0 : i32
  %sent = memref.get_global @sent : memref<1xi32>
  %sum = scf.for %i = %c0 to %size step %c1 iter_args(%old = %zero) -> (i32) {{
    %x = memref.load %m[%i] : memref<{size}xi32>
    %y = arith.muli %old, %factor : i32
    %z = arith.addi %x, %y : i32
    scf.yield %z : i32
  }}
  memref.store %sum, %sent[%c0] : memref<1xi32>
  return
}}
"""


def as_calls(text):
    """|text| of a module with messages as calls of functions that it then has."""
    lines, requests, sizes = [], {}, set()
    call = lambda what, buffer, size: f"func.call @message_{what}{size}({buffer}) : (memref<{size}xi32>) -> ()"
    for line in text.split("\n"):
        if "func.func" in line:
            requests = {}
        if start := START.match(line):
            request, what, buffer, size = start.groups()
            requests[request] = what, buffer, size
            sizes.add(size)
            line = call("garbage", buffer, size) if what == "irecv" else ""
        elif wait := WAIT.match(line):
            line = call(*requests[wait.group(1)])
        elif WORLD.match(line):
            line = ""
        lines.append(line)
    if not sizes:
        return text
    helpers = [
        WRITE.format(what="garbage", size=size, factor=-559038737) + WRITE.format(what="irecv", size=size, factor=40503)
        + READ.format(size=size)
        for size in sorted(sizes, key=int)
    ]
    head = next(number for number, line in enumerate(lines) if line.startswith("module"))
    return "\n".join([*lines[: head + 1], *helpers, *lines[head + 1 :]])
