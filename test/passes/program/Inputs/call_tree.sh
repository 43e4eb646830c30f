# call_tree.sh DEPTH CALLS - a function that calls the next one CALLS times, which
# calls the next one CALLS times, and so on: CALLS^DEPTH ways to the last one.
# Each keeps a value of its own across all but its last call.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

awk -v depth="$1" -v calls="$2" 'BEGIN {
  for (i = 0; i <= depth; ++i) {
    printf "func.func @f%d() {\n", i
    for (k = 0; k < calls && i < depth; ++k) {
      printf "  %%%d = \"a.first\"() : () -> tensor<64xi8>\n", k
      if (k + 1 == calls)
        printf "  \"a.last\"(%%%d) : (tensor<64xi8>) -> ()\n", k
      printf "  func.call @f%d() : () -> ()\n", i + 1
      if (k + 1 < calls)
        printf "  \"a.last\"(%%%d) : (tensor<64xi8>) -> ()\n", k
    }
    if (i == depth)
      print "  %0 = \"a.first\"() : () -> tensor<64xi8>"
    print "  return\n}"
  }
}'
