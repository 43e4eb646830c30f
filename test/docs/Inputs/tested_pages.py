#!/usr/bin/env python3
"""tested_pages.py ROOT - checks that a test runs the commands of each page of the sections
"Tutorial" and "How to" of docs/README.md, and that pages which run_page.py runs have no
commands of gmem outside of the blocks that it runs, unless another test prints them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import sys

# Tests that run the commands of a page in another way.
OTHERS = {
    "own-dialect": "test/docs/own-dialect.test",
    "install": "test/package/components.test",
    "generated-c": "test/docs/generated-c.test",
    "ranks": "test/passes/ranks",
    "upgrade": None,  # has none
}
# Commands whose output shown.py compares, or that only stand for a form of a command.
SHOWN = re.compile(r"^    \$ build/bin/gmem-run examples/ds_cnn|^    gmem-diff OLD NEW$")
COMMAND = re.compile(r"^    (?:\$ )?(?:build/bin/)?(?:gmem-[a-z]+|mlir-[a-z]+) .*$", re.M)

root = sys.argv[1]
with open(f"{root}/docs/README.md", encoding="utf-8") as file:
    sections = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", file.read(), re.M | re.S)
pages = [page for title, text in sections if title in ("Tutorial", "How to")
         for page in re.findall(r"\(([\w-]+)\.md\)", text)]
tests = ""
for name in glob.glob(f"{root}/test/**/*.test", recursive=True):
    with open(name, encoding="utf-8") as file:
        tests += file.read()
wrong = []
run = re.search(r"for page in ([\w -]+);", tests)[1].split() + re.findall(r"run_page.py %root/docs/([\w-]+).md", tests)
for page in pages:
    with open(f"{root}/docs/{page}.md", encoding="utf-8") as file:
        text = file.read()
    if page in OTHERS:
        if OTHERS[page] and not os.path.exists(f"{root}/{OTHERS[page]}"):
            wrong.append(f"{page}: no test {OTHERS[page]}")
        continue
    if page not in run:
        wrong.append(f"{page}: no test runs its commands")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    wrong += [f"{page}: not run: {line}" for line in COMMAND.findall(text) if not SHOWN.match(line)]
print(*wrong, sep="\n") if wrong else print(f"{len(pages)} pages")
sys.exit(bool(wrong) or not pages)
