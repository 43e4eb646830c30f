# interrupt.py caught|printed OUT COMMAND... - runs COMMAND, with its standard
# output in OUT and an input that never ends, and interrupts it as soon as it
# has caught interrupts, or printed something. Ends with its status, -2 as 130.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import signal
import subprocess
import sys
import time


def is_caught(process):
    with open(f"/proc/{process.pid}/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return int(lines.get("SigCgt", "0"), 16) >> (signal.SIGINT - 1) & 1


def is_printed(path):
    with open(path) as file:
        return file.read() != ""


wait_for, path, *command = sys.argv[1:]
signal.signal(signal.SIGINT, signal.SIG_DFL)
with open(path, "w") as out:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if is_caught(process) if wait_for == "caught" else is_printed(path):
            break
        time.sleep(0.02)
    time.sleep(0.2)  # some requests
    process.send_signal(signal.SIGINT)
    status = process.wait(60)
sys.exit(status if status >= 0 else 128 - status)
