#!/usr/bin/env python3
# bench_determinism.py BUILD_FOLDER [BUFFERS ...] - digests of the same plans made in several
# ways: they must be equal in each line.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import hashlib
import os
import random
import subprocess
import sys
import tempfile

COUNTS = [100, 1000, 20000]
WAYS = ["plain", "no layout randomisation", "rows shuffled", "1 thread", "2 threads", "8 threads"]


def problem(seed, count):
    """Lines of a random problem, the head first."""
    numbers = random.Random(seed)
    lines = ["id,lower,upper,size"]
    for i in range(count):
        lower = numbers.randrange(count)
        lines.append(f"b{i},{lower},{lower + 1 + int(2 ** numbers.uniform(0, 8))},{int(64 * 2 ** numbers.uniform(0, 14))}")
    return lines


def digest(text):
    """Of the rows by id: the order of the rows is not part of the plan."""
    head, *rows = text.splitlines()
    return hashlib.sha256("\n".join([head, *sorted(rows)]).encode()).hexdigest()[:16]


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    tool = os.path.join(sys.argv[1], "bin", "gmem-solve")
    counts = [int(text) for text in sys.argv[2:]] or COUNTS
    equal = True
    with tempfile.TemporaryDirectory() as folder:
        inputs = os.path.join(folder, "in")
        os.mkdir(inputs)
        for count in counts:
            write(os.path.join(inputs, f"{count}.csv"), problem(count, count))
        for threads in [1, 2, 8]:
            run([tool, f"--threads={threads}", inputs, "-o", os.path.join(folder, str(threads))])
        print(f"{'buffers':>8}  " + "".join(f"{way:25}" for way in WAYS))
        for count in counts:
            name, path, shuffled = f"{count}.csv", os.path.join(inputs, f"{count}.csv"), os.path.join(folder, "shuffled.csv")
            head, *rows = read(path).splitlines()
            random.Random(1).shuffle(rows)
            write(shuffled, [head, *rows])
            digests = [digest(text) for text in (
                run([tool, path]), run(["setarch", "-R", tool, path]), run([tool, shuffled]),
                *(read(os.path.join(folder, str(threads), name)) for threads in (1, 2, 8)))]
            equal = equal and len(set(digests)) == 1
            print(f"{count:>8}  " + "".join(f"{d:25}" for d in digests), flush=True)
    print("all equal" if equal else "NOT EQUAL")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
