#!/usr/bin/env python3
"""c_moved.py ROOT FOLDER PLANNED.mlir - edits the generated header: puts each
tensor to the place of one that outlives it, then runs the C. Prints how many
were moved, and which of them went unnoticed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
import subprocess
import sys

root, folder, planned = sys.argv[1:]
inputs = f"{root}/test/tools/gmem-translate/Inputs"
command = ["sh", f"{inputs}/c_run.sh", root, folder, planned, "gcc", "-std=c11", "--", "--workspaces=given"]
subprocess.run(command + ["--parameters=given", "--names=numbers"], check=True)
plan = json.loads(subprocess.run(["gmem-translate", "--gmem-to-json", planned], check=True, capture_output=True).stdout)
header = open(f"{folder}/net.h").read()
buffers = plan["buffers"]
sizes = {pool["name"]: pool["size"] for pool in plan["pools"]}


def is_called(index):
    """Whether somebody writes it: not what lies in others all its life."""
    return re.search(rf"outputs\[\] = {{[^;]*NET_T{index}_OFFSET", open(f"{folder}/net.c").read())


moved = 0
for i, late in enumerate(buffers):
    for j, early in enumerate(buffers):
        fits = early["offset"] + late["size"] <= sizes[late["pool"]]
        outlives = early["begin"] < late["begin"] and late["begin"] + 1 < early["end"]
        if early["pool"] != late["pool"] or early["alias_of"] or late["alias_of"] or not fits or not outlives:
            continue
        if early["offset"] == late["offset"] or not is_called(i):
            continue
        macro = f"#define NET_T{i}_OFFSET UINT32_C"
        assert f"{macro}({late['offset']})" in header
        edited = header.replace(f"{macro}({late['offset']})", f"{macro}({early['offset']})")
        open(f"{folder}/net.h", "w").write(edited)
        subprocess.run(["gcc", "-w", "-c", f"{folder}/net.c", "-o", f"{folder}/net.o"], check=True)
        build = ["gcc", "-w", "-I", inputs, "-I", folder, f"{inputs}/c_driver.c", f"{folder}/net.o", "-o", f"{folder}/run"]
        subprocess.run(build, check=True)
        moved += 1
        if subprocess.run([f"{folder}/run"], stderr=subprocess.DEVNULL).returncode == 0:
            print(f"undetected: {late['name']} was put on {early['name']}")
        break
print(f"{moved} moved")
