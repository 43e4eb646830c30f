#!/usr/bin/env python3
"""drop_instructions.py LOAD IMAGE PROGRAM EXPECTED - leaves out each instruction of the
accelerator but marks of steps in turn, and checks that the output is then another one."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess
import sys
import tempfile

SIZE, STEP = 48, 0
load, image, program, expected = sys.argv[1:]
with open(program, "rb") as file:
    data = file.read()
with open(expected, "rb") as file:
    wanted = file.read()
dropped = 0
for at in range(0, len(data), SIZE):
    if data[at] == STEP:
        continue
    with tempfile.NamedTemporaryFile() as file:
        file.write(data[:at] + data[at + SIZE:])
        file.flush()
        run = subprocess.run([load, image, file.name], capture_output=True, check=False)
    dropped += 1
    if run.stdout == wanted:
        print(f"instruction {at // SIZE} does nothing")
print(f"{dropped} instructions, each of which is needed")
