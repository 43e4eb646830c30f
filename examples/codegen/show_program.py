#!/usr/bin/env python3
"""show_program.py PROGRAM - lists the instructions of the accelerator (nano.h)."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import struct
import sys

NAMES = "STEP COPY PUSH POP ADD RELU MATMUL REPEAT END".split()
USES = {"COPY": "oa", "PUSH": "a", "POP": "o", "ADD": "oab", "RELU": "oa", "MATMUL": "oab"}

with open(sys.argv[1], "rb") as file:
    for opcode, _, _, _, count, *addresses in struct.iter_unpack("<4I4Q", file.read()):
        used = dict(zip("oab", addresses))
        words = [NAMES[opcode]]
        if NAMES[opcode] != "END":
            words.append(str(count))
        print(*words, *[f"{used[key]:#x}" for key in USES.get(NAMES[opcode], "")])
