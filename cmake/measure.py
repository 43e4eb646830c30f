#!/usr/bin/env python3
"""measure.py [--list] [FOLDER|FILE...] - the size of the code, folder by folder.

Prints for each top-level folder of the sources, or what is named: lines of
code (no blanks, no comments), functions with more than 6 parameters, structs with
more than 16 fields, and asserts per 1,000 lines. --list names the functions and
structs.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import sys

FOLDERS = ["passes", "planner", "runtime", "tools", "files", "hash", "text", "dialect", "include"]
MOST_PARAMETERS, MOST_FIELDS = 6, 16
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
# A definition: a name and its parameters before the brace that opens the body.
FUNCTION = re.compile(r"^(?:[A-Za-z_][\w \t*]*?[\s*])(\w+)\(([^{};]*)\)\s*\{", re.M)
STRUCT = re.compile(r"\bstruct\s+(\w*)\s*\{")
ASSERT = re.compile(r"\b(?:assert|GMEM_ASSERT)\(")


def without_comments(text):
    """The text with comments blanked; strings stay, as their lines are code."""
    def blank(match):
        token = match.group(0)
        return token if token[0] in "\"'" else re.sub(r"[^\n]", "", token)
    return TOKEN.sub(blank, text)


def split_top(text, separator):
    """The parts of |text| between separators that are in no bracket."""
    parts, depth, part = [], 0, ""
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == separator and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += char
    return parts + [part]


def wide_functions(code):
    for match in FUNCTION.finditer(code):
        count = len(split_top(match.group(2), ","))
        if count > MOST_PARAMETERS and match.group(1) not in ("if", "for", "while", "switch"):
            yield match.group(1), count


def wide_structs(code):
    for match in STRUCT.finditer(code):
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += (code[end] == "{") - (code[end] == "}")
            end += 1
        fields = 0
        for declaration in split_top(code[match.end():end - 1], ";"):
            if declaration.strip():
                fields += len(split_top(declaration, ","))
        if fields > MOST_FIELDS:
            yield match.group(1), fields


def measure(folder, is_listed):
    lines = asserts = functions = structs = 0
    paths = [folder] if os.path.isfile(folder) else glob.glob(f"{folder}/**/*", recursive=True)
    for path in sorted(paths):
        if not path.endswith((".c", ".h", ".cpp")):
            continue
        with open(path, encoding="utf-8") as file:
            code = without_comments(file.read())
        lines += sum(1 for line in code.splitlines() if line.strip())
        asserts += len(ASSERT.findall(re.sub(r"#define.*", "", code)))
        for name, count in wide_functions(code):
            functions += 1
            if is_listed:
                print(f"  {path}: {name} has {count} parameters")
        for name, count in wide_structs(code):
            structs += 1
            if is_listed:
                print(f"  {path}: {name} has {count} fields")
    return lines, functions, structs, asserts


def main():
    is_listed = "--list" in sys.argv
    folders = [arg.rstrip("/") for arg in sys.argv[1:] if arg != "--list"]
    if not folders:
        os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        folders = FOLDERS
    total = [0, 0, 0, 0]
    print(f"{'folder':32} {'code lines':>10} {'functions over 6 parameters':>28} "
          f"{'structs over 16 fields':>23} {'asserts per 1,000':>18}")
    for folder in folders + ["all"]:
        figures = total if folder == "all" else measure(folder, is_listed)
        if folder != "all":
            total = [sum(pair) for pair in zip(total, figures)]
        lines, functions, structs, asserts = figures
        print(f"{folder:32} {lines:10,} {functions:28} {structs:23} {1000 * asserts / max(lines, 1):18.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
