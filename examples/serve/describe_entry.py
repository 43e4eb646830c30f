#!/usr/bin/env python3
# describe_entry.py NETWORK.mlir COMPILED.mlir DIGEST ENTRY - writes entry.c (see
# entry.h): what the function ENTRY of a compiled network is called with. Both
# files are as gmem-opt prints them. The arguments that COMPILED has and NETWORK
# has not are outputs and, with gmem.arena, arenas. DIGEST is that of its plan.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

# Of each kind of element: bytes, and the bits to make one up (entry.h).
ELEMENTS = {
    "i1": (1, 0x1, 0), "i8": (1, 0xFF, 0), "i16": (2, 0xFFFF, 0),
    "i32": (4, 0xFFFFFFFF, 0), "i64": (8, 0xFFFFFFFFFFFFFFFF, 0),
    "f16": (2, 0x83FF, 0x3800), "bf16": (2, 0x807F, 0x3F00),
    "f32": (4, 0x807FFFFF, 0x3F000000),
    "f64": (8, 0x800FFFFFFFFFFFFF, 0x3FE0000000000000),
}
MAX_RANK = 8


def fail(text):
    sys.exit(f"describe_entry.py: error: {text}")


def split(text):
    """The parts of a list, at commas that are in no brackets."""
    parts, depth = [""], 0
    for at, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or character == ">" and text[at - 1] != "-":
            depth -= 1
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def arguments(path, entry):
    """What stands between the parentheses of a function's signature."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    match = re.search(r"func\.func (?:\w+ )?@" + re.escape(entry) + r"\(", text)
    if not match:
        fail(f"{path}: there is no function @{entry}")
    depth, at = 1, match.end()
    while depth and at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return split(text[match.end():at - 1])


def initializer(argument, use):
    """One argument as C."""
    match = re.match(r"%\w+: memref<((?:\d+x)*)(\w+)>( \{.*\})?$", argument)
    if not match or match.group(2) not in ELEMENTS:
        fail(f"this argument cannot be described: {argument}")
    sizes = match.group(1).split("x")[:-1]
    if len(sizes) > MAX_RANK:
        fail(f"this argument has more than {MAX_RANK} dimensions: {argument}")
    arena = re.search(r'gmem\.arena = "([\w.-]+)"', argument)
    size, random_bits, set_bits = ELEMENTS[match.group(2)]
    use, name = ("ENTRY_ARENA", f'"{arena.group(1)}"') if arena else (use, "NULL")
    return (f"    {{{use}, {name}, {len(sizes)}, {{{', '.join(sizes) or '0'}}}, {size}, "
            f"UINT64_C({random_bits:#x}), UINT64_C({set_bits:#x})}},")


def main():
    if len(sys.argv) != 5 or not re.fullmatch("[0-9a-f]{64}", sys.argv[3]):
        fail("usage: describe_entry.py NETWORK.mlir COMPILED.mlir DIGEST ENTRY")
    network, program, digest, entry = sys.argv[1:]
    inputs = len(arguments(network, entry))
    compiled = arguments(program, entry)
    if re.search(re.escape(f"func.func @{entry}(") + r".*\) ->", open(program, encoding="utf-8").read()):
        fail(f"@{entry} returns something; its results must be arguments")
    lines = [initializer(argument, "ENTRY_INPUT" if number < inputs else "ENTRY_OUTPUT")
             for number, argument in enumerate(compiled)]
    pointers = ", ".join(["void *"] * len(compiled)) or "void"
    given = ", ".join(f"descriptors[{number}]" for number in range(len(compiled)))
    print("\n".join([
        "// entry.c - written by describe_entry.py.", "", "#include <stddef.h>", "",
        '#include "entry.h"', "", "const entry_argument_t entry_arguments[] = {", *lines, "};",
        f"const uint32_t entry_argument_count = {len(compiled)};",
        "const uint8_t entry_plan_digest[32] = {",
        "    " + " ".join(f"0x{digest[at:at + 2]}," for at in range(0, 64, 2)), "};", "",
        "// The network, under a unique name.", f"void network_main({pointers});", "",
        f"void entry_call(void *const *descriptors) {{ network_main({given}); }}"]))


main()
