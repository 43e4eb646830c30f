# peaks.py FOLDER - bufferizes and plans every network in FOLDER/linalg and
# FOLDER/tosa. Prints a row each: the peak, the bound, and the peak of
# FOLDER/memref's form of the same network where there is one. Fails when one
# does not go through, is above its bound, or above that peak.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import re
import subprocess
import sys

PLAN = re.compile(r"gmem\.plan = \{[^}]*lower_bound = (\d+)[^}]*peak = (\d+)")


def figures(pass_name, path):
    """(bound, peak) of a network."""
    command = ["gmem-opt", "--allow-unregistered-dialect", pass_name, path]
    done = subprocess.run(command, capture_output=True, text=True)
    found = PLAN.search(done.stdout)
    assert done.returncode == 0 and found, f"{path}: {done.stderr[:400]}"
    lowered = subprocess.run(["gmem-opt", "--gmem-lower-to-llvm"], input=done.stdout, capture_output=True, text=True)
    assert lowered.returncode == 0, f"{path}: {lowered.stderr[:400]}"
    return int(found.group(1)), int(found.group(2))


def main():
    folder, well = pathlib.Path(sys.argv[1]), True
    for path in sorted([*folder.glob("linalg/*.mlir"), *folder.glob("tosa/*.mlir")]):
        bound, peak = figures("--gmem-bufferize-and-plan", path)
        prefix = "tosa_" if path.parent.name == "tosa" else ""
        made = folder / "memref" / f"{prefix}{path.name}"
        other = figures("--gmem-plan", made)[1] if made.exists() else None
        is_well = peak == bound and (other is None or peak <= other)
        well &= is_well
        print(path.parent.name, path.stem, peak, bound, other, "well" if is_well else "BAD", flush=True)
    return not well


sys.exit(main())
