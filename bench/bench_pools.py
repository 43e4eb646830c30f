#!/usr/bin/env python3
# bench_pools.py BUILD_FOLDER [FILE.mlir ...] - what stays in a fast memory that
# is too small, by bytes x uses: gmem against two simple rules (bench_pools.c).
# Without files: the large examples, and what is below GMEM_INPUTS.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import subprocess
import sys

EXAMPLES = ["mobilenet_v2", "resnet50", "transformer_block", "npu_unet"]


def main():
    build, files = sys.argv[1], sys.argv[2:]
    library = os.path.join(build, "lib", "bench_pools.so")
    inputs = os.environ.get("GMEM_INPUTS")
    if not files:
        files = [os.path.join("examples", name + ".mlir") for name in EXAMPLES]
        if inputs:
            files += sorted(glob.glob(os.path.join(inputs, "*", "*.mlir")))
    rows = worse = 0
    for path in files:
        command = [os.path.join(build, "bin", "gmem-opt"), "--allow-unregistered-dialect", path, "-o", os.devnull,
                   "--load-algorithm=" + library, "--gmem-plan=algorithm=pools-table alignment=64"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{os.path.basename(path)}: {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
            continue
        # A module of several functions has a table for each that is not empty.
        for table in re.split(r"(?m)^(?=\d+ buffers)", done.stdout):
            if not table.strip() or table.startswith("0 buffers"):
                continue
            print(f"{os.path.basename(path)}: {table}", flush=True)
            rows += len(re.findall(r"(?m)^\| \d+ %", table))
            worse += table.count("WORSE")
    print(f"{rows} rows, in {worse} of them one of the simple rules keeps more")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
