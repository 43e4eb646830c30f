# bench_ordered.py BUILD - what the order of the ops does to plans: the peaks of
# programs in the given order and in the best one, and the time of gmem-opt.
# Examples, and the networks of GMEM_INPUTS.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import subprocess
import sys
import time

PEAK = re.compile(r"gmem\.plan = \{[^}]*peak = (\d+)")


def plan(tool, path, order):
    start = time.monotonic()
    run = subprocess.run(
        [tool, "--allow-unregistered-dialect", f"--gmem-plan=alignment=64 order={order}", path],
        capture_output=True, text=True)
    peaks = [int(peak) for peak in PEAK.findall(run.stdout)]
    return (max(peaks) if peaks and run.returncode == 0 else None), time.monotonic() - start


def main():
    tool = os.path.join(sys.argv[1], "bin", "gmem-opt")
    inputs = os.environ.get("GMEM_INPUTS")
    paths = sorted(glob.glob("examples/*.mlir"))
    paths += sorted(glob.glob(os.path.join(inputs, "*", "*.mlir"))) if inputs else []
    print(f"{'program':44}{'given':>14}{'best':>14}{'saved':>8}{'s':>8}{'s':>8}")
    for path in paths:
        if path.endswith(".addressed.mlir"):
            continue
        name = os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path)[:-len(".mlir")])
        given, before = plan(tool, path, "given")
        best, after = plan(tool, path, "best")
        if given is None or best is None:
            print(f"{name:44}{'no plan':>14}")
            continue
        saved = 100 * (1 - best / given) if given else 0
        print(f"{name:44}{given:>14,}{best:>14,}{saved:>7.1f}%{before:>8.2f}{after:>8.2f}")


if __name__ == "__main__":
    main()
