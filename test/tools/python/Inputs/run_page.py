# run_page.py PAGE - runs the Python code of a page of docs/ and compares what it
# prints with the text that follows.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
blocks = re.findall(r"```(python|text)\n(.*?)```", page, re.S)
assert [kind for kind, _ in blocks] == ["python", "text"] * (len(blocks) // 2) and blocks
names = {}
for (_, code), (_, text) in zip(blocks[::2], blocks[1::2]):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(code, names)
    assert output.getvalue() == text, output.getvalue()
print(f"{len(blocks) // 2} examples: good")
