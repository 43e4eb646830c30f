# pinwheel.py SEED COUNT - a square cut into COUNT rectangles, most of them by
# turning four around a fifth: the side is the lowest peak, and hard to reach.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import sys

SIDE = 1 << 20
seed, count = map(int, sys.argv[1:])
numbers = random.Random(seed)
tiles = [(0, SIDE, SIDE)]  # (begin, end, size)
while len(tiles) < count:
    begin, end, size = tiles.pop(numbers.randrange(len(tiles)))
    if end - begin < 8 or size < 8 or count - len(tiles) < 5:
        cut = numbers.randrange(1, end - begin) if end - begin > 1 else 0
        tiles += [(begin, begin + cut, size), (begin + cut, end, size)] if cut else [(begin, end, size)]
        continue
    t, u = sorted(numbers.sample(range(begin + 1, end), 2))
    s, r = sorted(numbers.sample(range(1, size), 2))
    tiles += [(begin, t, size - s), (t, end, size - r), (u, end, r), (begin, u, s), (t, u, r - s)]
print("id,lower,upper,size")
for i, (begin, end, size) in enumerate(tiles):
    print(f"t{i},{begin},{end},{size}")
