# scratch.py NETWORK [PARTS] - prints the network (tosa, in text) with scratch
# memory for its convolutions: each that pads wants room for its padded input,
# as one piece or in as many PARTS of equal size.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

CONVOLUTION = re.compile(
    r"tosa\.(?:depthwise_)?conv2d .*?{(?=.*?pad = array<i64: "
    r"(\d+), (\d+), (\d+), (\d+)>.*? : "
    r"\(tensor<1x(\d+)x(\d+)x(\d+)x([if]\d+)>)")


def padded_size(match):
    top, bottom, left, right, height, width, channels = map(
        int, match.groups()[:7])
    element = int(match.group(8)[1:]) // 8
    if not top + bottom + left + right:
        return 0
    return (top + height + bottom) * (left + width + right) * channels * element


parts = int(sys.argv[2]) if len(sys.argv) > 2 else 1
for line in open(sys.argv[1], encoding="utf-8"):
    found = CONVOLUTION.search(line)
    size = found and padded_size(found)
    if size:
        part = f"{{size = {-(-size // parts)}}}"
        asked = f"gmem.workbuffers = [{', '.join([part] * parts)}], "
        line = line[:found.end()] + asked + line[found.end():]
    print(line, end="")
