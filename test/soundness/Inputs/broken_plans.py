# broken_plans.py FOLDER FIRST END PERCENT - whether the abstract machine finds plans
# that are broken on purpose: small ones by hand, which it always must, and
# random ones, in which one tensor is moved onto another that is live with it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import random
import sys

from abstract_machine import find_violation
from program_model import Block, Function, Op, Program, Value
from random_program import random_program
from run_programs import mode_of, places_of, plan_program, remove_files

SIZE = 16  # bytes of every value of the programs by hand
MOVES = 3  # of each random plan


# --- By hand ---------------------------------------------------------------
# Each case: a program, a sound plan of it as {number of a value: slot}, and the
# moves that break that plan as (number, slot). A slot is SIZE bytes; slot None
# is no place at all. A slot "w0" is in the pool of weights.


def compute(operands, results, **more):
    return Op("compute", operands, results, **more)


def straight(values, ops, arguments=()):
    return Program([Function("main", list(arguments), [], [Block([], ops)])])


def chain(v):
    ops = [
        compute([], [v[1]]),
        compute([v[1]], [v[2]]),
        compute([v[1], v[2]], [v[3]]),
        Op("return", [v[3]]),
    ]
    return straight(v, ops)


def kept_input(v):
    ops = [compute([v[1]], [v[2]]), compute([v[2]], [v[3]]), Op("return", [v[3]])]
    return straight(v, ops, [v[1]])


def held(v):
    return straight(v, [compute([], [v[1]], hold=True), compute([], [v[2]]), Op("return")])


def returned_twice(v):
    ops = [compute([], [v[1]]), compute([], [v[2]]), Op("return", [v[1], v[1]])]
    return straight(v, ops)


def weight(v):
    ops = [Op("weight", [], [v[1]]), Op("weight", [], [v[2]]), compute([], [v[3]])]
    return straight(v, ops + [compute([v[1], v[2], v[3]], []), Op("return")])


def reshape(v):
    ops = [compute([], [v[1]]), Op("reshape", [v[1]], [v[2]]), compute([], [v[3]])]
    return straight(v, ops + [compute([v[2]], []), Op("return")])


def flat_group(v):
    """The result of the first member may come late, the operand of the first be read late."""
    ops = [
        compute([], [v[1]]),
        compute([v[1]], [v[2]], flat_group=1),
        compute([v[2]], [v[3]], flat_group=1),
        compute([v[3]], []),
        Op("return"),
    ]
    return straight(v, ops)


def opaque_group(v):
    inner = Function("inner", [], [], [Block([], [compute([], [v[1]]), Op("return")])])
    group = Op("group", [v[2]], [v[3]], captures=[v[4]], callees=[inner])
    made = [compute([], [v[2]]), compute([], [v[4]])]
    ops = made + [group, compute([v[3]], []), Op("return")]
    return Program([Function("main", [], [], [Block([], ops)]), inner])


def call(v):
    """v[1] lives across the call, v[2] is passed, v[3] is its argument, v[4] its result."""
    body = [compute([v[3]], [v[4]]), Op("return", [v[4]])]
    inner = Function("inner", [v[3]], [SIZE], [Block([], body)])
    ops = [
        compute([], [v[1]]),
        compute([], [v[2]]),
        Op("call", [v[2]], [v[5]], callees=[inner]),
        compute([v[1], v[5]], []),
        Op("return"),
    ]
    return Program([inner, Function("main", [], [], [Block([], ops)])])


def loop(v):
    """v[1] is read by every round, v[3] is carried, v[4] goes on to the next round."""
    body = [compute([v[1], v[3]], [v[4]]), compute([v[3]], []), Op("yield", [v[4]])]
    ops = [
        compute([], [v[1]]),
        compute([], [v[2]]),
        Op("loop", [v[2]], [v[5]], bodies=[Block([v[3]], body)]),
        compute([v[5]], []),
        Op("return"),
    ]
    return straight(v, ops)


def conditional(v):
    bodies = [Block([], [compute([], [v[2]]), Op("yield")]), Block([], [Op("yield")])]
    ops = [compute([], [v[1]]), Op("if", bodies=bodies), compute([v[1]], []), Op("return")]
    return straight(v, ops)


def branch(v):
    """v[1] and v[2] swap through the arguments v[3] and v[4]."""
    start = [compute([], [v[1]]), compute([], [v[2]])]
    start.append(Op("branch", successors=[(1, [v[2], v[1]]), (1, [v[1], v[2]])]))
    end = [compute([v[3], v[4]], []), Op("return")]
    blocks = [Block([], start), Block([v[3], v[4]], end)]
    return Program([Function("main", [], [], blocks)])


BY_HAND = [
    (chain, {1: 0, 2: 1, 3: 2}, [(2, 0), (3, 0), (3, 1), (1, 0.5), (3, 1.5), (2, None)]),
    (kept_input, {1: 0, 2: 1, 3: 2}, [(3, 0), (2, 0)]),
    (held, {1: 0, 2: 1}, [(2, 0)]),
    (returned_twice, {1: 0, 2: 1}, [(2, 0)]),
    (weight, {1: "w0", 2: "w1", 3: 0}, [(2, "w0"), (3, "w0"), (1, None)]),
    (reshape, {1: 0, 2: 0, 3: 1}, [(2, 2), (3, 0), (2, None)]),
    (flat_group, {1: 0, 2: 1, 3: 2}, [(2, 0), (3, 0), (3, None)]),
    (opaque_group, {1: 0, 2: 1, 3: 2, 4: 3}, [(1, 1), (1, 3), (3, 1), (3, 3)]),
    (call, {1: 0, 2: 1, 3: 1, 4: 2, 5: 2}, [(3, 0), (4, 0), (4, 1), (5, 0), (2, 0)]),
    (loop, {1: 0, 2: 1, 3: 1, 4: 2, 5: 1}, [(3, 0), (4, 0), (4, 1), (2, 0)]),
    (conditional, {1: 0, 2: 1}, [(2, 0)]),
    (branch, {1: 0, 2: 1, 3: 0, 4: 1}, [(2, 0), (3, 1), (4, 0)]),
]


def place_of(slot):
    if isinstance(slot, str):
        return ("weights", int(slot[1:]) * SIZE)
    return ("tensors", int(slot * SIZE))


def verdict_by_hand(make, slots):
    values = {number: Value(number, SIZE) for number in slots}
    places = {(f"n{n}", 0): place_of(slot) for n, slot in slots.items() if slot is not None}
    return find_violation(make(values), places, keep_inputs=True, seed=1)


def check_by_hand():
    """The number of wrong verdicts."""
    wrong, moves = 0, 0
    for make, sound, broken in BY_HAND:
        fault = verdict_by_hand(make, sound)
        if fault:
            print(f"{make.__name__}: the sound plan: {fault}")
            wrong += 1
        for number, slot in broken:
            moves += 1
            if verdict_by_hand(make, {**sound, number: slot}) is None:
                print(f"{make.__name__}: value {number} at slot {slot}: not found")
                wrong += 1
    print(f"by hand: {len(BY_HAND)} sound plans, {moves} broken ones, {wrong} wrong verdicts")
    return wrong


# --- At random -------------------------------------------------------------


def meet(one, other):
    """Whether two buffers are different tensors of one pool with a step in common."""
    if one["pool"] != other["pool"] or root_of(one) == root_of(other):
        return False
    return any(a < d and c < b for a, b in one["ranges"] for c, d in other["ranges"])


def root_of(entry):
    return entry["alias_of"] or entry["name"]


def move_one(buffers, chosen):
    """Moves a tensor, with all its aliases, onto one that is live with it."""
    pairs = [(a, b) for a in buffers for b in buffers if not a["alias_of"] and meet(a, b)]
    if not pairs:
        return False
    moved, onto = chosen.choice(pairs)
    for entry in buffers:
        if root_of(entry) == moved["name"]:
            entry["offset"] = onto["offset"]
    return True


def check_at_random(folder, first, end):
    """(plans broken, of which were found). Not all can be: lives are longer than need be where
    the way through a program is in doubt, and no run takes every way."""
    broken, found = 0, 0
    for seed in range(first, end):
        program = random_program(seed)
        base = os.path.join(folder, f"broken-{seed}")
        plan = plan_program(program, mode_of(seed), base)
        remove_files(base)
        for move in range(MOVES):
            copy = {"buffers": [dict(entry) for entry in plan["buffers"]]}
            if move_one(copy["buffers"], random.Random(seed * MOVES + move)):
                broken += 1
                fault = find_violation(program, places_of(copy), mode_of(seed)[1], seed)
                found += fault is not None
    return broken, found


def main():
    folder, first, end, percent = sys.argv[1], *map(int, sys.argv[2:5])
    os.makedirs(folder, exist_ok=True)
    wrong = check_by_hand()
    broken, found = check_at_random(folder, first, end)
    print(f"at random: {found} of {broken} broken plans found")
    enough = broken >= end - first and found * 100 >= broken * percent
    if not enough:
        print(f"at random: fewer than {percent} % of them, or too few plans")
    return 1 if wrong or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
