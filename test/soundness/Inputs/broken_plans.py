# broken_plans.py - breaks plans on purpose, in the text of planned IR: a value
# is moved to the place of another one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random
import re

# Single results alone; those whose alias is claimed would be caught by the claim.
PLACE = re.compile(
    r'^.*gmem\.offset = array<i64: (\d+)>, .*gmem\.pool = \["tensors"\], '
    r"gmem\.size = array<i64: (\d+)>",
    re.M,
)
MODULE = re.compile(r"sym_name = \"seed_(\d+)\"")


def modules_of(text):
    """(begin, end, seed) of the modules in |text|; a module's attributes are behind its body."""
    found, begin = [], 0
    for match in MODULE.finditer(text):
        found.append((begin, match.start(), int(match.group(1))))
        begin = match.end()
    return found


def move_one(text, chosen):
    """|text| of one module with one value moved onto another of its size or larger; None if there is no such pair."""
    places = [m for m in PLACE.finditer(text) if "gmem.alias" not in m.group(0)]
    pairs = [
        (moved, onto)
        for moved in places
        for onto in places
        if moved.group(1) != onto.group(1) and int(moved.group(2)) and int(onto.group(2))
    ]
    if not pairs:
        return None
    moved, onto = chosen.choice(pairs)
    return text[: moved.start(1)] + onto.group(1) + text[moved.end(1) :]


def break_plans(text, seed, share):
    """|text| with one value moved in |share| of a hundred modules; (text, the seeds of those)."""
    chosen = random.Random(seed)
    parts, broken, last = [], set(), 0
    for begin, end, number in modules_of(text):
        part = text[begin:end]
        if chosen.randrange(100) < share:
            moved = move_one(part, chosen)
            if moved is not None:
                part = moved
                broken.add(number)
        parts.append(part)
        parts.append(text[end : end])
        last = end
        # What stands between is kept with the next part.
    result, position = [], 0
    index = 0
    for begin, end, _ in modules_of(text):
        result.append(text[position:begin])
        result.append(parts[index])
        index += 2
        position = end
    result.append(text[position:])
    return "".join(result), broken
