#!/usr/bin/env python3
"""lint_part.py TREE checker|types - runs one check of TREE/cmake/lint.py."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import sys

tree, part = sys.argv[1:]
os.chdir(tree)
sys.path.insert(0, "cmake")
import lint  # noqa: E402

if part == "checker":
    lint.check_checker_objects()
else:
    lint.check_type_names(sorted(glob.glob("**/*.h", recursive=True)) + sorted(glob.glob("include/gmem/**/*.h", recursive=True)))
print("\n".join(lint.complaints), end="\n" if lint.complaints else "")
sys.exit(1 if lint.complaints else 0)
