#!/usr/bin/env python3
"""computed_of.py IMAGE - prints the digests of the constants in a plan image that
a program computes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import struct
import sys

data = open(sys.argv[1], "rb").read()
(count,) = struct.unpack_from("<H", data, 14)
for i in range(count):
    id, _, offset, size, entry, _ = struct.unpack_from("<IIQQII", data, 64 + 32 * i)
    for at in range(offset, offset + size, entry) if id == 8 else ():
        buffer, _, source, transform = struct.unpack_from("<IIQQ", data, at)
        if transform == 2**64 - 3:
            print(buffer, source, data[at + 24 : at + 56].hex())
