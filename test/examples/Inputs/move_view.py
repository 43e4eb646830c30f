#!/usr/bin/env python3
# move_view.py COMPILED.mlir - moves the buffer that lies highest in the last
# arena onto the one that lies lowest: a plan that is wrong.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

path, = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()
size = re.findall(r"memref<(\d+)xi8> \{gmem\.arena", text)[-1]
views = re.findall(rf"memref\.view %\w+\[%(\w+)\]\[\] : memref<{size}xi8>", text)
offsets = dict(re.findall(r"%(\w+) = arith\.constant (\d+) : index", text))
highest = max(views, key=lambda name: int(offsets[name]))
text, moved = re.subn(rf"(memref\.view %\w+\[%){highest}(\]\[\] : memref<{size}xi8>)", r"\g<1>moved\2", text)
assert moved
text = re.sub(rf"( *)(%{highest} = arith.constant)", r"\1%moved = arith.constant 0 : index\n\1\2", text, count=1)
with open(path, "w", encoding="utf-8") as file:
    file.write(text)
