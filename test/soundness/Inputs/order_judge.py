# order_judge.py - says whether two texts of a program, with their ops in different orders, mean the same. Shares
# nothing with the passes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each op executes once, in the order of the text, whatever its regions do; its block arguments and results are names of
# what made them. What an op sees are the contents of its operands and, if it is not free of effects, the state of the
# world, which it changes. An op that writes an operand in place changes the contents of all that is a view of it. Two
# orders mean the same if each op sees the same in both.
#
# Texts are in the generic form, with locations: gmem-opt --mlir-print-op-generic --mlir-print-debuginfo
# --mlir-print-local-scope. The location of an op tells which one of the other text it is.

import re
from hashlib import blake2b

HEAD = re.compile(r'^\s*(?:(%[\w$.#:, %]+) = )?"([^"]+)"\(([^)]*)\)')
LABEL = re.compile(r"^\s*\^\w+(?:\((.*)\))?:")
PLACE = re.compile(r'loc\("[^"]*":(\d+:\d+)\)$')
VIEWS = {"tensor.expand_shape", "tensor.collapse_shape", "tensor.cast", "tensor.reshape", "any.reshape"}
# Without effects of their own: what is in their regions counts by itself.
FREE_DIALECTS = {"arith", "linalg", "onnx", "scf", "stablehlo", "tensor", "tpu", "ttir"}
FUNCTIONS = {"func.func", "any.func"}
UNORDERED = "any.graph"  # its ops have no order


def digest(*parts):
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


class Op:
    def __init__(self, name, results, operands, text):
        self.name, self.results, self.operands, self.text = name, results, operands, text
        self.place = ""
        self.regions = []  # lists of blocks: (arguments, ops)

    def attribute(self, name):
        """The text of a discardable attribute, or None; that of a unit attribute is empty."""
        found = re.search(rf"\b{re.escape(name)}\b(?: = ([^,}}]+))?", self.text)
        return (found.group(1) or "") if found else None


def names_of(results):
    """%0:2 is %0#0 and %0#1."""
    found = []
    for name, count in re.findall(r"(%[\w$.-]+)(?::(\d+))?", results or ""):
        found += [f"{name}#{i}" for i in range(int(count))] if count else [name]
    return found


def read_program(text):
    """The top op."""
    top = Op("top", [], [], "")
    top.regions = [[([], [])]]
    stack = [top]
    for line in text.splitlines():
        head, label = HEAD.match(line), LABEL.match(line)
        op = None
        if head:
            op = Op(head.group(2), names_of(head.group(1)), re.findall(r"%[\w$.#-]+", head.group(3)), line[head.end():])
            stack[-1].regions[-1][-1][1].append(op)
            if line.endswith("({"):
                op.regions = [[([], [])]]
                stack.append(op)
                continue
        elif label:
            arguments = re.findall(r"(%[\w$.-]+):", label.group(1) or "")
            if stack[-1].regions[-1] == [([], [])]:
                stack[-1].regions[-1] = []
            stack[-1].regions[-1].append((arguments, []))
        elif line.strip() == "}, {":
            stack[-1].regions.append([([], [])])
        elif line.strip().startswith("})"):
            op = stack.pop()
            op.text += line
        if op:
            place = PLACE.search(line)
            op.place = place.group(1) if place else ""
    if len(stack) != 1 or not top.regions[0][0][1]:
        raise ValueError("a text that is not in the generic form")
    return top


class Reading:
    """What each op of a program sees, by place: one entry for each time that it executes."""

    def __init__(self, text, pure):
        self.pure = pure
        self.has_streams = "gmem.stream = " in text  # else waits are for nothing
        self.seen = {}
        self.world = "begin"
        self.is_fixed = False  # in a function that is a fence
        self.contents, self.cell_of = [], {}
        self.run(read_program(text))

    def is_free(self, op):
        is_queued = op.attribute("gmem.stream") is not None or op.attribute("gmem.wait") is not None
        if (is_queued and self.has_streams) or "memref<" in op.text:
            return False
        return op.name in self.pure or op.name.split(".")[0] in FREE_DIALECTS

    def make(self, name, content):
        self.cell_of[name] = len(self.contents)
        self.contents.append(content)

    def content(self, name):
        """In a region whose ops have no order, or in a wrong order, it may be made later in the text."""
        return self.contents[self.cell_of[name]] if name in self.cell_of else "later"

    def run(self, op):
        sees = [self.content(name) for name in op.operands]
        is_free = self.is_free(op)
        own = digest(op.place, op.name, sees, "" if is_free else self.world)
        self.seen.setdefault(op.place, []).append((op.name, own))
        if not is_free:
            self.world = own
        outer = dict(self.cell_of)
        for number, region in enumerate(op.regions):
            for arguments, ops in region:
                for i, argument in enumerate(arguments):
                    self.make(argument, digest(own, number, i))
                self.block(op, ops)
        inside = [self.content(name) for region in op.regions for _, ops in region[-1:] for name in (ops[-1].operands if ops else [])]
        self.cell_of = outer
        if op.name in VIEWS and op.operands[0] in self.cell_of:
            self.cell_of[op.results[0]] = self.cell_of[op.operands[0]]
        else:
            for number, name in enumerate(op.results):
                self.make(name, digest(own, number, inside))
        for number in re.findall(r"\d+", re.search(r"test\.writes = array<i64: ([^>]*)>|$", op.text).group(1) or ""):
            if op.operands[int(number)] in self.cell_of:
                self.contents[self.cell_of[op.operands[int(number)]]] = digest(own, "writes", number)

    def block(self, parent, ops):
        """Executes the ops, and notes which are where layer groups and fences keep them."""
        groups = {}
        for i, op in enumerate(ops):
            group = op.attribute("gmem.layer_group")
            if group:
                groups.setdefault(group, []).append(i)
        for group, members in groups.items():
            around = sorted(op.place for op in ops[members[0]:members[-1] + 1])
            self.seen.setdefault(f"group {group} of {parent.place}", []).append(("the group", around))
        if parent.name in FUNCTIONS:
            self.is_fixed = parent.attribute("gmem.keep_order") is not None
        ends_with_fence = ops and ops[-1].attribute("gmem.keep_order") is not None
        is_fixed = self.is_fixed or ends_with_fence or parent.name == UNORDERED
        for i, op in enumerate(ops):
            op.place = op.place or f"op {i} of {parent.place}"  # what only the generic form spells out
            if is_fixed or op.attribute("gmem.keep_order") is not None:
                before = [other.place for other in ops[:i]]
                self.seen.setdefault(f"before {op.place}", []).append(("the fence", sorted(before)))
            self.run(op)


def fault_of(given, ordered, pure):
    """What is wrong with the order, or None; how many ops are behind others than they were."""
    sides = [Reading(text, pure).seen for text in (given, ordered)]
    for place, events in sides[0].items():
        if events != sides[1].get(place):
            what = events[0][0]
            return f"{what} at {place} does not see what it sees in the given order"
    extra = sorted(set(sides[1]) - set(sides[0]))
    return f"an op at {extra[0]} is new" if extra else None


def has_moved(given, ordered):
    """Whether any op is at another position."""
    texts = [re.findall(r'loc\("[^"]*":(\d+:\d+)\)$', text, re.M) for text in (given, ordered)]
    return texts[0] != texts[1]
