# use_planner.py - planning problems by the Python module.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gmem


def fails(status, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except gmem.Error as error:
        assert error.status == status, error.status
        return str(error)
    raise AssertionError("no error")


# Three buffers, of which two meet at each step.
problem = gmem.Problem()
for number, name in enumerate("abc"):
    assert problem.add_buffer(name, 64, (number, number + 2), alignment=64) == number
plan = problem.solve()
assert plan.peak == plan.lower_bound == problem.lower_bound() == 128 and plan.optimal
assert plan.offsets == problem.solve(effort="exhaustive").offsets
assert problem.check(plan) == problem.check(plan.offsets) == 128
print("wrong:", fails(gmem.Status.OVERLAP, problem.check, [0, 0, 64]))
print("wrong:", fails(gmem.Status.ALIGNMENT, problem.check, [0, 65, 0]))
print("wrong:", fails(gmem.Status.INVALID_ARGUMENT, problem.check, [0, 64]))
print("wrong:", fails(gmem.Status.NOT_FOUND, problem.solve, algorithm="best"))
assert problem.solve(algorithm="none").peak == 192 and "auto" in gmem.algorithms()

# CSV there and back.
text = problem.to_csv(plan)
print(text, end="")
again = gmem.Problem.from_csv(text, pools=[{"name": "m", "capacity": 128}])
assert again.names == ["a", "b", "c"] and again.solve().peak == 128
print("wrong:", fails(gmem.Status.PARSE, gmem.Problem.from_csv, "id,lower\n"))

# Pools, fixed places, gaps, branches, conflicts, aliases and blocks.
problem = gmem.Problem()
fast, slow = problem.add_pool("fast", 128, speed=4), problem.add_pool("slow")
a = problem.add_buffer("a", 128, (0, 4), uses=9)
b = problem.add_buffer("b", 128, [(0, 1), (3, 4)])
plan = problem.solve()
assert plan.pools == [fast, slow]
assert problem.pool_size(plan, fast) == problem.lower_bound(slow) + 128 == 128
print("wrong:", fails(gmem.Status.OVER_BUDGET, problem.check, [0, 64], [fast, fast]))
c = problem.add_buffer("c", 32, (1, 3), pools=[slow], fixed=256)
d = problem.add_buffer("d", 16, (1, 3), pools=[slow])
problem.add_alias(d, c, offset=16)
assert problem.solve().offsets[d] == 272
e = problem.add_buffer("e", 8, (9, 10), pools=[slow])
f = problem.add_buffer("f", 8, (11, 12), pools=[slow])
problem.add_block([e, f])
plan = problem.solve()
assert plan.offsets[f] == plan.offsets[e] + 8
print("wrong:", fails(gmem.Status.INVALID_ARGUMENT, problem.add_buffer, "g", 8, (3, 3)))
assert gmem.Problem().solve().peak == 0
problem = gmem.Problem()
for arm in range(2):
    problem.add_buffer("", 8, (0, 1), branches=[(0, arm)])
assert problem.solve().peak == 8
problem.add_conflict(0, 1)
assert problem.solve().peak == 16
print("planner: good")
