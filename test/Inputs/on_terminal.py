# on_terminal.py COMMAND... - runs a command whose standard error is a terminal, and
# prints what it writes there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=theirs, stdout=subprocess.DEVNULL)
os.close(theirs)
text = b""
while True:
    try:
        piece = os.read(ours, 65536)
    except OSError:  # the terminal is closed
        break
    if not piece:
        break
    text += piece
sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
sys.exit(process.wait())
