#!/usr/bin/env python3
# bench_memrefs.py BUILD_FOLDER [FILE.mlir ...] - programs on memrefs in planned
# arenas beside the same programs as they were, both run in one process by
# gmem-run --compare: memory, run time, compile time, page faults, mallocs, and
# whether all arena modes put out the same bits and a broken plan other ones.
# Prints Markdown. Without files: those of examples/ that are to be run, and what
# is in memref/, linalg/ and tosa/ below GMEM_INPUTS.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import os
import re
import subprocess
import sys

MODES = ["arg", "alloc", "global"]
TIMEOUT = 1800  # seconds
HEADS = [
    "network", "buffers", "sum", "peak", "bound", "peak / bound", "run, CPU ms", "planned",
    "ratio", "compile, s", "planned", "page faults", "planned", "mallocs", "planned",
    "same bits", "broken plan",
]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)


def entry_of(path):
    """The first function with a body that others may call."""
    with open(path, encoding="utf-8") as file:
        return re.search(r"func\.func (?:public )?@(\w+)\(", file.read()).group(1)


def plan_of(build, path):
    """Of the pools of memrefs: (buffers, their sum, size, lower bound), or None."""
    tool = os.path.join(build, "bin", "gmem-opt")
    done = run(tool, "--allow-unregistered-dialect", "--gmem-bufferize-and-plan", path)
    if done.returncode:
        return None
    text = done.stdout
    sizes = [int(n) for n in re.findall(r'memref\.alloc[^\n]*gmem\.size = array<i64: (\d+)>', text)]
    pools = re.findall(r'kind = "workspace", lower_bound = (\d+) : i64, name = "[^"]*", size = (\d+)', text)
    size, bound = (sum(int(pool[i]) for pool in pools) for i in (1, 0))
    return len(sizes), sum(sizes), size, bound


def compare(build, path, entry, mode):
    """What gmem-run says of both programs; None when it fails or the bits differ."""
    tool = os.path.join(build, "bin", "gmem-run")
    done = run(
        tool, path, f"--entry={entry}", "--compare", "--json", "--random-weights", f"--arena-mode={mode}"
    )
    if done.returncode:
        print(f"{path}, {mode}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    found = json.loads(done.stdout)
    return {program["name"]: program for program in found["programs"]} if found["equal"] else None


def notices(build, path, entry):
    tool = os.path.join(build, "bin", "gmem-run")
    return run(tool, path, f"--entry={entry}", "--check=broken-plan", "--random-weights").returncode == 0


def pair(programs, key, digits=0):
    if not programs:
        return ["-", "-"]
    return [f"{programs[name][key]:.{digits}f}" for name in ("unplanned", "planned")]


def row(build, path):
    entry, plan = entry_of(path), plan_of(build, path)
    name = "/".join(path.split("/")[-2:]).removesuffix(".mlir")
    if plan is None:
        return [name] + ["-"] * (len(HEADS) - 1)
    buffers, total, peak, bound = plan
    results = {mode: compare(build, path, entry, mode) for mode in MODES}
    programs = results["arg"]
    times = [programs[n]["cpu_milliseconds"] for n in ("planned", "unplanned")] if programs else None
    same = [mode for mode in MODES if results[mode]]
    return [
        name, str(buffers), str(total), str(peak), str(bound), f"{peak / bound:.3f}" if bound else "-",
        *pair(programs, "cpu_milliseconds", 2), f"{times[0] / times[1]:.2f}" if times else "-",
        *pair(programs, "compile_seconds", 2), *pair(programs, "page_faults"), *pair(programs, "malloc_calls"),
        "all modes" if len(same) == len(MODES) else ", ".join(same) or "none",
        "found" if notices(build, path, entry) else "NOT FOUND",
    ]


def is_run(path):
    """Whether an example's text says how to run it."""
    with open(path, encoding="utf-8") as file:
        return "\n// Run it: " in file.read(2000)


def all_files():
    files = [path for path in sorted(glob.glob("examples/*.mlir")) if is_run(path)]
    inputs = os.environ.get("GMEM_INPUTS")
    for kind in ("memref", "linalg", "tosa") if inputs else ():
        files += sorted(glob.glob(os.path.join(inputs, kind, "*.mlir")))
    return files


def main():
    build, files = sys.argv[1], sys.argv[2:] or all_files()
    print("Sizes in bytes; two figures: of the program as it was, and planned (arena-mode=arg).\n")
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    for path in files:
        print(f"| {' | '.join(row(build, path))} |", flush=True)


if __name__ == "__main__":
    main()
