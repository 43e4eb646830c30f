#!/usr/bin/env python3
"""run_page.py PAGE FOLDER - runs the commands of a page in FOLDER, and compares what they
print with what the page shows.

A block ```sh runs as one script of sh -e. The block ```text behind it, if one follows
before the next ```sh, is all that it prints, both on standard output and on standard
error; without one it prints nothing. A line "..." stands for any number of lines. A block
```mlir, ```python, ```c or ```csv directly behind a line that ends in "FILE`:" with a
name in backquotes is written to that file. A script whose first line is "# exit N" ends
with that status.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import difflib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
NAMED = re.compile(r"`([\w.-]+\.\w+)`:\s*$")


def matches(shown, printed):
    """Whether the lines |printed| are those |shown|, of which "..." are any."""
    if "..." not in shown:
        return shown == printed
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def run(script, shown, folder):
    """Runs a block; returns what is wrong."""
    status = re.match(r"# exit (\d+)\n", script)
    done = subprocess.run(["sh", "-e"], input=script, cwd=folder, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    wrong = []
    if done.returncode != int(status[1] if status else 0):
        wrong.append(f"exit status {done.returncode}")
    if not matches(shown, printed):
        wrong += difflib.unified_diff(shown, printed, "shown", "printed", lineterm="")
    return wrong


def main():
    page, folder = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    blocks = list(BLOCK.finditer(text))
    failed = scripts = 0
    for i, block in enumerate(blocks):
        language, body = block.groups()
        name = NAMED.search(text[:block.start()].rstrip("\n"))
        if language not in ("sh", "text") and name:
            with open(f"{folder}/{name[1]}", "w", encoding="utf-8") as file:
                file.write(body)
        if language != "sh":
            continue
        shown = []
        if i + 1 < len(blocks) and blocks[i + 1][1] == "text":
            shown = [line.rstrip() for line in blocks[i + 1][2].splitlines()]
        wrong = run(body, shown, folder)
        scripts += 1
        if wrong:
            failed += 1
            line = text.count("\n", 0, block.start()) + 1
            print(f"{page}:{line}:", *wrong, sep="\n  ")
    if not scripts:
        print(f"{page}: no commands")
    sys.exit(bool(failed) or not scripts)


main()
