# bench_ordered.py BUILD - what the order of the ops does to plans: the peaks of
# programs in the given order and in the best one, what every order needs
# ("proved": as much as the best one), and the time of gmem-opt.
# Examples, and the networks of GMEM_INPUTS.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import subprocess
import sys
import time

PEAK = re.compile(r"gmem\.plan = \{[^}]*peak = (\d+)")
BOUND = re.compile(r"gmem\.plan = \{[^}]*order_bound = (\d+)")


def plan(tool, path, order):
    start = time.monotonic()
    run = subprocess.run(
        [tool, "--allow-unregistered-dialect", f"--gmem-plan=alignment=64 order={order}", path],
        capture_output=True, text=True)
    peaks = [int(peak) for peak in PEAK.findall(run.stdout)]
    bounds = [int(bound) for bound in BOUND.findall(run.stdout)]
    is_planned = peaks and run.returncode == 0
    return (max(peaks) if is_planned else None), (max(bounds) if bounds else None), time.monotonic() - start


def told(best, bound):
    if bound is None:
        return "not sought"
    return "proved" if bound == best else f"{bound:,}"


def main():
    tool = os.path.join(sys.argv[1], "bin", "gmem-opt")
    inputs = os.environ.get("GMEM_INPUTS")
    paths = sys.argv[2:]
    if not paths:
        paths = sorted(glob.glob("examples/*.mlir"))
        paths += sorted(glob.glob(os.path.join(inputs, "*", "*.mlir"))) if inputs else []
    print(f"{'program':44}{'given':>14}{'best':>14}{'every order':>15}{'saved':>8}{'s':>8}{'s':>8}")
    for path in paths:
        if path.endswith(".addressed.mlir"):
            continue
        name = os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path)[:-len(".mlir")])
        given, _, before = plan(tool, path, "given")
        best, bound, after = plan(tool, path, "best")
        if given is None or best is None:
            print(f"{name:44}{'no plan':>14}")
            continue
        saved = 100 * (1 - best / given) if given else 0
        print(f"{name:44}{given:>14,}{best:>14,}{told(best, bound):>15}{saved:>7.1f}%{before:>8.2f}{after:>8.2f}")


if __name__ == "__main__":
    main()
