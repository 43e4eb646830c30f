# run_orders.py [--most=N] [--raise=BYTES] [--jobs=N] FOLDER FIRST END - plans the random programs of seeds
# [FIRST, END) in every order of their ops, in N random ones if there are more, and compares the plans with the bounds
# over all orders (gmem.plan's order_bound) that each of them states. Exits 1 when a plan needs less than a bound; such
# a program stays in FOLDER, in both orders.
#
# Every second program is of simple ops only, so that many bounds are those of the best order. --raise adds BYTES to
# each bound: a control.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import random
import re
import subprocess
import sys

from random_program import Generator, Scope
from run_programs import options_of
from unsound_plans import in_turn

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pure_ops.mlir")
FLAGS = ["--allow-unregistered-dialect", "--mlir-disable-threading"]
TIMEOUT = 600  # seconds, for a tool that hangs

NAME = re.compile(r"%[A-Za-z]+[0-9]+")
OP = re.compile(r'(?:[^="]* = )?"?([a-z]+\.[A-Za-z_.]+)')
GROUP = re.compile(r"gmem\.layer_group = (\d+)")


def pure_ops():
    with open(MODELS, encoding="utf-8") as file:
        return set(re.findall(r'"(any\.[a-z]+)"', file.read()))


PURE = pure_ops()


def is_free(text):
    """Whether it is one op that may move; what holds regions stays, as far as this script knows."""
    op = OP.match(text).group(1)
    return "\n" not in text and "gmem.layer_group" not in text and (op in PURE or op.split(".")[0] in ("arith", "tensor"))


def units_of(texts):
    """The ops in units that move as one, a layer group with all between its ops: lists of indices."""
    groups = [GROUP.search(text.splitlines()[-1]) for text in texts]
    last = {group.group(1): i for i, group in enumerate(groups) if group}
    units, end = [], -1
    for i, group in enumerate(groups):
        if i > end:
            units.append([])
        units[-1].append(i)
        end = max(end, last[group.group(1)] if group else i)
    return units


def ordered(texts, choose):
    """|texts| in the order in which |choose| takes one of a number of ops that may be next."""
    units = ["\n".join(texts[i] for i in unit) for unit in units_of(texts)]
    defined, after = {}, []
    for i, text in enumerate(units):
        named = set(NAME.findall(text))
        after.append({defined[name] for name in named if name in defined})
        fixed = [k for k in range(i) if not is_free(units[k])]
        if not is_free(text) and fixed:
            after[i].add(fixed[-1])
        defined.update({name: i for name in named if name not in defined})
    done, rest = [], list(range(len(units)))
    while rest:
        ready = [i for i in rest if after[i] <= set(done)]
        done.append(ready[choose(len(ready))])
        rest.remove(done[-1])
    return [units[i] for i in done]


class Choices:
    """The choices of one order, and which follow: all, one order after the other, or random ones."""

    def __init__(self, seed):
        self.digits, self.random = [], None
        self.seed = seed

    def begin(self):
        self.at = 0

    def __call__(self, count):
        if count == 1:
            return 0
        if self.random:
            return self.random.randrange(count)
        if self.at == len(self.digits):
            self.digits.append([0, count])
        self.at += 1
        return self.digits[self.at - 1][0]

    def advance(self):
        """False after the last order."""
        while self.digits and self.digits[-1][0] + 1 == self.digits[-1][1]:
            self.digits.pop()
        if self.digits:
            self.digits[-1][0] += 1
        return bool(self.digits)

    def be_random(self):
        self.random = random.Random(self.seed)


class OrderedGenerator(Generator):
    """The program of a seed with its blocks in the order of |choose|."""

    def __init__(self, seed, choose):
        super().__init__(seed)
        self.choose = choose
        self.is_simple = seed % 2 == 1
        self.is_fixed = False

    def write(self, scope):
        """Not in place: the order of such ops is part of what they do."""
        self.compute(scope)

    def fill(self, scope, count):
        if not self.is_simple:
            super().fill(scope, count)
        else:
            steps = [self.add_elements, self.concat, self.insert, self.slice, self.elementwise, self.flat_group]
            for _ in range(min(count, 7)):
                self.random.choice([self.narrow] * len(steps) + steps)(scope)
        if not self.is_fixed and len(scope.text) > 2:
            scope.text = ordered(scope.text, self.choose)

    def keeping(self, is_fixed, write, *arguments):
        """The text of |write|, with its blocks in the order of the seed if |is_fixed|."""
        old, self.is_fixed = self.is_fixed, is_fixed
        text = write(*arguments)
        self.is_fixed = old
        return text

    # Blocks move that end with an op that MLIR knows as a terminator.

    def function(self, function):
        return self.keeping(function.dialect == "any", super().function, function)

    def body(self, scope, arguments, sizes, end, first=()):
        return self.keeping(end.startswith("any."), super().body, scope, arguments, sizes, end, first)

    def graph(self, *arguments):
        return self.keeping(True, super().graph, *arguments)

    def narrow(self, scope):
        """An op with one operand and one result."""
        self.emit(scope, "any.compute", [self.one(scope)], self.values([self.random.choice([16, 64, 128, 256])]))


def program(seed, choose):
    generator = OrderedGenerator(seed, choose)
    if not generator.is_simple:
        return generator.program(seed).replace(f"module @seed_{seed} ", "module ", 1)
    scope = Scope(generator.values([16]), 0)
    generator.fill(scope, generator.random.randint(3, 7))
    result = generator.wanted(scope, [16])
    scope.text.append(f'"func.return"({result[0].name}) : (tensor<16xi8>) -> ()')
    text = "\n".join(scope.text)
    return f"module {{\nfunc.func @f(%v1: tensor<16xi8>) -> tensor<16xi8> {{\n{text}\n}}\n}}\n"


def in_orders(seed, most):
    """Programs, the given order first."""
    choices, texts = Choices(seed), []
    while len(texts) < most:
        choices.begin()
        texts.append(program(seed, choices))
        if not choices.advance():
            return texts
    choices.be_random()
    return texts[:1] + [program(seed, choices) for _ in range(most - 1)]


def plan(texts, options, folder, seed):
    """(peak, bound over all orders) of each."""
    path = os.path.join(folder, f"orders-{seed}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write("module {\n" + "".join(texts) + "}\n")
    command = ["gmem-opt", *FLAGS, f"--gmem-plan={options} certify=true op-models={MODELS}", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    if done.returncode:
        print(f"seed {seed} ({options}): gmem-opt exits with {done.returncode}: {done.stderr[:300]}\n  see {path}")
        return []
    os.remove(path)
    plans = re.findall(r"gmem\.plan = \{([^}]*)\}", done.stdout)
    return [tuple(int(re.search(rf"\b{key} = (\d+)", text).group(1)) for key in ("peak", "order_bound")) for text in plans]


def examine(seed, arguments):
    """(fault or None, orders, whether the bound is the least peak)."""
    options = options_of(seed, True)
    texts = in_orders(seed, arguments.most)
    plans = plan(texts, options, arguments.folder, seed)
    if len(plans) != len(texts):
        return f"seed {seed}: {len(plans)} plans of {len(texts)} orders", len(texts), False
    least = min(range(len(plans)), key=lambda i: plans[i][0])
    highest = max(range(len(plans)), key=lambda i: plans[i][1])
    peak, bound = plans[least][0], plans[highest][1]
    if bound + arguments.add <= peak:
        return None, len(texts), bound == peak
    for name, i in (("low", least), ("bound", highest)):
        with open(os.path.join(arguments.folder, f"seed-{seed}-{name}.mlir"), "w", encoding="utf-8") as file:
            file.write(texts[i])
    return f"seed {seed} ({options}): an order needs {peak} bytes, below the bound {bound}", len(texts), bound == peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--raise", dest="add", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("folder")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    orders, wrong, tight = 0, 0, 0
    seeds = range(arguments.first, arguments.end)
    for fault, count, is_tight in in_turn(lambda seed: examine(seed, arguments), seeds, arguments.jobs):
        orders += count
        tight += is_tight
        wrong += fault is not None
        if fault and not arguments.add:
            print(fault, flush=True)
    print(f"{len(seeds)} programs in {orders} orders: {tight} bounds that an order meets, {wrong} too high")
    return 1 if wrong or not orders else 0


if __name__ == "__main__":
    sys.exit(main())
