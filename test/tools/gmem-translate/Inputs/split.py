#!/usr/bin/env python3
"""split.py FILE PREFIX - the parts of FILE between lines "// -----" as PREFIX0,
PREFIX1..."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

for i, part in enumerate(re.split("^// -----$", open(sys.argv[1]).read(), flags=re.M)):
    open(f"{sys.argv[2]}{i}", "w").write(part)
