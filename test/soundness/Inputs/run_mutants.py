# run_mutants.py [options] ROOT FOLDER PROGRAMS [NAME...] - makes each change of
# the lists below in a copy of the tree at FOLDER, and has
# up to PROGRAMS random programs planned by what is built of it (of programs on
# memrefs, a third as many). A judge that knows nothing of the mutant says which
# of these plans are unsound, and the verifier of the mutant itself, as it would
# be shipped, is asked about those. Prints a line for each and the table of
# README.md; exits 1 when no plan of a mutant is unsound, or when its verifier
# accepts one (kept in FOLDER/missed). With --table=FILE --resume, an earlier run of
# the same commit that was interrupted goes on: rows of FILE are not run again.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import hashlib
import os
import re
import shlex
import shutil
import sys
import time
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

from mutant_build import Tree, run, write
from unsound_plans import is_judged

# The list of mutations, what finds them, for how many programs one of those counts.
# One of those of memrefs is run in a batch of 20, others are planned in one of 50.
LISTS = [
    ("mutations.txt", ["run_programs.py", "--quick"], 1),
    ("padding-mutations.txt", ["run_programs.py", "--quick", "--pad"], 1),
    ("dimension-mutations.txt", ["run_programs.py", "--quick", "--dimensions"], 1),
    ("strided-mutations.txt", ["run_programs.py", "--quick", "--strided"], 1),
    ("import-mutations.txt", ["run_programs.py", "--quick", "--imports"], 1),
    ("workbuffer-mutations.txt", ["run_programs.py", "--quick", "--work"], 1),
    ("state-mutations.txt", ["run_programs.py", "--quick", "--state"], 1),
    ("copies-mutations.txt", ["run_programs.py", "--quick"], 1),
    ("memref-mutations.txt", ["run_memref_programs.py"], 3),
    ("message-mutations.txt", ["run_memref_programs.py", "--messages"], 3),
    ("stream-mutations.txt", ["run_stream_programs.py"], 1),
    ("order-mutations.txt", ["run_ordered.py"], 1),
    ("region-mutations.txt", ["run_regions.py"], 1),
]

# What the planner and the check of contents both see: only the judge can find
# what is wrong here.
SHARED = ("dialect/", "include/", "passes/ops/", "passes/support/", "passes/checker/")
# What comes before the plan, or after it. What changes the order of ops or the valid regions, too: such a plan is sound,
# for a program in the wrong order or with wrong notes.
LATER = ("passes/entry/", "passes/llvm/", "passes/materialize/")

HANGS = 60  # seconds, for a tool that plans; a program that runs gets half of it

# |kind|: the rule that it breaks. |unseen|: it was written when the check of contents was
# done, which therefore is not made for it.
Mutation = namedtuple("Mutation", "name kind unseen meaning changes")
Verdict = namedtuple("Verdict", "judge unsound seed fault changes verifier contents message")
NOTHING = Verdict("SURVIVES", 0, "", "", False, "", "", "")


def read_mutations(path):
    """The mutations of a list; |changes| are (file, old, new)."""
    with open(path, encoding="utf-8") as file:
        text = "\n".join(line for line in file.read().splitlines() if not line.startswith("#"))
    found = []
    for block in re.split(r"\n\s*\n", text.strip()):
        head, *lines = block.split("\n")
        name, kind, unseen, meaning = re.match(r"= ([\w-]+)(?: \[([^],]*)(, unseen)?\])?: (.*)", head).groups()
        changes = [
            (path, old[2:].strip(), new[2:].strip())
            for path, old, new in zip(lines[::3], lines[1::3], lines[2::3])
        ]
        found.append(Mutation(name, kind, bool(unseen), meaning, changes))
    return found


# ===--- one mutant --------------------------------------------------------===//


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


def changes_plan(report, seed, tools, base):
    """Whether the mutant plans the program of |seed| otherwise than what is not mutated."""
    repeat = re.search(rf"^{seed} \(.*\n(?:.*\n)*?  repeat: gmem-opt (.*?)(?: \||$)", report, re.M)
    if not repeat:
        return False
    texts = [run(tool, *shlex.split(repeat.group(1)), timeout=HANGS) for tool in (tools[0], base[0])]
    return texts[0].stdout != texts[1].stdout


def verdict_of(tree, tools, seeds, script, more, jobs):
    """What programs of |seeds| say of the mutant that is built, and the report of the script."""
    path = [os.path.dirname(tools[0]), tree.machine, os.environ["PATH"]]
    environment = dict(os.environ, PATH=os.pathsep.join(path))
    script = [os.path.join(os.path.dirname(os.path.abspath(__file__)), script[0]), *script[1:]]
    kept = os.path.join(tree.folder, "kept")
    shutil.rmtree(kept, ignore_errors=True)
    options = ["--stop", f"--verifier={tools[1]}", f"--jobs={jobs}", f"--timeout={HANGS}", *more]
    done = run("python3", "-B", *script, *options, kept, str(seeds.start), str(seeds.stop), env=environment)
    faults = re.findall(r"^((?:seed|batch) \d+) \(.*?\)((?: fails as a whole)?: .*)$", done.stdout, re.M)
    judged = [fault for fault in faults if is_judged(fault[1])]
    if not faults:
        return NOTHING, ""
    seed, fault = (judged or faults)[0]
    fault = fault.lstrip(": ")
    asked, refused, message = said("verifier", done.stdout)
    verdict = Verdict(
        "unsound" if judged else "no plan", len(judged), seed, shortened(fault),
        any(changes_plan(done.stdout, seed, tools, tree.base) for seed, _ in judged),
        counted("verifier", done.stdout), counted("contents", done.stdout), shortened(message),
    )
    return verdict, done.stdout


def more_options(tree, script, changes):
    """To run a program on memrefs takes seconds: only those are run that the mutant changes."""
    is_run = script[0] == "run_memref_programs.py" and not any(path.startswith("passes/llvm/") for path, _, _ in changes)
    return [f"--unlike={tree.base[0]}"] if is_run else []


def judge(tree, name, changes, ranges, script, jobs):
    try:
        tools = tree.make(changes)
    except ValueError as error:
        return NOTHING._replace(fault=str(error))
    more = more_options(tree, script, changes)
    for seeds in ranges:
        verdict, report = verdict_of(tree, tools, seeds, script, more, jobs)
        if verdict.judge == "unsound":
            break
    if verdict.judge == "unsound" and is_failure("planner", verdict):
        keep_missed(tree.folder, os.path.join(os.path.dirname(tree.folder), "missed", name), report)
    return verdict


# ===--- all mutants -------------------------------------------------------===//


def seer_of(mutation):
    """Who sees what the mutant changes."""
    paths = [path for path, _, _ in mutation.changes]
    if mutation.kind in ("order", "regions") or any(path.startswith(LATER) for path in paths):
        return "later"
    return "shared" if any(path.startswith(SHARED) for path in paths) else "planner"


def refused_of(verdict):
    """(unsound plans that the verifier refuses, those that it was asked about)."""
    asked = re.match(r"(\d+) of (\d+)", verdict.verifier)
    return (int(asked.group(1)), int(asked.group(2))) if asked else (0, 0)


def is_failure(seer, verdict):
    """No judge found it; or the verifier should have refused it, and did not."""
    refused, asked = refused_of(verdict)
    is_accepted = asked == 0 or refused != asked
    return verdict.judge == "SURVIVES" or (seer == "planner" and verdict.judge == "unsound" and is_accepted)


HEADS = "| rule | seen by | mutants | of these unseen | a plan changes | found | plans refused |"


def print_summary(rows):
    """One line for each rule and who sees it: the table of README.md."""
    counts = {}
    for mutation, verdict in rows:
        refused, asked = refused_of(verdict)
        counts.setdefault((mutation.kind, seer_of(mutation)), Counter()).update(
            mutants=1, unseen=int(mutation.unseen), changes=int(verdict.changes), found=int(verdict.judge == "unsound"),
            refused=refused, asked=asked,
        )
    counts[("all", "")] = sum(counts.values(), Counter())
    print(f"{HEADS}\n| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for (kind, seer), c in counts.items():
        cells = [kind, seer, c["mutants"], c["unseen"], c["changes"], c["found"], f"{c['refused']} of {c['asked']}"]
        print("| " + " | ".join(map(str, cells)) + " |")
    for what in ("SURVIVES", "no plan"):
        names = [mutation.name for mutation, verdict in rows if verdict.judge == what]
        print(f"{what}: {' '.join(names) or 'none'}")


COLUMNS = [
    "mutant", "kind", "file", "seen by", "plan changes", "judge", "judge: unsound", "verifier refuses", "contents refuses",
    "seed", "digest",
]


def read_table(path):
    """By mutant, the row of a table, by column."""
    with open(path, encoding="utf-8") as file:
        head, *rows = [line.rstrip("\n").split("\t") for line in file]
    return {row[0]: dict(zip(head, row)) for row in rows}


def read_seeds(path):
    """By mutant, the seed of which a table says that it shows the mutant."""
    found = {name: re.match(r"seed (\d+)$", row["seed"]) for name, row in read_table(path).items()}
    return {name: int(seed.group(1)) for name, seed in found.items() if seed}


def digest_of(commit, mutation, programs):
    return hashlib.sha256(repr((commit, mutation, programs)).encode()).hexdigest()[:16]


def verdict_in(row):
    """The verdict that a row of a table states; it has no messages."""
    return Verdict(
        row["judge"], int(row["judge: unsound"]), row["seed"], "", row["plan changes"] == "yes",
        row["verifier refuses"], row["contents refuses"], "",
    )


def ranges_of(programs, share, seed):
    """The seeds that are tried: first the batch that has shown the mutant before."""
    size = 20 if share > 1 else 50
    known = [] if seed is None else [range(seed - seed % size, seed - seed % size + size)]
    return [*known, range(programs // share)]


def write_table(path, rows, digests):
    """One line for each mutant."""
    lines = ["\t".join(COLUMNS)]
    for mutation, verdict in rows:
        changes = "yes" if verdict.changes else "no"
        lines.append("\t".join([
            mutation.name, mutation.kind, files_of(mutation), seer_of(mutation), changes, verdict.judge,
            str(verdict.unsound), verdict.verifier, verdict.contents, verdict.seed, digests[mutation.name],
        ]))
    write(path, "\n".join(lines) + "\n")


def files_of(mutation):
    return ", ".join(sorted({path for path, _, _ in mutation.changes}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--side-by-side", type=int, default=1, help="mutants at once, each in a folder of its own")
    parser.add_argument("--jobs", type=int, help="of each mutant")
    parser.add_argument("--table", help="a file for a table of all mutants")
    parser.add_argument("--resume", action="store_true", help="takes over the rows of --table, of this commit")
    parser.add_argument("--seeds", help="a table of before: programs that it names are tried first")
    parser.add_argument("--lists", help="the folder of the lists, if not that of ROOT")
    parser.add_argument("root")
    parser.add_argument("folder")
    parser.add_argument("programs", type=int)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.resume and not arguments.table:
        parser.error("--resume needs --table")
    lists = arguments.lists or os.path.join(arguments.root, "test", "soundness")
    beside, trees = arguments.side_by_side, Queue()
    for number in range(beside):
        trees.put(Tree(os.path.abspath(arguments.root), os.path.join(os.path.abspath(arguments.folder), str(number))))
    jobs = arguments.jobs or max((os.cpu_count() or 1) // beside, 1)

    known, done = read_seeds(arguments.seeds) if arguments.seeds else {}, {}

    def examine(job):
        mutation, script, share = job
        if mutation.name in done:
            return mutation, done[mutation.name], 0
        tree = trees.get()
        began = time.time()
        ranges = ranges_of(arguments.programs, share, known.get(mutation.name))
        verdict = judge(tree, mutation.name, mutation.changes, ranges, script, jobs)
        trees.put(tree)
        return mutation, verdict, time.time() - began

    todo = [
        (mutation, script, share)
        for path, script, share in LISTS
        if os.path.exists(os.path.join(lists, path))
        for mutation in read_mutations(os.path.join(lists, path))
        if not arguments.names or mutation.name in arguments.names
    ]
    commit = run("git", "-C", arguments.root, "rev-parse", "HEAD").stdout.strip()
    digests = {mutation.name: digest_of(commit, mutation, arguments.programs) for mutation, _, _ in todo}
    if arguments.resume and os.path.exists(arguments.table):
        earlier = read_table(arguments.table)
        done = {name: verdict_in(earlier[name]) for name, digest in digests.items() if earlier.get(name, {}).get("digest") == digest}
    rows = []
    with ThreadPoolExecutor(beside) as pool:
        for mutation, verdict, seconds in pool.map(examine, todo):
            rows.append((mutation, verdict))
            print(f"{mutation.name} ({files_of(mutation)}; {seconds:.0f} s): {mutation.meaning}")
            print(f"    {verdict.judge} {verdict.seed}: {verdict.fault[:160]}")
            print(f"    verifier refuses {verdict.verifier}, contents alone {verdict.contents}: {verdict.message[:160]}", flush=True)
            if arguments.table:
                write_table(arguments.table, rows, digests)
    print_summary(rows)
    failures = [mutation.name for mutation, verdict in rows if is_failure(seer_of(mutation), verdict)]
    print(f"{len(rows)} mutants, {len(failures)} not found or not refused: {' '.join(failures)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
