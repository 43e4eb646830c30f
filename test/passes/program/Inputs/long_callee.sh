# long_callee.sh CALLS OPS - CALLS calls of a function that has OPS ops on scalars
# and a memref of 256 bytes. Each call has its own memref as its argument.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

awk -v calls="$1" -v ops="$2" 'BEGIN {
  print "func.func private @g(%x: memref<64xf32>) {"
  print "  %b = memref.alloc() : memref<64xf32>"
  print "  memref.copy %x, %b : memref<64xf32> to memref<64xf32>"
  for (i = 0; i < ops; ++i)
    printf "  %%%d = \"a.scalar\"() : () -> f32\n", i
  print "  memref.copy %b, %x : memref<64xf32> to memref<64xf32>"
  print "  return\n}\nfunc.func @main(%x: memref<64xf32>) {"
  for (i = 0; i < calls; ++i) {
    printf "  %%a%d = memref.alloc() : memref<64xf32>\n", i
    printf "  memref.copy %%x, %%a%d : memref<64xf32> to memref<64xf32>\n", i
    printf "  call @g(%%a%d) : (memref<64xf32>) -> ()\n", i
    printf "  memref.copy %%a%d, %%x : memref<64xf32> to memref<64xf32>\n", i
  }
  print "  return\n}"
}'
