#!/usr/bin/env python3
# check_subsets.py [--within=PERCENT] GMEM-OPT FILE.mlir... - plans each program
# with every subset of the kinds of sharing: no plan is larger, by more than
# PERCENT (0), than one with fewer kinds. Prints the number of programs, and the
# pairs for which that does not hold.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import os
import re
import subprocess

KINDS = ["inplace", "destination", "slice", "concat", "transfer"]
ALIGNMENTS = ["4096", "64"]


def peak(opt, path, kinds, alignment):
    """The sum of the peaks of all plans in the file."""
    sharing = "+".join(kinds) or "none"
    command = [opt, "--allow-unregistered-dialect", f"--gmem-plan=alignment={alignment} sharing={sharing}", path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return sum(int(n) for n in re.findall(r"gmem\.plan = \{[^}]*peak = (\d+)", text))


def subsets():
    for mask in range(1 << len(KINDS)):
        yield [kind for i, kind in enumerate(KINDS) if mask >> i & 1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--within", type=float, default=0)
    parser.add_argument("opt")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    opt, files, bad = arguments.opt, arguments.files, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for path in files:
            for alignment in ALIGNMENTS:
                sets = list(subsets())
                peaks = list(workers.map(lambda kinds: peak(opt, path, kinds, alignment), sets))
                for few, low in zip(sets, peaks):
                    for many, high in zip(sets, peaks):
                        if set(few) < set(many) and high > low * (1 + arguments.within / 100):
                            bad += 1
                            print(f"{os.path.basename(path)} alignment={alignment}: {'+'.join(few) or 'none'} {low}, "
                                  f"{'+'.join(many)} {high}")
                print(f"{os.path.basename(path)} alignment={alignment}: none {peaks[0]}, all {peaks[-1]}", flush=True)
    print(f"{len(files)} programs, {bad} pairs in which more kinds are larger")


if __name__ == "__main__":
    main()
