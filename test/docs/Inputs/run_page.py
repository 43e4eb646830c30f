#!/usr/bin/env python3
"""run_page.py PAGE FOLDER [--write] - runs the commands of a page in FOLDER, and compares
what they print with what the page shows; with --write it puts what they print into the
page instead.

A block ```sh runs as one script of sh -e. The block ```text behind it, if one follows
before the next ```sh, is all that it prints, both on standard output and on standard
error; without one it prints nothing. A line "..." stands for any number of lines, and
"..." in a line for any text. A block
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
    """Whether the lines |printed| are those |shown|, in which "..." is anything. Columns are as wide
    as the longest figure, which may be one of a row that is not shown and differs from run to run."""
    pattern = "".join("(?:.*\n)*" if line == "..." else
                      ".*".join(re.escape(part) for part in line.split("...")) + "\n"
                      for line in shown)
    pattern = re.sub(r"(?:\\ ){2,}", " {2,}", pattern)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def run(script, folder):
    """Runs a block; returns the lines that it prints, and what is wrong with its status."""
    status = re.match(r"# exit (\d+)\n", script)
    done = subprocess.run(["sh", "-e"], input=script, cwd=folder, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    is_wrong = done.returncode != int(status[1] if status else 0)
    return ([line.rstrip() for line in done.stdout.splitlines()],
            [f"exit status {done.returncode}"] if is_wrong else [])


def write_input(text, block, folder):
    """Writes a block that is the content of a file."""
    name = NAMED.search(text[:block.start()].rstrip("\n"))
    if name:
        with open(f"{folder}/{name[1]}", "w", encoding="utf-8") as file:
            file.write(block[2])


def main():
    page, folder, *options = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    blocks = list(BLOCK.finditer(text))
    failed = scripts = 0
    made, end = "", 0
    for i, block in enumerate(blocks):
        if block[1] not in ("sh", "text"):
            write_input(text, block, folder)
        if block[1] != "sh":
            continue
        scripts += 1
        output = blocks[i + 1] if i + 1 < len(blocks) and blocks[i + 1][1] == "text" else None
        shown = [line.rstrip() for line in output[2].splitlines()] if output else []
        printed, wrong = run(block[2], folder)
        if not matches(shown, printed) and options and output:
            made += text[end:output.start(2)] + "".join(line + "\n" for line in printed)
            end = output.end(2)
        elif not matches(shown, printed):
            wrong += difflib.unified_diff(shown, printed, "shown", "printed", lineterm="")
        if wrong:
            failed += 1
            print(f"{page}:{text.count(chr(10), 0, block.start()) + 1}:", *wrong, sep="\n  ")
    if made:
        with open(page, "w", encoding="utf-8") as file:
            file.write(made + text[end:])
    if not scripts:
        print(f"{page}: no commands")
    sys.exit(bool(failed) or not scripts)


main()
