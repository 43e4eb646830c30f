# named_tests.py - prints the tests that docs/runtime-behaviour.md names and
# that are not called in the file where they should be.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import sys

root = sys.argv[1]
with open(os.path.join(root, "docs/runtime-behaviour.md")) as document:
    rows = [line for line in document if line.startswith("| ")]
count = missing = 0
for row in rows:
    tests = row.rstrip().rstrip("|").split("|")[-1]
    # "*file*: `one`, `two`; *other*: `three`"
    for name, functions in re.findall(r"\*(\w+)\*: ((?:`\w+`(?:, )?)+)", tests):
        path = os.path.join(root, "test/unit", f"runtime_{name}_test.c")
        text = open(path).read() if os.path.exists(path) else ""
        main = text[text.find("int main("):]
        for function in re.findall(r"`(\w+)`", functions):
            count += 1
            if not re.search(rf"\b{function}\(", main):
                missing += 1
                print(f"{name}: {function}")
print(f"{count} tests, {missing} missing")
