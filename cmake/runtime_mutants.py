#!/usr/bin/env python3
# runtime_mutants.py FOLDER [NAME...] - makes each change of
# test/unit/runtime/mutations.txt in a copy of the tree at FOLDER and runs the
# runtime's unit tests until one fails. Exits 1 when a mutant survives.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import concurrent.futures
import glob
import os
import re
import resource
import subprocess
import sys
import time

sys.path.insert(0, os.path.join("test", "soundness", "Inputs"))
from coverage import run_lines
from mutant_build import copy_tree, run
from run_mutants import read_mutations

LIST = os.path.join("test", "unit", "runtime", "mutations.txt")
# The builds of the tests, tried in this order until one detects the mutant: name
# of the folder, and sanitizers.
BUILDS = [("plain", ""), ("asan", "address,undefined"), ("tsan", "thread")]
MOST_SECONDS = 60  # time limit of one test, which normally takes less than 3


def copy_back(saved):
    for target, text in saved.items():
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)


def configure(folder):
    """Configures all builds, with warnings disabled except those of the
    thread-safety analysis: mutants may cause others."""
    with open(os.path.join(folder, "cmake", "gmem_targets.cmake"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder, "cmake", "gmem_targets.cmake"), "w", encoding="utf-8") as file:
        file.write(text.replace("-Werror ", "-w -Wthread-safety -Werror=thread-safety "))
    for name, sanitizers in BUILDS:
        done = run("cmake", "-G", "Ninja", "-S", folder, "-B", os.path.join(folder, name), "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_COMPILER=clang-22", "-DGMEM_ENABLE_MLIR=OFF", f"-DGMEM_SANITIZE={sanitizers}")
        if done.returncode != 0:
            sys.exit(f"{name} cannot be configured:\n{done.stderr}")


def test_names(folder):
    return [os.path.basename(path)[:-2] for path in sorted(glob.glob(os.path.join(folder, "test", "unit", "**", "runtime_*_test.c"), recursive=True))]


def build(folder, name):
    done = run("ninja", "-C", os.path.join(folder, name), f"-j{os.cpu_count()}", *test_names(folder))
    return "" if done.returncode == 0 else done.stdout[-400:]


def limit_memory():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def failure_of(line):
    """The reason why a command fails, or ''."""
    with subprocess.Popen(line, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True, preexec_fn=limit_memory) as child:
        try:
            _, errors = child.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.communicate()
            return "hangs"
    if child.returncode == 0:
        return ""
    first = re.search(r"CHECK\(.*?\) failed|Sanitizer: [\w -]+|Assertion `.*?'|runtime error: .*", errors)
    return first.group(0) if first else f"exits with {child.returncode}"


def find_failure(folder, name):
    """The first failing test of a build, and the reason."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(failure_of, line): test for test in test_names(folder) for line in run_lines(os.path.join(folder, name), test)}
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                for other in jobs:
                    other.cancel()
                return jobs[job], job.result()
    return None


def judge(folder, changes):
    """Applies the changes, returns which test detects them, and reverts them."""
    saved = {}
    for path, old, new in changes:
        target = os.path.join(folder, path)
        with open(target, encoding="utf-8") as file:
            text = file.read()
        saved.setdefault(target, text)
        if text.count(old) != 1:
            return f"SURVIVES: its text is in {path} {text.count(old)} times"
        with open(target, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
    try:
        for name, _ in BUILDS:
            problem = build(folder, name)
            if problem:
                return "found by the compiler" if "thread-safety" in problem else f"SURVIVES: does not build: {problem}"
            failure = find_failure(folder, name)
            if failure:
                return f"found by {failure[0]} ({name}): {failure[1][:120]}"
    finally:
        copy_back(saved)
    return "SURVIVES"


def main():
    folder, *wanted = sys.argv[1:]
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    copy_tree(".", folder)
    configure(folder)
    for name, _ in BUILDS:
        problem = build(folder, name) or find_failure(folder, name)
        if problem:
            sys.exit(f"the tree itself fails ({name}): {problem}")
    survivors = 0
    for name, _, _, meaning, changes in read_mutations(LIST):
        if wanted and name not in wanted:
            continue
        began = time.time()
        verdict = judge(folder, changes)
        survivors += verdict.startswith("SURVIVES")
        print(f"{name}: {verdict} ({time.time() - began:.0f} s): {meaning}", flush=True)
    print(f"{survivors} mutants survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
