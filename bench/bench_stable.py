#!/usr/bin/env python3
"""bench_stable.py BUILD - how many buffers a small edit of a network moves.

Plans each network of examples/ and of GMEM_INPUTS, edits its text, and plans the
result without and with previous=. The edits: a new op reads a value in the first
third of the network; the same, and another one reads that result at the end; a
value has another name. The
columns: buffers of both plans, those that move without previous=, those
that move with it, and the peaks.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
    """The edited texts, or none where no line can be edited."""
    lines = text.split("\n")
    ops = [i for i, line in enumerate(lines) if OP.match(line) and "const" not in line and "tensor.empty" not in line]
    if len(ops) < 4:
        return
    at = ops[len(ops) // 3]
    name, kind = OP.match(lines[at]).groups()
    new = f'    %gmem_new = "edit.new"(%{name}) : ({kind}) -> {kind} loc("edit")'
    inserted = lines[:at + 1] + [new] + lines[at + 1:]
    yield "insert", "\n".join(inserted)
    end = ops[-1] + 2
    use = f'    "edit.use"(%gmem_new) : ({kind}) -> () loc("edit_use")'
    yield "insert, keep", "\n".join(inserted[:end] + [use] + inserted[end:])
    yield from renamed(lines, at)


def renamed(lines, at):
    new = re.sub(r'loc\("[^"]*"\)$', 'loc("edit")', lines[at])
    if new != lines[at]:
        yield "rename", "\n".join(lines[:at] + [new] + lines[at + 1:])


def peak(path):
    found = re.search(r"gmem\.plan = {[^}]*peak = (\d+)", open(path, encoding="utf-8").read())
    return int(found.group(1))


def moved(tool, old, new):
    """As gmem-diff counts: buffers of both plans, and those at another place."""
    diff = subprocess.run([os.path.join(os.path.dirname(tool), "gmem-diff"), "-n", "0", old, new],
                          capture_output=True, text=True).stdout
    found = re.search(r"(\d+) gone, .* (\d+) moved, of (\d+) and", diff)
    gone, elsewhere, count = map(int, found.groups())
    return count - gone, elsewhere


def row(tool, path, folder):
    text = open(path, encoding="utf-8").read()
    old, new = f"{folder}/old.mlir", f"{folder}/new.mlir"
    fresh, stable = f"{folder}/fresh.mlir", f"{folder}/stable.mlir"
    if run(tool, "--gmem-plan=alignment=64", path, "-o", old) is None:
        return
    for name, edited in edits(text):
        open(new, "w", encoding="utf-8").write(edited)
        if run(tool, "--gmem-plan=alignment=64", new, "-o", fresh) is None or \
           run(tool, f"--gmem-plan=alignment=64 previous={old}", new, "-o", stable) is None:
            continue
        common, without = moved(tool, old, fresh)
        _, kept = moved(tool, old, stable)
        print(f"{os.path.basename(path):28} {name:13} {common:7} {without:13} {kept:7} "
              f"{peak(fresh):12} {peak(stable):12}", flush=True)


def main():
    tool = os.path.join(os.path.abspath(sys.argv[1]), "bin", "gmem-opt")
    folders = ["examples"] + [f for f in [os.environ.get("GMEM_INPUTS")] if f]
    print(f"{'network':28} {'edit':13} {'buffers':>7} {'moved without':>13} {'with':>7} "
          f"{'peak without':>12} {'with':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for root in folders:
            for name in sorted(os.listdir(root)):
                if name.endswith(".mlir"):
                    row(tool, os.path.join(root, name), folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
