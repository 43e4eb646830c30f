#!/usr/bin/env python3
# repeat_tests.py BUILD_FOLDER [--runs=N] [--beside=N] [--timeout=S] [NAME...] -
# runs unit tests with threads N times each (200), some of them side by side (3),
# so that each run is scheduled in another way. The first run that fails, or takes
# longer than S seconds (600), ends the tests, with its number and output.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import os
import subprocess
import sys
import threading

TESTS = ("runtime_manager_threads_test", "runtime_concurrency_test", "runtime_lease_test", "runtime_manager_test",
         "runtime_scheduler_test")


def run(program, timeout, is_over):
    """What went wrong, or None."""
    if is_over.is_set():
        return None
    try:
        done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as late:
        return f"took more than {timeout} s\n{(late.output or b'').decode(errors='replace')}"
    return None if done.returncode == 0 else f"ended with {done.returncode}\n{done.stdout.decode(errors='replace')}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("names", nargs="*", default=TESTS)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--beside", type=int, default=3)
    parser.add_argument("--timeout", type=int, default=600)
    options = parser.parse_intermixed_args()
    programs = [os.path.join(options.build, "test", "unit", name) for name in options.names]
    passed, is_over = 0, threading.Event()
    with concurrent.futures.ThreadPoolExecutor(options.beside) as pool:
        runs = {pool.submit(run, program, options.timeout, is_over): (program, number)
                for number in range(1, options.runs + 1) for program in programs}
        for done in concurrent.futures.as_completed(runs):
            program, number = runs[done]
            if done.result():
                is_over.set()
                for other in runs:
                    other.cancel()
                print(f"{os.path.basename(program)}: run {number} of {options.runs} {done.result()}", flush=True)
                break
            passed += 1
    print(f"{passed} passed, {int(is_over.is_set())} failed")
    return is_over.is_set()


if __name__ == "__main__":
    sys.exit(main())
