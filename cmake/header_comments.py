#!/usr/bin/env python3
"""header_comments.py HEADER - prints a public header with its comments in the form that
Doxygen reads: the head of the file as it stands, comments in front of declarations, and
those behind members with the lines that continue them. |name| is a parameter."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

COMMENT = re.compile(r"^(\s*)// ?(.*)$")
BEHIND = re.compile(r"^(.*\S)\s*// ?(.*)$")


def prose(text):
    """Text in which nothing is a command, a tag or a link."""
    text = re.sub(r"([\\@<>&#%$\"])", r"\\\1", text)
    return re.sub(r"\|(\w+)\|", r"<tt>\1</tt>", text)


def convert(lines):
    at = 0
    head = []
    while at < len(lines) and COMMENT.match(lines[at]):
        if "SPDX-License" not in lines[at]:
            head.append(COMMENT.match(lines[at])[2])
        at += 1
    yield "/** \\file"
    yield "\\verbatim"
    yield from (line.replace("*/", "* /") for line in head)
    yield "\\endverbatim */"
    behind = None  # column of the comment that the next lines may continue
    while at < len(lines):
        line = lines[at]
        at += 1
        comment, trailing = COMMENT.match(line), BEHIND.match(line)
        if comment and comment[2].startswith("===---"):
            yield ""
        elif comment and behind is not None and len(comment[1]) >= behind:
            yield f"{comment[1]}///< {prose(comment[2].strip())}"
        elif comment:
            behind = None
            yield f"{comment[1]}/// {prose(comment[2])}"
        elif trailing and "://" not in line and not trailing[1].startswith("#"):
            behind = len(trailing[1])
            yield f"{trailing[1]} ///< {prose(trailing[2])}"
        else:
            behind = None if line.strip() else behind
            yield line


with open(sys.argv[1], encoding="utf-8") as file:
    print("\n".join(convert(file.read().split("\n"))))
