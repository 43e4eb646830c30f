# run_mutants.py [options] ROOT FOLDER PROGRAMS [NAME...] - makes each change of
# the lists below in a copy of the tree at FOLDER, and has
# up to PROGRAMS random programs planned by what is built of it (of programs on
# memrefs, a third as many). A judge that knows nothing of the mutant says which
# of these plans are unsound, and the verifier of the mutant itself, as it would
# be shipped, is asked about those. Prints a table; exits 1 when no plan of a
# mutant is unsound, or when its verifier accepts one (kept in FOLDER/missed).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Two tools are built of each mutant: one that does not verify, so that a plan is
# made and judged whatever the mutant's verifier thinks of it, and the real one.

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

from unsound_plans import is_judged

# The list of mutations, what finds them, for how many programs one of those counts.
LISTS = [
    ("mutations.txt", ["run_programs.py", "--quick"], 1),
    ("padding-mutations.txt", ["run_programs.py", "--quick", "--pad"], 1),
    ("workbuffer-mutations.txt", ["run_programs.py", "--quick", "--work"], 1),
    ("copies-mutations.txt", ["run_programs.py", "--quick"], 1),
    ("memref-mutations.txt", ["run_memref_programs.py"], 3),
    ("stream-mutations.txt", ["run_stream_programs.py"], 1),
]

# What the planner and the check of contents both see: only the judge can find
# what is wrong here.
SHARED = ("dialect/", "include/", "passes/ops/", "passes/support/", "passes/checker/")
# What comes after the plan.
LATER = ("passes/llvm/", "passes/materialize/")

# Begins of functions that verify; the tool that makes plans for the judge returns at once.
VERIFIERS = [
    ("passes/plan/verify_plan.c", r"\nstatic gmem_status_t verify\([^;{]*\) \{"),
    ("passes/checker/contents.c", r"\ngmem_status_t gmem_contents_check\([^;{]*\) \{"),
]

HANGS = 60  # seconds, for a tool that plans; a program that runs gets a sixth

Verdict = namedtuple("Verdict", "judge seed fault verifier contents message")


def read_mutations(path):
    """(name, meaning, [(file, old, new)]) of each."""
    with open(path, encoding="utf-8") as file:
        text = "\n".join(line for line in file.read().splitlines() if not line.startswith("#"))
    found = []
    for block in re.split(r"\n\s*\n", text.strip()):
        head, *lines = block.split("\n")
        name, meaning = re.match(r"= ([\w-]+): (.*)", head).groups()
        changes = [
            (path, old[2:].strip(), new[2:].strip())
            for path, old, new in zip(lines[::3], lines[1::3], lines[2::3])
        ]
        found.append((name, meaning, changes))
    return found


def copy_tree(root, folder):
    """What git knows of |root|; files that did not change keep their time."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
    for path in listed.stdout.split():
        source, target = os.path.join(root, path), os.path.join(folder, path)
        if not os.path.exists(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
            shutil.copyfile(source, target)


def put(source, target):
    """Copies a program; an old one may still run."""
    shutil.copy2(source, target + ".new")
    os.replace(target + ".new", target)


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def configure(folder):
    return run(
        "cmake", "-G", "Ninja", "-S", folder, "-B", os.path.join(folder, "build"),
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-w", "-DCMAKE_C_FLAGS_RELEASE=-O2",
    )


def build(folder, *targets):
    # Folders side by side then share what a compiler cache holds.
    environment = dict(os.environ, CCACHE_BASEDIR=folder, CCACHE_NOHASHDIR="1")
    done = run("ninja", "-C", os.path.join(folder, "build"), "-j2", *targets, env=environment)
    return done.returncode == 0, done.stdout + done.stderr


# ===--- one mutant --------------------------------------------------------===//


class Edits:
    """Changes of files that are taken back at the end."""

    def __init__(self, folder):
        self.folder, self.saved = folder, {}

    def edit(self, path, change):
        target = os.path.join(self.folder, path)
        with open(target, encoding="utf-8") as file:
            text = file.read()
        self.saved.setdefault(target, text)
        write(target, change(text))

    def take_back(self):
        for target, text in self.saved.items():
            write(target, text)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def replace_once(old, new):
    def change(text):
        if text.count(old) != 1:
            raise ValueError(f"its text is there {text.count(old)} times: {old}")
        return text.replace(old, new)

    return change


def return_at_once(begin):
    def change(text):
        if len(re.findall(begin, text)) != 1:
            raise ValueError(f"one function should match {begin}")
        return re.sub(begin, lambda found: found.group(0) + "\n  if (1) return GMEM_OK;", text)

    return change


def make(folder, changes):
    """Builds the two tools of a mutant; (that which does not verify, the real one)."""
    built = os.path.join(folder, "build", "bin", "gmem-opt")
    tools = [os.path.join(folder, name, "gmem-opt") for name in ("unverified", "shipped")]
    for tool in tools:
        os.makedirs(os.path.dirname(tool), exist_ok=True)
        edits = Edits(folder)
        try:
            for path, old, new in changes:
                edits.edit(path, replace_once(old, new))
            for path, begin in VERIFIERS if tool == tools[0] else []:
                edits.edit(path, return_at_once(begin))
            fine, log = build(folder, "gmem-opt")
            if not fine:
                raise ValueError(f"does not build: {log[-600:]}")
            put(built, tool)
        finally:
            edits.take_back()
    return tools


def said(kind, text):
    """(how many plans the verifier was asked about, how many it refused, the first refusal)."""
    answers = re.findall(rf"^  {kind}: (accepts|refuses|unknown)(?:: (.*))?$", text, re.M)
    refusals = [why for what, why in answers if what == "refuses"]
    asked = [what for what, _ in answers if what != "unknown"]
    return len(asked), len(refusals), refusals[0] if refusals else ""


def counted(kind, text):
    asked, refused, _ = said(kind, text)
    return f"{refused} of {asked}" if asked else "not asked"


def shortened(fault):
    fault = re.sub(r'loc\("[^"]*"(:\d+:\d+)?\): |"seed_\d+": ', "", fault)
    return re.sub(r' at loc\("[^"]*"(:\d+:\d+)?\)', "", fault)


def keep_missed(folder, target, report):
    """Keeps the tools of a mutant and its unsound plans, for reduce_program.py."""
    shutil.rmtree(target, ignore_errors=True)
    for name in ("unverified", "shipped", "kept"):
        shutil.copytree(os.path.join(folder, name), os.path.join(target, name))
    write(os.path.join(target, "report"), report)


def verdict_of(folder, tools, machine, programs, script, jobs):
    """What is said of the mutant that is built, and the report of the script."""
    path = [os.path.dirname(tools[0]), machine, os.environ["PATH"]]
    environment = dict(os.environ, PATH=os.pathsep.join(path))
    script = [os.path.join(os.path.dirname(os.path.abspath(__file__)), script[0]), *script[1:]]
    kept = os.path.join(folder, "kept")
    shutil.rmtree(kept, ignore_errors=True)
    options = ["--stop", f"--verifier={tools[1]}", f"--jobs={jobs}", f"--timeout={HANGS}"]
    done = run("python3", "-B", *script, *options, kept, "0", str(programs), env=environment)
    faults = re.findall(r"^((?:seed|batch) \d+) \(.*?\)((?: fails as a whole)?: .*)$", done.stdout, re.M)
    judged = [fault for fault in faults if is_judged(fault[1])]
    if not faults:
        return Verdict("SURVIVES", "", "", "", "", ""), ""
    seed, fault = (judged or faults)[0]
    fault = fault.lstrip(": ")
    asked, refused, message = said("verifier", done.stdout)
    verdict = Verdict(
        "unsound" if judged else "no plan", seed, shortened(fault),
        counted("verifier", done.stdout), counted("contents", done.stdout), shortened(message),
    )
    return verdict, done.stdout


def judge(folder, name, changes, machine, programs, script, jobs):
    try:
        tools = make(folder, changes)
    except ValueError as error:
        return Verdict("SURVIVES", "", str(error), "", "", "")
    verdict, report = verdict_of(folder, tools, machine, programs, script, jobs)
    if verdict.judge == "unsound" and is_failure("planner", verdict):
        keep_missed(folder, os.path.join(os.path.dirname(folder), "missed", name), report)
    return verdict


# ===--- all mutants -------------------------------------------------------===//


def kind_of(changes):
    if any(path.startswith(LATER) for path, _, _ in changes):
        return "later"
    return "shared" if any(path.startswith(SHARED) for path, _, _ in changes) else "planner"


def is_failure(kind, verdict):
    """No judge found it; or the verifier should have refused it, and did not."""
    asked = re.match(r"(\d+) of (\d+)", verdict.verifier)
    is_accepted = not asked or asked.group(1) != asked.group(2)
    return verdict.judge == "SURVIVES" or (kind == "planner" and verdict.judge == "unsound" and is_accepted)


def summary(rows):
    for kind, title in [
        ("planner", "what the planner alone sees"),
        ("shared", "what planner and check of contents both see"),
        ("later", "what comes after the plan"),
    ]:
        own = [(name, v) for k, name, v in rows if k == kind]
        counts = Counter(v.judge for _, v in own)
        missed = [name for name, v in own if v.judge == "unsound" and is_failure("planner", v)]
        print(f"{title}: {len(own)} mutants, " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
        if own:
            print(f"    the verifier accepts plans of {len(missed)}: {' '.join(missed)}")


def set_up(root, folder):
    os.makedirs(folder, exist_ok=True)
    copy_tree(root, folder)
    configured = configure(folder)
    fine, log = build(folder, "gmem-opt", "gmem-machine") if configured.returncode == 0 else (False, configured.stderr)
    if not fine:
        sys.exit(f"the tree itself does not build:\n{log}")
    # The machine itself is not changed.
    machine = os.path.join(folder, "machine")
    os.makedirs(machine, exist_ok=True)
    put(os.path.join(folder, "build", "bin", "gmem-machine"), os.path.join(machine, "gmem-machine"))
    return machine


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--side-by-side", type=int, default=1, help="mutants at once, each in a folder of its own")
    parser.add_argument("--lists", help="the folder of the lists, if not that of ROOT")
    parser.add_argument("root")
    parser.add_argument("folder")
    parser.add_argument("programs", type=int)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    lists = arguments.lists or os.path.join(arguments.root, "test", "soundness")
    beside, folders = arguments.side_by_side, Queue()
    for number in range(beside):
        folder = os.path.join(os.path.abspath(arguments.folder), str(number))
        folders.put((folder, set_up(arguments.root, folder)))
    jobs = max((os.cpu_count() or 1) // beside, 1)

    def examine(mutant):
        name, meaning, changes, script, share = mutant
        folder, machine = folders.get()
        began = time.time()
        verdict = judge(folder, name, changes, machine, arguments.programs // share, script, jobs)
        folders.put((folder, machine))
        return mutant, verdict, time.time() - began

    mutants = [
        (name, meaning, changes, script, share)
        for path, script, share in LISTS
        if os.path.exists(os.path.join(lists, path))
        for name, meaning, changes in read_mutations(os.path.join(lists, path))
        if not arguments.names or name in arguments.names
    ]
    rows = []
    with ThreadPoolExecutor(beside) as pool:
        for (name, meaning, changes, _, _), verdict, seconds in pool.map(examine, mutants):
            rows.append((kind_of(changes), name, verdict))
            files = ", ".join(sorted({path for path, _, _ in changes}))
            print(f"{name} ({files}; {seconds:.0f} s): {meaning}\n    {verdict.judge} {verdict.seed}: {verdict.fault[:160]}")
            print(f"    verifier refuses {verdict.verifier}, contents alone {verdict.contents}: {verdict.message[:160]}", flush=True)
    summary(rows)
    failures = [name for kind, name, verdict in rows if is_failure(kind, verdict)]
    print(f"{len(rows)} mutants, {len(failures)} not found or not refused: {' '.join(failures)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
