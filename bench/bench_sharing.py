#!/usr/bin/env python3
# bench_sharing.py BUILD_FOLDER [FILE.mlir ...] - which way of sharing memory
# saves what: the peak without any, what each saves alone, what is lost when it
# alone is missing, and the peak with all. Without files: the examples, and what
# is below GMEM_INPUTS. Bytes; tensors aligned to 64.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import subprocess
import sys

KINDS = ["inplace", "destination", "slice", "concat", "transfer"]


def peak(opt, path, options):
    """The peak of all plans in the file, summed; None when it has none."""
    command = [opt, "--allow-unregistered-dialect", f"--gmem-plan=alignment=64 {options}", path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    peaks = re.findall(r"gmem\.plan = \{[^}]*peak = (\d+)", text)
    return sum(int(n) for n in peaks)


def row(opt, path):
    without = lambda kind: "+".join(k for k in KINDS if k != kind)
    none, everything = peak(opt, path, "sharing=none"), peak(opt, path, "sharing=all")
    if none == 0:
        return None
    cells = f"{none:>12}"
    for kind in KINDS:
        alone = none - peak(opt, path, f"sharing={kind}")
        missing = peak(opt, path, f"sharing={without(kind)}") - everything
        cells += f"{alone:>12}{missing:>12}"
    return f"{cells}{everything:>12}{everything / none:>8.3f}"


def main():
    build, files = sys.argv[1], sys.argv[2:]
    opt = os.path.join(build, "bin", "gmem-opt")
    inputs = os.environ.get("GMEM_INPUTS")
    if not files:
        files = sorted(glob.glob("examples/*.mlir"))
        if inputs:
            found = glob.glob(os.path.join(inputs, "*", "*.mlir"))
            files += sorted(f for f in found if not f.endswith(".addressed.mlir"))
    heads = "".join(f"{kind:>15}{'-':>9}" for kind in KINDS)
    print("After each kind: what it saves alone, and what is lost without it alone\n")
    print(f"{'network':40}{'none':>12}{heads}{'all':>12}{'ratio':>8}")
    for path in files:
        cells = row(opt, path)
        if cells:
            print(f"{'/'.join(path.split('/')[-2:])[:39]:40}{cells}", flush=True)


if __name__ == "__main__":
    main()
