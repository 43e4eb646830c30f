#!/usr/bin/env python3
# lint.py - the rules of the house that no compiler checks. Prints one line per
# breach and exits 1 when there is any.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import os
import re
import subprocess
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# JSON has no comments; the licence and the change log are prose of their own.
WITHOUT_SPDX = (".json", ".md", ".csv", ".gmem", "LICENSE", ".gitignore", ".clang-format", "CODEOWNERS")

# What a file of each folder may include beyond the C library: prefixes of
# include paths, and headers of the same folder.
MAY_INCLUDE = {
    "include": ["gmem/", "mlir-c/IR.h", "mlir-c/Pass.h"],
    "files": ["gmem/status.h"],
    "hash": [],
    "planner": ["sha256.h", "gmem/status.h", "gmem/planner.h", "gmem/memories.h", "gmem/version.h"],
    "runtime": ["sha256.h", "gmem/status.h", "gmem/plan.h", "gmem/provider.h", "gmem/weight_store.h", "gmem/runtime.h", "gmem/parallel.h", "gmem/version.h"],
    "dialect": ["mlir-c/"],
    "passes": ["gmem/status.h", "gmem/planner.h", "gmem/memories.h", "gmem/passes.h", "gmem/version.h", "mlir-c/", "dialect.h", "ir_reading.h", "vocabulary.h", "files.h"],
    "tools": ["sha256.h", "gmem/", "mlir-c/", "jansson.h", "files.h", "ir_reading.h"],
    "bench": ["gmem/"],
    "examples": ["gmem/"],
}
# Single files with a rule of their own, on top of their folder's.
ALSO = {
    "passes/registration.cpp": ["mlir/", "llvm/"],
    "runtime/life_check.c": ["sanitizer/asan_interface.h", "valgrind/memcheck.h"],
    "tools/gmem-opt.c": ["dialect.h", "opt_main.h"],
    "examples/firmware/firmware.c": ["request.h"],  # which is generated
    "tools/gmem-docs.c": ["vocabulary.h", "op_models.h", "op_model_read.h"],
}
# Only the tools may register everything.
FORBIDDEN = {
    "passes": ["mlir-c/RegisterEverything.h"],
    "dialect": ["mlir-c/RegisterEverything.h"],
}
CPLUSPLUS = {"passes/registration.cpp"}
# The independent checker of plans.
CHECKER = re.compile(r"planner/check(_\w+)?\.[ch]$")
PASS_HEADER = re.compile(r"// requires:.*// produces:.*// fails:", re.S)

complaints = []


def complain(path, line, text):
    complaints.append(f"{path}:{line}: {text}")


def may_include(path, name):
    """Whether a file may include what is neither the C library's nor beside it."""
    folder = path.split("/")[0]
    if name in FORBIDDEN.get(folder, []):
        return False
    allowed = MAY_INCLUDE[folder] + ALSO.get(path, [])
    return any(name == a or (a.endswith("/") and name.startswith(a)) for a in allowed)


def check_includes(path, text):
    folder = path.split("/")[0]
    if folder not in MAY_INCLUDE:
        return
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
        if not match:
            continue
        bracket, name = match.groups()
        # <...> is for the C library; the one library in this form beside it is
        # named like ours.
        if bracket == "<" and name != "jansson.h":
            continue
        if bracket == '"' and os.path.exists(os.path.join(os.path.dirname(path), name)):
            continue
        if not may_include(path, name):
            complain(path, number, f"{folder}/ must not include {name}")


def check_checker_is_alone(path, text):
    # The proof must not share code with what it proves: the checker's files see
    # one another and memory, and no other file sees them.
    if not path.startswith("planner/"):
        return
    is_checker = CHECKER.match(path)
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+"([^/"]+)"', line)
        if not match:
            continue
        is_checkers = match.group(1) == "check_internal.h"
        if is_checker and not is_checkers and match.group(1) != "planner_memory.h":
            complain(path, number, f"the checker shares {match.group(1)} with the algorithms")
        if not is_checker and is_checkers:
            complain(path, number, "check_internal.h is the checker's own")


def check_pass_header(path, text):
    if path.startswith("passes/") and path.endswith(".c") and "gmem_for_each_scope_in(top, allocator" in text \
            and os.path.basename(path).startswith(("assign_", "verify_")) and not PASS_HEADER.search(text[:3000]):
        complain(path, 1, "a pass file opens with requires, produces, fails")


def check_map_of_passes(files):
    # A folder this large is read by its map.
    with open("passes/README.md", encoding="utf-8") as file:
        named = set(re.findall(r"`(\w+)(?:\.\w+)?`", file.read()))
    for path in files:
        stem, ending = os.path.splitext(os.path.basename(path))
        if path.startswith("passes/") and ending in (".c", ".h", ".cpp") and stem not in named:
            complain(path, 1, "passes/README.md does not say what it is for")


def check_run_lines(path, text):
    # clang-format may join comment lines, and lit passes a test without a command.
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\bRUN: *$", line):
            complain(path, number, "a RUN line without a command")


def check_mutations(path):
    """Each change of a list of mutations must still find its line."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("- "):
            continue
        source = lines[number - 2]
        count = open(source, encoding="utf-8").read().count(line[2:].strip()) if os.path.exists(source) else 0
        if count != 1:
            complain(path, number, f"this stands in {source} {count} times, not once")


def main():
    files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                           capture_output=True, text=True, check=True).stdout.split()
    files = [f for f in files if os.path.exists(f)]
    names = collections.defaultdict(list)
    for path in files:
        if "corpus/" in path or "/Inputs/" in path:
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if not re.search(r"^\W*" + SPDX, text[:1500], re.M) and not path.endswith(WITHOUT_SPDX):
            complain(path, 1, "no SPDX line")
        if path.startswith("test/"):
            check_run_lines(path, text)
        if path.endswith((".c", ".h", ".cpp")):
            names[os.path.basename(path)].append(path)
            check_includes(path, text)
            check_checker_is_alone(path, text)
            check_pass_header(path, text)
        if path.endswith((".cpp", ".cc", ".hpp")) and path not in CPLUSPLUS:
            complain(path, 1, "C++ belongs in passes/registration.cpp alone")
    check_map_of_passes(files)
    for path in (f for f in files if f.endswith("mutations.txt")):
        check_mutations(path)
    for name, paths in names.items():
        if len(paths) > 1:
            complain(paths[1], 1, f"{paths[0]} has the same name")
    sources = [f for f in files if f.endswith((".c", ".h", ".cpp"))]
    format_run = subprocess.run(["clang-format", "--dry-run", "--Werror", *sources], capture_output=True, text=True)
    for line in format_run.stderr.splitlines():
        if "error:" in line:
            complaints.append(line + " (./dev format)")
    examples = subprocess.run([sys.executable, "examples/generate.py", "--check"], capture_output=True, text=True)
    if examples.returncode:
        complaints.append("examples/: " + (examples.stderr or examples.stdout).strip())
    print("\n".join(complaints) if complaints else f"{len(files)} files follow the rules")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
