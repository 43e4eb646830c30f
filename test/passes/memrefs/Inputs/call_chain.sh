# call_chain.sh DEPTH - functions that each allocate a buffer of 1024 bytes, work
# from what they are given to it, call the next one twice with it, and free it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

awk -v depth="$1" 'BEGIN {
  type = "memref<1024xi8>"
  for (i = 0; i < depth; ++i) {
    printf "func.func %s@f%d(%%x: %s) {\n", i ? "private " : "", i, type
    printf "  %%0 = memref.alloc() : %s\n", type
    printf "  \"a.work\"(%%x, %%0) : (%s, %s) -> ()\n", type, type
    for (k = 0; k < 2 && i + 1 < depth; ++k)
      printf "  func.call @f%d(%%0) : (%s) -> ()\n", i + 1, type
    printf "  memref.dealloc %%0 : %s\n  return\n}\n", type
  }
}'
