# instance_program.py - makes a random program on memrefs from a seed in which several
# instances of one allocation are in use at once: functions make memory and return it,
# and loops pass it on, mostly before it is written. Part of memref_program.py, whose
# rules hold here, too, but that nothing is freed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import random
from dataclasses import dataclass

KIND = "memref<4xi32>"
MOST_MADE = 3  # functions that make memory
DEEPEST = 2  # regions in each other


@dataclass
class Memref:
    name: str
    is_written: bool  # all of it


@dataclass
class Callee:
    name: str
    results: list  # of each result: whether it is written


class InstanceProgram:
    def __init__(self, seed, in_type, acc_type):
        self.seed, self.in_type, self.acc_type = seed, in_type, acc_type
        self.random = random.Random(seed)
        self.names = 0
        self.callees = []

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    # --- single ops: |scope| is the memrefs that there are, |text| the lines ------

    def number(self, text):
        name = self.name()
        if self.random.random() < 0.5:
            text.append(f"{name} = arith.constant {self.random.randint(1, 1000)} : i32")
        else:
            text.append(f"{name} = memref.load %in[%c{self.random.randint(0, 3)}] : {self.in_type}")
        return name

    def condition(self, text):
        low, bit, name = self.number(text), self.name(), self.name()
        text.append(f"{bit} = memref.load %in[%c{self.random.randint(0, 3)}] : {self.in_type}")
        text.append(f"{name} = arith.cmpi slt, {low}, {bit} : i32")
        return name

    def write(self, text, memref):
        text.append(f"linalg.fill ins({self.number(text)} : i32) outs({memref.name} : {KIND})")
        memref.is_written = True

    def read(self, text, memref):
        at, names = self.random.randint(0, 3), [self.name() for _ in range(4)]
        text.append(f"{names[0]} = memref.load {memref.name}[%c{at}] : {KIND}")
        text.append(f"{names[1]} = memref.load %acc[%c0] : {self.acc_type}")
        text.append(f"{names[2]} = arith.muli {names[1]}, %k : i32")
        text.append(f"{names[3]} = arith.addi {names[2]}, {names[0]} : i32")
        text.append(f"memref.store {names[3]}, %acc[%c0] : {self.acc_type}")

    def allocate(self, text, scope):
        scope.append(Memref(self.name(), False))
        text.append(f"{scope[-1].name} = memref.alloc() : {KIND}")
        if self.random.random() < 0.2:
            self.write(text, scope[-1])

    def store(self, text, memref):
        text.append(f"memref.store {self.number(text)}, {memref.name}[%c{self.random.randint(0, 3)}] : {KIND}")

    def copy(self, text, scope, source):
        target = self.random.choice(scope)
        text.append(f"memref.copy {source.name}, {target.name} : {KIND} to {KIND}")
        target.is_written = True

    def select(self, text, scope):
        first, second, name = self.random.choice(scope), self.random.choice(scope), self.name()
        text.append(f"{name} = arith.select {self.condition(text)}, {first.name}, {second.name} : {KIND}")
        scope.append(Memref(name, first.is_written and second.is_written))

    def call(self, text, scope):
        callee = self.random.choice(self.callees)
        names = [self.name() for _ in callee.results]
        kinds = ", ".join(KIND for _ in names)
        text.append(f"{', '.join(names)} = func.call {callee.name}(%in, %acc) : "
                    f"({self.in_type}, {self.acc_type}) -> ({kinds})")
        scope.extend(Memref(name, written) for name, written in zip(names, callee.results))

    # --- regions ------------------------------------------------------------------

    def body(self, text, scope, depth, count):
        for _ in range(count):
            self.statement(text, scope, depth)

    def inner(self, scope):
        return [Memref(memref.name, memref.is_written) for memref in scope]

    def passed(self, text, scope, needed):
        """A memref to pass on, written if |needed|; the newer ones rather."""
        memref = self.random.choice(scope[-4:] if self.random.random() < 0.7 else scope)
        if needed and not memref.is_written:
            self.write(text, memref)
        return memref

    def branch(self, text, scope, depth):
        name, yielded = self.name(), []
        text.append(f"{name} = scf.if {self.condition(text)} -> ({KIND}) {{")
        for end in ["} else {", "}"]:
            own = self.inner(scope)
            self.body(text, own, depth + 1, self.random.randint(0, 2))
            yielded.append(self.passed(text, own, False))
            text.append(f"scf.yield {yielded[-1].name} : {KIND}\n{end}")
        scope.append(Memref(name, all(memref.is_written for memref in yielded)))

    def round(self, text, scope, arguments, depth, count):
        """The body of a loop; (the memrefs that there are in it, those that the next round gets: any, or a new
        one and all but the last of what this round got)."""
        given = self.inner(arguments)
        own = self.inner(scope) + given
        for memref in given if self.random.random() < 0.5 else []:
            self.write(text, memref)
        self.body(text, own, depth, count)
        if self.random.random() < 0.5:
            return own, [self.passed(text, own, argument.is_written) for argument in arguments]
        self.allocate(text, own)
        yielded = [own[-1], *given[:-1]]
        for memref, argument in zip(yielded, arguments):
            if argument.is_written and not memref.is_written:
                self.write(text, memref)
        return own, yielded

    def loop(self, text, scope, depth):
        inits = [self.passed(text, scope, self.random.random() < 0.5) for _ in range(self.random.randint(1, 3))]
        arguments = [Memref(self.name(), init.is_written) for init in inits]
        name, kinds = self.name(), ", ".join(KIND for _ in inits)
        pairs = ", ".join(f"{argument.name} = {init.name}" for argument, init in zip(arguments, inits))
        text.append(f"{name}:{len(inits)} = scf.for {self.name()} = %c0 to %c{self.random.randint(1, 3)} step %c1 "
                    f"iter_args({pairs}) -> ({kinds}) {{")
        _, yielded = self.round(text, scope, arguments, depth + 1, self.random.randint(1, 5))
        text.append(f"scf.yield {', '.join(memref.name for memref in yielded)} : {kinds}\n}}")
        scope.extend(Memref(f"{name}#{i}", argument.is_written) for i, argument in enumerate(arguments))

    def statement(self, text, scope, depth):
        written = [memref for memref in scope if memref.is_written]
        ways = [self.allocate] * 2 + [self.call] * (3 * bool(self.callees))
        if scope:
            ways += [self.select] + [self.write] * 4
        if written:
            ways += [self.read] * 5 + [self.store, self.copy]
        if scope and depth < DEEPEST:
            ways += [self.loop] * 2 + [self.branch]
        way = self.random.choice(ways)
        if way in (self.read, self.store):
            way(text, self.random.choice(written))
        elif way == self.write:
            way(text, self.random.choice(scope))
        elif way == self.copy:
            way(text, scope, self.random.choice(written))
        elif way in (self.loop, self.branch):
            way(text, scope, depth)
        else:
            way(text, scope)

    # --- functions ----------------------------------------------------------------

    def constants(self):
        return [f"%c{i} = arith.constant {i} : index" for i in range(4)] + ["%k = arith.constant 33 : i32"]

    def function(self, name, text, results):
        kinds = f" -> ({', '.join(KIND for _ in results)})" if results else ""
        names = f" {', '.join(memref.name for memref in results)} : {kinds[5:-1]}" if results else ""
        lines = "\n".join([*self.constants(), *text])
        return (f"func.func private {name}(%in: {self.in_type}, %acc: {self.acc_type}){kinds} {{\n"
                f"{lines}\nreturn{names}\n}}")

    def maker(self, number):
        """A function that returns memory, mostly as it has made it."""
        name, text, scope = f"@make_{self.seed}_{number}", [], []
        self.allocate(text, scope)
        self.body(text, scope, DEEPEST - 1, self.random.choice([0, 0, 1, 3]))
        results = [self.passed(text, scope, False) for _ in range(self.random.choice([1, 1, 1, 2]))]
        made = self.function(name, text, results)
        self.callees.append(Callee(name, [memref.is_written for memref in results]))
        return made

    def blocks(self, number):
        """A function with a loop of blocks that passes memrefs on."""
        name, text, scope = f"@loop_{self.seed}_{number}", [], []
        self.allocate(text, scope)
        self.body(text, scope, DEEPEST, self.random.randint(0, 3))
        inits = [self.passed(text, scope, self.random.random() < 0.5) for _ in range(self.random.randint(1, 3))]
        arguments = [Memref(self.name(), init.is_written) for init in inits]
        round_, next_, more = self.name(), self.name(), self.name()
        kinds = ", ".join([*(KIND for _ in inits), "index"])
        text.append(f"cf.br ^head({', '.join([*(init.name for init in inits), '%c0'])} : {kinds})")
        heads = ", ".join([*(f"{argument.name}: {KIND}" for argument in arguments), f"{round_}: index"])
        text.append(f"^head({heads}):")
        own, yielded = self.round(text, scope, arguments, DEEPEST, self.random.randint(1, 6))
        text.append(f"{next_} = arith.addi {round_}, %c1 : index")
        text.append(f"{more} = arith.cmpi ult, {next_}, %c{self.random.randint(1, 3)} : index")
        text.append(f"cf.cond_br {more}, ^head({', '.join([*(m.name for m in yielded), next_])} : {kinds}), ^exit\n^exit:")
        self.body(text, own, DEEPEST, self.random.randint(1, 5))
        results = [self.passed(text, own, False)]
        made = self.function(name, text, results)
        self.callees.append(Callee(name, [memref.is_written for memref in results]))
        return made

    def program(self):
        texts = [self.maker(i) for i in range(self.random.randint(0, MOST_MADE))]
        texts += [self.blocks(i) for i in range(self.random.randint(0, 2))]
        text, scope = [], []
        self.allocate(text, scope)  # what can be planned: a pool, for the others
        self.write(text, scope[0])
        self.read(text, scope.pop())
        self.body(text, scope, 0, self.random.randint(5, 15))
        for memref in scope:
            if memref.is_written:
                self.read(text, memref)
        return "\n".join([*texts, self.function(f"@seed_{self.seed}", text, [])])
