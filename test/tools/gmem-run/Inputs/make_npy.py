#!/usr/bin/env python3
# make_npy.py - writes .npy files, right and wrong ones, into a folder.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import struct
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
numbers = struct.pack("<4f", 1, 2, 3, 4)


def dictionary(descr="<f4", order="False", shape="(2, 2)"):
    return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n"


def write(name, header, data=numbers, version=1, length=None, magic=b"\x93NUMPY"):
    header = header.encode()
    length = len(header) if length is None else length
    form = "<H" if version == 1 else "<I"
    with open(os.path.join(folder, name + ".npy"), "wb") as file:
        file.write(magic + bytes([version, 0]) + struct.pack(form, length) + header + data)


write("right", dictionary())
write("fortran", dictionary(order="True"))
write("big-endian", dictionary(descr=">f4"), data=struct.pack(">4f", 1, 2, 3, 4))
write("version-2", dictionary(), version=2)
write("unpadded", dictionary().strip())

write("magic", dictionary(), magic=b"\x93NUMPX")
write("version-9", dictionary(), version=9)
write("cut-header", dictionary(), data=b"", length=60000)
write("cut", dictionary(), data=numbers[:3])
write("long", dictionary(), data=numbers + b"x")
write("no-dictionary", "hello")
write("open", "{'descr': '<f4'")
write("lacking", "{'descr': '<f4'}")
write("unknown-key", "{'descr': '<f4', 'order': 'C'}")
write("behind", dictionary() + "more")
write("order", dictionary(order="Maybe"))
write("record", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,)}")
write("object", dictionary(descr="|O"))
write("control", dictionary(descr="\x1b[31m"))
write("negative", dictionary(shape="(-2, -2)"))
write("digits", dictionary(shape="(99999999999999999999,)"))
write("huge", dictionary(shape="(4611686018427387904, 4)"))
write("ranks", dictionary(shape="(" + "1, " * 40 + ")"))
write("other-type", dictionary(descr="<f8", shape="(2,)"))
write("other-shape", dictionary(shape="(4,)"))
open(os.path.join(folder, "empty.npy"), "w").close()
