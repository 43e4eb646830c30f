// What calls copy: each part is one program. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 0. Constants, a splat and another one, given by two calls.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %one = arith.constant dense<1> : tensor<64xi8>
  %many = arith.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F"> : tensor<64xi8>
  %0 = call @f(%one, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%many, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %2 = call @f(%one, %many) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0, %1, %2 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 1. One call: the function's arguments are what it is given.
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %c = arith.constant dense<1> : tensor<64xi8>
  %0 = "my.op"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%c, %x, %0) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>, %c: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b, %c) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 2. A constant, an input, a result, and each of them twice, in every place.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<1> : tensor<64xi8>
  %r = "my.op"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %0 = call @f(%c, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%x, %r) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %2 = call @f(%r, %c) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %3 = call @f(%c, %c) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %4 = call @f(%x, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %5 = call @f(%4, %4) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %6 = "my.op"(%2, %3, %5) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0, %1, %2, %6 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 3. What is given in turns: two values change places from call to call, once
// as they come back and once as they are given.
func.func @main(%x: tensor<64xi8>, %y: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %0:2 = call @swap(%x, %y) : (tensor<64xi8>, tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>)
  %1:2 = call @swap(%0#0, %0#1) : (tensor<64xi8>, tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>)
  %2:2 = call @swap(%1#1, %1#0) : (tensor<64xi8>, tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>)
  %3:2 = call @mix(%2#0, %2#1) : (tensor<64xi8>, tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>)
  %4:2 = call @mix(%3#1, %3#0) : (tensor<64xi8>, tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>)
  return %4#0, %4#1 : tensor<64xi8>, tensor<64xi8>
}
func.func private @swap(%a: tensor<64xi8>, %b: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  return %b, %a : tensor<64xi8>, tensor<64xi8>
}
func.func private @mix(%a: tensor<64xi8>, %b: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %b, %0 : tensor<64xi8>, tensor<64xi8>
}

// -----
// 4. Calls in calls: a constant goes through two functions, from two places.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %c1 = arith.constant dense<1> : tensor<64xi8>
  %c2 = arith.constant dense<2> : tensor<64xi8>
  %0 = call @g(%c1, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @g(%0, %c2) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %2 = call @f(%c2, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0, %1, %2 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}
func.func private @g(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %c3 = arith.constant dense<3> : tensor<64xi8>
  %0 = call @f(%a, %c3) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%0, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 5. Returned to several calls: a constant, an argument, one value twice, a result.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %0:6 = call @f(%x) : (tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>)
  %1:6 = call @f(%0#2) : (tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>)
  %2 = "my.op"(%0#0, %0#1, %0#2, %0#3, %0#4, %0#5) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %3 = "my.op"(%1#0, %1#1, %1#2, %1#3, %1#4, %1#5) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %2, %3 : tensor<64xi8>, tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<5> : tensor<64xi8>
  %0 = "my.op"(%a) : (tensor<64xi8>) -> tensor<64xi8>
  return %c, %a, %0, %0, %c, %a : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}

// -----
// 6. The same returned to one call, and by the entry function.
func.func @main(%x: tensor<64xi8>, %y: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<6> : tensor<64xi8>
  %0:5 = call @f(%x) : (tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>)
  %1 = "my.op"(%0#1, %0#3, %0#4) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0#0, %1, %c, %y, %c : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<5> : tensor<64xi8>
  %0 = "my.op"(%a) : (tensor<64xi8>) -> tensor<64xi8>
  return %c, %a, %0, %0, %c : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}

// -----
// 7. Tuples, of a constant, an input and a result, to functions and back; there are bytes
// between the elements that hold nothing.
func.func @main(%x: tensor<40xi8>) -> (tensor<40xi8>, tensor<32xi8>) {
  %c = arith.constant dense<7> : tensor<32xi8>
  %r = "my.op"(%x) : (tensor<40xi8>) -> tensor<32xi8>
  %t0 = "stablehlo.tuple"(%x, %c) : (tensor<40xi8>, tensor<32xi8>) -> tuple<tensor<40xi8>, tensor<32xi8>>
  %t1 = "stablehlo.tuple"(%x, %r) : (tensor<40xi8>, tensor<32xi8>) -> tuple<tensor<40xi8>, tensor<32xi8>>
  %0 = call @f(%t0) : (tuple<tensor<40xi8>, tensor<32xi8>>) -> tuple<tensor<40xi8>, tensor<32xi8>>
  %1 = call @f(%t1) : (tuple<tensor<40xi8>, tensor<32xi8>>) -> tuple<tensor<40xi8>, tensor<32xi8>>
  %2 = call @f(%0) : (tuple<tensor<40xi8>, tensor<32xi8>>) -> tuple<tensor<40xi8>, tensor<32xi8>>
  %3 = "stablehlo.get_tuple_element"(%1) {index = 0 : i32} : (tuple<tensor<40xi8>, tensor<32xi8>>) -> tensor<40xi8>
  %4 = "stablehlo.get_tuple_element"(%2) {index = 1 : i32} : (tuple<tensor<40xi8>, tensor<32xi8>>) -> tensor<32xi8>
  %5 = "my.op"(%3, %2) : (tensor<40xi8>, tuple<tensor<40xi8>, tensor<32xi8>>) -> tensor<40xi8>
  return %5, %4 : tensor<40xi8>, tensor<32xi8>
}
func.func private @f(%t: tuple<tensor<40xi8>, tensor<32xi8>>) -> tuple<tensor<40xi8>, tensor<32xi8>> {
  %c = arith.constant dense<8> : tensor<40xi8>
  %0 = "stablehlo.get_tuple_element"(%t) {index = 0 : i32} : (tuple<tensor<40xi8>, tensor<32xi8>>) -> tensor<40xi8>
  %1 = "stablehlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<40xi8>, tensor<32xi8>>) -> tensor<32xi8>
  %2 = "my.op"(%0, %1, %c) : (tensor<40xi8>, tensor<32xi8>, tensor<40xi8>) -> tensor<32xi8>
  %3 = "stablehlo.tuple"(%c, %2) : (tensor<40xi8>, tensor<32xi8>) -> tuple<tensor<40xi8>, tensor<32xi8>>
  return %3 : tuple<tensor<40xi8>, tensor<32xi8>>
}

// -----
// 8. Views and parts of constants, inputs and results; halves change places.
func.func @main(%x: tensor<64xi8>, %w: tensor<64xi8> {gmem.weight}) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<9> : tensor<2x32xi8>
  %flat = "stablehlo.reshape"(%c) : (tensor<2x32xi8>) -> tensor<64xi8>
  %low = "stablehlo.slice"(%x) {start_indices = array<i64: 0>, limit_indices = array<i64: 32>, strides = array<i64: 1>} : (tensor<64xi8>) -> tensor<32xi8>
  %high = "stablehlo.slice"(%x) {start_indices = array<i64: 32>, limit_indices = array<i64: 64>, strides = array<i64: 1>} : (tensor<64xi8>) -> tensor<32xi8>
  %part = "stablehlo.slice"(%flat) {start_indices = array<i64: 16>, limit_indices = array<i64: 48>, strides = array<i64: 1>} : (tensor<64xi8>) -> tensor<32xi8>
  %of_w = "stablehlo.slice"(%w) {start_indices = array<i64: 0>, limit_indices = array<i64: 32>, strides = array<i64: 1>} : (tensor<64xi8>) -> tensor<32xi8>
  %0 = call @join(%low, %high) : (tensor<32xi8>, tensor<32xi8>) -> tensor<64xi8>
  %1 = call @join(%high, %low) : (tensor<32xi8>, tensor<32xi8>) -> tensor<64xi8>
  %2 = call @join(%part, %of_w) : (tensor<32xi8>, tensor<32xi8>) -> tensor<64xi8>
  %3 = call @f(%flat, %0) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %4 = call @f(%1, %flat) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %5 = call @f(%w, %2) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %3, %4, %5 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}
func.func private @join(%a: tensor<32xi8>, %b: tensor<32xi8>) -> tensor<64xi8> {
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<32xi8>, tensor<32xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 9. Constants of packed elements, of no elements, and one that two calls share.
func.func @main(%x: tensor<13xi4>) -> (tensor<13xi4>, tensor<13xi4>, tensor<13xi4>) {
  %c = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, -1, -2, -3, -4, -5, -6]> : tensor<13xi4>
  %same = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, -1, -2, -3, -4, -5, -6]> : tensor<13xi4>
  %nothing = arith.constant dense<> : tensor<0xi8>
  %0 = call @f(%c, %x, %nothing) : (tensor<13xi4>, tensor<13xi4>, tensor<0xi8>) -> tensor<13xi4>
  %1 = call @f(%x, %same, %nothing) : (tensor<13xi4>, tensor<13xi4>, tensor<0xi8>) -> tensor<13xi4>
  %2 = call @f(%c, %same, %nothing) : (tensor<13xi4>, tensor<13xi4>, tensor<0xi8>) -> tensor<13xi4>
  return %0, %1, %2 : tensor<13xi4>, tensor<13xi4>, tensor<13xi4>
}
func.func private @f(%a: tensor<13xi4>, %b: tensor<13xi4>, %n: tensor<0xi8>) -> tensor<13xi4> {
  %0 = "my.op"(%a, %b, %n) : (tensor<13xi4>, tensor<13xi4>, tensor<0xi8>) -> tensor<13xi4>
  return %0 : tensor<13xi4>
}

// -----
// 10. An argument marked as a constant that calls fill.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<1> : tensor<64xi8>
  %0 = call @f(%x, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%c, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0, %1 : tensor<64xi8>, tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8> {gmem.weight}, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 11. Arguments with room around them.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<1> : tensor<64xi8>
  %0 = call @f(%c, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%0, %c) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0, %1 : tensor<64xi8>, tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8> {gmem.padding = array<i64: 16, 32>}, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) {gmem.padding = [array<i64: 8, 0>]} : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 12. Constants of globals.
ml_program.global private @w(dense<3> : tensor<64xi8>) : tensor<64xi8>
ml_program.global private @v(dense<4> : tensor<64xi8>) : tensor<64xi8>
func.func @main() -> tensor<64xi8> {
  %ta = ml_program.global_load_const @w : tensor<64xi8>
  %tb = ml_program.global_load_const @v : tensor<64xi8>
  %0 = call @f(%ta, %tb) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%tb, %0) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}
