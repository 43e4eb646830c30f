# run_passes.py [--batch=N] [--file=F]... FOLDER FIRST END - plans the random programs
# of seeds [FIRST, END), and files F, runs passes of MLIR on the planned program, and
# compares what gmem-verify-plan and gmem-machine say of the result. A plan that is
# unsound now must be refused, and one that is still sound be accepted, except for
# the reasons in KNOWN, which are counted: there the check of placement cannot know.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import os
import re
import sys

import run_programs as tensors
from random_program import random_program

PIPELINES = [
    "canonicalize", "cse", "canonicalize,cse,symbol-dce", "loop-invariant-code-motion", "sccp", "inline",
    "control-flow-sink", "sccp,canonicalize", "inline,canonicalize,cse", "remove-dead-values", "symbol-dce",
    "loop-invariant-code-motion,cse", "topological-sort", "convert-scf-to-cf", "convert-scf-to-cf,canonicalize",
]
OPTIONS = ["effort=fast", "effort=fast keep-inputs", "effort=fast sharing=none", "effort=fast alignment=1"]
# Of a plan that is unsound and refused, gmem-judge says so, too: that is right here.
DISAGREE = re.compile(r"^disagree: (\S+) #0: (sound and refused|unsound and accepted).*\n  machine: (.*)\n"
                      r"  contents: (.*)\n  placement: (.*)\n", re.M)
MORE_RUNS = 400  # of the machine, before a plan is called sound
# Why a plan is refused in which the machine finds nothing.
KNOWN = {
    # The pass has made a value, or a block; what nobody reads is no fault to the
    # machine.
    "new": re.compile(r"needs memory but has no offset|has no place in the plan"),
    # A list of places has another length than what it is of.
    "ambiguous": re.compile(r"differs from that in|has places for|gmem-plan writes"),
    # The pass has given control flow another value to transfer.
    "copies": re.compile(r"gmem.copies (has|lacks) the copy"),
    # The tensor is gone in which a value begins: no op says any more that its
    # address need not be a multiple of the pool's alignment.
    "alignment": re.compile(r"is not aligned as its pool requires"),
    # The pass has changed the op that let two values share bytes: a slice, a
    # concatenation, an op in place.
    "sharing": re.compile(r"share bytes"),
}
# The same, of the check of contents: it does not know that a loop of blocks in deferred code
# ends the use of a value before the next round writes that again.
INSTANCES = "several instances of it may exist at once"
COUNT = re.compile(r"(\w+)=(\d+)")


def check(run, name):
    if run.returncode not in (0, 1):
        raise tensors.ToolFailed(f"{name} exits with {run.returncode}: {run.stderr[-2000:]}")
    return run


class Passes:
    def __init__(self, arguments):
        self.arguments = arguments
        self.counts = collections.Counter()
        self.shown = 0

    def judge(self, name, pipeline, planned):
        """Runs the passes on the file and compares the verdicts on what they made."""
        after = os.path.join(self.arguments.folder, "after.mlir")
        run = tensors.run_tool("gmem-opt", "--allow-unregistered-dialect", f"--pass-pipeline={pipeline}", planned,
                               "-o", after)
        if run.returncode:
            self.counts["pass failed"] += 1
            return
        run = check(tensors.run_tool("gmem-judge", "--runs=10", after), "gmem-judge")
        for count, number in COUNT.findall(run.stdout):
            if int(number) and count in ("programs", "unsound"):
                self.counts[count] += int(number)
        for scope, what, machine, contents, placement in DISAGREE.findall(run.stdout):
            if what == "sound and refused":
                known = [kind for kind, text in KNOWN.items() if text.search(placement)]
                known += ["instances"] if INSTANCES in contents else []
                if known and not self.arguments.strict:
                    self.counts["refused: " + known[0]] += 1
                    continue
                more = tensors.run_tool("gmem-machine", f"--runs={MORE_RUNS}", "--seed=1000", after)
                if f'"{scope}"' in more.stdout:
                    self.counts["unsound"] += 1
                    continue
            self.counts[what] += 1
            self.shown += 1
            if self.shown <= self.arguments.show:
                print(f"disagree: {name} after {pipeline}: {scope} {what}\n  machine: {machine}\n"
                      f"  contents: {contents}\n  placement: {placement}")
                with open(after, encoding="utf-8") as file:
                    tensors.write(os.path.join(self.arguments.folder, f"disagree-{self.shown}.mlir"), file.read())

    def batch(self, name, text, options, nest):
        path = os.path.join(self.arguments.folder, "program.mlir")
        planned = os.path.join(self.arguments.folder, "planned.mlir")
        tensors.write(path, text)
        run = tensors.run_tool("gmem-opt", "--allow-unregistered-dialect", f"--gmem-plan={options}", path, "-o", planned)
        if run.returncode:
            self.counts["not planned"] += 1
            return
        for pipeline in self.arguments.pipelines:
            self.judge(name, nest % pipeline, planned)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--strict", action="store_true", help="no reason is known")
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--pipelines", type=lambda text: text.split(";"), default=PIPELINES)
    parser.add_argument("folder")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    passes = Passes(arguments)
    for number, first in enumerate(range(arguments.first, arguments.end, arguments.batch)):
        seeds = range(first, min(first + arguments.batch, arguments.end))
        passes.batch(f"seeds {seeds[0]}-{seeds[-1]}", "module {\n" + "".join(map(random_program, seeds)) + "}\n",
                     OPTIONS[number % len(OPTIONS)], "builtin.module(builtin.module(%s))")
    for path in arguments.file:
        with open(path, encoding="utf-8") as file:
            passes.batch(path, file.read(), OPTIONS[0], "builtin.module(%s)")
    print(", ".join(f"{count} {name}" for name, count in sorted(passes.counts.items())))
    return 1 if passes.shown or not passes.counts["programs"] else 0


if __name__ == "__main__":
    sys.exit(main())
