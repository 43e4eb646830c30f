#!/usr/bin/env python3
# write_network.py NETWORK.mlir COMPILED.mlir NETWORK.gmem ENTRY OUT - writes
# OUT/network.h and network.c: the memory that the compiled function ENTRY is
# called with, and the call. COMPILED is what gmem-materialize{arena-mode=arg
# weights=image} has made; the arguments that NETWORK.mlir has not are outputs
# and arenas. NETWORK.gmem is the image of the plan with the bytes of the weights.
# OUT/sample0.npy and so on are made up inputs, network.c has them as well.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import struct
import sys

# Of each kind of element: bytes, NumPy's name, and how |x|, a number from -100
# to 100, becomes one.
ELEMENTS = {
    "i1": (1, "|b1", lambda x: struct.pack("<B", x & 1)),
    "i8": (1, "|i1", lambda x: struct.pack("<b", x)),
    "i16": (2, "<i2", lambda x: struct.pack("<h", x)),
    "i32": (4, "<i4", lambda x: struct.pack("<i", x)),
    "f32": (4, "<f4", lambda x: struct.pack("<f", x / 100)),
}
BRACKETS = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}
CONTENTS, DATA, REGIONS, NAMES = 13, 31, 1, 6  # sections of docs/plan-image.md


def fail(text):
    sys.exit(f"write_network.py: error: {text}")


def read(path, mode="r"):
    with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
        return file.read()


class Array:
    """An argument of the compiled function."""

    def __init__(self, text):
        match = re.match(r"%\w+: memref<((?:\d+x)*)(\w+)>( \{.*\})?$", text)
        if not match or match.group(2) not in ELEMENTS:
            fail(f"this argument cannot be described: {text}")
        self.element = match.group(2)
        self.sizes = [int(size) for size in match.group(1).split("x")[:-1]]
        self.size, self.kind, self.pack = ELEMENTS[self.element]
        for size in self.sizes:
            self.size *= size
        arena = re.search(r'gmem\.arena = "([\w.-]+)"', text)
        self.pool = arena.group(1) if arena else None

    def descriptor(self):
        strides = [1]
        for size in reversed(self.sizes[1:]):
            strides.insert(0, strides[0] * size)
        numbers = [0] + self.sizes + strides[:len(self.sizes)]
        return ", ".join(map(str, numbers))


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


def arguments(path, entry):
    """What stands between the parentheses of a function's signature."""
    text = read(path)
    match = re.search(r"func\.func (?:\w+ )?@" + re.escape(entry) + r"\(", text)
    if not match:
        fail(f"{path}: there is no function @{entry}")
    depth, at = 1, match.end()
    while depth and at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return split(text[match.end():at - 1]), text[at:].startswith(" ->")


def arenas(text):
    """By name: what the program promises of the pools' memory."""
    match = re.search(r"gmem\.arenas = (\[.*?\])", text)
    pools = {}
    for entry in re.findall(r"\{(.*?)\}", match.group(1) if match else ""):
        of = dict(re.findall(r'(\w+) = "?([\w.-]+)"?', entry))
        of["symbol"] = re.sub(r"\W", "_", of["pool"])
        pools[of["pool"]] = of
    return pools


def contents(image):
    """By region: the bytes of the constants."""
    sections = {}
    for number in range(struct.unpack_from("<H", image, 14)[0]):
        key, _, offset, size = struct.unpack_from("<IIQQ", image, 64 + 32 * number)
        sections[key] = image[offset:offset + size]
    found = {}
    for at in range(0, len(sections.get(CONTENTS, b"")), 24):
        region, _, offset, size = struct.unpack_from("<IIQQ", sections[CONTENTS], at)
        size, = struct.unpack_from("<Q", sections[REGIONS], 40 * region + 8)
        name, length = struct.unpack_from("<II", sections[REGIONS], 40 * region + 24)
        found[sections[NAMES][name:name + length].decode()] = sections[DATA][offset:offset + size]
    return found


def numbers(data):
    rows = [data[at:at + 16] for at in range(0, len(data), 16)] or [b"\0"]
    return "\n".join("    " + " ".join(f"{byte}," for byte in row) for row in rows)


def sample(array, seed):
    """An input that is made up, and the same everywhere."""
    data, state = b"", seed
    for _ in range(array.size // ELEMENTS[array.element][0]):
        state = (state * 1103515245 + 12345) % 2 ** 31
        data += array.pack((state >> 16) % 201 - 100)
    return data


def write_npy(path, array, data):
    shape = "".join(f"{size}, " for size in array.sizes)
    header = f"{{'descr': '{array.kind}', 'fortran_order': False, 'shape': ({shape}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii") + data)


def header(pools, counts):
    lines = ["// network.h - memory of a planned network, and a call of it.", "",
             "#ifndef NETWORK_H_", "#define NETWORK_H_", "", "#include <stddef.h>", ""]
    for pool in pools:
        name = f"NETWORK_{pool['symbol'].upper()}_{'PARAMETER' if pool['kind'] == 'constant' else 'WORKSPACE'}"
        lines += [f"#define {name}_SIZE {pool['size']}", f"#define {name}_ALIGNMENT {pool['alignment']}"]
    lines += ["", *(f"#define NETWORK_{name}_COUNT {count}" for name, count in counts.items()), "",
              "typedef struct network_memory_s {", '  const char *name; // "result0 i8 1x12", as gmem-run has it',
              "  unsigned char *bytes;", "  size_t size;", "} network_memory_t;", "",
              "extern const network_memory_t network_inputs[];", "extern const network_memory_t network_outputs[];",
              "extern const network_memory_t network_workspaces[];",
              "extern const unsigned char *const network_samples[];", "",
              "// One request at a time: there is one workspace.", "void network_run(void);", "",
              "#endif // NETWORK_H_", ""]
    return "\n".join(lines)


def memories(name, entries):
    rows = [f'    {{"{label}", {symbol}, sizeof {symbol}}},' for label, symbol in entries]
    return [f"const network_memory_t network_{name}[] = {{", *(rows or ["    {0, 0, 0},"]), "};"]


def body(arrays, pools, data, uses):
    lines = ['// network.c - written by write_network.py.', "", "#include <stdint.h>", "", '#include "network.h"', "",
             "#define PLACED(section_name, alignment) \\",
             "  __attribute__((section(section_name), aligned(alignment)))", ""]
    for pool in pools:
        macro = f"NETWORK_{pool['symbol'].upper()}"
        if pool["kind"] == "constant":
            if len(data.get(pool["pool"], b"")) != int(pool["size"]):
                fail(f"the image has not the bytes of pool {pool['pool']}")
            lines += [f'PLACED(".rodata.pool.{pool["symbol"]}", {macro}_PARAMETER_ALIGNMENT)',
                      f"static const unsigned char {pool['symbol']}_pool[{macro}_PARAMETER_SIZE] = {{",
                      numbers(data[pool["pool"]]), "};", ""]
        else:
            lines += [f'PLACED(".bss.pool.{pool["symbol"]}", {macro}_WORKSPACE_ALIGNMENT)',
                      f"static unsigned char {pool['symbol']}_pool[{macro}_WORKSPACE_SIZE];", ""]
    symbols = {"input": [], "output": []}
    call = []
    for array, use in zip(arrays, uses):
        if array.pool:
            symbol = next(pool["symbol"] for pool in pools if pool["pool"] == array.pool) + "_pool"
        else:
            symbol = f"{use}{len(symbols[use])}"
            lines += [f"static _Alignas(64) unsigned char {symbol}[{array.size}];"]
            shape = f"{array.element} {'x'.join(map(str, array.sizes))}"
            name = f"result{len(symbols[use])}" if use == "output" else f"argument{len(call)}"
            symbols[use].append((f"{name} {shape}", symbol))
        call.append((symbol, array))
    lines += [""]
    samples = [sample(array, 7 + number) for number, array in
              enumerate(array for array, use in zip(arrays, uses) if use == "input")]
    for number, bytes_ in enumerate(samples):
        lines += [f"static const unsigned char sample{number}[] = {{", numbers(bytes_), "};"]
    lines += ["const unsigned char *const network_samples[] = {",
              "    " + ", ".join([f"sample{number}" for number in range(len(samples))] or ["0"]), "};", ""]
    lines += memories("inputs", symbols["input"]) + memories("outputs", symbols["output"] or symbols["input"])
    lines += memories("workspaces", [(pool["pool"], pool["symbol"] + "_pool")
                                     for pool in pools if pool["kind"] == "workspace"])
    lines += ["", "// The compiled network; an array is two pointers and, as wide as these, its",
              "// offset, sizes and strides.",
              f"void network_main({', '.join(['void *'] * len(arrays)) or 'void'});", "", "void network_run(void) {"]
    for number, (symbol, array) in enumerate(call):
        lines += [f"  intptr_t array{number}[] = {{(intptr_t){symbol}, (intptr_t){symbol}, {array.descriptor()}}};"]
    lines += [f"  network_main({', '.join(f'array{number}' for number in range(len(call)))});", "}", ""]
    return "\n".join(lines), samples


def main():
    if len(sys.argv) != 6:
        fail("usage: write_network.py NETWORK.mlir COMPILED.mlir NETWORK.gmem ENTRY OUT")
    network, compiled, image, entry, out = sys.argv[1:]
    inputs = len(arguments(network, entry)[0])
    described, returns = arguments(compiled, entry)
    if returns:
        fail(f"@{entry} returns something; its results must be arguments")
    arrays = [Array(argument) for argument in described]
    pools = arenas(read(compiled))
    used = [pools[array.pool] for array in arrays if array.pool]
    uses = ["pool" if array.pool else "input" if number < inputs else "output"
            for number, array in enumerate(arrays)]
    # A function without results has put out what it has left in its arguments.
    counts = {"INPUT": uses.count("input"), "OUTPUT": uses.count("output") or uses.count("input"),
              "WORKSPACE": sum(pool["kind"] == "workspace" for pool in used)}
    source, samples = body(arrays, used, contents(read(image, "rb")), uses)
    for name, content in (("network.h", header(used, counts)), ("network.c", source)):
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(content)
    for number, data in enumerate(samples):
        write_npy(os.path.join(out, f"sample{number}.npy"), arrays[number], data)


main()
