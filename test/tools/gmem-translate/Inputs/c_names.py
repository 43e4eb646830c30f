#!/usr/bin/env python3
"""c_names.py [--stated] NAME... - prints a module with a tensor of each name, in
the location (--stated: in gmem.name); \\xNN in it is that byte. The first is the
input, the last the output."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import codecs
import sys

is_stated = sys.argv[1] == "--stated"
names = sys.argv[2 if is_stated else 1 :]


def quoted(name):
    data = codecs.escape_decode(name.encode())[0]
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else "\\%02X" % b for b in data)


def attribute(name):
    return f' {{gmem.name = "{quoted(name)}"}}' if is_stated else ""


def location(name):
    return "" if is_stated else f' loc("{quoted(name)}")'


print(f"func.func @main(%0: tensor<8xi8>{attribute(names[0])}{location(names[0])}) -> tensor<8xi8> {{")
for i, name in enumerate(names[1:]):
    print(f'  %{i + 1} = "my.op"(%{i}){attribute(name)} : (tensor<8xi8>) -> tensor<8xi8>{location(name)}')
print(f"  return %{len(names) - 1} : tensor<8xi8>\n}}")
