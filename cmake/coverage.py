#!/usr/bin/env python3
# coverage.py FOLDER - runs the runtime's tests that were built with coverage in
# FOLDER, and prints the code of runtime/ that none of them covers: regions that
# never ran, and conditions that were never true or never false. Exits 1 if any
# of them is not listed in docs/internal/coverage.md.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import concurrent.futures
import functools
import glob
import json
import os
import re
import shutil
import subprocess
import sys

EXPLAINED = "docs/internal/coverage.md"
CODE, EXPANSION, BRANCH = 0, 1, 4  # kinds of regions in llvm-cov's export


def tool(name):
    """The newest of LLVM's tools that is installed as |name|-NUMBER, or |name|."""
    return shutil.which(name + "-22") or shutil.which(name) or sys.exit(f"coverage: there is no {name}")


def run_lines(folder, program):
    """The commands with which lit runs |program|. Those with 'not' need sanitizers."""
    (source,) = glob.glob(os.path.join("test", "unit", "**", os.path.basename(program) + ".c"), recursive=True)
    with open(source, encoding="utf-8") as file:
        lines = re.findall(r"^// RUN: (?!not )(.*)", file.read(), re.M)
    return [line.replace("%unit", os.path.join(folder, "test", "unit")) for line in lines]


def run_tests(folder, programs):
    """Runs all programs, each process with its own profile. Returns the failing commands."""

    def run(job):
        # A busy system uses the numbers of processes again.
        number, line = job
        profile = os.path.join(folder, "profiles", f"{number}-%p.profraw")
        return subprocess.run(line, shell=True, capture_output=True, text=True, check=False, env=dict(os.environ, LLVM_PROFILE_FILE=profile))

    shutil.rmtree(os.path.join(folder, "profiles"), ignore_errors=True)
    lines = [line for program in programs for line in run_lines(folder, program)]
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line, done in zip(lines, pool.map(run, enumerate(lines))):
            if done.returncode != 0 or "LLVM Profile Error" in done.stderr:
                failed.append(line)
                print(f"{line} fails ({done.returncode}):\n{done.stdout[:1000]}{done.stderr[:1000]}")
    return failed


def export(folder, programs):
    """The coverage of each function, as exported by llvm-cov."""
    merged = os.path.join(folder, "all.profdata")
    profiles = glob.glob(os.path.join(folder, "profiles", "*.profraw"))
    subprocess.run([tool("llvm-profdata"), "merge", "-o", merged, *profiles], check=True)

    # One by one: of a function that two programs compile with different options, llvm-cov
    # would take the first alone.
    def functions_of(program):
        command = [tool("llvm-cov"), "export", program, "-instr-profile", merged]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        return json.loads(done.stdout)["data"][0]["functions"]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [function for found in pool.map(functions_of, programs) for function in found]


def in_source(function):
    """Returns a function that maps a place in a file of |function|, which may be a
    macro expansion, to the file and place in the source."""
    outer = {}
    for region in function["regions"]:
        if region[7] == EXPANSION:
            outer[region[6]] = (region[5], tuple(region[:4]))

    def resolve(file, place):
        while file in outer:
            file, place = outer[file]
        return function["filenames"][file], place

    return resolve


@functools.cache
def lines_of(file):
    with open(file, encoding="utf-8") as text:
        return text.read().splitlines()


@functools.cache
def assert_lines(file):
    """The numbers of the lines with asserts, or only compiled with them: a failing
    assert would end the test."""
    found, is_inside = set(), False
    for number, line in enumerate(lines_of(file), 1):
        text = line.strip()
        is_inside = (is_inside or text == "#ifdef GMEM_RUNTIME_ASSERTS") and text != "#endif"
        if is_inside or text.startswith(("assert(", "GMEM_ASSERT(")):
            found.add(number)
    return found


def text_of(file, place):
    """The first line of the text at |place|: begin and end, line and column."""
    begin, column, end, end_column = place
    return lines_of(file)[begin - 1][column - 1 : end_column - 1 if begin == end else None].strip()


def count(functions, root):
    """{(file, place, inner place, what): times} for all regions and branches.
    Counts of functions that were compiled more than once are added."""
    times = {}

    def add(resolve, region, what, number):
        file, place = resolve(region[5] if what == "never runs" else region[6], tuple(region[:4]))
        if os.path.dirname(os.path.dirname(file)) == root and place[0] not in assert_lines(file):
            key = (os.path.relpath(file), place, tuple(region[:4]), what)
            times[key] = times.get(key, 0) + number

    for function in functions:
        resolve = in_source(function)
        for region in function["regions"]:
            if region[7] == CODE:
                add(resolve, region, "never runs", region[4])
        for branch in function["branches"]:
            constant = text_of(function["filenames"][branch[6]], branch[:4]) in ("0", "1")  # do ... while (0)
            if branch[8] == BRANCH and not constant:
                add(resolve, branch, "is never true", branch[4])
                add(resolve, branch, "is never false", branch[5])
    return times


def read_explained():
    """[(file, text of the line)]"""
    file, found = None, []
    with open(EXPLAINED, encoding="utf-8") as lines:
        for line in lines:
            heading = re.match(r"### `?([\w/.]+)`?$", line)
            if heading:
                file = heading.group(1)
            elif file and line.startswith("    "):
                found.append((file, line.strip()))
    return found


def main():
    folder = os.path.abspath(sys.argv[1])
    programs = sorted(glob.glob(os.path.join(folder, "test", "unit", "runtime_*_test")))
    if not programs or run_tests(folder, programs):
        sys.exit("coverage: not all tests pass")
    times = count(export(folder, programs), os.path.abspath("runtime"))
    explained = read_explained()
    unknown, known = set(), set()
    for (file, place, inner, what), number in sorted(times.items()):
        if number > 0:
            continue
        text = lines_of(file)[place[0] - 1].strip()
        if (file, text) in explained:
            known.add((file, text))
            continue
        unknown.add((file, place[0], place[1], f"'{text_of(file, place)}' {what}"))
    for file, line, column, text in sorted(unknown):
        print(f"{file}:{line}:{column}: {text}")
    stale = [(file, text) for file, text in explained if text not in map(str.strip, lines_of(file))]
    for file, text in stale:
        print(f"{EXPLAINED}: {file} has no line: {text}")
    files = {key[0] for key in times}
    print(f"{len(times)} pieces of code and outcomes of conditions in {len(files)} files of runtime/: {len(known)} lines explained, {len(unknown)} not reached")
    return 1 if unknown or stale or not times else 0


if __name__ == "__main__":
    sys.exit(main())
