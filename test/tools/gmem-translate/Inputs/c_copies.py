#!/usr/bin/env python3
"""c_copies.py [--names] ROOT FOLDER FILE.mlir [OPTIONS] - plans each part of FILE
with OPTIONS of gmem-plan, makes C of it and runs that against the reference: as
it is, with the copies of each call in the other order, and without one copy at a
time. Prints the number of copies and of those without which the outputs are the
same; with --names the copies, too."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import subprocess
import sys

arguments = [argument for argument in sys.argv[1:] if argument != "--names"]
prints_names = "--names" in sys.argv
root, folder, path = arguments[:3]
options = arguments[3] if len(arguments) > 3 else ""
inputs = f"{root}/test/tools/gmem-translate/Inputs"

# A copy in the body of a function: operands and results of calls. What the
# caller of the model gives and gets is copied elsewhere.
COPY = re.compile(r"^  net_copy\(memory->\w+ \+ NET_(\w+)_OFFSET,\s+memory->\w+ \+ NET_(\w+)_OFFSET,\s+NET_\w+_SIZE\);\n", re.M)
FUNCTION = re.compile(r'^// Function "(\w+)"\n.*?^}\n', re.M | re.S)
SWITCH = """#include <stdlib.h>
static int number;
__attribute__((constructor)) static void read_number(void) { number = atoi(getenv("WITHOUT")); }
"""


def compile_model(source):
    open(f"{folder}/net.c", "w").write(source)
    subprocess.run(["gcc", "-w", "-c", f"{folder}/net.c", "-o", f"{folder}/net.o"], check=True)
    subprocess.run(["gcc", f"{folder}/driver.o", f"{folder}/net.o", "-o", f"{folder}/run"], check=True)


def run(without):
    """Whether the outputs are those of the reference; |without|: number of a copy."""
    status = subprocess.run([f"{folder}/run"], env={**os.environ, "WITHOUT": str(without)}).returncode
    if status not in (0, 4):
        sys.exit(f"the run ends with {status}")
    return status == 0


def in_other_order(function):
    """The text of a function with each row of copies reversed: those of one call
    before it, or after it, which write to what is its caller's."""
    caller = function.group(1).upper() + "_"
    text, end, row = "", 0, []
    for copy in COPY.finditer(function.group(0)):
        gap, is_after = function.group(0)[end : copy.start()], copy.group(1).startswith(caller)
        if gap or (row and row[0][0] != is_after):
            text += "".join(one for _, one in reversed(row)) + gap
            row = []
        row.append((is_after, copy.group(0)))
        end = copy.end()
    return text + "".join(one for _, one in reversed(row)) + function.group(0)[end:]


def check_part(text, name):
    planned = f"{folder}.mlir"
    plan = ["gmem-opt", "--allow-unregistered-dialect", f"--gmem-plan={options}", "-", "-o", planned]
    subprocess.run(plan, input=text, text=True, check=True)
    subprocess.run(["gmem-machine", planned], check=True, stdout=subprocess.DEVNULL)
    make = ["sh", f"{inputs}/c_run.sh", root, folder, planned, "gcc", "-std=c11", "--", "--workspaces=given"]
    if subprocess.run(make + ["--parameters=given"]).returncode:
        sys.exit(f"{name}: the outputs are not those of the reference")
    driver = ["gcc", "-w", "-I", inputs, "-I", folder, "-c", f"{inputs}/c_driver.c", "-o", f"{folder}/driver.o"]
    subprocess.run(driver, check=True)
    source = open(f"{folder}/net.c").read()
    copies = list(COPY.finditer(source))
    if source.count("  net_copy(memory->") != len(copies):
        sys.exit("not all copies are found")
    reversed_source = FUNCTION.sub(in_other_order, source)
    if reversed_source != source:
        compile_model(SWITCH + reversed_source)
        if not run(-1):
            sys.exit(f"{name}: the order of copies matters")
    numbers = iter(range(len(copies)))
    compile_model(SWITCH + COPY.sub(lambda copy: f"if (number != {next(numbers)})\n{copy.group(0)}", source))
    superfluous = [run(i) for i in range(len(copies))].count(True)
    print(f"{name}: {len(copies)} copies, {superfluous} superfluous", flush=True)
    for copy in copies if prints_names else []:
        print(f"{copy.group(1)} <- {copy.group(2)}")


for i, part in enumerate(re.split("^// -----$", open(path).read(), flags=re.M)):
    check_part(part, f"part {i}")
