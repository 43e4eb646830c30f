#!/usr/bin/env python3
# bench_unified.py BUILD_FOLDER [FILE.mlir ...] - what it is worth to plan the
# scratch of operators together with the tensors between them. Four ways, of the
# same buffers and by the same algorithm:
#
#   apart      the tensors between operators are planned, and behind them is room
#              for the scratch of the one operator that needs the most of it
#   blocks     operator first: the scratch of each operator is planned into one
#              block, and then blocks and tensors are planned together, for as
#              long as whole operators run
#   own lives  the same, but tensors live no longer than they are used inside
#              of operators: what is still lost is lost by the blocks alone
#   unified    every buffer by itself, as gmem-plan does
#
# An operator is a function that is called, and inside of a function an op of
# the program as it was before it was bufferized (source op). With "layers" such
# ops are joined as compilers of networks do: one convolution, product or
# pooling with what prepares its operands and what follows on it alone. All
# problems are solved by gmem-solve, and every plan is checked by it once more.
# Prints Markdown; bytes. Without files: the examples, and what is in linalg/,
# tosa/ and memref/ below GMEM_INPUTS.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HEADS = ["network", "operators", "with scratch", "apart", "blocks", "own lives", "unified", "bound",
         "blocks / unified"]
# Ops that only find memory, and never read or write it.
STILL = re.compile(r"arith\.constant|memref\.(get_global|alloc|alloca|dealloc|subview|cast|"
                   r"(expand|collapse)_shape|reinterpret_cast)$")
# One of these is what a layer is about, and these make its operands ready.
CENTRE = re.compile(r"linalg\.\w*(conv|pool|mat|dot|contract|reduce)")
READYING = re.compile(r"linalg\.(fill|map|copy|broadcast|transpose)|memref\.copy$")


class Run:
    """What happens in [begin, end): a call of a function, or a source op."""

    def __init__(self, key, begin):
        self.key, self.begin, self.end = key, begin, begin
        self.inner = []  # runs inside of this one
        self.ops = []  # names of its own ops

    def has(self, begin, end):
        return self.begin <= begin and end <= self.end


# --- The runs of a program.


def same(op, other):
    return (op["op"], op["location"]) == (other["op"], other["location"])


def calls_of(ops):
    """The tree of calls: between the two steps of a call its callee runs."""
    root = Run((), 0)
    root.end = len(ops)
    open_runs = [(root, None)]
    for step, op in enumerate(ops):
        if op["op"] == "func.func":
            call = ops[step - 1] if step and ops[step - 1]["op"].endswith("call") else None
            if call is None:
                del open_runs[1:]
                continue
            run = Run((op["location"],), step - 1)
            open_runs[-1][0].inner.append(run)
            open_runs.append((run, call))
        elif open_runs[-1][1] and same(op, open_runs[-1][1]):
            open_runs.pop()[0].end = step + 1
    return root


def add_source_ops(run, ops):
    """Adds to a call, and the calls in it, the source ops in between."""
    calls, found, current = list(run.inner), [], None
    step = run.begin
    for call in calls + [None]:
        while step < (call.begin if call else run.end):
            op = ops[step]
            if op["op"].startswith("func."):
                current = None
            elif not STILL.match(op["op"]):
                if not current or ops[current.begin]["location"] != op["location"]:
                    current = Run((*run.key, len(found)), step)
                    found.append(current)
                current.end = step + 1
                current.ops.append(op["op"])
            step += 1
        if call:
            add_source_ops(call, ops)
            step, current = call.end, None
    run.inner = sorted(calls + found, key=lambda inner: inner.begin)


def feeds(buffers, first, second):
    """Whether the second uses a value that the first defines."""
    return any(first.has(begin, begin + 1) and second.begin < end
               for buffer in buffers for begin, end in buffer["ranges"])


def joins(buffers, first, second):
    """Whether two runs, one after the other, are one layer."""
    if not first.ops or not second.ops:
        return False  # a call
    if all(READYING.match(op) for op in first.ops):
        return True
    if any(CENTRE.match(op) for op in second.ops) or all(READYING.match(op) for op in second.ops):
        return False
    return feeds(buffers, first, second)


def join_layers(run, buffers):
    joined = []
    for inner in run.inner:
        if joined and joins(buffers, joined[-1], inner):
            joined[-1].end = inner.end
            joined[-1].ops += inner.ops
            continue
        joined.append(inner)
        join_layers(inner, buffers)
    run.inner = joined


# --- Whose scratch a buffer is.


def all_runs(run):
    yield run
    for inner in run.inner:
        yield from all_runs(inner)


def owners(root, buffers):
    """{key: buffers}: of the innermost operator outside of which it never lives."""
    runs, scratch = list(all_runs(root)), {}
    for buffer in buffers:
        keys = [run.key for run in runs if run.has(*buffer["ranges"][0])]
        for key in sorted(keys, key=len, reverse=True):
            mine = [run for run in runs if run.key == key]
            if all(any(run.has(*life) for run in mine) for life in buffer["ranges"]):
                scratch.setdefault(key, []).append(buffer)
                break
    return scratch


def widened(life, run):
    """A life that lasts as long as the operators at its ends."""
    begin, end = life
    for inner in run.inner:
        if inner.has(begin, begin + 1):
            begin = inner.begin
        if inner.has(end - 1, end):
            end = inner.end
    return [begin, end]


def merged(lives):
    result = []
    for begin, end in sorted(lives):
        if result and begin <= result[-1][1]:
            result[-1][1] = max(end, result[-1][1])
        else:
            result.append([begin, end])
    return result


# --- Plans.


class Solver:
    def __init__(self, build, folder):
        self.tool = os.path.join(build, "bin", "gmem-solve")
        self.problem, self.plan = (os.path.join(folder, name) for name in ("problem.json", "plan.json"))

    def solve(self, buffers):
        """(peak, lower bound) of buffers of (size, alignment, pool, lives)."""
        if not buffers:
            return 0, 0
        pools = sorted({pool for _, _, pool, _ in buffers})
        rows = [{"size": size, "alignment": alignment, "pools": [pool], "lives": lives}
                for size, alignment, pool, lives in buffers]
        problem = {"format": "gmem-problem", "version": 1, "pools": [{"name": p} for p in pools], "buffers": rows}
        with open(self.problem, "w", encoding="utf-8") as file:
            json.dump(problem, file)
        stats = self.run("--json", "--progress=never", self.problem, "-o", self.plan)
        checked = self.run("--check", self.plan, self.problem)
        figures = json.loads(stats)
        assert checked.startswith(f"ok: peak {figures['peak']},"), checked
        return figures["peak"], figures["lower_bound"]

    def run(self, *arguments):
        done = subprocess.run([self.tool, *arguments], capture_output=True, text=True, check=True)
        return done.stdout or done.stderr


def plain(buffer, lives):
    return buffer["size"], buffer["alignment"], buffer["pool"], lives


def alignment_of(scratch, pool):
    """Of the start of a block."""
    return max(b["alignment"] for members in scratch.values() for b in members if b["pool"] == pool)


def scratch_of(run, scratch, pool, solver, known, own_lives):
    """Bytes of one pool that an operator needs, with those it calls, as a block."""
    key = (run.key, pool)
    if key not in known:
        known[key] = solver.solve(tensors_and_blocks(run, scratch, pool, solver, known, own_lives))[0]
    return known[key]


def tensors_of(run, scratch, pool, own_lives):
    """The buffers of one pool of one run of an operator."""
    found = []
    for buffer in scratch.get(run.key, []):
        lives = [life for life in buffer["ranges"] if run.has(*life)]
        if buffer["pool"] == pool:
            found.append(plain(buffer, merged(life if own_lives else widened(life, run) for life in lives)))
    return found


def tensors_and_blocks(run, scratch, pool, solver, known, own_lives):
    """Those, and the blocks of the operators that it runs."""
    found = tensors_of(run, scratch, pool, own_lives)
    for inner in run.inner:
        size = scratch_of(inner, scratch, pool, solver, known, own_lives)
        if size:
            found.append((size, alignment_of(scratch, pool), pool, [[inner.begin, inner.end]]))
    return found


def apart(run, scratch, pool, solver, known):
    """The tensors of an operator, and behind them what it runs needs at most."""
    if (run.key, pool) not in known:
        behind = [apart(inner, scratch, pool, solver, known) for inner in run.inner]
        tensors = solver.solve(tensors_of(run, scratch, pool, False))[0]
        step = alignment_of(scratch, pool) if any(behind) else 1
        known[run.key, pool] = -(-tensors // step) * step + max(behind, default=0)
    return known[run.key, pool]


def figures(report, solver, layers):
    constant = {pool["name"] for pool in report["pools"] if pool["kind"] == "constant"}
    buffers = [b for b in report["buffers"] if b["pool"] not in constant and not b["alias_of"] and b["size"]]
    root = calls_of(report["ops"])
    add_source_ops(root, report["ops"])
    if layers:
        join_layers(root, buffers)
    scratch = owners(root, buffers)
    pools = sorted({buffer["pool"] for buffer in buffers})
    ways = [0, 0, 0]
    for pool in pools:
        ways[0] += apart(root, scratch, pool, solver, {})
        ways[1] += scratch_of(root, scratch, pool, solver, {}, False)
        ways[2] += scratch_of(root, scratch, pool, solver, {}, True)
    unified, bound = solver.solve([plain(buffer, buffer["ranges"]) for buffer in buffers])
    keys = {run.key for run in all_runs(root)} - {()}
    return [len(keys), len(keys & scratch.keys()), *ways, unified, bound]


# --- Networks.


def report_of(build, path, output):
    """What gmem-report says of a network on memrefs, or on tensors that stay so."""
    options = f"format=json output={output} alignment=64 sharing=none"
    for before in (["--gmem-bufferize-and-plan=alignment=64 out-params=true"], []):
        done = subprocess.run(
            [os.path.join(build, "bin", "gmem-opt"), "--allow-unregistered-dialect", *before,
             f"--gmem-report={options}", path, "-o", os.devnull], capture_output=True, text=True)
        if done.returncode == 0:
            with open(output, encoding="utf-8") as file:
                return json.load(file)
    print(f"{path}: no report", done.stderr.strip().splitlines()[:1], file=sys.stderr)
    return None


def ways_to_cut(report):
    """Into source ops; into layers where it is known what these are about."""
    if not report:
        return []
    return [False, True] if any(CENTRE.match(op["op"]) for op in report["ops"]) else [False]


def all_files():
    files = sorted(glob.glob("examples/*.mlir"))
    inputs = os.environ.get("GMEM_INPUTS")
    for kind in ("linalg", "tosa", "memref") if inputs else ():
        files += sorted(glob.glob(os.path.join(inputs, kind, "*.mlir")))
    return files


def main():
    build, files = sys.argv[1], sys.argv[2:] or all_files()
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' + ' ---: |' * (len(HEADS) - 1)}")
    with tempfile.TemporaryDirectory() as folder:
        solver = Solver(build, folder)
        for path in files:
            report = report_of(build, path, os.path.join(folder, "report.json"))
            name = "/".join(path.split("/")[-2:]).removesuffix(".mlir")
            for layers in ways_to_cut(report):
                row = figures(report, solver, layers)
                ratio = f"{row[3] / row[5]:.3f}" if row[5] else "-"
                title = f"{name}, layers" if layers else name
                print(f"| {' | '.join([title, *map(str, row), ratio])} |", flush=True)


if __name__ == "__main__":
    main()
