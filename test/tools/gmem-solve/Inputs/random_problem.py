# random_problem.py SEED COUNT - a random problem of COUNT buffers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import sys

seed, count = map(int, sys.argv[1:])
numbers = random.Random(seed)
print("id,lower,upper,size")
for i in range(count):
    lower = numbers.randrange(count)
    upper = lower + 1 + int(2 ** numbers.uniform(0, 6))
    print(f"b{i},{lower},{upper},{int(64 * 2 ** numbers.uniform(0, 10))}")
