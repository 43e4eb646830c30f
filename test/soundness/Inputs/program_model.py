# program_model.py - a small program of tensors: what the generator makes, what
# is printed as MLIR, and what the abstract machine executes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass, field


@dataclass(eq=False)
class Value:
    """A tensor of |size| bytes: the result of an op, or an argument.

    A plan is read back by source location: results of one op have one location
    and are told apart by their |index| in it.
    """

    number: int
    size: int  # bytes
    reshaped: bool = False  # 1xN in place of N
    location: str = ""
    index: int = 0

    def __post_init__(self):
        self.location = f"n{self.number}"

    @property
    def name(self):
        return f"%v{self.number}"


@dataclass(eq=False)
class Op:
    """One op. |kind| says which of the optional fields mean something:

    compute  reads its operands and writes its results
    reshape  the result is the operand under another type
    weight   the result is a constant
    call     runs callees[0]
    group    an opaque layer group: runs |callees| one after the other, and reads
             |captures| beside its operands
    loop     runs bodies[0] any number of times; its arguments are carried values
    if       runs one of |bodies|
    branch   ends a block: goes on at one of |successors|
    yield    ends a body
    return   ends a function
    """

    kind: str
    operands: list = field(default_factory=list)
    results: list = field(default_factory=list)
    flat_group: int = None  # ops of one block with the same number are one layer group
    hold: bool = False  # the results are kept until the function ends
    callees: list = field(default_factory=list)  # Function
    captures: list = field(default_factory=list)
    bodies: list = field(default_factory=list)  # Block
    successors: list = field(default_factory=list)  # (block number, operands)

    def __post_init__(self):
        for index, value in enumerate(self.results):
            value.location = self.results[0].location
            value.index = index

    def reads(self):
        """All values this op itself reads."""
        return self.operands + self.captures + [v for _, vs in self.successors for v in vs]


@dataclass(eq=False)
class Block:
    arguments: list = field(default_factory=list)
    ops: list = field(default_factory=list)


@dataclass(eq=False)
class Function:
    name: str
    arguments: list
    result_sizes: list
    blocks: list = field(default_factory=list)  # control starts at the first
    print_order: list = None  # of the blocks, by number; None: as they are


@dataclass(eq=False)
class Program:
    functions: list  # in the order in which they are printed

    def ops(self):
        """(block, op) for every op, bodies included."""
        todo = [block for function in self.functions for block in function.blocks]
        while todo:
            block = todo.pop()
            for op in block.ops:
                yield block, op
                todo += op.bodies

    def entries(self):
        """The functions that no op of the program calls."""
        called = {callee for _, op in self.ops() for callee in op.callees}
        return [function for function in self.functions if function not in called]

    def weights(self):
        return [op.results[0] for _, op in self.ops() if op.kind == "weight"]

    def group_locals(self):
        """The values that stay inside a flat layer group: these may have no memory."""
        home = {}
        for block, op in self.ops():
            if op.flat_group is not None:
                home.update({value: (block, op.flat_group) for value in op.results})
        for block, op in self.ops():
            for value in op.reads():
                if value in home and home[value] != (block, op.flat_group):
                    del home[value]
        return set(home)
