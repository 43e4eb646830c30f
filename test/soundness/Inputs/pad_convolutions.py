# pad_convolutions.py BYTES < PLANNED - gives every first operand of a convolution
# that has memory of its own a gmem.padding of BYTES on both sides. PLANNED is a
# planned network in the generic form, as gmem-opt prints it; how many operands
# were padded goes to standard error.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

RESULT = re.compile(r"\s*(%\w+) = \"")
CONVOLUTION = re.compile(r'"[\w.]*conv[\w.]*"\((%\w+)')


def main():
    bytes_around = int(sys.argv[1])
    lines = sys.stdin.read().split("\n")
    wanted = {match.group(1) for match in map(CONVOLUTION.search, lines) if match}
    sides = f"array<i64: {bytes_around}, {bytes_around}>"
    opened, padded = [], 0  # ops whose regions are being read
    for number, line in enumerate(lines):
        match = RESULT.match(line)
        name = match.group(1) if match else None
        if line.rstrip().endswith("({"):
            opened.append(name)
            continue
        if line.lstrip().startswith("})"):
            name = opened.pop()
        if name in wanted and 'gmem.pool = ["tensors"]' in line:
            lines[number] = line.replace("gmem.pool = ", f"gmem.padding = [{sides}], gmem.pool = ", 1)
            padded += 1
    print("\n".join(lines))
    print(f"{padded} padded", file=sys.stderr)


main()
