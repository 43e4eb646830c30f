#!/usr/bin/env python3
# check_addressed.py FOLDER WORK STRIP - takes every *.addressed.mlir below
# FOLDER through both passes; STRIP is strip_plan.py. Prints what fails, and at
# the end how many files went well.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import subprocess
import sys

folder, work, strip = sys.argv[1:]
os.makedirs(work, exist_ok=True)
UNIT = 4096  # bytes: what the other compiler says is in whole ones


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def opt(text, *passes):
    return run(["gmem-opt", "--allow-unregistered-dialect", *passes], text)


def stripped(text):
    return run([sys.executable, strip], text)


def sizes(text, kind):
    """Bytes of the pools of a kind, in whole units."""
    found = re.findall(rf'kind = "{kind}"[^}}]*\bsize = (\d+)', text)
    return sum(-(-int(size) // UNIT) * UNIT for size in found)


def stated(text, *names):
    found = [re.search(rf"module\.{name} = (\d+)", text) for name in names]
    return sum(int(match[1]) for match in found if match)


def translate(text, name):
    """Every form that a verified plan is written in."""
    path = os.path.join(work, name + ".mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for form in ["json", "csv", "image"]:
        run(["gmem-translate", f"--gmem-to-{form}", path, "-o", path + "." + form])
    run(["gmem-solve", f"--check={path}.csv"])


def figures(text):
    return re.findall(r"(?:peak|lower_bound) = (\d+)", text), sizes(text, "constant")


def check(path):
    """What is wrong, one line each."""
    with open(path, encoding="utf-8") as file:
        original = opt(file.read())
    imported = opt(original, "--gmem-import-addresses")
    yield "what is proved", opt(imported, "--gmem-verify-plan") == imported
    yield "peak", sizes(imported, "workspace") == stated(original, "neuron_size", "io_size")
    yield "weights", sizes(imported, "constant") == stated(original, "coeff_size")
    yield "algorithm", 'algorithm = "imported"' in imported
    plain = path.replace(".addressed.mlir", ".mlir")
    if os.path.exists(plain):
        with open(plain, encoding="utf-8") as file:
            yield "types without addresses", stripped(imported) == opt(file.read())
    yield "round trip", stripped(opt(imported, "--gmem-encode-addresses")) == original
    translate(imported, os.path.basename(path))
    # Ours, into types and out again.
    planned = opt(stripped(imported), "--gmem-plan=view-alignment=1")
    encoded = opt(planned, "--gmem-encode-addresses")
    again = opt(encoded, "--gmem-import-addresses", "--gmem-verify-plan")
    yield "ours, read back", figures(again) == figures(planned)
    yield "ours, written again", stripped(opt(again, "--gmem-encode-addresses")) == stripped(encoded)


def main():
    files = sorted(glob.glob(os.path.join(folder, "**", "*.addressed.mlir"), recursive=True))
    well = 0
    for path in files:
        try:
            faults = [what for what, holds in check(path) if not holds]
        except subprocess.CalledProcessError as error:
            faults = [f"{' '.join(error.cmd)}: {error.stderr.strip()[:400]}"]
        well += not faults
        for fault in faults:
            print(f"{path}: {fault}")
    print(f"{well} of {len(files)} files went well")


main()
