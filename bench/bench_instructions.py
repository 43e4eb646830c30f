#!/usr/bin/env python3
# bench_instructions.py BUILD_FOLDER [CALLS] - how many instructions each call of a
# request, or of the first CALLS, takes, as Valgrind counts them: the same on every machine of a kind,
# however busy it is.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import shutil
import subprocess
import sys
import tempfile

FEW, MANY = 100, 1100


def count(program, call, rounds):
    """(name of the call, instructions of the whole process)."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               program, f"--call={call}", f"--rounds={rounds}"]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        return None
    return done.stdout.strip(), int(found.group(1))


def main():
    if not shutil.which("valgrind") or not shutil.which("strip"):
        print("skipped: there is no valgrind, or no strip")
        return
    print(f"{'call':28}{'instructions':>14}{'multiple':>10}")
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind does not read the debug information of all compilers.
        program = os.path.join(folder, "bench_runtime")
        source = os.path.join(sys.argv[1], "bin", "bench_runtime")
        subprocess.run(["strip", "-g", "-o", program, source], check=True)
        first, call, last = None, 1, int((sys.argv[2:] or ["1000"])[0])
        while call <= last and (few := count(program, call, FEW)) and (many := count(program, call, MANY)):
            each = (many[1] - few[1]) / (MANY - FEW)
            first = first or each
            print(f"{few[0]:28}{each:>14.1f}{each / first:>10.2f}", flush=True)
            call += 1


if __name__ == "__main__":
    main()
