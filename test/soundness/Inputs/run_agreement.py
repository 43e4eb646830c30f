# run_agreement.py [--order] [--quick] [--tamper=N] [--give-places] [--run=N] [--kinds=A,B] FOLDER FIRST END -
# plans the random programs of seeds [FIRST, END), of all kinds in turn, and compares what
# gmem-verify-plan, its parts alone and the machines say: gmem-machine of tensors,
# stream_machine.py of streams, runs of the program of memrefs. No sound plan may be
# refused, no unsound one accepted.
#
# --tamper=N also judges N changes of each plan: an unsound one must be refused, and
# by contents alone, or its line begins with "missed"; a harmless one that placement
# accepts must be accepted by contents, too.
#
# --give-places tampers by giving places to allocations of memrefs that the planner
# has left without one.
#
# --order plans with order=best, where the ops of pure_ops.mlir may move. --quick plans
# tensors by quick algorithms only.
#
# Of memrefs, plans as the planner makes them are run of one batch in --run (0: of
# none), and tampered ones if the verifier or its contents accept them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import run_memref_programs as memrefs
import run_programs as tensors
import run_stream_programs as streams
from imported_program import imported_program
from memref_program import INSTANCES, MESSAGES, memref_programs
from random_pools import Program
from random_program import random_program
from stream_machine import fault_of
from stream_program import stream_program, text_of
from strided_program import strided_program

# The kinds of batches take turns. Their number has no factor in common with the
# numbers of options.
TURNS = [
    "tensors", "streams", "tensors", "memrefs", "padded", "tensors", "work", "streams", "tensors", "pools",
    "both", "memrefs", "tensors", "messages", "streams", "strided", "messages", "tensors", "bordered",
    "imports", "imports", "imports", "imports",
]
SHIFTS = {"messages": MESSAGES, "instances": INSTANCES}  # of seeds
EXTRAS = {"bordered": [tensors.pad_dimensions], "padded": [tensors.pad], "work": [tensors.add_work], "both": [tensors.pad, tensors.add_work]}
ORDER = f" order=best op-models={os.path.join(os.path.dirname(os.path.abspath(__file__)), 'pure_ops.mlir')}"
MORE_RUNS = 40  # of the machine of streams, before a refusal is called wrong
EXTERNAL = re.compile(r"^external: (\S+) contents=(\d) placement=(\d) whole=(\d): (.*)$", re.M)


class Batch:
    """Programs of one kind, which are judged in one process."""

    def __init__(self, arguments, number, first, end):
        self.arguments, self.number = arguments, number
        self.kind = arguments.kinds[number % len(arguments.kinds)]
        shift = SHIFTS.get(self.kind, 0)
        self.seeds = range(first + shift, end + shift)
        self.is_on_memrefs = self.kind == "memrefs" or self.kind in SHIFTS
        self.folder = os.path.join(arguments.folder, f"batch-{number}")
        self.lines = []  # what went wrong
        self.counts = collections.Counter()
        self.wanted = {}  # of memrefs, by seed: the numbers that come out

    # --- programs ------------------------------------------------------------

    def options(self):
        return self.given_options() + (ORDER if self.arguments.order else "")

    def given_options(self):
        if self.kind == "streams":
            return streams.options_of(self.number)
        if self.is_on_memrefs:
            return memrefs.options_of(self.number)[0]
        if self.kind == "pools":
            return "effort=fast alignment=16"
        # A plan that was searched for is no other kind of plan.
        return tensors.options_of(self.number, self.arguments.quick).replace("effort=normal", "effort=fast")

    def text(self):
        if self.kind == "streams":
            return "".join(text_of(stream_program(seed), seed) for seed in self.seeds)
        if self.is_on_memrefs:
            return "".join(memref_programs([seed]).replace("module {", f"module @seed_{seed} {{", 1) for seed in self.seeds)
        if self.kind == "pools":
            return "".join(Program(seed).text.replace("module ", f"module @seed_{seed} ", 1) for seed in self.seeds)
        if self.kind in ("strided", "bordered"):
            return "".join(strided_program(seed) for seed in self.seeds)
        if self.kind == "imports":
            return "".join(imported_program(seed) for seed in self.seeds)
        return "".join(random_program(seed) for seed in self.seeds)

    def with_extras(self, path):
        """The program at |path| with bytes around its values, or workbuffers."""
        planned = tensors.run_tool("gmem-judge", f"--plan={self.options()}", "--print", path)
        if planned.returncode:
            raise tensors.ToolFailed(f"gmem-judge exits with {planned.returncode}: {planned.stderr[-2000:]}")
        tensors.write(path, tensors.with_extras(planned.stdout, self.number, EXTRAS[self.kind]))

    def examine(self):
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, "programs.mlir")
        tensors.write(path, "module {\n" + self.text() + "}\n")
        if self.kind in EXTRAS:
            self.with_extras(path)
        judged = tensors.run_tool(
            "gmem-judge", f"--plan={self.options()}", f"--keep={self.folder}", f"--seed={self.number}",
            f"--tamper={self.arguments.tamper}", *self.given_places(), *self.external(), path,
        )
        if judged.returncode not in (0, 1):
            raise tensors.ToolFailed(f"gmem-judge exits with {judged.returncode}: {judged.stderr[-2000:]}")
        self.read(judged.stdout)
        if self.is_on_memrefs and self.arguments.run and self.number % self.arguments.run == 0:
            self.run_memrefs()
        os.remove(path)

    def given_places(self):
        return ["--give-places"] if self.arguments.give_places else []

    def external(self):
        if self.is_on_memrefs:
            return ["--external", "--materialize=arena-mode=arg"]
        return ["--external"] if self.kind == "streams" else []

    # --- judging -------------------------------------------------------------

    def read(self, text):
        for match in EXTERNAL.finditer(text):
            path, *accepts, what = match.groups()
            self.judge(path, *(a == "1" for a in accepts), what)
            os.remove(path)
        for line in re.findall(r"^without plan: (.*)$", text, re.M):
            if self.kind != "pools":
                self.lines.append(f"disagree: {line}")
        for report in re.findall(r"^(?:disagree|missed): .*\n(?:  .*\n)*", text, re.M):
            # A call that has to copy a tensor which its callee modifies: gmem-plan says so.
            if "the planner's plan is unsound" in report and re.search("  whole: .* has modified a copy of it", report):
                self.counts["without_plan"] += 1
            else:
                self.lines.append(report.rstrip())
        for name, number in re.findall(r"(\w+)=(\d+)", text.rstrip().rsplit("\n", 1)[-1]):
            self.counts[name] += int(number)

    def judge(self, path, contents, placement, whole, what):
        """What the verifier says, against what another machine finds."""
        seed, number = map(int, re.search(r"seed_(\d+)\.(\d+)\.mlir$", path).groups())
        may_be_unsound = number or self.kind == "streams"  # the planner's own plans on memrefs are run elsewhere
        if number and self.is_on_memrefs and not self.has_numbers(seed):
            return
        fault = self.fault(path, seed, 4 if contents else MORE_RUNS) if may_be_unsound else None
        self.counts["external"] += bool(may_be_unsound)
        self.counts["external_unsound"] += fault is not None
        if fault and whole:
            self.report("disagree", path, seed, number, f"unsound and accepted: {what}\n  machine: {fault}")
        elif fault and contents:
            self.report("missed", path, seed, number, f"{what}\n  machine: {fault}")
        elif not fault and number and placement and not contents:
            self.report("disagree", path, seed, number, f"harmless, refused by contents: {what}")

    def report(self, kind, path, seed, number, text):
        kept = os.path.join(self.arguments.folder, f"seed_{seed}.{number}.{self.kind}.mlir")
        shutil.copy(path, kept)
        self.lines.append(f"{kind}: {self.kind} seed {seed} #{number}: {text}\n  kept: {kept}")

    def has_numbers(self, seed):
        """Whether the program itself, unplanned, ends within the time for it; few do not."""
        if seed not in self.wanted:
            try:
                self.wanted[seed] = memrefs.unplanned(self.folder, f"seed-{seed}", [seed])[1]
            except memrefs.ProgramFailed:
                self.wanted[seed] = None
        self.counts["too_long"] += self.wanted[seed] is None
        return self.wanted[seed] is not None

    def fault(self, path, seed, runs):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if self.kind == "streams":
            return fault_of(stream_program(seed), text, seed, runs)
        if "// cannot be materialised" in text:
            return None  # before it is verified again
        try:
            lists = memrefs.run(self.folder, f"seed-{seed}.mlir", text, 1)
        except tensors.ToolFailed as error:
            return str(error)
        except memrefs.ToolFailed as error:
            return f"it does not run: {error}"
        return "other numbers come out" if memrefs.differing([seed], self.wanted[seed], lists) else None

    def run_memrefs(self):
        options = memrefs.options_of(self.number)
        for begin in range(0, len(self.seeds), memrefs.BATCH):
            seeds = list(self.seeds[begin : begin + memrefs.BATCH])
            try:
                bad, _, _ = memrefs.examine(self.folder, "batch", seeds, options)
            except memrefs.ProgramFailed:
                self.counts["too_long"] += len(seeds)
                continue
            self.counts["run"] += len(seeds)
            for seed in bad:
                self.lines.append(f"disagree: {self.kind} seed {seed}: other numbers come out ({options})")


def examine(arguments, number, first, end):
    batch = Batch(arguments, number, first, end)
    try:
        batch.examine()
    except (tensors.ToolFailed, memrefs.ToolFailed) as error:
        batch.lines.append(f"disagree: batch {number} ({batch.kind}, {batch.options()}): {error}")
    if not batch.lines:
        shutil.rmtree(batch.folder, ignore_errors=True)
    return batch


def summary(counts):
    fields = [
        "programs", "without_plan", "unsound", "run", "tampered", "tampered_unsound", "refused_by_contents",
        "refused_by_placement", "only_contents", "missed_by_contents", "accepted", "harmless_accepted",
        "harmless_refused", "external", "external_unsound", "too_long",
    ]
    return ", ".join(f"{name.replace('_', ' ')} {counts[name]}" for name in fields if counts[name])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--order", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tamper", type=int, default=0)
    parser.add_argument("--give-places", action="store_true")
    parser.add_argument("--run", type=int, default=0)
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=TURNS)
    parser.add_argument("--batch", type=int, default=50, help="programs of one process")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, default=20, help="of those that contents alone misses")
    parser.add_argument("folder")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    counts, disagreements, missed = collections.defaultdict(collections.Counter), 0, 0
    size = arguments.batch
    begins = range(arguments.first, arguments.end, size)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for batch in pool.map(lambda b: examine(arguments, b // size, b, min(b + size, arguments.end)), begins):
            counts[batch.kind] += batch.counts
            for line in batch.lines:
                is_missed = line.startswith("missed")
                missed, disagreements = missed + is_missed, disagreements + (not is_missed)
                if not is_missed or missed <= arguments.show:
                    print(line, flush=True)
    for kind in sorted(counts):
        print(f"{kind}: {summary(counts[kind])}")
    total = sum(counts.values(), collections.Counter())
    print(f"{total['programs']} programs, {total['tampered']} tampered plans, {disagreements} disagreements, {missed} missed")
    return 1 if disagreements or not total["programs"] else 0


if __name__ == "__main__":
    sys.exit(main())
