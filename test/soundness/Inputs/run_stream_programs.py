# run_stream_programs.py [--stop] FOLDER FIRST END - plans the random programs of
# stream_program.py of seeds [FIRST, END) and has stream_machine.py say whether
# streams may use bytes too early. Exits 1 when they may; the text of such a seed
# is kept in FOLDER. A control beside it: the same with a plan that is made as if
# nothing ran beside anything.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import re
import subprocess
import sys

from stream_machine import fault_of
from stream_program import stream_program, text_of
from unsound_plans import MOST_VERIFIED, add_arguments, in_turn, is_judged, said_of

BATCH = 50  # programs of one file
TIMEOUT = 600  # seconds, for a tool that hangs
ALGORITHMS = ["auto", "greedy-by-size", "first-fit", "best-fit", "ref-count", "hill-climb"]
SHARING = ["all", "all", "all", "inplace", "destination", "slice+concat", "transfer", "none"]


def options_of(batch):
    keep = ["false", "true"][batch % 2]
    return (
        f"algorithm={ALGORITHMS[batch % len(ALGORITHMS)]} sharing={SHARING[batch % len(SHARING)]} "
        f"keep-inputs={keep} alignment=1 view-alignment=1 memref-alignment=1 effort=fast"
    )


class ToolFailed(Exception):
    pass


def plan(text, options):
    flags = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
    try:
        done = subprocess.run(
            ["gmem-opt", *flags, f"--gmem-plan={options}", "--gmem-verify-plan", "-"],
            input=text, capture_output=True, text=True, timeout=TIMEOUT, check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolFailed("gmem-opt hangs") from error
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr]
        raise ToolFailed(f"gmem-opt exits with {done.returncode}: {errors[0].strip()}")
    return done.stdout


def split(planned):
    """The modules of the planned text, by their number."""
    parts = re.split(r'(?=^  "builtin\.module"\(\))', planned, flags=re.MULTILINE)
    found = {}
    for part in parts:
        name = re.search(r'sym_name = "seed_(\d+)"', part)
        if name:
            found[int(name.group(1))] = part
    return found


def peak_of(text):
    return int(re.search(r"peak = (\d+)", text).group(1))


class Result:
    def __init__(self):
        self.bad, self.caught, self.peak, self.blind_peak = [], 0, 0, 0


def keep(folder, seed, options, why):
    path = os.path.abspath(os.path.join(folder, f"seed-{seed}.mlir"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_of(stream_program(seed), seed))
    flags = "--allow-unregistered-dialect --mlir-print-op-generic"
    return f"seed {seed} ({options}): {why}\n  repeat: gmem-opt {flags} --gmem-plan='{options}' {path}"


def module_of(programs, is_on):
    return "module {\n" + "".join(text_of(p, s, is_on) for s, p in programs.items()) + "}\n"


def verdict(program, seed, options, verifier):
    """What |verifier| says of the plan of the program alone, if that is unsound, too."""
    planned = plan(module_of({seed: program}, True), options)
    if fault_of(program, split(planned)[seed], seed):
        return said_of(verifier, planned)
    return "\n  verifier: not asked: alone, the plan is sound"


def examine(folder, first, end, verifier):
    options, result = options_of(first // BATCH), Result()
    programs = {seed: stream_program(seed) for seed in range(first, end)}
    try:
        planned = split(plan(module_of(programs, True), options))
        # A mutant needs no control.
        blind = {} if verifier else split(plan(module_of(programs, False), options))
    except ToolFailed as error:
        result.bad = [f"batch {first // BATCH} ({options}): {error}"]
        return result
    for seed, program in programs.items():
        why = fault_of(program, planned[seed], seed)
        if why:
            result.bad.append(keep(folder, seed, options, why))
            if verifier and len(result.bad) <= MOST_VERIFIED:
                result.bad[-1] += verdict(program, seed, options, verifier)
        result.peak += peak_of(planned[seed])
        if blind:
            result.caught += fault_of(program, blind[seed], seed) is not None
            result.blind_peak += peak_of(blind[seed])
    return result


def main():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    arguments = parser.parse_args()
    folder, first, end = arguments.folder, arguments.first, arguments.end
    os.makedirs(folder, exist_ok=True)
    failed, judged, total = 0, 0, Result()
    global TIMEOUT
    TIMEOUT = arguments.timeout or TIMEOUT
    begins = range(first, end, BATCH)
    for result in in_turn(lambda b: examine(folder, b, min(b + BATCH, end), arguments.verifier), begins, arguments.jobs):
        failed += len(result.bad)
        judged += sum(map(is_judged, result.bad))
        total.caught += result.caught
        total.peak += result.peak
        total.blind_peak += result.blind_peak
        for text in result.bad:
            print(text, flush=True)
        if (judged if arguments.verifier else failed) and arguments.stop:
            break
    count = max(end - first, 0)
    print(f"{count} programs, {failed} unsound plans")
    print(f"blind to streams: {total.caught} of {count} plans are unsound")
    print(f"peaks: {total.peak} bytes, blind {total.blind_peak}")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
