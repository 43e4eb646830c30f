# cut_windows.py GMEM-OPT FOLDER EVERY COUNT FILE.mlir... - cuts programs out of
# networks: of the first function of each file, COUNT ops from each EVERY-th on,
# with the values from before as arguments and those that later ops use as
# results. Writes those that can be planned below FOLDER, and prints how many.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import subprocess
import sys

VALUE = r"%\w+(?:#\d+)?"
MADE_AGAIN = ("arith.constant", "tensor.empty")  # in each window that uses them


class Op:
    """An op at the top level of a function, in generic form."""

    def __init__(self, line):
        self.lines = [line]

    def finish(self):
        match = re.match(r"\s*(%\w+)(?::(\d+))? = ", self.lines[0])
        count = int(match[2] or 1) if match else 0
        self.results = [f"{match[1]}#{i}" for i in range(count)] if count > 1 else [match[1]] if match else []
        self.types = dict(zip(self.results, split(self.lines[-1].rpartition(") -> ")[2])))
        self.name = re.search(r'"([\w.]+)"', self.lines[0])[1]
        text = "\n".join(self.lines)[match.end() if match else 0:]
        self.uses = list(dict.fromkeys(re.findall(VALUE, text)))
        return self


def split(types):
    """The types of a list at its top level."""
    types = types.strip()
    types = types[1:-1] if types.startswith("(") else types
    parts, depth = [""], 0
    for c in types:
        depth += (c in "<([") - (c in ">)]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def read(opt, path):
    """(attribute aliases, ops of the first function with a body, types of its arguments)."""
    command = [opt, "--allow-unregistered-dialect", "--mlir-print-op-generic", path]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("  ^bb0("))
    arguments = re.findall(r"(%\w+): ((?:[^,<)]|<[^>]*>)+)", lines[start])
    ops = []
    for line in lines[start + 1:]:
        if line.startswith(("  }", "  ^")):
            break
        if re.match(r"    [%\"]", line):
            ops.append(Op(line))
        else:
            ops[-1].lines.append(line)
    return [line for line in lines if line.startswith("#")], [op.finish() for op in ops], dict(arguments)


def cut(aliases, ops, arguments, first, count):
    """The text of a window, or None where there is none."""
    types = dict(arguments)
    makers = {}
    for op in ops:
        types.update(op.types)
        makers.update((value, op) for value in op.results)
    plain = [op for op in ops if op.name not in MADE_AGAIN and not op.name.endswith("return")]
    window = plain[first:first + count]
    made = {value for op in window for value in op.results}
    before, needed = [], []
    waiting = list(window)
    while waiting:
        for value in waiting.pop(0).uses:
            maker = makers.get(value)
            if value not in types or value in made or maker in needed or value in before:
                continue
            if maker and maker.name in MADE_AGAIN:
                needed.append(maker)
                waiting.append(maker)
            else:
                before.append(value)
    later = [value for op in ops if op not in window for value in op.uses if value in made]
    results = list(dict.fromkeys(later))
    if not window or not results:
        return None
    result_types = ", ".join(types[value] for value in results)
    body = sorted(needed, key=ops.index) + window
    return "\n".join([
        *aliases, "func.func @main(" + ", ".join(f"{v}: {types[v]}" for v in before) + f") -> ({result_types}) {{",
        *(line for op in body for line in op.lines), f"return {', '.join(results)} : {result_types}", "}", ""])


def main():
    opt, folder, every, count, *paths = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    written = 0
    for path in paths:
        try:
            aliases, ops, arguments = read(opt, path)
        except (StopIteration, subprocess.CalledProcessError):
            continue  # no function, or a dialect that needs more options
        for first in range(0, len(ops), int(every)):
            text = cut(aliases, ops, arguments, first, int(count))
            if text is None:
                continue
            target = os.path.join(folder, f"{os.path.basename(path)[:-5]}-{first}.mlir")
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
            command = [opt, "--allow-unregistered-dialect", "--gmem-plan=effort=fast", target, "-o", os.devnull]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                written += 1
            else:
                os.remove(target)
    print(f"{written} windows")


main()
