#!/usr/bin/env python3
"""c_npy.py make D,D,... PREFIX | compare FILE.npy FILE.raw - makes an array of
floats, as PREFIX.npy and its bytes alone as PREFIX.raw; or compares the bytes
of an array."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import struct
import sys

if sys.argv[1] == "make":
    shape = [int(d) for d in sys.argv[2].split(",")]
    count = 1
    for size in shape:
        count *= size
    data = b"".join(struct.pack("<f", (i * 37 % 101) / 101) for i in range(count))
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % ", ".join(map(str, shape))
    head += " " * (-(len(head) + 11) % 64) + "\n"
    magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head))
    open(sys.argv[3] + ".npy", "wb").write(magic + head.encode() + data)
    open(sys.argv[3] + ".raw", "wb").write(data)
else:
    npy, raw = (open(path, "rb").read() for path in sys.argv[2:])
    data = npy[10 + struct.unpack("<H", npy[8:10])[0] :]
    print("same bytes" if data == raw and any(raw) else "other bytes")
