# tear_chain.py MODULE - the module, in which the last constant that "negate"
# and "widen" make has another chain than the one whose memory it shares.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().splitlines(keepends=True)
at = max(i for i, line in enumerate(lines)
         if '"negate"' in line and '"widen"' in line)
lines[at] = lines[at].replace('"negate"', '"invert"')
sys.stdout.write("".join(lines))
