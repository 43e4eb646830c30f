#!/usr/bin/env python3
"""compile_in_room.py BUILD LIKE FILE - checks FILE's syntax with the include path
that LIKE is compiled with. Prints what the compiler says; exits 0 if it fails."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import shlex
import subprocess
import sys

build, like, file = sys.argv[1:]
with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as commands:
    entry = next(e for e in json.load(commands) if os.path.realpath(e["file"]) == os.path.realpath(like))
words = shlex.split(entry["command"])
words = [w for w in words[:words.index("-o")] if "ccache" not in w]
done = subprocess.run([*words, "-fsyntax-only", file], cwd=entry["directory"], capture_output=True, text=True, check=False)
print(done.stderr)
sys.exit(0 if done.returncode else 1)
