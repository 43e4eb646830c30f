# planned_together.py - asks about programs on memrefs of which one is wrong only in the
# plan of its batch, and one alone, too; what plans and runs them is replaced.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import sys
from types import SimpleNamespace

import run_memref_programs as programs

BAD = {20: [21, 23], 1: [23]}  # by the number of programs that are planned


def examine(_folder, _name, seeds, _options, _unlike=None):
    return [seed for seed in BAD[len(seeds)] if seed in seeds], 0, 0


programs.examine = examine
programs.verdict = lambda planned, _options, _verifier: f"\n  asked: {planned[0]} to {planned[-1]}"
arguments = SimpleNamespace(verifier="gmem-opt", unlike=None, stop=False)
os.makedirs(sys.argv[1], exist_ok=True)
for text in programs.examine_batch(sys.argv[1], 1, range(20, 40), arguments)[0]:
    print(text)
    path = re.search(r"(\S+\.mlir)$", text, re.M).group(1)
    with open(path, encoding="utf-8") as file:
        print("  programs:", len(set(re.findall(r"@seed_\d+", file.read()))))
