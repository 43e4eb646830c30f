// Copies that other control flow than calls implies, of a constant, an input and a
// result each. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 0. Arms of a branch.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %on = "my.number"() : () -> i1
  %c = arith.constant dense<1> : tensor<64xi8>
  %r = "my.op"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %0:3 = scf.if %on -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
    scf.yield %c, %x, %r : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
  } else {
    %1 = "my.op"(%r) : (tensor<64xi8>) -> tensor<64xi8>
    scf.yield %x, %1, %c : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
  }
  %2 = "my.op"(%0#0, %0#1, %0#2, %r) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0#0, %0#2, %2 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}

// -----
// 1. A loop that carries three values, which change places.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %n = "my.number"() : () -> index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant dense<1> : tensor<64xi8>
  %r = "my.op"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %0:3 = scf.for %i = %zero to %n step %one iter_args(%a = %c, %b = %x, %d = %r) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
    scf.yield %b, %d, %a : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
  }
  %1:2 = scf.for %i = %zero to %n step %one iter_args(%a = %0#0, %b = %c) -> (tensor<64xi8>, tensor<64xi8>) {
    %2 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    scf.yield %c, %2 : tensor<64xi8>, tensor<64xi8>
  }
  %3 = "my.op"(%0#1, %0#2, %1#0, %1#1, %x) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1#0, %1#1, %3 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}

// -----
// 2. A loop with a condition.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<1> : tensor<64xi8>
  %0:2 = scf.while (%a = %c, %b = %x) : (tensor<64xi8>, tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
    %on = "my.condition"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> i1
    scf.condition(%on) %b, %a : tensor<64xi8>, tensor<64xi8>
  } do {
  ^bb0(%a: tensor<64xi8>, %b: tensor<64xi8>):
    %1 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    scf.yield %1, %c : tensor<64xi8>, tensor<64xi8>
  }
  %2 = "my.op"(%0#0, %x, %c) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0#1, %2 : tensor<64xi8>, tensor<64xi8>
}

// -----
// 3. One of several cases.
func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %n = "my.number"() : () -> index
  %c = arith.constant dense<1> : tensor<64xi8>
  %r = "my.op"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %0:2 = scf.index_switch %n -> tensor<64xi8>, tensor<64xi8>
  case 1 {
    scf.yield %c, %x : tensor<64xi8>, tensor<64xi8>
  }
  case 2 {
    scf.yield %r, %c : tensor<64xi8>, tensor<64xi8>
  }
  default {
    scf.yield %x, %r : tensor<64xi8>, tensor<64xi8>
  }
  %1 = "my.op"(%0#0, %0#1, %x, %r) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0#0, %1 : tensor<64xi8>, tensor<64xi8>
}

// -----
// 4. Blocks: arguments that change places, two ways to one block.
func.func @main(%x: tensor<64xi8>, %on: i1, %n: i32) -> (tensor<64xi8>, tensor<64xi8>) {
  %c = arith.constant dense<1> : tensor<64xi8>
  %r = "my.op"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  cf.br ^head(%c, %x : tensor<64xi8>, tensor<64xi8>)
^head(%a: tensor<64xi8>, %b: tensor<64xi8>):
  %0 = "my.op"(%a) : (tensor<64xi8>) -> tensor<64xi8>
  "my.use"(%0, %b) : (tensor<64xi8>, tensor<64xi8>) -> ()
  %more = "my.condition"(%a) : (tensor<64xi8>) -> i1
  cf.cond_br %more, ^head(%b, %a : tensor<64xi8>, tensor<64xi8>), ^two(%b, %c : tensor<64xi8>, tensor<64xi8>)
^two(%d: tensor<64xi8>, %e: tensor<64xi8>):
  cf.cond_br %on, ^last(%d, %e : tensor<64xi8>, tensor<64xi8>), ^last(%e, %r : tensor<64xi8>, tensor<64xi8>)
^last(%f: tensor<64xi8>, %g: tensor<64xi8>):
  cf.switch %n : i32, [default: ^two(%g, %f : tensor<64xi8>, tensor<64xi8>), 1: ^end(%f, %c : tensor<64xi8>, tensor<64xi8>), 2: ^end(%c, %x : tensor<64xi8>, tensor<64xi8>)]
^end(%y: tensor<64xi8>, %z: tensor<64xi8>):
  %1 = "my.op"(%y, %z, %e, %r) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %y, %1 : tensor<64xi8>, tensor<64xi8>
}

// -----
// 5. A function that returns in two places, called once.
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %c = arith.constant dense<1> : tensor<64xi8>
  %0 = call @f(%c, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = "my.op"(%0, %c) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %on = "my.condition"() : () -> i1
  cf.cond_br %on, ^one, ^two
^one:
  return %a : tensor<64xi8>
^two:
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 6. The same, called twice.
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %c = arith.constant dense<1> : tensor<64xi8>
  %0 = call @f(%c, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%x, %0) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %2 = "my.op"(%0, %1, %c) : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %2 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %c = arith.constant dense<2> : tensor<64xi8>
  %on = "my.condition"() : () -> i1
  cf.cond_br %on, ^one, ^two
^one:
  return %c : tensor<64xi8>
^two:
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 7. A function of memrefs that is given two constants.
memref.global "private" constant @one : memref<64xi8> = dense<1>
memref.global "private" constant @two : memref<64xi8> = dense<2>
func.func @main() {
  %one = memref.get_global @one : memref<64xi8>
  %two = memref.get_global @two : memref<64xi8>
  call @f(%one) : (memref<64xi8>) -> ()
  call @f(%two) : (memref<64xi8>) -> ()
  return
}
func.func private @f(%a: memref<64xi8>) {
  "my.use"(%a) : (memref<64xi8>) -> ()
  return
}

// -----
// 8. A call whose results are said to be constants.
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %0 = call @f(%x) {gmem.op_model = {kind = "weight"}} : (tensor<64xi8>) -> tensor<64xi8>
  %1 = "my.op"(%0, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a) : (tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 9. A call that is given a tensor of which its op says that it needs no memory.
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %n = "my.none"() {gmem.op_model = {kind = "none"}} : () -> tensor<64xi8>
  %0 = call @f(%n, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  %1 = call @f(%0, %x) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %b: tensor<64xi8>) -> tensor<64xi8> {
  %0 = "my.op"(%a, %b) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}

// -----
// 10. A number that calls give.
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %0 = call @f(%x, %one) : (tensor<64xi8>, i32) -> tensor<64xi8>
  %1 = call @f(%0, %two) : (tensor<64xi8>, i32) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}
func.func private @f(%a: tensor<64xi8>, %n: i32) -> tensor<64xi8> {
  %0 = "my.op"(%a, %n) : (tensor<64xi8>, i32) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}
