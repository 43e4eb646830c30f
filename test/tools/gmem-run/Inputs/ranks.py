# ranks.py GMEM_RUN NETWORK - whether memory grows with the steps of a run on two
# ranks, and whether the run ends when one rank is killed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import resource
import signal
import subprocess
import sys
import time

LIMIT = 300  # seconds


def command(tool, network, repeats):
    return [tool, network, "--entry=main", "--ranks=2", "--quiet", f"--repeats={repeats}"]


def memory_of(tool, network, repeats):
    """The largest resident size of a rank in KiB, which a process of its own measures."""
    script = ("import resource, subprocess, sys; "
              "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", script] + command(tool, network, repeats),
                          check=True, capture_output=True, text=True, timeout=LIMIT)
    return int(done.stdout)


def ranks_below(parent):
    """Processes below |parent| that are ranks."""
    children = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                owner = int(file.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{entry}/cmdline") as file:
                words = file.read().split("\0")
        except OSError:
            continue
        children.setdefault(owner, []).append((int(entry), words))
    found, queue = [], [parent]
    while queue:
        for process, words in children.get(queue.pop(), []):
            queue.append(process)
            if any(word.startswith("--mpi=") for word in words) and "mpiexec" not in words[0] \
                    and "proxy" not in words[0]:
                found.append(process)
    return found


def kill_one(tool, network):
    run = subprocess.Popen(command(tool, network, 1000000), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    begin, ranks = time.time(), []
    while len(ranks) < 2 and time.time() < begin + LIMIT and run.poll() is None:
        time.sleep(0.1)
        ranks = ranks_below(run.pid)
    time.sleep(1)  # they are at work
    os.kill(ranks[-1], signal.SIGKILL)
    status = run.wait(timeout=LIMIT)
    left = [rank for rank in ranks if os.path.exists(f"/proc/{rank}")]
    return status, left


tool, network = sys.argv[1:]
few, many = memory_of(tool, network, 50), memory_of(tool, network, 2000)
print("steps: memory does not grow" if many < few + 1024 else f"steps: {few} KiB, then {many}")
status, left = kill_one(tool, network)
print("killed: ends with an error" if status != 0 and not left else f"killed: {status}, {left} left")
