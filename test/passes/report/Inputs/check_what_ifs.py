# check_what_ifs.py [--add=BYTES] [--options=OPTIONS] [--least=N] FILE... - makes each change of the list of
# gmem-report{what-if=true}, plans the program that it gives with gmem-plan, and compares the peak with the stated one.
# Exits 1 if one differs, or with fewer than N changes in all. --add changes the stated peaks: a control.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

FLAGS = ["--allow-unregistered-dialect"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done


def planned_peak(path, options):
    text = run("gmem-opt", *FLAGS, f"--gmem-plan={options}", path).stdout
    return sum(int(peak) for peak in re.findall(r"gmem\.plan = \{[^}]*\bpeak = (\d+)", text))


def check(path, options, folder, add):
    """(changes, those whose peak is not the stated one)."""
    report = os.path.join(folder, "report.json")
    run("gmem-opt", *FLAGS, f"--gmem-report={options} what-if=true format=json output={report}", path, "-o", os.devnull)
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    wrong = 0
    for change in found["what_ifs"]:
        if change["applies"]:
            changed = os.path.join(folder, "changed.mlir")
            run("gmem-opt", *FLAGS, f"--gmem-report={options} apply={change['number']} output={report}", path, "-o", changed)
            peak = planned_peak(changed, options)
        else:
            peak = planned_peak(path, f"{options} {change['means']}")
        if peak != change["peak"] + add or change["peak"] >= found["peak"]:
            wrong += 1
            print(f"{path}: {change['change']}: {peak} bytes, not {change['peak'] + add}; without: {found['peak']}")
    return len(found["what_ifs"]), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--add", type=int, default=0)
    parser.add_argument("--options", default="effort=fast")
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    count, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.files:
            some, bad = check(path, arguments.options, folder, arguments.add)
            count += some
            wrong += bad
    print(f"{count} changes, {wrong} with another peak than stated")
    return 1 if wrong or count < arguments.least else 0


if __name__ == "__main__":
    sys.exit(main())
