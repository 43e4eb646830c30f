# write_dense_step.py - writes a step of a network each of whose steps adds a
# tensor to those that all later steps concatenate. With pages of 4096 bytes the
# least peak needs some aliases of the concatenation and not others: with few
# aliases all subsets are tried, and those of destinations make them many.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEIGHT, JOINED = ("%w", 4), 4608
OLD = [("%x0", 2048), ("%x1", 512), ("%x2", 512), ("%x3", 512), ("%x4", 512)]


def tensor(elements):
    return f"tensor<{elements}xf32>"


def types(operands):
    return ", ".join(tensor(elements) for _, elements in operands)


def names(operands):
    return ", ".join(name for name, _ in operands)


def op(result, operands, attributes=""):
    """Writes an op, and returns its result: (name, elements)."""
    print(f'  {result[0]} = "net.op"({names(operands)}) {attributes} : ({types(operands)}) -> {tensor(result[1])}')
    return result


def onto(result, operand, destination):
    """The same for an op that is told where its result goes."""
    return op(result, [operand, destination], '{gmem.op_model = {destination = "trailing"}}')


def concat(result, operands):
    print(f"  {result[0]} = tensor.concat dim(0) {names(operands)} : ({types(operands)}) -> {tensor(result[1])}")
    return result


def main():
    arguments = [WEIGHT, ("%a", 4096), ("%b", 2048), ("%c", 512), *OLD]
    listed = ", ".join(f"{name}: {tensor(elements)}" for name, elements in arguments)
    print(f"func.func @main({listed}) -> ({tensor(5120)}, {tensor(512)}, {tensor(512)}) {{")
    scaled = op(("%e", 4096), [onto(("%d", 4096), WEIGHT, arguments[1])])
    small = op(("%f", 2048), [scaled])
    small = op(("%h", 2048), [onto(("%g", 2048), WEIGHT, small)])
    first = op(("%j", 512), [op(("%i", JOINED), [small])])
    whole = concat(("%k", JOINED), [*OLD, first])
    whole = op(("%m", JOINED), [onto(("%l", JOINED), WEIGHT, whole)])
    small = onto(("%n", 2048), whole, arguments[2])
    small = op(("%p", 2048), [onto(("%o", 2048), WEIGHT, small)])
    second = onto(("%r", 512), op(("%q", JOINED), [small]), arguments[3])
    whole = concat(("%s", 5120), [OLD[0], op(("%u", 3072), [WEIGHT])])
    results = [whole, second, first]
    print(f"  return {names(results)} : {types(results)}\n}}")


main()
