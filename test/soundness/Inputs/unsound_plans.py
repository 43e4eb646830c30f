# unsound_plans.py - what a verifier says of plans that a judge finds unsound.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The scripts that plan random programs and judge the plans share this. A mutated
# build is judged by plans that it makes without verification; --verifier names
# its gmem-opt as it would be shipped, which is then asked about those plans.

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

MOST_VERIFIED = 4  # unsound plans of one batch that the verifier is asked about


def add_arguments(parser):
    """Those of all scripts that judge the programs of the seeds [first, end)."""
    parser.add_argument("--stop", action="store_true", help="at the first wrong plan")
    parser.add_argument("--verifier", help="a gmem-opt to ask about each unsound plan")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=int, help="seconds, for a tool that hangs")
    parser.add_argument("folder")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)


def in_turn(function, items, jobs):
    """The results, in order; those that are not consumed need not be made."""
    if jobs == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(function, items)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def first_error(text):
    lines = [line for line in text.splitlines() if "error:" in line]
    return re.sub(r"^.*?error: ", "", lines[0]) if lines else text.strip()[:200]


def ask(verifier, planned, flag):
    command = [verifier, "--allow-unregistered-dialect", flag, "-o", os.devnull, "-"]
    try:
        done = subprocess.run(command, input=planned, capture_output=True, text=True, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return "refuses: hangs"
    if done.returncode == 0:
        return "accepts"
    if "has no option" in done.stderr or "no such option" in done.stderr or "invalid option" in done.stderr:
        return "unknown"
    return f"refuses: {first_error(done.stderr)}"


def said_of(verifier, planned):
    """Lines for the report: by all that is shipped, and by its check of contents alone."""
    whole = ask(verifier, planned, "--gmem-verify-plan")
    alone = ask(verifier, planned, "--gmem-verify-plan=only=contents")
    return f"\n  verifier: {whole}\n  contents: {alone}"


def is_judged(text):
    """Whether a plan was made and is unsound. Otherwise a tool failed before, or the program itself;
    or values share memory as their op permits, but gmem.alias does not say so; or programs hang
    together, and none does so alone, as on a machine with much else to do."""
    failures = "gmem-opt exits|gmem-opt hangs|gmem.alias does not say|fails as a whole|unplanned: |not deterministic"
    return not re.search(failures, text)
