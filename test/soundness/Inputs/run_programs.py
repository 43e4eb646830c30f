# run_programs.py FOLDER FIRST END - plans the random programs of seeds
# [FIRST, END) and executes each under its plan. Exits 1 when a plan is unsound;
# the files of such a seed are kept in FOLDER.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import shlex
import shutil
import subprocess
import sys

from abstract_machine import find_violation
from program_text import Printer
from random_program import random_program

# Every seed has one of these: (algorithm, whether inputs are kept).
MODES = [
    ("greedy-by-size", False),
    ("greedy-by-size", True),
    ("ref-count", False),
    ("ref-count", True),
]
TIMEOUT = 60  # seconds, for a tool that hangs


class ToolFailed(Exception):
    pass


def mode_of(seed):
    return MODES[seed % len(MODES)]


def run_tool(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"{command[0]} hangs") from error
    if done.returncode != 0:
        raise ToolFailed(f"{command[0]} exits with {done.returncode}: {done.stderr.strip()}")


def plan_program(program, mode, base):
    """Writes BASE.mlir, .planned.mlir and .json; the plan as the JSON has it."""
    algorithm, keep_inputs = mode
    with open(base + ".mlir", "w", encoding="utf-8") as file:
        file.write(Printer().program(program))
    # Alignment 1 packs values as tight as they go: every byte too few shows.
    options = f"alignment=1 algorithm={algorithm} keep-inputs={str(keep_inputs).lower()}"
    planned = base + ".planned.mlir"
    flags = ["--allow-unregistered-dialect", "--mlir-print-debuginfo", f"--gmem-plan={options}"]
    run_tool("gmem-opt", *flags, base + ".mlir", "-o", planned)
    run_tool("gmem-translate", "--gmem-to-json", planned, "-o", base + ".json")
    with open(base + ".json", encoding="utf-8") as file:
        return json.load(file)


def places_of(plan):
    """(location, index) to (pool, offset): what the machine believes of a plan."""
    places, counts = {}, {}
    for entry in plan["buffers"]:
        location = entry["location"].removeprefix('loc("').removesuffix('")')
        index = counts.get(location, 0)
        counts[location] = index + 1
        places[location, index] = (entry["pool"], entry["offset"])
    return places


def remove_files(base):
    for suffix in (".mlir", ".planned.mlir", ".json"):
        if os.path.exists(base + suffix):
            os.remove(base + suffix)


def run_seed(folder, seed):
    """What is wrong with |seed|, or None."""
    program = random_program(seed)
    mode = mode_of(seed)
    base = os.path.join(folder, f"seed-{seed}")
    try:
        plan = plan_program(program, mode, base)
    except ToolFailed as error:
        return str(error)
    fault = find_violation(program, places_of(plan), mode[1], seed)
    if fault is None:
        remove_files(base)
    return fault


def repeat_command(folder, seed):
    tools = os.path.dirname(shutil.which("gmem-opt") or "")
    command = ["python3", os.path.abspath(__file__), os.path.abspath(folder)]
    command += [str(seed), str(seed + 1)]
    return f"PATH={shlex.quote(tools)}:$PATH {shlex.join(command)}"


def main():
    folder, first, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for seed in range(first, end):
        fault = run_seed(folder, seed)
        if fault is None:
            continue
        failed += 1
        algorithm, keep_inputs = mode_of(seed)
        print(f"seed {seed} ({algorithm}, keep-inputs={str(keep_inputs).lower()}): {fault}")
        print(f"  repeat: {repeat_command(folder, seed)}")
        print(f"  files: {os.path.join(folder, f'seed-{seed}')}.*", flush=True)
    print(f"{end - first} programs, {failed} unsound plans")
    return 1 if failed or end <= first else 0


if __name__ == "__main__":
    sys.exit(main())
