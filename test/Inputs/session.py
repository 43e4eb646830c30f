# session.py [--terminal=COLUMNS] [--interrupt=WHEN [--watch=FILE]] COMMAND...
# runs COMMAND as a new login would: signals do what they do by default, although
# nohup, background jobs and some CI begin with SIGINT ignored. With --terminal its
# standard streams are a terminal, and what it writes there is passed on; without,
# it has an input that never ends. --interrupt sends SIGINT to it alone, or types
# Ctrl-C on its terminal: "at-work", as soon as it has caught SIGINT and worked for
# a fifth of a second since, or else as soon as what it has printed, on its terminal
# or into FILE, matches WHEN. Ends with its status, 128 + N for signal N, and with
# 99 when it is not over within two minutes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

MOST_SECONDS = 120


def begin(command, columns):
    """Starts |command|; returns the process and our end of its terminal."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    if columns is None:
        return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True), None
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(its)
    return process, ours


def read_terminal(ours):
    """What is there within 20 ms; None at the end."""
    if not select.select([ours], [], [], 0.02)[0]:
        return b""
    try:
        return os.read(ours, 1 << 16) or None
    except OSError:  # Linux: the terminal has no open descriptor left
        return None


def is_caught(process):
    """Whether a handler, or a thread that waits for signals, gets SIGINT."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        masks = dict(line.split(":", 1) for line in file)
    return any(int(masks[name], 16) >> (signal.SIGINT - 1) & 1 for name in ("SigCgt", "SigBlk"))


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def at_work(process):
    """A condition: CPU time passes only for who works, however slow all is."""
    began = []

    def is_reached(_):
        if not began and is_caught(process):
            began.append(cpu_seconds(process))
        return began and cpu_seconds(process) >= began[0] + 0.2

    return is_reached


def printed(pattern, path):
    """A condition on what was shown on the terminal, or written to |path|."""

    def is_reached(shown):
        if path:
            with open(path, "rb") as file:
                shown = file.read()
        return re.search(pattern.encode(), shown)

    return is_reached


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--terminal", type=int)
    parser.add_argument("--interrupt")
    parser.add_argument("--watch")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    process, ours = begin(options.command, options.terminal)
    is_reached = at_work(process) if options.interrupt == "at-work" else printed(options.interrupt or "", options.watch)
    is_pending = options.interrupt is not None
    shown, piece = b"", b""
    deadline = time.monotonic() + MOST_SECONDS
    while piece is not None:
        if time.monotonic() > deadline:
            process.kill()
            sys.exit(99)
        if ours is None:
            time.sleep(0.02)
            piece = None if process.poll() is not None else b""
        else:
            piece = read_terminal(ours)
        shown += piece or b""
        if is_pending and piece is not None and is_reached(shown):
            is_pending = False
            if ours is None:
                process.send_signal(signal.SIGINT)
            else:
                os.write(ours, b"\x03")
    status = process.wait()
    sys.stdout.buffer.write(shown)
    sys.exit(status if status >= 0 else 128 - status)


main()
