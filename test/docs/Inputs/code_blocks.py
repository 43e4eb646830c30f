#!/usr/bin/env python3
"""code_blocks.py LANGUAGE DOCUMENT PREFIX - writes each code block of that
language to a file: PREFIX1.LANGUAGE, PREFIX2.LANGUAGE..."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

language, document, prefix = sys.argv[1:]
blocks = re.findall(rf"^```{language}\n(.*?)^```$", open(document).read(), re.M | re.S)
for i, block in enumerate(blocks, 1):
    open(f"{prefix}{i}.{language}", "w").write(block)
