#!/usr/bin/env python3
"""bench_stable.py BUILD [--slack=N] [FILE.mlir ...] - how many buffers a small edit of a network moves.

Plans each network (without files: of examples/ and of GMEM_INPUTS), edits its text, and plans the
result without and with previous=. The edits: a new op reads a value in the first
third of the network; the same, and another one reads that result at the end; that
op's result has twice as many elements as in the earlier plan; a value has another name.
The columns: buffers of both plans, those that move without previous=, those that move
with it and with peak-slack=N (0), and the peaks.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import subprocess
import sys
import tempfile

OP = re.compile(r'^    %([\w.]+) = .*(?:->|:) (tensor<[^()]*>)(?: loc\([^()]*\))?$')


def run(tool, *arguments):
    done = subprocess.run([tool, "--allow-unregistered-dialect", *arguments], capture_output=True, text=True)
    return done.stderr if done.returncode == 0 else None


def edits(text):
    """For each edit its name, the text before and after; none where no line can be edited."""
    lines = text.split("\n")
    ops = [i for i, line in enumerate(lines) if OP.match(line) and "const" not in line and "tensor.empty" not in line]
    if len(ops) < 4:
        return
    at = ops[len(ops) // 3]
    name, kind = OP.match(lines[at]).groups()
    end = ops[-1] + 1

    def insert(result, is_kept):
        new = f'    %gmem_new = "edit.new"(%{name}) : ({kind}) -> {result} loc("edit")'
        use = f'    "edit.use"(%gmem_new) : ({result}) -> () loc("edit_use")'
        rest = lines[at + 1:end] + [use] * is_kept + lines[end:]
        return "\n".join(lines[:at + 1] + [new] + rest)

    yield "insert", text, insert(kind, False)
    yield "insert, keep", text, insert(kind, True)
    wider = re.sub(r"<(\d+)x", lambda found: f"<{2 * int(found.group(1))}x", kind)
    if wider != kind:
        yield "wider", insert(kind, True), insert(wider, True)
    renamed = re.sub(r'loc\("[^"]*"\)$', 'loc("edit")', lines[at])
    if renamed != lines[at]:
        yield "rename", text, "\n".join(lines[:at] + [renamed] + lines[at + 1:])


def peak(path):
    found = re.search(r"gmem\.plan = {[^}]*peak = (\d+)", open(path, encoding="utf-8").read())
    return int(found.group(1))


def moved(tool, old, new):
    """As gmem-diff counts: buffers of both plans, and those at another place."""
    diff = subprocess.run([os.path.join(os.path.dirname(tool), "gmem-diff"), "-n", "0", old, new],
                          capture_output=True, text=True).stdout
    found = re.search(r"(\d+) gone, .* (\d+) moved, .*of (\d+) and", diff)
    gone, elsewhere, count = map(int, found.groups())
    return count - gone, elsewhere


def row(tool, path, folder, slack):
    text = open(path, encoding="utf-8").read()
    before, old, new, fresh, stable = (f"{folder}/{name}.mlir" for name in ("before", "old", "new", "fresh", "stable"))
    for name, given, edited in edits(text):
        open(before, "w", encoding="utf-8").write(given)
        open(new, "w", encoding="utf-8").write(edited)
        if run(tool, "--gmem-plan=alignment=64", before, "-o", old) is None or \
           run(tool, "--gmem-plan=alignment=64", new, "-o", fresh) is None or \
           run(tool, f"--gmem-plan=alignment=64 previous={old} peak-slack={slack}", new, "-o", stable) is None:
            continue
        common, without = moved(tool, old, fresh)
        _, kept = moved(tool, old, stable)
        print(f"{os.path.basename(path):28} {name:13} {common:7} {without:13} {kept:7} "
              f"{peak(fresh):12} {peak(stable):12}", flush=True)


def main():
    tool = os.path.join(os.path.abspath(sys.argv[1]), "bin", "gmem-opt")
    slack = next((word[8:] for word in sys.argv[2:] if word.startswith("--slack=")), "0")
    files = [word for word in sys.argv[2:] if word.endswith(".mlir")]
    for folder in [] if files else ["examples", os.environ.get("GMEM_INPUTS")]:
        files += sorted(glob.glob(os.path.join(folder, "*.mlir"))) if folder else []
    print(f"{'network':28} {'edit':13} {'buffers':>7} {'moved without':>13} {'with':>7} "
          f"{'peak without':>12} {'with':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            row(tool, path, folder, slack)
    return 0


if __name__ == "__main__":
    sys.exit(main())
