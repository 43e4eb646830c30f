#!/usr/bin/env python3
# dialect_ops.py ROOT INCLUDE - the ops on tensors and memrefs of every dialect of MLIR, by
# their definitions in TableGen, and which of them have an op model: a table in
# Markdown. Exits 1 when one of a dialect that pipelines use has none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

# The dialects of gmem's own pipelines, and of what they start from.
USED = (
    "affine arith bufferization linalg math memref ml_program quant scf shape tensor tosa vector"
).split()
# Calls and terminators are known by what they are; what a symbol op defines is no value.
STRUCTURAL = {"scf.condition", "scf.yield", "scf.reduce.return", "affine.yield", "linalg.yield"}
STRUCTURAL |= {"memref.atomic_yield", "memref.alloca_scope.return", "memref.global", "shape.return"}
STRUCTURAL |= {"shape.yield", "shape.assuming_yield", "tensor.yield", "tosa.yield", "vector.yield"}
STRUCTURAL |= {"ml_program.output", "ml_program.return", "scf.forall.in_parallel"}


HEADER = """\
<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
<!-- Made by test/passes/ops/Inputs/dialect_ops.py: do not edit. -->

# Op models of MLIR's dialects

The ops of each dialect that is registered in MLIR 22, how many of them have an
operand or result whose type is by definition a tensor or a memref (or a number or a
tensor), and those of these without an op model ([op-models.md](op-models.md)). Calls
and terminators need none; neither do ops that lowering to the LLVM dialect leaves
behind. An op without a model is planned with the most conservative assumptions, and
a remark says so.
"""


def tblgen(file, include):
    command = ["llvm-tblgen", "--dump-json", "-I", include, "-I", os.path.dirname(file), file]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(run.stdout) if run.returncode == 0 else {}


def constraint_of(records, argument):
    record = records[argument["def"]]
    if "OpVariable" in record["!superclasses"]:
        record = records[record["constraint"]["def"]]
    classes = record["!superclasses"]
    return record.get("summary", "") if "TypeConstraint" in classes or "Type" in classes else ""


def ops_of(file, include):
    records, found = tblgen(file, include), {}
    for name in records.get("!instanceof", {}).get("Op", []):
        record = records[name]
        op = records[record["opDialect"]["def"]]["name"] + "." + record["opName"]
        values = [a[0] for part in ("arguments", "results") for a in record[part]["args"]]
        texts = [constraint_of(records, value) for value in values]
        # "any type" alone may be a number; "like" is a number or a tensor of them.
        found[op] = any(re.search(r"tensor|memref|shaped|buffer|-like", t, re.I) for t in texts)
    return found


def main():
    root, include = sys.argv[1], sys.argv[2]
    modelled = set()
    for file in glob.glob(root + "/dialect/models/*.mlir"):
        with open(file, encoding="utf-8") as text:
            modelled |= set(re.findall(r'op = "([^"]+)"', text.read()))
    files = sorted(glob.glob(include + "/mlir/Dialect/**/*.td", recursive=True))
    ops = {}
    with concurrent.futures.ThreadPoolExecutor() as workers:
        for found in workers.map(lambda file: ops_of(file, include), files):
            ops.update(found)
    shown = subprocess.run(["gmem-opt", "--show-dialects"], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, check=True).stdout.decode().split()
    missing_used = []
    print(HEADER)
    print("| dialect | ops | on tensors or memrefs | without a model |")
    print("| --- | ---: | ---: | --- |")
    for dialect in sorted(set(shown) - {"gmem"}):
        all_ops = [op for op in ops if op.startswith(dialect + ".")]
        on_memory = sorted(op for op in all_ops if ops[op] and op not in STRUCTURAL)
        missing = [op for op in on_memory if op not in modelled]
        if dialect in USED:
            missing_used += missing
        names = ", ".join(f"`{op.split('.', 1)[1]}`" for op in missing)
        print(f"| {dialect} | {len(all_ops)} | {len(on_memory)} | {names or 'none'} |")
    if missing_used:
        sys.exit("without a model: " + ", ".join(missing_used))


if __name__ == "__main__":
    main()
