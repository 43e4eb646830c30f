#!/usr/bin/env python3
# bench_passes.py BUILD_FOLDER [N] - what it costs to plan a chain of N elementwise ops
# (10,000), and to verify the plan: instructions per op of the pass, as Valgrind counts
# them, and the memory that gmem-opt has resident beyond what parsing and printing the
# same module takes, in bytes per op of a chain ten times as long.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import shutil
import subprocess
import sys
import tempfile

import bench_shapes

PASSES = ("gmem-assign-tensors", "gmem-verify-plan")


def instructions(command, function):
    """Of all calls of |function|."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           f"--toggle-collect={function}", *command], capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def resident(command):
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}: exits with {status}")
    return usage.ru_maxrss * 1024


def main():
    build, count = sys.argv[1], int((sys.argv[2:] or ["10000"])[0])
    if not shutil.which("valgrind") or not shutil.which("strip"):
        print("skipped: there is no valgrind, or no strip")
        return
    print(f"{'pass':22}{'instructions':>14}{'bytes':>8}")
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind does not read the debug information of all compilers.
        opt = os.path.join(folder, "gmem-opt")
        subprocess.run(["strip", "-g", "-o", opt, os.path.join(build, "bin", "gmem-opt")], check=True)
        opt = [opt, "--mlir-disable-threading", "--allow-unregistered-dialect", "-o"]
        few, many = (os.path.join(folder, f"{n}.mlir") for n in ("few", "many"))
        for path, n in ((few, count), (many, 10 * count)):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(bench_shapes.elementwise(n))
        for name in PASSES:
            planned = [f"{path}.planned" for path in (few, many)]
            made = instructions([*opt, planned[0], f"--{name}", few], name.replace("-", "_"))
            more = resident([*opt, planned[1], f"--{name}", many]) - resident([*opt, os.devnull, many])
            print(f"{name:22}{made / count:>14.0f}{more / (10 * count):>8.0f}", flush=True)
            few, many = planned


if __name__ == "__main__":
    main()
