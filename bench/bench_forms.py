#!/usr/bin/env python3
# bench_forms.py BUILD_FOLDER [--effort=LEVEL] [PROBLEM...] - plans the problems of the set `challenging`
# below GMEM_PROBLEMS, or those that are named, in other forms: with time mirrored or
# stretched, rows shuffled, sizes changed, buffers left out, and windows of time. The
# bound of a form with fewer buffers need not be attainable.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import csv
import json
import os
import random
import subprocess
import sys
import tempfile

SEEDS = 8


def mirrored(rows, _):
    end = max(row[2] for row in rows)
    return [(name, end - upper, end - lower, size) for name, lower, upper, size in rows]


def stretched(rows, _):
    return [(name, lower * lower, upper * upper, size) for name, lower, upper, size in rows]


def shuffled(rows, chance):
    return [(f"b{i}", *row[1:]) for i, row in enumerate(chance.sample(rows, len(rows)))]


def resized(change):
    return lambda rows, _: [(*row[:3], change(row[3])) for row in rows]


def fewer(rows, chance):
    left_out = set(chance.sample(range(len(rows)), round(len(rows) / 100)))
    return [row for i, row in enumerate(rows) if i not in left_out]


def window(rows, chance):
    end = max(row[2] for row in rows)
    first = chance.randrange(end // 2)
    last = first + end // 2
    cut = [(name, max(lower, first), min(upper, last), size) for name, lower, upper, size in rows]
    return [row for row in cut if row[1] < row[2]]


FORMS = [
    ("as it is", lambda rows, _: rows, 1),
    ("mirrored in time", mirrored, 1),
    ("stretched in time", stretched, 1),
    ("shuffled, renamed", shuffled, SEEDS),
    ("sizes times three", resized(lambda size: 3 * size), 1),
    ("one byte more each", resized(lambda size: size + 1), 1),
    ("one byte less each", resized(lambda size: max(size - 1, 1)), 1),
    ("1 % left out", fewer, SEEDS),
    ("half of the time", window, SEEDS),
]


def peak_and_bound(tool, effort, rows):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        csv.writer(file).writerows([("id", "lower", "upper", "size"), *rows])
        file.flush()
        run = subprocess.run([tool, "--json", "--progress=never", f"--effort={effort}", "-o", os.devnull, file.name],
                             capture_output=True, text=True, check=True)
    figures = json.loads(run.stdout)
    return figures["peak"], figures["lower_bound"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return [(row["id"], int(row["lower"]), int(row["upper"]), int(row["size"])) for row in csv.DictReader(file)]


def main(build, *words):
    effort = next((word[9:] for word in words if word.startswith("--effort=")), "normal")
    names = [word for word in words if not word.startswith("--")]
    tool = os.path.join(build, "bin", "gmem-solve")
    folder = os.path.join(os.environ["GMEM_PROBLEMS"], "challenging")
    problems = {name: read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
                if name.endswith(".csv") and (not names or name[:-4] in names)}
    print(f"{'form':20}{'problems':>9}{'at bound':>9}{'mean':>9}{'max':>9}  above the bound")
    for form, change, seeds in FORMS:
        ratios = [(name, peak / bound) for name, rows in problems.items() for seed in range(seeds)
                  for peak, bound in [peak_and_bound(tool, effort, change(rows, random.Random(seed)))]]
        above = sorted({name[:-4] for name, ratio in ratios if ratio > 1})
        print(f"{form:20}{len(ratios):>9}{sum(ratio == 1 for _, ratio in ratios):>9}"
              f"{sum(ratio for _, ratio in ratios) / len(ratios):>9.4f}{max(ratio for _, ratio in ratios):>9.4f}"
              f"  {' '.join(above)}".rstrip(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
