#!/usr/bin/env python3
# as_npy.py KIND SHAPE FROM TO - writes the bytes of FROM as an array of numbers
# of that kind (NumPy's name, such as <f4) and shape (such as 1,28,28,1) to TO.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

kind, shape, source, target = sys.argv[1:]
header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape.replace(',', ', ')}), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(source, "rb") as file:
    data = file.read()
with open(target, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode("ascii") + data)
