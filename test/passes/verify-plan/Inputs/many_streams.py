# many_streams.py N BYTE - a plan whose ops are in N streams of their own, but for the
# last three: two read a value and a part of it, and one writes 8 bytes from BYTE on.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

count, begin = int(sys.argv[1]), int(sys.argv[2])
T = "tensor<16xi8>"


def at(offset, size=16):
    return f'gmem.offset = array<i64: {offset}>, gmem.pool = ["tensors"], gmem.size = array<i64: {size}>'


print('module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, '
      'peak = 32 : i64}, gmem.pool_table = [{alignment = 1 : i64, kind = "workspace", lower_bound = 0 : i64, name = '
      '"tensors", size = 32 : i64}]} {\nfunc.func @f() {')
print(f'%x = "x.make"() {{{at(0)}}} : () -> {T}')
print(f'%s = tensor.extract_slice %x[0] [8] [1] {{{at(0, 8)}}} : {T} to tensor<8xi8>')
print(f'"x.first"(%x) {{gmem.stream = 1 : i64}} : ({T}) -> ()')
for stream in range(3, count + 1):
    print(f'"x.none"() {{gmem.stream = {stream} : i64}} : () -> ()')
print('"x.part"(%s) {gmem.stream = 2 : i64} : (tensor<8xi8>) -> ()')
print(f'"x.all"(%x) {{gmem.stream = 2 : i64}} : ({T}) -> ()')
print(f'%y = "x.over"() {{{at(begin, 8)}, gmem.stream = 2 : i64}} : () -> tensor<8xi8>')
print("return\n}\n}")
