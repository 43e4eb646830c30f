#!/usr/bin/env python3
# bench_shapes.py BUILD_FOLDER [--limit=S] [--scale=F] [SHAPE ...] - programs of
# shapes that could make an analysis quadratic, each at two sizes: seconds of
# planning and of the proof, and by which power of the size they grow. Exits
# with 1 when a run takes more than S seconds (600).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

T = "tensor<64xf32>"
PASSES = ["gmem-assign-weights", "gmem-assign-tensors", "gmem-verify-plan"]


def function(body, name="net", arguments=f"%x: {T}, %c: i1", result=T, value="%x"):
    yield f"func.func @{name}({arguments}) -> {result} {{\n"
    yield from body
    yield f"return {value} : {result}\n}}\n"


def ifs(n):
    """Branches one behind the other, all of which use a value from before."""
    body = (f"%r{i} = scf.if %c -> ({T}) {{\n %a{i} = math.tanh %x : {T}\n scf.yield %a{i} : {T}\n"
            f"}} else {{\n %b{i} = arith.negf %x : {T}\n scf.yield %b{i} : {T}\n}}\n" for i in range(n))
    return function(body)


def fan_out(n):
    """One value with very many uses."""
    return function(f'%y{i} = "net.op"(%x) : ({T}) -> {T}\n' for i in range(n))


def wide_arguments(n):
    """Very many operands of one op, which may be written over each of them."""
    names = ", ".join(f"%y{i}" for i in range(n))
    types = ", ".join([T] * n)

    def body():
        yield from (f'%y{i} = "net.op"(%x) : ({T}) -> {T}\n' for i in range(n))
        yield f'%z = "net.sum"({names}) {{gmem.op_model = {{inplace = "all"}}}} : ({types}) -> {T}\n'
    return function(body(), value="%z")


def wide_results(n):
    """Very many results of one op, each with a destination."""
    names = ", ".join(f"%y{i}" for i in range(n))
    types = ", ".join([T] * n)

    def body():
        yield from (f'%y{i} = "net.op"(%x) : ({T}) -> {T}\n' for i in range(n))
        yield (f'%z:{n} = "net.split"({names}) {{gmem.op_model = {{destination = "trailing"}}}} : '
               f"({types}) -> ({types})\n")
    return function(body(), value="%z#0")


def elementwise(n):
    """A chain of ops that work in place, with a value that stays."""
    def body():
        yield f'%y0 = "net.op"(%x) : ({T}) -> {T}\n'
        yield from (f"%y{i + 1} = arith.addf %y{i}, %x : {T}\n" for i in range(n))
    return function(body(), value=f"%y{n}")


def concat(n):
    """One concatenation of very many tensors."""
    names = ", ".join(f"%y{i}" for i in range(n))
    types = ", ".join([T] * n)
    whole = f"tensor<{64 * n}xf32>"

    def body():
        yield from (f'%y{i} = "net.op"(%x) : ({T}) -> {T}\n' for i in range(n))
        yield f"%z = tensor.concat dim(0) {names} : ({types}) -> {whole}\n"
    return function(body(), value="%z", result=whole)


def concat_same(n):
    """The same tensor very many times in one concatenation."""
    names = ", ".join(["%y"] * n)
    types = ", ".join([T] * n)
    whole = f"tensor<{64 * n}xf32>"

    def body():
        yield f'%y = "net.op"(%x) : ({T}) -> {T}\n'
        yield f"%z = tensor.concat dim(0) {names} : ({types}) -> {whole}\n"
    return function(body(), value="%z", result=whole)


def concat_chain(n):
    """Each tensor is a part of the next."""
    def body():
        yield f'%y0 = "net.op"(%x) : ({T}) -> {T}\n'
        for i in range(n):
            whole = f"tensor<{64 * (i + 1)}xf32>"
            yield f'%p{i} = "net.op"(%x) : ({T}) -> {T}\n'
            yield (f"%y{i + 1} = tensor.concat dim(0) %y{i}, %p{i} : ({whole}, {T}) -> "
                   f"tensor<{64 * (i + 2)}xf32>\n")
    return function(body(), value=f"%y{n}", result=f"tensor<{64 * (n + 1)}xf32>")


def slices(n):
    """Very many parts of one tensor, read in turn."""
    whole = f"tensor<{64 * n}xf32>"

    def body():
        yield f'%w = "net.op"(%x) : ({T}) -> {whole}\n'
        for i in range(n):
            yield f"%s{i} = tensor.extract_slice %w[{64 * i}] [64] [1] : {whole} to {T}\n"
            yield f'%t{i} = "net.op"(%s{i}) : ({T}) -> {T}\n'
    return function(body())


def slice_chain(n):
    """Each tensor is a part of the one before."""
    def body():
        yield f'%s0 = "net.op"(%x) : ({T}) -> tensor<{n + 64}xf32>\n'
        for i in range(n):
            size = n + 64 - i
            yield (f"%s{i + 1} = tensor.extract_slice %s{i}[1] [{size - 1}] [1] : tensor<{size}xf32> to "
                   f"tensor<{size - 1}xf32>\n")
    return function(body(), value=f"%s{n}")


def inserts(n):
    """One tensor is filled part by part."""
    whole = f"tensor<{64 * n}xf32>"

    def body():
        yield f"%w0 = tensor.empty() : {whole}\n"
        for i in range(n):
            yield f'%p{i} = "net.op"(%x) : ({T}) -> {T}\n'
            yield f"%w{i + 1} = tensor.insert_slice %p{i} into %w{i}[{64 * i}] [64] [1] : {T} into {whole}\n"
    return function(body(), value=f"%w{n}", result=whole)


def reshapes(n):
    """A chain of views."""
    def body():
        yield f'%y0 = "net.op"(%x) : ({T}) -> {T}\n'
        for i in range(n):
            yield f"%z{i} = tensor.expand_shape %y{i} [[0, 1]] output_shape [8, 8] : {T} into tensor<8x8xf32>\n"
            yield f"%y{i + 1} = tensor.collapse_shape %z{i} [[0, 1]] : tensor<8x8xf32> into {T}\n"
    return function(body(), value=f"%y{n}")


def block_row(n):
    """Blocks one behind the other; a hundredth of them makes a value that the last one reads."""
    def body():
        made = []
        for i in range(n):
            if i % 100 == 0:
                yield f'%y{i} = "net.op"(%x) : ({T}) -> {T}\n'
                made.append(f"%y{i}")
            yield f"cf.br ^bb{i}\n^bb{i}:\n"
        yield f'"net.all"({", ".join(made)}) : ({", ".join([T] * len(made))}) -> ()\n'
    return function(body())


def block_ladder(n):
    """The same with two ways between the blocks."""
    def body():
        made = []
        for i in range(n):
            if i % 100 == 0:
                yield f'%y{i} = "net.op"(%x) : ({T}) -> {T}\n'
                made.append(f"%y{i}")
            yield f"cf.cond_br %c, ^a{i}, ^b{i}\n^a{i}:\ncf.br ^j{i}\n^b{i}:\ncf.br ^j{i}\n^j{i}:\n"
        yield f'"net.all"({", ".join(made)}) : ({", ".join([T] * len(made))}) -> ()\n'
    return function(body())


def block_loops(n):
    """Blocks each of which may go back to itself, with what goes round as arguments."""
    def body():
        yield f"cf.br ^b0(%x : {T})\n"
        for i in range(n):
            yield (f'^b{i}(%p{i}: {T}):\n%q{i} = "net.op"(%p{i}, %x) : ({T}, {T}) -> {T}\n'
                   f"cf.cond_br %c, ^b{i}(%q{i} : {T}), ^b{i + 1}(%q{i} : {T})\n")
        yield f"^b{n}(%p{n}: {T}):\n"
    return function(body(), value=f"%p{n}")


def block_nest(n):
    """Loops inside loops, of blocks; a value of each level is used behind the inner one."""
    def body():
        for i in range(n):
            yield f'cf.br ^h{i}\n^h{i}:\n%y{i} = "net.op"(%x) : ({T}) -> {T}\n'
        for i in reversed(range(n)):
            yield f'"net.use"(%y{i}) : ({T}) -> ()\ncf.cond_br %c, ^h{i}, ^e{i}\n^e{i}:\n'
    return function(body())


def block_switch(n):
    """One way among very many, and what it makes."""
    def body():
        yield f'%y = "net.op"(%x) : ({T}) -> {T}\n"net.switch"()[{", ".join(f"^b{i}" for i in range(n))}] : () -> ()\n'
        for i in range(n):
            yield f'^b{i}:\n%z{i} = "net.op"(%y) : ({T}) -> {T}\ncf.br ^end(%z{i} : {T})\n'
        yield f"^end(%e: {T}):\n"
    return function(body(), value="%e")


def block_arguments(n):
    """Very many block arguments in a loop of blocks."""
    names = ", ".join(f"%p{i}" for i in range(n))
    turned = ", ".join(f"%p{(i + 1) % n}" for i in range(n))
    types = ", ".join([T] * n)

    def body():
        yield f'%y:{n} = "net.op"(%x) : ({T}) -> ({types})\n'
        yield f'cf.br ^b({", ".join(f"%y#{i}" for i in range(n))} : {types})\n'
        yield f'^b({", ".join(f"%p{i}: {T}" for i in range(n))}):\n'
        yield f"cf.cond_br %c, ^b({turned} : {types}), ^e\n^e:\n"
        yield f'"net.all"({names}) : ({types}) -> ()\n'
    return function(body())


def loop_values(n):
    """Very many values that a loop carries."""
    inits = ", ".join(f"%p{i} = %y#{i}" for i in range(n))
    turned = ", ".join(f"%p{(i + 1) % n}" for i in range(n))
    types = ", ".join([T] * n)

    def body():
        yield "%i0 = arith.constant 0 : index\n"
        yield f'%y:{n} = "net.op"(%x) : ({T}) -> ({types})\n'
        yield f"%r:{n} = scf.for %i = %i0 to %i0 step %i0 iter_args({inits}) -> ({types}) {{\n"
        yield f"scf.yield {turned} : {types}\n}}\n"
    return function(body(), value="%r#0")


def nested_loops(n):
    """Loops inside loops, each of which carries a value and uses those of all around it."""
    depth = min(n, 200)

    def one(k):
        yield f'%y{k} = "net.op"(%x) : ({T}) -> {T}\n'
        for i in range(depth):
            around = f"%p{k}_{i - 1}" if i else f"%y{k}"
            yield f"%r{k}_{i} = scf.for %i{k}_{i} = %i0 to %i0 step %i0 iter_args(%p{k}_{i} = {around}) -> ({T}) {{\n"
        last = f"%p{k}_{depth - 1}"
        for i in reversed(range(depth)):
            yield f"%u{k}_{i} = arith.addf {last}, %p{k}_{i} : {T}\n"
            yield f"scf.yield %u{k}_{i} : {T}\n}}\n"
            last = f"%r{k}_{i}"

    def body():
        yield "%i0 = arith.constant 0 : index\n"
        for k in range(n // depth):
            yield from one(k)
    return function(body())


def call_chain(n):
    """Functions each of which calls the next, with a value live across."""
    for i in range(n):
        body = [f'%y = "net.op"(%x) : ({T}) -> {T}\n']
        if i + 1 < n:
            body.append(f"%z = func.call @f{i + 1}(%y) : ({T}) -> {T}\n")
        else:
            body.append(f"%z = math.tanh %y : {T}\n")
        body.append(f"%w = arith.addf %z, %y : {T}\n")
        yield from function(body, f"f{i}", f"%x: {T}", value="%w")


def callers(n):
    """One function with very many callers."""
    yield from function([f'%y = "net.op"(%x) : ({T}) -> {T}\n'], "f", f"%x: {T}", value="%y")
    yield from function((f"%y{i} = func.call @f({'%x' if i == 0 else f'%y{i - 1}'}) : ({T}) -> {T}\n" for i in range(n)),
                        value=f"%y{n - 1}")


def call_tree(n):
    """Each function calls the next one twice: 2 to the power of n ways."""
    for i in range(n):
        body = [f'%y = "net.op"(%x) : ({T}) -> {T}\n']
        if i + 1 < n:
            body.append(f"%z = func.call @f{i + 1}(%y) : ({T}) -> {T}\n")
            body.append(f"%v = func.call @f{i + 1}(%z) : ({T}) -> {T}\n")
        else:
            body.append(f"%v = math.tanh %y : {T}\n")
        body.append(f"%w = arith.addf %v, %y : {T}\n")
        yield from function(body, f"f{i}", f"%x: {T}", value="%w")


def functions(n):
    """Very many functions that have nothing to do with each other."""
    for i in range(n):
        yield from function([f"%y = math.tanh %x : {T}\n"], f"f{i}", f"%x: {T}", value="%y")


def arguments(n):
    """A function of very many arguments and results."""
    names = ", ".join(f"%a{i}" for i in range(n))
    types = ", ".join([T] * n)
    yield f'func.func @f({", ".join(f"%a{i}: {T}" for i in range(n))}) -> ({types}) {{\n'
    yield f"return {names} : {types}\n}}\n"


def weights(n):
    """Very many constants, used in the opposite order."""
    def body():
        yield from (f'%w{i} = "tosa.const"() {{values = dense<{i}.0> : {T}}} : () -> {T}\n' for i in range(n))
        yield from (f'%y{i} = "net.op"(%w{n - 1 - i}) : ({T}) -> {T}\n' for i in range(n))
    return function(body())


# What takes part in many relations at once has fewer.
SHAPES = [
    (ifs, 50_000), (fan_out, 200_000), (wide_arguments, 50_000), (wide_results, 20_000), (elementwise, 100_000),
    (concat, 50_000), (concat_same, 50_000), (concat_chain, 20_000), (slices, 50_000), (slice_chain, 20_000),
    (inserts, 50_000), (reshapes, 100_000), (block_row, 50_000), (block_ladder, 20_000), (block_loops, 50_000),
    (block_nest, 5_000), (block_switch, 50_000), (block_arguments, 20_000), (loop_values, 20_000),
    (nested_loops, 20_000), (call_chain, 10_000), (callers, 50_000), (call_tree, 5_000), (functions, 50_000),
    (arguments, 50_000), (weights, 50_000),
]


def measure(opt, shape, size, limit, folder):
    """Seconds of our passes, or None when they take too long."""
    path = os.path.join(folder, "net.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(shape(size))
    command = [opt, "--allow-unregistered-dialect", "--gmem-plan=effort=fast", "--mlir-timing",
               "--mlir-timing-display=list", path, "-o", os.path.join(folder, "planned.mlir")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        raise SystemExit(f"{shape.__name__}: gmem-opt exits with {done.returncode}:\n{done.stderr[:2000]}")
    found = [re.search(r"([\d.]+) +\( *[\d.]+%\) +[^\n]*" + name, done.stderr) for name in PASSES]
    return sum(float(match.group(1)) for match in found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("build")
    parser.add_argument("shapes", nargs="*")
    arguments_ = parser.parse_intermixed_args()
    opt = os.path.join(arguments_.build, "bin", "gmem-opt")
    slow = 0
    print(f"{'shape':<16}{'size':>8}{'s':>9}{'size':>8}{'s':>9}{'power':>7}")
    for shape, full in SHAPES:
        if arguments_.shapes and shape.__name__ not in arguments_.shapes:
            continue
        sizes = [max(int(full * arguments_.scale / 4), 1), max(int(full * arguments_.scale), 4)]
        with tempfile.TemporaryDirectory() as folder:
            seconds = [measure(opt, shape, size, arguments_.limit, folder) for size in sizes]
        slow += None in seconds
        row = "".join(f"{size:>8}{'slow' if s is None else format(s, '.3f'):>9}" for size, s in zip(sizes, seconds))
        known = None not in seconds and min(seconds) > 0
        power = math.log(seconds[1] / seconds[0]) / math.log(sizes[1] / sizes[0]) if known else math.nan
        print(f"{shape.__name__:<16}{row}{power:>7.2f}", flush=True)
    print(f"{slow} slow")
    return slow != 0


if __name__ == "__main__":
    sys.exit(main())
