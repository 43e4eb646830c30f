#!/usr/bin/env python3
# bench_checks.py BUILD_FOLDER [--sizes=N,N] [--limit=S] [--memory=GIB] [--markdown] [NAME ...] -
# seconds of planning, of the check of the placement and of the check of the
# contents (gmem-verify-plan{only=...}), side by side: networks (the examples and
# what is below GMEM_INPUTS), and programs of many shapes of about N ops (10,000 and
# 100,000), with the power of the size by which contents grows. NAMEs: files or
# shapes. --markdown prints one row of a table for each shape: seconds of the
# last size, contents / planning of each, and by which powers both grow. Exits with 1 when a run takes more than S seconds (600) or fails. The
# seconds are those that passed: measure alone.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import glob
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

import bench_shapes as shapes
from bench_shapes import T, function

M = "memref<64xf32>"
PASSES = ("gmem-plan{effort=fast}", "gmem-verify-plan{only=placement}", "gmem-verify-plan{only=contents}")
PLANNING, PLACEMENT, CONTENTS = range(3)  # of the times of one program
RUNS = 3  # of what takes less than a second; the fastest counts


def loops(n):
    """Loops one behind the other, each of which carries a value."""
    yield from function([
        "%z = arith.constant 0 : index\n%o = arith.constant 1 : index\n%y0 = math.tanh %x : " + T + "\n",
        *(f"%y{i + 1} = scf.for %i{i} = %z to %n step %o iter_args(%a{i} = %y{i}) -> ({T}) {{\n"
          f" %b{i} = arith.addf %a{i}, %x : {T}\n %d{i} = math.tanh %b{i} : {T}\n scf.yield %d{i} : {T}\n}}\n"
          for i in range(n)),
    ], arguments=f"%x: {T}, %n: index", value=f"%y{n}")


def memref_function(body):
    yield f"func.func @net(%a: {M}, %c: i1, %k: index) {{\n"
    yield from body
    yield "return\n}\n"


def copy(source, target):
    return f"memref.copy {source}, {target} : {M} to {M}\n"


def memrefs(n):
    """Memrefs each of which is written from the one before."""
    def body():
        for i in range(n):
            yield f"%m{i} = memref.alloc() : {M}\n" + copy(f"%m{i - 1}" if i else "%a", f"%m{i}")
        yield copy(f"%m{n - 1}", "%a")
    return memref_function(body())


def memref_views(n):
    """Memrefs that are read through views of them."""
    def body():
        for i in range(n):
            yield f"%m{i} = memref.alloc() : {M}\n" + copy("%a", f"%m{i}")
            yield f"%v{i} = memref.subview %m{i}[16] [32] [1] : {M} to memref<32xf32, strided<[1], offset: 16>>\n"
            yield f"%e{i} = memref.load %v{i}[%k] : memref<32xf32, strided<[1], offset: 16>>\n"
    return memref_function(body())


def memref_blocks(n):
    """Memrefs that blocks pass to the next block."""
    def body():
        yield f"%m = memref.alloc() : {M}\n" + copy("%a", "%m") + f"cf.br ^b0(%m : {M})\n"
        for i in range(n):
            yield f"^b{i}(%x{i}: {M}):\n%z{i} = memref.alloc() : {M}\n" + copy(f"%x{i}", f"%z{i}")
            yield f"cf.cond_br %c, ^b{i + 1}(%z{i} : {M}), ^b{n}(%x{i} : {M})\n"
        yield f"^b{n}(%x{n}: {M}):\n" + copy(f"%x{n}", "%a")
    return memref_function(body())


def memref_block_loops(n):
    """Memrefs that blocks pass to the next block, and back: each may get to all blocks in front of it."""
    def body():
        yield f"%m = memref.alloc() : {M}\n%q = memref.alloc() : {M}\ncf.br ^b0(%m, %q : {M}, {M})\n"
        for i in range(n):
            yield f"^b{i}(%x{i}: {M}, %y{i}: {M}):\n%z{i} = memref.alloc() : {M}\n" + copy(f"%x{i}", f"%z{i}")
            yield f"cf.cond_br %c, ^b{i + 1}(%y{i}, %z{i} : {M}, {M}), ^b{max(0, i - 5)}(%z{i}, %x{i} : {M}, {M})\n"
        yield f"^b{n}(%x{n}: {M}, %y{n}: {M}):\n" + copy(f"%x{n}", "%a")
    return memref_function(body())


def memref_loops(n):
    """Loops of depth three in which memrefs from outside and from inside are written."""
    def body():
        yield "%z = arith.constant 0 : index\n%o = arith.constant 1 : index\n"
        for i in range(n):
            yield f"%m{i} = memref.alloc() : {M}\n"
            yield "".join(f"scf.for %i{i}_{d} = %z to %k step %o {{\n" for d in range(3))
            yield f"%t{i} = memref.alloc() : {M}\n" + copy("%a", f"%t{i}") + copy(f"%t{i}", f"%m{i}") + "}\n" * 3
            yield copy(f"%m{i}", "%a")
    return memref_function(body())


def memref_calls(n):
    """Many calls of a function that writes the memref that it is given."""
    yield f"func.func private @f(%x: {M}, %y: {M}) {{\n%t = memref.alloc() : {M}\n"
    yield copy("%x", "%t") + copy("%t", "%y") + "return\n}\n"

    def body():
        for i in range(n):
            yield f"%m{i} = memref.alloc() : {M}\ncall @f({f'%m{i - 1}' if i else '%a'}, %m{i}) : ({M}, {M}) -> ()\n"
        yield copy(f"%m{n - 1}", "%a")
    yield from memref_function(body())


def memref_helper(n):
    """Calls of a long function that copies the memref that it is given."""
    yield f"func.func private @f(%x: {M}, %y: {M}) {{\n"
    for i in range(n):
        yield f"%m{i} = memref.alloc() : {M}\n" + copy(f"%m{i - 1}" if i else "%x", f"%m{i}")
    yield copy(f"%m{n - 1}", "%y") + "return\n}\n"

    def body():
        for i in range(n):
            yield f"%m{i} = memref.alloc() : {M}\ncall @f({f'%m{i - 1}' if i else '%a'}, %m{i}) : ({M}, {M}) -> ()\n"
        yield copy(f"%m{n - 1}", "%a")
    yield from memref_function(body())


def helpers(n):
    """Functions that all call the same one, called one after the other."""
    yield from function([f'%y = "net.op"(%x) : ({T}) -> {T}\n'], "h", f"%x: {T}", value="%y")
    for i in range(n):
        yield from function([f'%y = "net.op"(%x) : ({T}) -> {T}\n%z = func.call @h(%y) : ({T}) -> {T}\n'
                             f"%w = arith.addf %z, %y : {T}\n"], f"f{i}", f"%x: {T}", value="%w")
    yield from function((f"%y{i} = func.call @f{i}({f'%y{i - 1}' if i else '%x'}) : ({T}) -> {T}\n" for i in range(n)),
                        value=f"%y{n - 1}")


def streams(n):
    """Ops in eight streams, each of which reads what an op eight before it has made."""
    def body():
        for i in range(n):
            source = f"%y{i - 8}" if i >= 8 else "%x"
            yield f'%y{i} = "net.op"({source}) {{gmem.stream = {i % 8} : i64, gmem.wait = array<i64: {(i + 1) % 8}>}} : ({T}) -> {T}\n'
    return function(body(), value=f"%y{n - 1}")


def groups(n):
    """Layer groups of two ops."""
    return function((f'%y{i} = "net.op"({f"%y{i - 1}" if i else "%x"}) {{gmem.layer_group = {i // 2} : i64}} : ({T}) -> {T}\n'
                     for i in range(n)), value=f"%y{n - 1}")


# (shape, ops of one of its units).
SHAPES = [
    (shapes.elementwise, 1), (shapes.reshapes, 1), (shapes.slices, 2), (shapes.concat, 1), (shapes.concat_chain, 2),
    (shapes.inserts, 2), (shapes.fan_out, 1), (shapes.ifs, 5), (loops, 4), (shapes.loop_values, 1), (shapes.nested_loops, 3),
    (shapes.block_row, 2), (shapes.block_ladder, 2), (shapes.block_loops, 2), (shapes.block_arguments, 2),
    (shapes.block_nest, 4), (shapes.block_switch, 2),
    (shapes.call_chain, 3), (shapes.callers, 1), (helpers, 4), (shapes.functions, 2), (shapes.weights, 2),
    (memrefs, 2), (memref_views, 4), (memref_blocks, 3), (memref_block_loops, 3), (memref_loops, 7), (memref_calls, 2), (memref_helper, 4), (streams, 1), (groups, 1),
]


def times_of(opt, path, limit, memory):
    """Seconds of planning, placement and contents, or why there are none."""
    command = [
        opt, "--allow-unregistered-dialect", "--mlir-disable-threading", "--mlir-timing", "--mlir-timing-display=tree",
        f"--pass-pipeline=builtin.module({','.join(PASSES)})", path, "-o", os.devnull,
    ]
    bound = lambda: resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, preexec_fn=bound)
    except subprocess.TimeoutExpired:
        return "slow"
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        return (errors or [f"exits with {done.returncode}"])[0][-100:]
    report = re.findall(r"^ +([\d.]+) +\( *[\d.]+%\) +(gmem-[\w-]+)", done.stderr, re.M)
    planning = sum(float(seconds) for seconds, name in report if "assign" in name)
    placement, contents = [float(seconds) for seconds, name in report if name == "gmem-verify-plan"][-2:]
    return planning, placement, contents


def fastest(opt, path, arguments):
    best = times_of(opt, path, arguments.limit, arguments.memory)
    for _ in range(RUNS - 1):
        if isinstance(best, tuple) and sum(best) < 1:
            best = tuple(map(min, best, times_of(opt, path, arguments.limit, arguments.memory)))
    return best


def ratio(a, b):
    return f"{a / b:.2f}" if b else "-"


def print_row(name, size, times, power=""):
    if isinstance(times, str):
        print(f"{name:<34}{size:>9}  {times}", flush=True)
        return
    planning, placement, contents = times
    print(f"{name:<34}{size:>9}{planning:>10.4f}{placement:>11.4f}{contents:>10.4f}"
          f"{ratio(contents, planning):>10}{ratio(contents, placement):>11}{power:>7}", flush=True)


def print_head(name, size):
    print(f"{name:<34}{size:>9}{'planning':>10}{'placement':>11}{'contents':>10}{'/planning':>10}{'/placement':>11}{'power':>7}")


def of_files(opt, files, arguments):
    print_head("network", "KiB")
    failed, total = 0, (0, 0, 0)
    for path in files:
        times = fastest(opt, path, arguments)
        print_row("/".join(path.split("/")[-2:])[:33], os.path.getsize(path) // 1024, times)
        failed += isinstance(times, str)
        total = total if isinstance(times, str) else tuple(map(sum, zip(total, times)))
    print_row("all", "", total)
    return failed


def of_shape(opt, shape, unit, size, arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(shape(max(size // unit, 2)))
        return fastest(opt, path, arguments)


def power(part, before, now):
    """By which power of the size PLANNING, PLACEMENT or CONTENTS grows between two of (size, times)."""
    if not before or min(before[1][part], now[1][part]) <= 0:
        return ""
    return f"{math.log(now[1][part] / before[1][part]) / math.log(now[0] / before[0]):.2f}"


def print_markdown(name, rows):
    size, (planning, placement, contents) = rows[-1]
    ratios = [ratio(times[CONTENTS], times[PLANNING]) for _, times in rows]
    powers = [power(part, rows[-2] if len(rows) > 1 else None, rows[-1]) for part in (PLANNING, CONTENTS)]
    print("| " + " | ".join([name, f"{size:,}", f"{planning:.2f}", f"{placement:.2f}", f"{contents:.2f}", *ratios, *powers])
          + " |", flush=True)


def print_markdown_head(sizes):
    ratios = [f"contents / planning at {size:,}" for size in sizes]
    heads = ["shape", "ops", "planning", "placement", "contents", *ratios, "power of planning", "power of contents"]
    print("| " + " | ".join(heads) + " |\n| --- |" + " ---: |" * (len(heads) - 1))


def of_shapes(opt, chosen, arguments):
    if arguments.markdown:
        print_markdown_head(arguments.sizes)
    else:
        print_head("shape", "ops")
    failed = 0
    for shape, unit in chosen:
        rows = []
        for size in arguments.sizes:
            times = of_shape(opt, shape, unit, size, arguments)
            is_good = isinstance(times, tuple)
            if is_good:
                rows.append((size, times))
            if not is_good or not arguments.markdown:
                grown = power(CONTENTS, rows[-2], rows[-1]) if is_good and len(rows) > 1 else ""
                print_row(shape.__name__, size, times, grown)
            if not is_good:
                failed += 1
                break
        if arguments.markdown and len(rows) == len(arguments.sizes):
            print_markdown(shape.__name__, rows)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[10_000, 100_000])
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--memory", type=int, default=12, help="GiB of addresses")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("build")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    opt = os.path.join(arguments.build, "bin", "gmem-opt")
    files = [name for name in arguments.names if name.endswith(".mlir")]
    chosen = [entry for entry in SHAPES if not arguments.names or entry[0].__name__ in arguments.names]
    if not arguments.names:
        files = sorted(glob.glob("examples/*.mlir"))
        if inputs := os.environ.get("GMEM_INPUTS"):
            files += sorted(glob.glob(os.path.join(inputs, "*", "*.mlir")))
    failed = of_files(opt, files, arguments) if files else 0
    if files and chosen:
        print()
    failed += of_shapes(opt, chosen, arguments) if chosen else 0
    print(f"{failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
