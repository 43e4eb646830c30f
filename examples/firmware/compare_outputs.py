#!/usr/bin/env python3
# compare_outputs.py PRINTED PREFIX - whether the bytes that a firmware has
# printed are those in PREFIX.result0.npy and so on. Exit status 1 when not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys


def payload(path):
    """The bytes of the elements, without the header."""
    with open(path, "rb") as file:
        data = file.read()
    return data[10 + int.from_bytes(data[8:10], "little"):]


def main():
    printed, prefix = sys.argv[1:]
    with open(printed, encoding="utf-8") as file:
        outputs = re.findall(r"^output(\d+) (.*) ([0-9a-f]*)$", file.read(), re.M)
    if not outputs:
        sys.exit("compare_outputs.py: error: nothing was put out")
    for number, shape, digits in outputs:
        if bytes.fromhex(digits) != payload(f"{prefix}.result{number}.npy"):
            sys.exit(f"output {number}, {shape}: NOT what gmem-run computes")
        print(f"output {number}, {shape}: what gmem-run computes, bit by bit")


main()
