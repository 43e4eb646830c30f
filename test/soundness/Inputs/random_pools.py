# random_pools.py FOLDER FIRST END - plans random programs for machines of one to
# four memories that not all of their targets reach, and looks for an op that
# does not reach the pool of a value that it touches. Then it moves one value to
# such a pool, and gmem-verify-plan has to notice. Prints what went wrong and, at
# the end, how many programs there were, and how many have no plan.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import random
import re
import subprocess
import sys

TARGETS = ["cpu", "accel", "dsp"]
REFUSALS = re.compile(r"cannot be placed: (no memory|target)|of gmem\.pools: |have no pool in common")


class Program:
    """A program, and who touches which of its values."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.memories = [self.memory(i) for i in range(self.random.randint(1, 4))]
        if self.random.random() < 0.8:
            self.memories[-1]["targets"] = []
        self.touches = []  # (target or None, value)
        self.values = 0
        self.default = self.pick_target()
        self.inner_target = self.pick_target()
        inner = self.function("inner", 3, self.inner_target, None)
        self.inner_is_there = False
        main = self.function("main", self.random.randint(3, 14), self.default, "inner")
        self.text = f"module attributes {{{self.attributes()}}} {{\n{main}{inner}}}\n"

    def memory(self, index):
        targets = [t for t in TARGETS if self.random.random() < 0.6]
        keys = {"name": f"m{index}", "targets": targets}
        if self.random.random() < 0.4:
            keys["speed"] = self.random.randint(1, 9)
        if self.random.random() < 0.5:
            keys["size"] = self.random.choice([64, 256, 1000])
        if self.random.random() < 0.5:
            keys["alignment"] = self.random.choice([1, 16, 64, 256])
        return keys

    def attributes(self):
        listed = []
        for memory in self.memories:
            text = f'name = "{memory["name"]}"'
            if memory["targets"]:
                names = ", ".join(f'"{t}"' for t in memory["targets"])
                text += f", targets = [{names}]"
            for key in ("speed", "size", "alignment"):
                if key in memory:
                    text += f", {key} = {memory[key]} : i64"
            listed.append("{" + text + "}")
        return f"gmem.memories = [{', '.join(listed)}]"

    def pick_target(self):
        return self.random.choice([None, None, "cpu", "accel"])

    def reaches(self, target, pool):
        memory = next(m for m in self.memories if m["name"] == pool)
        return target is None or not memory["targets"] or target in memory["targets"]

    def wish(self):
        """gmem.pools of one result, now and then."""
        if self.random.random() > 0.1:
            return None
        names = [m["name"] for m in self.memories]
        self.random.shuffle(names)
        return names[: self.random.randint(1, len(names))]

    def new_value(self):
        self.values += 1
        return f"v{self.values}"

    def op(self, operands, shape, default):
        """One op on its own target, or that of its function."""
        own = self.random.choice(TARGETS[:2]) if self.random.random() < 0.3 else None
        result = self.new_value()
        for value in [*(name for name, _ in operands), result]:
            self.touches.append((own or default, value))
        attributes = [f'gmem.target = "{own}"'] if own else []
        wish = self.wish()
        if wish:
            attributes.append("gmem.pools = [" + ", ".join(f'"{n}"' for n in wish) + "]")
        said = " {" + ", ".join(attributes) + "}" if attributes else ""
        names = ", ".join(f"%{name}" for name, _ in operands)
        types = ", ".join(f"tensor<{s}xf32>" for _, s in operands)
        line = f'    %{result} = "my.op"({names}){said} : ({types}) -> tensor<{shape}xf32> loc("{result}")\n'
        return line, (result, shape)

    def reshape(self, operand):
        """The same memory: this is no access to it."""
        name, shape = operand
        result = self.new_value()
        if shape == "4x4":
            return (
                f"    %{result} = tensor.collapse_shape %{name} [[0, 1]] : tensor<4x4xf32>"
                f' into tensor<16xf32> loc("{result}")\n',
                (result, "16"),
            )
        if shape == "16":
            return (
                f"    %{result} = tensor.expand_shape %{name} [[0, 1]] output_shape [4, 4] :"
                f' tensor<16xf32> into tensor<4x4xf32> loc("{result}")\n',
                (result, "4x4"),
            )
        return "", operand

    def call(self, operand):
        result = self.new_value()
        line = (
            f"    %{result} = func.call @inner(%{operand[0]}) : (tensor<16xf32>)"
            f' -> tensor<16xf32> loc("{result}")\n'
        )
        return line, (result, "16")

    def function(self, name, count, target, callee):
        argument = f"{name}_x"
        self.touches.append((target, argument) if name == "main" else (None, argument))
        live, lines = [(argument, "16")], []
        for _ in range(count):
            kind = self.random.random()
            sixteen = [value for value in live if value[1] == "16"]
            if kind < 0.15:
                line, value = self.reshape(self.random.choice(live))
            elif kind < 0.3 and callee and sixteen:
                line, value = self.call(self.random.choice(sixteen))
            else:
                operands = self.random.sample(live, self.random.randint(0, min(2, len(live))))
                line, value = self.op(operands, self.random.choice(["16", "4x4", "64"]), target)
            lines.append(line)
            live.append(value)
        line, result = self.op([self.random.choice(live)], "16", target)
        self.touches.append((target, result[0]))  # the return
        visibility = "" if name == "main" else "private "
        said = f' attributes {{gmem.target = "{target}"}}' if target else ""
        return (
            f'  func.func {visibility}@{name}(%{argument}: tensor<16xf32> loc("{argument}"))'
            f" -> tensor<16xf32>{said} {{\n"
            + "".join(lines)
            + line
            + f"    return %{result[0]} : tensor<16xf32>\n  }}\n"
        )


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def plan(path, planned):
    flags = ["--allow-unregistered-dialect", "--mlir-print-debuginfo", "--mlir-print-local-scope"]
    return run("gmem-opt", *flags, "--gmem-plan=effort=fast alignment=16", path, "-o", planned)


def pools_of(planned):
    """By name of a value: its pool."""
    done = run("gmem-translate", "--allow-unregistered-dialect", "--gmem-to-json", planned)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return {b["name"]: b["pool"] for b in json.loads(done.stdout)["buffers"]}


def unreached(program, pools):
    """The first value in a pool that who touches it does not reach."""
    for target, value in program.touches:
        if value in pools and not program.reaches(target, pools[value]):
            return f"%{value} is in {pools[value]}, which '{target}' does not reach"
    return None


def break_plan(program, planned, pools):
    """Moves a value where it cannot be; whether that was noticed, or None."""
    moves = [
        (value, memory["name"])
        for target, value in program.touches
        for memory in program.memories
        if value in pools and value.startswith("v") and not program.reaches(target, memory["name"])
    ]
    if not moves:
        return None
    value, pool = program.random.choice(moves)
    with open(planned, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for i, line in enumerate(lines):
        if f'loc("{value}")' in line and "gmem.pool = [" in line:
            lines[i] = re.sub(r'gmem\.pool = \["[^"]*"\]', f'gmem.pool = ["{pool}"]', line)
    with open(planned + ".broken", "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    done = run("gmem-opt", "--allow-unregistered-dialect", "--gmem-verify-plan", planned + ".broken")
    return done.returncode != 0


def examine(folder, seed, counts):
    program = Program(seed)
    path = os.path.join(folder, f"seed-{seed}.mlir")
    planned = os.path.join(folder, f"seed-{seed}.planned.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program.text)
    done = plan(path, planned)
    if done.returncode:
        counts["refused"] += 1
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        return None if errors and REFUSALS.search(errors[0]) else str(errors[:1] or done.stderr)
    pools = pools_of(planned)
    counts["several"] += len(set(pools.values())) > 1
    noticed = break_plan(program, planned, pools)
    counts["broken"] += noticed is not None
    counts["noticed"] += bool(noticed)
    return unreached(program, pools)


def main():
    folder, first, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    counts = {"refused": 0, "several": 0, "broken": 0, "noticed": 0}
    faults = 0
    for seed in range(first, end):
        fault = examine(folder, seed, counts)
        if fault:
            print(f"seed {seed}: {fault}")
            faults += 1
    print(f"{end - first} programs, {faults} faults, {counts['refused']} without a plan")
    print(f"{counts['several']} in several pools")
    print(f"{counts['noticed']} of {counts['broken']} moves noticed")


if __name__ == "__main__":
    main()
