#!/usr/bin/env python3
# strip_plan.py - copies MLIR from standard input to standard output without
# the gmem attributes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

NAME = re.compile(r"\bgmem\.\w+")
OPEN, CLOSE = "<[{(", ">]})"


def end_of_value(text, at):
    """Where the attribute value that begins at |at| ends."""
    depth = 0
    while depth or text[at] not in ",}":
        if text[at] == '"':
            at = text.index('"', at + 1)
        depth += (text[at] in OPEN) - (text[at] in CLOSE)
        at += 1
    return at


def strip_line(line):
    while match := NAME.search(line):
        begin, end = match.span()
        if line.startswith(" = ", end):
            end = end_of_value(line, end + 3)
        # The comma behind it goes too, or else the one before.
        if line.startswith(", ", end):
            end += 2
        elif line.endswith(", ", 0, begin):
            begin -= 2
        line = line[:begin] + line[end:]
    return re.sub(r"( attributes)? \{\}", "", line)


for line in sys.stdin:
    # A pass removes what is empty of itself too: {} never stands in a file.
    sys.stdout.write(strip_line(line) if "gmem." in line else line)
