# reduce_program.py FILE OPTIONS [VERIFIER] - makes a program smaller, line by line,
# for as long as its plan under OPTIONS stays unsound, and VERIFIER, a gmem-opt,
# accepts it; prints what is left.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys

from unsound_plans import ask

FLAGS = ["--allow-unregistered-dialect", "--mlir-print-debuginfo", "--mlir-print-op-generic"]


END = re.compile(r'^("[a-z]+\.(return|yield|condition|branch)"|cf\.)')


def is_whole(part):
    """Whether the lines can go: braces match, and no block loses its end."""
    depth = 0
    for line in part:
        if depth == 0 and END.match(line):
            return False
        depth += line.count("{") - line.count("}")
        if depth < 0:
            return False
    return depth == 0


def kind_of(fault):
    """What stays the same of a fault while the program becomes smaller."""
    found = re.search(r"(has no place|gmem.alias|claims|reads [a-z, ]*)", fault)
    return found.group(1) if found else fault


def is_unsound(lines, options, kind=None):
    """The kind of the fault that gmem-machine still finds, or None; a text that does not parse is none."""
    text = "\n".join(lines)
    for seed in range(0, 60, 30):
        planned = subprocess.run(
            ["gmem-opt", *FLAGS, f"--gmem-plan={options}", "-"], input=text, capture_output=True, text=True
        )
        if planned.returncode:
            return None
        done = subprocess.run(
            ["gmem-machine", f"--seed={seed}", "--runs=30", "-"], input=planned.stdout, capture_output=True, text=True
        )
        kinds = [kind_of(line) for line in done.stdout.splitlines()[:-1]]
        is_accepted = not sys.argv[3:] or not kinds or ask(sys.argv[3], planned.stdout, "--gmem-verify-plan") == "accepts"
        if kinds and kind in (None, *kinds) and is_accepted:
            return kinds[0]
    return None


def without_operand(line):
    """The line without each operand of an op of no dialect, in turn."""
    match = re.match(r'^(.*?"any\.\w+"\()([^)]*)(\).* : \()([^)]*)(\).*)$', line)
    if not match or "," not in match.group(2) + ",":
        return
    operands = [o for o in match.group(2).split(", ") if o]
    kinds = [k for k in match.group(4).split(", ") if k]
    for i in range(len(operands)):
        if len(operands) == len(kinds):
            left = ", ".join(operands[:i] + operands[i + 1 :])
            right = ", ".join(kinds[:i] + kinds[i + 1 :])
            yield match.group(1) + left + match.group(3) + right + match.group(5)




def smaller(lines, options, kind):
    """One pass over all sizes; the lines that are left."""
    for size in [64, 32, 16, 12, 8, 6, 5, 4, 3, 2, 1]:
        begin = len(lines) - size
        while begin >= 0:
            rest = lines[:begin] + lines[begin + size :]
            if is_whole(lines[begin : begin + size]) and is_unsound(rest, options, kind):
                lines = rest
            begin = min(begin, len(lines) - size + 1) - 1
    for number in range(len(lines)):
        for shorter in without_operand(lines[number]):
            rest = lines[:number] + [shorter] + lines[number + 1 :]
            if is_unsound(rest, options, kind):
                lines = rest
                break
    return lines


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line.strip()]
    options = sys.argv[2]
    kind = is_unsound(lines, options)
    if not kind:
        sys.exit("the plan is sound")
    while True:
        left = smaller(lines, options, kind)
        if left == lines:
            break
        lines = left
    print("\n".join(lines))


if __name__ == "__main__":
    main()
