#!/usr/bin/env python3
# lint.py - the rules of the house that no compiler checks. Prints one line per
# breach and exits 1 when there is any.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import rooms

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# JSON has no comments; the licence and the change log are prose of their own.
WITHOUT_SPDX = (".json", ".md", ".csv", ".gmem", "LICENSE", ".gitignore", ".clang-format", "CODEOWNERS")

# Prefixes of the include paths that each folder may use beyond the C library, its
# own room and the rooms it sees (rooms.py).
MAY_INCLUDE = {
    "include": ["gmem/", "mlir-c/IR.h", "mlir-c/Pass.h"],
    "text": ["diag.h", "edit_distance.h", "json_writer.h", "numbers.h", "text_out.h", "gmem/status.h", "gmem/planner/", "gmem/memories.h"],
    "files": ["files.h", "plan_folder.h", "diag.h", "sha256.h", "gmem/status.h", "gmem/planner.h"],
    "hash": ["sha256.h", "sha256_"],
    "heap": ["heap.h", "scratch.h", "diag.h", "gmem/status.h"],
    "order": ["diag.h", "heap.h", "scratch.h", "gmem/order.h", "gmem/planner/effort.h", "gmem/planner/solve.h", "gmem/status.h"],
    "planner": ["heap.h", "scratch.h", "sha256.h", "diag.h", "numbers.h", "text_out.h", "gmem/status.h", "gmem/planner.h", "gmem/planner/", "gmem/memories.h", "gmem/version.h"],
    "runtime": ["sha256.h", "gmem/status.h", "gmem/plan.h", "gmem/layouts.h", "gmem/provider.h", "gmem/weight_store.h", "gmem/runtime.h", "gmem/parallel.h", "gmem/scheduler.h", "gmem/manager.h", "gmem/transforms.h", "gmem/context.h", "gmem/version.h"],
    "recorder": ["gmem/", "runtime_support.h", "thread_safety.h", "region_map.h"],
    "dialect": ["dialect.h", "ir_reading.h", "vocabulary.h", "mlir-c/"],
    "passes": ["gmem/status.h", "llvm/Config/llvm-config.h", "gmem/planner.h", "gmem/planner/", "gmem/order.h", "gmem/memories.h", "gmem/passes.h", "gmem/version.h", "mlir-c/", "dialect.h", "ir_reading.h", "vocabulary.h", "files.h", "plan_folder.h", "diag.h", "edit_distance.h", "json_writer.h", "numbers.h", "gmem/planned_image.h"],
    "tools": ["sha256.h", "gmem/", "mlir-c/", "files.h", "plan_folder.h", "diag.h", "edit_distance.h", "json_writer.h", "numbers.h", "text_out.h", "ir_reading.h", "vocabulary.h"],
    "bench": ["bench_", "gmem/", "sha256.h"],
    "examples": ["gmem/"],
}
# Single files with a rule of their own, on top of their folder's.
ALSO = {
    "tools/opt/gmem-opt.c": ["dialect.h"],
    "tools/opt/opt_main.cpp": ["dialect.h"],
    "tools/run/jit.c": ["llvm-c/Support.h"],
    "examples/firmware/firmware.c": ["request.h"],  # which is generated
    "examples/codegen/nano_compile.c": ["mlir-c/"],
    "passes/image/image_weights.c": ["gmem/weight_store.h", "sha256.h"],
    "passes/support/bump.c": ["heap.h"],
}
# Only the tools may register everything.
FORBIDDEN = {
    "passes": ["mlir-c/RegisterEverything.h"],
    "dialect": ["mlir-c/RegisterEverything.h"],
}
# C++ is restricted to features that the MLIR C API lacks.
CPLUSPLUS = {"passes/support/mlir_seam.cpp", "passes/entry/registration.cpp",
             "passes/entry/plugin.cpp", "tools/opt/opt_main.cpp"}
# Checkers share no code with the algorithms: a bug in shared code could make a
# wrong plan pass. Each is a room, with those in it, that uses, beside itself and the C
# library, these rooms, or exactly the symbols of this list.
CHECKERS = {
    "planner/check": {"planner/problem", "planner/support", "heap"},
    "order/check": {"order/graph", "heap", "text"},
    "passes/checker": "passes/checker/allowed-symbols",
}
PASS_HEADER = re.compile(r"// requires:.*// produces:.*// fails:", re.S)

complaints = []


def complain(path, line, text):
    complaints.append(f"{path}:{line}: {text}")


def may_include(path, name):
    """Whether a file may include what is in no room."""
    folder = path.split("/")[0]
    if name in FORBIDDEN.get(folder, []):
        return False
    allowed = MAY_INCLUDE[folder] + ALSO.get(path, [])
    if path in CPLUSPLUS:
        allowed = allowed + ["mlir/", "llvm/"]
    return any(name == a or (a.endswith(("/", "_")) and name.startswith(a)) for a in allowed)


def check_includes(path, text, headers):
    folder = path.split("/")[0]
    if folder not in MAY_INCLUDE:
        return
    for match in rooms.INCLUDE.finditer(text):
        target = rooms.resolve(path, match[1], headers)
        if target and target.split("/")[0] in rooms.LIBRARIES and folder in rooms.LIBRARIES:
            continue  # rooms.py knows
        if target and os.path.dirname(target) == os.path.dirname(path):
            continue
        if not may_include(path, match[1]):
            complain(path, text[:match.start()].count("\n") + 1, f"{folder}/ must not include {match[1]}")


def mlir_include():
    tool = shutil.which("llvm-config-22") or shutil.which("llvm-config") or "llvm-config-22"
    return subprocess.run([tool, "--includedir"], capture_output=True, text=True, check=True).stdout.strip()


def symbols_used(room, folder):
    """By source file of a checker: the gmem symbols that its object does not define, however they are declared."""
    seen = ["include", room, *sorted(rooms.table()[room])]
    seen += [*rooms.SHARED, mlir_include()] if room.startswith("passes/") else ["heap", "text"]
    used = {}
    for path in sorted(glob.glob(f"{room}/**/*.c", recursive=True)):
        out = os.path.join(folder, "checker.o")
        subprocess.run(["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", *(f"-I{s}" for s in seen), "-c", path, "-o", out], check=True)
        symbols = subprocess.run(["nm", "-u", out], capture_output=True, text=True, check=True).stdout.split()
        used[path] = [s for s in symbols if s.startswith("gmem_")]
    return used


def listed_symbols(path):
    """By symbol of a list: its line."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].strip() for line in file]
    return {symbol: number for number, symbol in enumerate(lines, 1) if symbol}


def check_checker_objects():
    """Checks the symbols that the objects of the checkers use, and that lists of these are exact."""
    where = rooms.definitions(rooms.sources() + glob.glob("heap/*.c") + glob.glob("text/*.c"))
    for room, allowed in CHECKERS.items():
        with tempfile.TemporaryDirectory() as folder:
            used = symbols_used(room, folder)
        listed = listed_symbols(allowed) if isinstance(allowed, str) else {}
        others = set()
        for path, symbol in ((p, s) for p in used for s in used[p]):
            home = os.path.dirname(where.get(symbol, "?"))
            if (home + "/").startswith(room + "/"):
                continue
            others.add(symbol)
            if symbol not in listed and (listed or home not in allowed):
                complain(path, 1, f"the checker uses {symbol} of {where.get(symbol, 'an unknown file')}")
        for symbol, line in listed.items():
            if symbol not in others:
                complain(allowed, line, f"nothing in {room} uses {symbol} of another room")


def check_pass_header(path, text):
    if path.startswith("passes/") and path.endswith(".c") and "gmem_for_each_scope_in(top, allocator" in text \
            and os.path.basename(path).startswith(("assign_", "verify_")) and not PASS_HEADER.search(text[:3000]):
        complain(path, 1, "a pass file opens with requires, produces, fails")


def check_type_names(files):
    """A type name means one thing: no two headers define it."""
    where = {}
    for path in (f for f in files if f.endswith(".h") and f.split("/")[0] in (*rooms.LIBRARIES, "include", "dialect", "files", "hash", "heap", "recorder", "text")):
        code = rooms.without_comments(rooms.read(path))
        names = re.findall(r"^\}\s*(gmem_\w+_t);", code, re.M) + re.findall(r"^typedef [^{}();]*?\b(gmem_\w+_t);", code, re.M)
        for name in names:
            if where.setdefault(name, path) != path:
                complain(path, 1, f"{where[name]} defines {name}, too")


def check_room_readmes():
    for room in rooms.table():
        if not os.path.exists(f"{room}/README.md"):
            complain(room, 1, "the room has no README.md (the question it answers, the rooms it sees)")


def check_run_lines(path, text):
    # clang-format may join comment lines, and lit passes a test without a command.
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\bRUN: *$", line):
            complain(path, number, "a RUN line without a command")


def check_features(path, text, known):
    """lit skips a test that requires a feature that nothing adds."""
    for line, words in re.findall(r"^\W*((?:REQUIRES|UNSUPPORTED): *(.*))$", text, re.M):
        for word in re.findall(r"[\w-]+", words):
            if word not in known and not word.startswith(("mlir-", "sanitizer-")):
                number = text[:text.index(line)].count("\n") + 1
                complain(path, number, f"no feature {word} in test/lit.cfg.py")


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
    with open("test/lit.cfg.py", encoding="utf-8") as file:
        features = set(re.findall(r'"([\w-]+)"', file.read()))
    headers = {os.path.basename(f): f for f in files if f.endswith(".h")}
    for path in files:
        if "corpus/" in path or "/Inputs/" in path:
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if not re.search(r"^\W*" + SPDX, text[:1500], re.M) and not path.endswith(WITHOUT_SPDX):
            complain(path, 1, "no SPDX line")
        if path.startswith("test/"):
            check_run_lines(path, text)
            check_features(path, text, features)
        if path.endswith((".c", ".h", ".cpp")):
            names[os.path.basename(path)].append(path)
            check_includes(path, text, headers)
            check_pass_header(path, text)
        if path.endswith((".cpp", ".cc", ".hpp")) and path not in CPLUSPLUS:
            complain(path, 1, "C++ is for what the MLIR C API lacks: " + ", ".join(sorted(CPLUSPLUS)))
    complaints.extend(rooms.check())
    check_checker_objects()
    check_room_readmes()
    check_type_names(files)
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
