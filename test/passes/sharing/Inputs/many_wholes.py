# many_wholes.py - prints a function in which 34 concatenations contain one tensor,
# and a further one contains two of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


def concat(result, left, right, size):
    one, both = f"tensor<{size}xf32>", f"tensor<{2 * size}xf32>"
    print(f"%{result} = tensor.concat dim(0) %{left}, %{right} : ({one}, {one}) -> {both}")


print("func.func @main(%p: tensor<16xf32>, %q: tensor<16xf32>) {")
for i in range(32):
    concat(f"whole{i}", "p", "q", 16)
    print(f'"a.use"(%whole{i}) : (tensor<32xf32>) -> ()')
concat("x", "p", "q", 16)
concat("y", "p", "q", 16)
concat("all", "x", "y", 32)
print('"a.use"(%all, %p) : (tensor<64xf32>, tensor<16xf32>) -> ()')
print("return\n}")
