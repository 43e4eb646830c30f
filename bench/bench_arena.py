#!/usr/bin/env python3
# bench_arena.py BUILD_FOLDER [--full] [--rounds=R] [--threads=T] [FILE.mlir ...] - bench_arena on plans of
# networks. Without files: some of the examples, and with --full what is below
# GMEM_INPUTS.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import subprocess
import sys
import tempfile

EXAMPLES = ["mobilenet_v2", "resnet50", "npu_unet"]


def make_image(build, network, folder):
    """The plan image of a network, or None when it cannot be planned."""
    bin = os.path.join(build, "bin")
    planned, image = os.path.join(folder, "planned.mlir"), os.path.join(folder, "image.gmem")
    plan = [os.path.join(bin, "gmem-opt"), "--allow-unregistered-dialect", "--gmem-plan", network, "-o", planned]
    translate = [os.path.join(bin, "gmem-translate"), "--gmem-to-image", planned, "-o", image]
    for command in plan, translate:
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
    return image


def main():
    build, files = sys.argv[1], sys.argv[2:]
    inputs = os.environ.get("GMEM_INPUTS")
    is_full = "--full" in files
    options = [word for word in files if word.startswith(("--rounds=", "--threads="))]
    files = [word for word in files if not word.startswith("--")]
    if not files:
        files = [f"examples/{name}.mlir" for name in EXAMPLES]
        if inputs and is_full:
            files += sorted(glob.glob(os.path.join(inputs, "*", "*.mlir")))
    bench = os.path.join(build, "bin", "bench_arena")
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(files):
            image = make_image(build, path, folder)
            print(("\n" if number else "") + "/".join(path.split("/")[-2:]), end=": ", flush=True)
            if image:
                subprocess.run([bench, image, *options], check=True)
            else:
                print("is not planned")


if __name__ == "__main__":
    main()
