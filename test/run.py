#!/usr/bin/env python3
# run.py BUILD [LIT ARGUMENTS...] - runs lit on the tests, with the build in folder
# BUILD. Shows each test that fails, every half a minute how far it is and how long the
# last such run took, at the end the times it took, the slowest tests, and why tests were
# skipped. The last line counts: "N passed, N failed, N skipped".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time

PERIOD = 30  # seconds between two lines of progress
FAILURES = ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT")
# Reasons for missing features of lit.cfg.py.
MISSING = {
    "sanitizer": "only under sanitizers",
    "inputs": "GMEM_INPUTS is not set",
    "problems": "GMEM_PROBLEMS is not set",
    "mlir-22": "only with MLIR 22",
    "long_tests": "long: not in a quick run",
    "nightly": "only in ./dev nightly",
    "strace": "strace cannot trace here",
    "valgrind": "no valgrind with its headers",
    "qemu-arm": "no qemu-system-arm, or no ld.lld",
    "m32": "gcc cannot make 32-bit programs",
    "pty": "no pseudo-terminals here",
}
UNWANTED = {
    "sanitizer": "not under sanitizers",
    "sanitizer && !nightly": "under sanitizers only in ./dev nightly",
    "sanitizer-address && !nightly": "under AddressSanitizer only in ./dev nightly",
}


def reason_of(output):
    """Why a test was skipped, as lit says it."""
    match = re.search(r"(unavailable features|features and/or targets): (.*)", output)
    if not match:
        return output.strip() or "no reason given"
    names = MISSING if match.group(1).startswith("unavailable") else UNWANTED
    return ", ".join(names.get(feature, feature) for feature in match.group(2).split(", "))


def read_lines(stream, lines):
    for line in stream:
        lines.put(line)
    lines.put(None)


def read_durations(path):
    """How many seconds the last run took, by its arguments."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


class Progress:
    def __init__(self, expected):
        self.expected = f" of about {expected:.0f}" if expected else ""
        self.began = time.monotonic()
        self.shown = self.began
        self.done = "0 tests"
        self.failed = 0

    def seconds(self):
        return time.monotonic() - self.began

    def show(self):
        self.shown = time.monotonic()
        print(f"-- {self.done} after {self.seconds():.0f}{self.expected} s, {self.failed} failed", flush=True)


def follow(process, progress):
    """Passes on what lit says of tests that fail."""
    lines = queue.Queue()
    threading.Thread(target=read_lines, args=(process.stdout, lines), daemon=True).start()
    is_shown = True
    while True:
        try:
            line = lines.get(timeout=1)
        except queue.Empty:
            line = ""
        if line is None:
            return
        result = re.match(r"([A-Z]+): .* \((\d+ of \d+)\)$", line)
        if result:
            progress.done = result.group(2)
            is_shown = result.group(1) in FAILURES
            progress.failed += is_shown
        if line.startswith("Testing Time:"):
            is_shown = False
        if is_shown and line:
            print(line, end="", flush=True)
        if time.monotonic() - progress.shown >= PERIOD:
            progress.show()


def summarize(tests, seconds):
    """Prints what there is to know at the end; returns the counts."""
    codes = collections.Counter(test["code"] for test in tests)
    slowest = sorted((test for test in tests if test["elapsed"]), key=lambda test: -test["elapsed"])
    cpu = sum(os.times()[2:4])  # of the processes that have ended
    print(f"{len(tests)} tests took {seconds:.0f} s, and {cpu:.0f} s of processor time; the slowest:")
    for test in slowest[:5]:
        print(f"  {test['elapsed']:6.1f} s  {test['name'].partition(' :: ')[2]}")
    reasons = collections.Counter(reason_of(test["output"]) for test in tests if test["code"] == "UNSUPPORTED")
    for reason, count in reasons.most_common():
        print(f"  skipped: {count} ({reason})")
    failed = sorted(test["name"] for test in tests if test["code"] in FAILURES)
    for name in failed:
        print(f"  failed: {name.partition(' :: ')[2]}")
    return codes["PASS"] + codes["FLAKYPASS"] + codes["XFAIL"], len(failed), sum(reasons.values())


def put_long_tests_first(build):
    """Without the times of an earlier run, lit goes by name, and a long test near the
    end leaves all other processors idle. Writes a time for those labelled as long."""
    folder = os.path.join(build, "test", "lit")
    path = os.path.join(folder, ".lit_test_times.txt")
    if os.path.exists(path):
        return
    os.makedirs(folder, exist_ok=True)
    label = re.compile(r"^\W*REQUIRES:.*\blong_tests\b", re.M)
    with open(path, "w", encoding="utf-8") as times:
        for root, _, files in os.walk("test"):
            for name in files:
                test = os.path.join(root, name)
                if name.endswith((".c", ".mlir", ".test")):
                    with open(test, encoding="utf-8", errors="replace") as file:
                        if label.search(file.read()):
                            times.write(f"1.0 {os.path.relpath(test, 'test')}\n")


def main():
    build, *arguments = sys.argv[1:]
    bindir = subprocess.run(["llvm-config-22", "--bindir"], capture_output=True, text=True, check=True).stdout.strip()
    results = os.path.join(build, "lit.json")
    if os.path.exists(results):
        os.remove(results)
    put_long_tests_first(build)
    process = subprocess.Popen(
        [os.path.join(bindir, "lit"), "-v", "--param", f"build={build}", "--output", results, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )
    times = os.path.join(build, "test", "lit", "durations.json")
    durations, run = read_durations(times), " ".join(arguments)
    progress = Progress(durations.get(run))
    follow(process, progress)
    status = process.wait()
    tests = []
    if os.path.exists(results):
        with open(results, encoding="utf-8") as file:
            tests = json.load(file)["tests"]
        with open(times, "w", encoding="utf-8") as file:
            json.dump({**durations, run: progress.seconds()}, file)
    passed, failed, skipped = summarize(tests, progress.seconds())
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if status or failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
