#!/usr/bin/env python3
# compare_outputs.py PRINTED PREFIX - whether the bytes that a firmware has
# printed are those in PREFIX.result0.npy and so on, which gmem-run has saved; of
# arguments, it saves those that the program writes. Exit status 1 when not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
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
        arrays = re.findall(r"^(argument\d+|result\d+) (.*) ([0-9a-f]*)$", file.read(), re.M)
    arrays = [(name, shape, digits, f"{prefix}.{name}.npy") for name, shape, digits in arrays]
    arrays = [array for array in arrays if array[0].startswith("result") or os.path.exists(array[3])]
    if not arrays:
        sys.exit("compare_outputs.py: error: nothing was put out")
    for name, shape, digits, path in arrays:
        if bytes.fromhex(digits) != payload(path):
            sys.exit(f"{name}, {shape}: NOT what gmem-run computes")
        print(f"{name}, {shape}: what gmem-run computes, bit by bit")


main()
