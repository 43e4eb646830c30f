#!/usr/bin/env python3
"""c_extern.py FOLDER NAME - prints assembly that defines the arrays of constants
of FOLDER/NAME.h, whose bytes are in FOLDER/NAME_POOL.bin."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

folder, name = sys.argv[1:]
for pool in re.findall(r"^extern (?:const )?uint8_t\s+%s_(\w+)_data\[" % name, open(f"{folder}/{name}.h").read(), re.M):
    print(f"    .data\n    .global {name}_{pool}_data\n    .balign 4096\n{name}_{pool}_data:")
    print(f'    .incbin "{folder}/{name}_{pool}.bin"')
print('    .section .note.GNU-stack,"",@progbits')
