#!/usr/bin/env python3
# write_request.py COMPILED.mlir ENTRY OUT - writes OUT/request.h and request.c:
# memory for what OUT/network.h (gmem-translate --gmem-to-c) takes from its
# caller, sample inputs, and the call of network_run. COMPILED is the module
# that the network was compiled from: it knows what the bytes stand for.
# OUT/sample0.npy and so on are the same sample inputs as files.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import struct
import sys

# Of each kind of element: bytes, NumPy's name, and how x, a number from -100
# to 100, becomes one.
ELEMENTS = {
    "i1": (1, "|b1", lambda x: struct.pack("<B", x & 1)),
    "i8": (1, "|i1", lambda x: struct.pack("<b", x)),
    "i16": (2, "<i2", lambda x: struct.pack("<h", x)),
    "i32": (4, "<i4", lambda x: struct.pack("<i", x)),
    "f32": (4, "<f4", lambda x: struct.pack("<f", x / 100)),
}
BRACKETS = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}


def fail(text):
    sys.exit(f"write_request.py: error: {text}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Array:
    """An input or an output: argument |number| of the compiled function."""

    def __init__(self, number, text):
        match = re.match(r"%\w+: memref<((?:\d+x)*)(\w+)>", text)
        if not match or match.group(2) not in ELEMENTS:
            fail(f"this argument cannot be described: {text}")
        self.number, self.element = number, match.group(2)
        self.sizes = [int(size) for size in match.group(1).split("x")[:-1]]
        self.element_size, self.kind, self.pack = ELEMENTS[self.element]
        self.is_result = "bufferize.result" in text

    def count(self):
        count = 1
        for size in self.sizes:
            count *= size
        return count

    def shape(self):
        return f"{self.element} {'x'.join(map(str, self.sizes))}"


def split(text):
    """The parts of a list, at commas that are in no brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += BRACKETS.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def arrays_of(text, entry):
    """The arguments of a function that are no pools."""
    match = re.search(r"func\.func (?:\w+ )?@" + re.escape(entry) + r"\(", text)
    if not match:
        fail(f"there is no function @{entry}")
    depth, at = 1, match.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return [Array(number, argument) for number, argument in enumerate(split(text[match.end():at - 1]))
            if "gmem.arena" not in argument]


def members(header, struct_name):
    """What network.h wants addresses of, in one of its structs."""
    found = re.search(r"typedef struct network_" + struct_name + r" \{(.*?)\}", header, re.S)
    return re.findall(r"\*(\w+);", found.group(1)) if found else []


def sample(array, seed):
    """An input that is made up, and the same everywhere."""
    data, state = b"", seed
    for _ in range(array.count()):
        state = (state * 1103515245 + 12345) % 2 ** 31
        data += array.pack((state >> 16) % 201 - 100)
    return data


def write_npy(path, array, data):
    shape = "".join(f"{size}, " for size in array.sizes)
    header = f"{{'descr': '{array.kind}', 'fortran_order': False, 'shape': ({shape}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii") + data)


def numbers(data):
    rows = [data[at:at + 16] for at in range(0, len(data), 16)] or [b"\0"]
    return "\n".join("    " + " ".join(f"{byte}," for byte in row) for row in rows)


HEADER = """\
// request.h - memory for a request to the network, and the request.

#ifndef REQUEST_H_
#define REQUEST_H_

#include <stddef.h>
#include <stdint.h>

typedef struct request_memory_s {
  const char *name; // "result0 i8 1x12", as gmem-run has it
  uint8_t *bytes;
  size_t size;
} request_memory_t;

// Each ends with an entry whose name is NULL.
extern const request_memory_t request_inputs[];
extern const request_memory_t request_outputs[];
extern const request_memory_t request_workspaces[];
// Of each input: bytes that it may have.
extern const uint8_t *const request_samples[];

// One at a time: there is one workspace. What network_run returns.
int32_t request_run(void);

#endif // REQUEST_H_
"""


def table(name, rows):
    rows = [f'    {{"{label}", {symbol}, sizeof {symbol}}},' for label, symbol in rows]
    return [f"const request_memory_t request_{name}[] = {{", *rows, "    {NULL, NULL, 0},", "};"]


def body(parts, labels, samples):
    lines = ["// request.c - written by write_request.py.", "", '#include "request.h"', "",
             '#include "network.h"', ""]
    # Pools go where the linker is told that pools are: firmware.ld.
    for pool in parts["workspaces"]:
        macro = f"NETWORK_{pool.upper()}_WORKSPACE"
        lines += [f'__attribute__((section(".bss.pool.{pool}"), aligned({macro}_ALIGNMENT)))',
                  f"static uint8_t network_{pool}_data[{macro}_SIZE];"]
    for name in parts["inputs"] + parts["outputs"]:
        macro = f"NETWORK_{name.upper()}"
        lines += [f"static _Alignas({macro}_ALIGNMENT) uint8_t {name}[{macro}_SIZE];"]
    lines += [""]
    for number, data in enumerate(samples):
        lines += [f"static const uint8_t sample{number}[] = {{", numbers(data), "};"]
    lines += ["const uint8_t *const request_samples[] = {",
              "    " + ", ".join([*(f"sample{number}" for number in range(len(samples))), "NULL"]), "};", ""]
    for name in ("inputs", "outputs"):
        lines += table(name, zip(labels[name], parts[name]))
    lines += table("workspaces", [(pool, f"network_{pool}_data") for pool in parts["workspaces"]])
    lines += ["", "int32_t request_run(void) {"]
    for name, of in parts.items():
        symbols = [f"network_{pool}_data" if name == "workspaces" else pool for pool in of]
        if of:
            lines += [f"  const network_{name} {name} = {{{', '.join(symbols)}}};"]
    lines += [f"  return network_run({', '.join('&' + name for name, of in parts.items() if of)});", "}", ""]
    return "\n".join(lines)


def main():
    if len(sys.argv) != 4:
        fail("usage: write_request.py COMPILED.mlir ENTRY OUT")
    compiled, entry, out = sys.argv[1:]
    header = read(os.path.join(out, "network.h"))
    parts = {name: members(header, name) for name in ("inputs", "outputs", "workspaces")}
    arrays = arrays_of(read(compiled), entry)
    inputs, outputs = arrays[:len(parts["inputs"])], arrays[len(parts["inputs"]):]
    if len(outputs) != len(parts["outputs"]):
        fail(f"network.h and @{entry} differ in what is put out")
    labels = {"inputs": [f"argument{array.number} {array.shape()}" for array in inputs],
              "outputs": [f"result{number} {array.shape()}" if array.is_result
                          else f"argument{array.number} {array.shape()}"
                          for number, array in enumerate(outputs)]}
    samples = [sample(array, 7 + number) for number, array in enumerate(inputs)]
    for name, text in (("request.h", HEADER), ("request.c", body(parts, labels, samples))):
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(text)
    for number, data in enumerate(samples):
        write_npy(os.path.join(out, f"sample{number}.npy"), inputs[number], data)


main()
