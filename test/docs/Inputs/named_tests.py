# named_tests.py ROOT DOCUMENT - prints the tests that the tables of the document
# name and that are not called in the file where they should be, and files of
# tests that are not there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import sys

root = sys.argv[1]
with open(os.path.join(root, sys.argv[2])) as document:
    rows = [line for line in document if line.startswith("| ")]
count = missing = 0
for row in rows:
    tests = row.rstrip().rstrip("|").split("|")[-1]
    # "*file*: `one`, `two`; *other*: `three`"
    for name, functions in re.findall(r"\*(\w+)\*: ((?:`\w+`(?:, )?)+)", tests):
        text = "".join(
            open(path).read()
            for part in ("runtime", "passes") for path in
            glob.glob(f"{root}/test/unit/{part}/**/{part}_{name}_test.c", recursive=True))
        main = text[text.find("int main("):]
        for function in re.findall(r"`(\w+)`", functions):
            count += 1
            if not re.search(rf"\b{function}\(", main):
                missing += 1
                print(f"{name}: {function}")
    for path in re.findall(r"`(test/[^`]+)`", tests):
        count += 1
        if not os.path.exists(os.path.join(root, path)):
            missing += 1
            print(path)
print(f"{count} tests, {missing} missing")
