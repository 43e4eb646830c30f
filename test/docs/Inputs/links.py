#!/usr/bin/env python3
"""links.py ROOT - checks the links of all Markdown pages of the project: the files exist
that they name, and the headings behind "#". Every page of docs/ is in docs/README.md, and
every page of the project is linked by another one. Prints what is wrong."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import sys

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
REFERENCE = re.compile(r"^\[[^\]]+\]: (\S+)$", re.M)
SKIPPED = re.compile(r"^```.*?^```$|`[^`\n]*`|^(?: {4,}|\t).*$", re.M | re.S)
FOLDERS_SKIPPED = ("build", ".git", "Inputs", "inputs", "problems", "__pycache__")


def pages(root):
    for folder, below, files in os.walk(root):
        below[:] = sorted(b for b in below if not b.startswith(FOLDERS_SKIPPED))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def anchors(text):
    """The anchors of the headings, as forges make them."""
    found = set()
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for title in re.findall(r"^#+ +(.*?)\s*$", text, re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        base = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        name, count = base, 0
        while name in found:
            count += 1
            name = f"{base}-{count}"
        found.add(name)
    return found


def targets(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    yield from (match[1] for match in LINK.finditer(re.sub(r"^ {4,}.*$", "", text, flags=re.M)))
    yield from REFERENCE.findall(text)


def main():
    root = sys.argv[1]
    texts = {}
    for page in pages(root):
        with open(os.path.join(root, page), encoding="utf-8") as file:
            texts[page] = file.read()
    heads = {page: anchors(text) for page, text in texts.items()}
    linked, wrong, count = {"README.md": set()}, [], 0
    for page, text in texts.items():
        for target in targets(text):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            path, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(root, path)):
                wrong.append(f"{page}: no file {target}")
                continue
            if os.path.isdir(os.path.join(root, path)):
                path = os.path.join(path, "README.md")
            linked.setdefault(path, set()).add(page)
            if anchor and path in heads and anchor not in heads[path]:
                wrong.append(f"{page}: no heading {target}")
    for page in texts:
        if not linked.get(page, set()) - {page} and page != "README.md":
            wrong.append(f"{page}: no page links to it")
        if os.path.dirname(page) == "docs" and page != "docs/README.md" \
                and "docs/README.md" not in linked.get(page, set()):
            wrong.append(f"{page}: not in docs/README.md")
    print(*wrong, sep="\n") if wrong else print(f"{len(texts)} pages, {count} links")
    sys.exit(bool(wrong))


main()
