# shuffle.py SEED < PROBLEM - the same problem with its rows in another order.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import sys

head, *rows = sys.stdin.read().splitlines()
random.Random(int(sys.argv[1])).shuffle(rows)
print("\n".join([head, *rows]))
