# broken_plans.py - breaks plans on purpose, in the text of planned IR: a value
# is moved to the place of another one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random
import re

# The place of an op's only result, in any pool but that of the constants.
PLACE = re.compile(
    r'gmem\.offset = array<i64: (\d+)>, [^\n]*?gmem\.pool = \["(?!weights")([^"]+)"\], '
    r"gmem\.size = array<i64: (\d+)>"
)
MODULE = re.compile(r'sym_name = "seed_(\d+)"')


def move_one(text, chosen):
    """|text| of one module with one value moved onto another, or None: there is no such pair.
    Values with claims of gmem.alias stay: the claim alone would tell."""
    lines = text.split("\n")
    places = []
    for number, line in enumerate(lines):
        match = PLACE.search(line)
        if match and "gmem.alias" not in line and int(match.group(3)):
            places.append((number, match))
    pairs = [
        (a, b)
        for a in places
        for b in places
        if a[1].group(1) != b[1].group(1) and a[1].group(2) == b[1].group(2)
    ]
    if not pairs:
        return None
    (number, moved), (_, onto) = chosen.choice(pairs)
    line = lines[number]
    lines[number] = line[: moved.start(1)] + onto.group(1) + line[moved.end(1) :]
    return "\n".join(lines)


def break_plans(text, seed, share):
    """|text| with a value moved in |share| of a hundred modules; (text, the seeds of those)."""
    chosen = random.Random(seed)
    heads = list(MODULE.finditer(text))
    parts, broken = [text[: heads[0].start()] if heads else text], set()
    for head, following in zip(heads, [*heads[1:], None]):
        part = text[head.start() : following.start() if following else len(text)]
        moved = move_one(part, chosen) if chosen.randrange(100) < share else None
        if moved is not None:
            broken.add(int(head.group(1)))
        parts.append(moved or part)
    return "".join(parts), broken
