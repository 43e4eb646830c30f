# transform_globals.py - copies a program of memref_program.py from standard input to
# standard output, in which functions make the constants (gmem.transform): those of
# one size have one source, to which the functions of add_constants.c add. Every other
# one has a placeholder, which is wrong.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

STEP = 977  # from one constant of a size to the next one
GLOBAL = re.compile(r'(memref\.global "private" constant @w\w+ : memref<(\d+)xi32>) = dense<\[([\d, ]+)\]>')
count = 0


def transform(match):
    global count
    count += 1
    values = [int(value) for value in match[3].split(", ")]
    number, size = values[0] // STEP, int(match[2])
    source = ", ".join(str(value - values[0]) for value in values)
    names = [f"add{STEP}"] * number or ["add0"]
    chain = ", ".join(f'{{name = "{name}", bytes = {4 * size}}}' for name in names)
    placeholder = "dense<7>" if count % 2 else "uninitialized"
    return (
        f"{match[1]} = {placeholder} "
        f"{{gmem.source = dense<[{source}]> : tensor<{size}xi32>, gmem.transform = [{chain}]}}"
    )


text = GLOBAL.sub(transform, sys.stdin.read())
assert count, "no constants"
sys.stdout.write(text)
