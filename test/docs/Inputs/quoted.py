#!/usr/bin/env python3
"""quoted.py PAGE FILE... - checks that each block ```c or ```mlir of the page is in one of
the files, line by line; leading spaces do not count."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys


def lines_of(text):
    return "\n" + "".join(line.strip() + "\n" for line in text.splitlines())


page, *files = sys.argv[1:]
sources = []
for name in files:
    with open(name, encoding="utf-8") as file:
        sources.append(lines_of(file.read()))
with open(page, encoding="utf-8") as file:
    blocks = re.findall(r"^```(?:c|mlir)\n(.*?)^```$", file.read(), re.M | re.S)
missing = [block for block in blocks if not any(lines_of(block) in source for source in sources)]
for block in missing:
    print(f"{page} quotes what no file has:\n{block}")
sys.exit(bool(missing) or not blocks)
