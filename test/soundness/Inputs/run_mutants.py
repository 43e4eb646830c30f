# run_mutants.py ROOT FOLDER PROGRAMS [NAME...] - makes each change of
# the lists below in a copy of the tree at FOLDER, and has
# up to PROGRAMS random programs planned by what is built of it (of programs on
# memrefs, a third as many). Exits 1 when a mutant survives.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import shutil
import subprocess
import sys
import time


# The list of mutations, what finds them, for how many programs one of those counts.
LISTS = [
    ("mutations.txt", ["run_programs.py"], 1),
    ("padding-mutations.txt", ["run_programs.py", "--pad"], 1),
    ("memref-mutations.txt", ["run_memref_programs.py"], 3),
    ("stream-mutations.txt", ["run_stream_programs.py"], 1),
]


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
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
            shutil.copyfile(source, target)


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def build(folder):
    done = run("ninja", "-C", os.path.join(folder, "build"), "-j2", "gmem-opt", "gmem-machine")
    return done.returncode == 0, done.stdout + done.stderr


def verdict_of(folder, programs, machine, script):
    """What is said of the mutant that is built in |folder|."""
    tools = os.path.join(folder, "build", "bin")
    environment = dict(os.environ, PATH=os.pathsep.join([machine, tools, os.environ["PATH"]]))
    script = [os.path.join(os.path.dirname(os.path.abspath(__file__)), script[0]), *script[1:]]
    kept = os.path.join(folder, "kept")
    shutil.rmtree(kept, ignore_errors=True)
    done = run("python3", "-B", *script, "--stop", kept, "0", str(programs), env=environment)
    first = re.search(r"^((?:seed|batch) \d+) \(.*?\)(?: fails as a whole)?: (.*)$", done.stdout, re.M)
    if not first:
        return "SURVIVES", ""
    fault = re.sub(r'loc\("[^"]*"(:\d+:\d+)?\): |"seed_\d+": ', "", first.group(2))
    fault = re.sub(r' at loc\("[^"]*"(:\d+:\d+)?\)', "", fault)
    how = "refused" if "gmem-opt exits" in fault else "found"
    return f"{how} by {first.group(1)}", fault


def copy_back(saved):
    for target, text in saved.items():
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)


def judge(folder, changes, programs, machine, script):
    """Makes the changes, tries what is built, and takes them back."""
    saved = {}
    for path, old, new in changes:
        target = os.path.join(folder, path)
        with open(target, encoding="utf-8") as file:
            text = file.read()
        saved.setdefault(target, text)
        if text.count(old) != 1:
            copy_back(saved)
            return f"SURVIVES: its text is in {path} {text.count(old)} times", ""
        with open(target, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
    fine, log = build(folder)
    verdict = verdict_of(folder, programs, machine, script) if fine else ("SURVIVES: does not build", log[-600:])
    copy_back(saved)
    return verdict


def main():
    root, folder, programs, *wanted = sys.argv[1:]
    programs = int(programs)
    os.makedirs(folder, exist_ok=True)
    copy_tree(root, folder)
    configured = run("cmake", "-G", "Ninja", "-S", folder, "-B", os.path.join(folder, "build"), "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-w")
    fine, log = build(folder) if configured.returncode == 0 else (False, configured.stderr)
    if not fine:
        sys.exit(f"the tree itself does not build:\n{log}")
    # The machine itself is not changed.
    machine = os.path.join(folder, "machine")
    os.makedirs(machine, exist_ok=True)
    shutil.copy2(os.path.join(folder, "build", "bin", "gmem-machine"), machine)
    survivors = 0
    for path, script, share in LISTS:
        for name, meaning, changes in read_mutations(os.path.join(root, "test", "soundness", path)):
            if wanted and name not in wanted:
                continue
            began = time.time()
            verdict, fault = judge(folder, changes, programs // share, machine, script)
            survivors += verdict.startswith("SURVIVES")
            print(f"{name}: {verdict} ({time.time() - began:.0f} s): {meaning}\n    {fault[:200]}", flush=True)
    print(f"{survivors} mutants survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
