#!/usr/bin/env python3
# check_map.py network.h firmware.map BOARD.ld - prints what the plan has promised
# of each pool beside what the map of the linker (lld) says, and what of the
# board's memories is taken. Exit status 1 when a pool is not as promised.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

# Where pools are that have no section of their name.
SECTIONS = {"WORKSPACE": ".sram_pool", "PARAMETER": ".flash_pool"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def promises(header):
    """Of each pool: its name, kind, size and alignment."""
    number = r"UINT\d+_C\((\d+)\)"
    found = re.findall(rf"#define NETWORK_(\w+)_(WORKSPACE|PARAMETER)_SIZE {number}", header)
    alignment = dict(re.findall(rf"#define NETWORK_(\w+)_ALIGNMENT {number}", header))
    return [(name, kind, int(size), int(alignment[f"{name}_{kind}"])) for name, kind, size in found]


def lines(map_text):
    """VMA, LMA, size and name of what the map lists: sections and symbols."""
    for line in map_text.splitlines()[1:]:
        match = re.match(r" *([0-9a-f]+) +([0-9a-f]+) +([0-9a-f]+) +\d+ +(\S.*)$", line)
        if match:
            yield (*(int(number, 16) for number in match.groups()[:3]), match.group(4))


def memories(script):
    unit = {"": 1, "K": 1024, "M": 1024 * 1024}
    return [(name, int(origin, 16), int(length) * unit[suffix]) for name, origin, length, suffix in
            re.findall(r"(\w+) \(\w+\) : ORIGIN = (0x[0-9a-fA-F]+), LENGTH = (\d+)([KM]?)", script)]


def main():
    header, map_text, script = map(read, sys.argv[1:])
    listed = list(lines(map_text))
    sections = {name: (vma, lma, size) for vma, lma, size, name in listed if name.startswith(".")}
    symbols = {name: (vma, size) for vma, _, size, name in listed}
    good, ends = True, {}
    print("pool         promised    in the map   section       address")
    for name, kind, size, alignment in promises(header):
        if size == 0:
            continue  # no array
        vma, found = symbols.get(f"network_{name.lower()}_data", (0, 0))
        section = f".{name.lower()}_pool"
        section = section if section in sections else SECTIONS[kind]
        start, _, length = sections[section]
        # Pools of one section lie one behind the other, aligned.
        ends[section] = (ends.get(section, 0) + alignment - 1) // alignment * alignment + size
        right = found == size and vma % alignment == 0 and start <= vma and vma + size <= start + length
        good &= right
        print(f"{name.lower():<10} {size:>10,}    {found:>10,}   {section:<11}   {vma:#010x}"
              f"{'' if right else '   WRONG'}")
    for section, end in ends.items():
        if sections[section][2] != end:
            print(f"{section} has {sections[section][2]:,} bytes and not {end:,}")
            good = False
    for name, origin, length in memories(script):
        # What is in the SRAM at the start comes out of the flash.
        used = sum(size for section, (vma, lma, size) in sections.items()
                   if section not in (".comment", ".symtab", ".shstrtab", ".strtab", ".ARM.attributes")
                   for address in {vma, lma} if origin <= address < origin + length)
        print(f"{name:<10} {used:>10,} of {length:>10,} bytes")
    sys.exit(0 if good else 1)


main()
