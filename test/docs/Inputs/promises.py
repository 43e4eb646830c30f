# promises.py ROOT DOCUMENT - prints the rows of the document's tables of promises
# that name no test, and links to pages and headings that do not exist; then the
# number of rows.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import sys

root, document = sys.argv[1:]
folder = os.path.join(root, os.path.dirname(document))


def headings(path):
    """The anchors of a page, as hosts of Markdown make them of headings."""
    with open(path, encoding="utf-8") as page:
        titles = re.findall(r"^#+ (.*)$", page.read(), re.M)
    return {re.sub(r"[^\w -]", "", t).lower().replace(" ", "-") for t in titles}


with open(os.path.join(root, document), encoding="utf-8") as file:
    text = file.read()
faults, count, is_promises = [], 0, False
for line in text.splitlines():
    if not line.startswith("|"):
        is_promises = False
    elif line.startswith("| promise |"):
        is_promises = True
    elif is_promises and not line.startswith("| ---"):
        count += 1
        if not re.search(r"\*\w+\*: `test_|`test/", line.rstrip("| ").split("|")[-1]):
            faults.append(f"without a test: {line.split('|')[1].strip()}")
for target in re.findall(r"\]\(([^)]+)\)", text):
    path, _, heading = target.partition("#")
    path = os.path.join(folder, path) if path else os.path.join(root, document)
    if not os.path.exists(path):
        faults.append(f"no page: {target}")
    elif heading and heading not in headings(path):
        faults.append(f"no heading: {target}")
print("\n".join([*faults, f"{count} promises, {len(faults)} faults"]))
