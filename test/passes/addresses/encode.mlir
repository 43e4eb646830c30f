// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(gmem-plan{weight-base=1024 alignment=64 weight-alignment=64 algorithm=none sharing=none},gmem-encode-addresses)' %s | FileCheck %s

// The address of a value, base of its pool and offset, is the encoding of its
// type: on the value, in the signature, at its uses. The gmem attributes stay.
// CHECK: gmem.pool_table = [{{.*}}base = 1024{{.*}}base = 1088
// CHECK: func.func @basic(%arg0: tensor<16xf32, 1088 : i64> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32, 1216 : i64>
func.func @basic(%a: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: "top.Weight"() {{.*}} : () -> tensor<16xf32, 1024 : i64>
  %w = "top.Weight"() : () -> tensor<16xf32>
  // CHECK: "a.b"({{.*}} : (tensor<16xf32, 1088 : i64>, tensor<16xf32, 1024 : i64>) -> tensor<16xf32, 1152 : i64>
  %0 = "a.b"(%a, %w) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = "a.c"(%0) : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK: return %{{.*}} : tensor<16xf32, 1216 : i64>
  return %1 : tensor<16xf32>
}

// -----

// Shape and element type stay what they are; scalars have no address.
// CHECK: @types(%arg0: tensor<f32, 1024 : i64> {{.*}}, %arg1: index, %arg2: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>, 1088 : i64>
func.func @types(%a: tensor<f32>, %n: index, %b: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  return
}

// -----

// Only a scope that says something of its module is told where its regions
// lie; sizes in whole units of the alignment.
// CHECK: module.coeff_addr = 1024 : i64, module.coeff_size = 64 : i64, module.neuron_addr = 1088 : i64, module.neuron_size = 64 : i64, module.other = 1 : i64
module attributes {module.other = 1 : i64} {
  func.func @regions(%a: tensor<4xf32>) {
    %w = "top.Weight"() : () -> tensor<3xf32>
    return
  }
}

// -----

// CHECK-NOT: module.coeff_addr
// CHECK: module @device0
module @device0 {
  // CHECK: @f(%arg0: tensor<16xf32, 1024 : i64>
  func.func @f(%a: tensor<16xf32>) {
    return
  }
}
// CHECK: module @device1
module @device1 {
  // CHECK: @f(%arg0: tensor<8xf32, 1024 : i64>
  func.func @f(%a: tensor<8xf32>) {
    return
  }
}

// -----

// A call with one caller: argument and operand are one piece of memory, so are
// result and what is returned. A function without a body takes its types from
// the call.
// CHECK: func.func private @outside(tensor<4xf32, 1152 : i64>) -> tensor<8xf32, 1216 : i64>
func.func private @outside(tensor<4xf32>) -> tensor<8xf32>
// CHECK: func.func @main(%arg0: tensor<4xf32, [[A:[0-9]+]] : i64> {{.*}}) -> tensor<8xf32, 1216 : i64>
func.func @main(%a: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK: call @sub(%arg0) {{.*}} : (tensor<4xf32, [[A]] : i64>) -> (tensor<4xf32, 1088 : i64>, tensor<4xf32, 1152 : i64>)
  %0:2 = call @sub(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = call @outside(%0#1) : (tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK: func.func @sub(%arg0: tensor<4xf32, [[A]] : i64> {{.*}}) -> (tensor<4xf32, 1088 : i64>, tensor<4xf32, 1152 : i64>)
func.func @sub(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "a.two"(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What a layer group hands out is its results; all else in it is in no global
// memory. The host's argument is not in it either.
// CHECK: func.func @group(%arg0: tensor<4xf32>) -> tensor<4xf32, [[G:[0-9]+]] : i64>
func.func @group(%host: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "top.Input"(%arg0) {{.*}} : (tensor<4xf32>) -> tensor<4xf32, 1024 : i64>
  %a = "top.Input"(%host) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = "tpu.Group"(%a) ({
    // CHECK: "tpu.Load"(%{{.*}}) : (tensor<4xf32, 1024 : i64>) -> tensor<4xf32>
    %l = "tpu.Load"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "tpu.Store"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32, [[G]] : i64>
    %s = "tpu.Store"(%l) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "tpu.Yield"(%{{.*}}) : (tensor<4xf32, [[G]] : i64>) -> ()
    "tpu.Yield"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Ops of dialects that check no types take any: here a branch copies.
// CHECK: func.func @branch
func.func @branch(%a: tensor<4xf32>) {
  // CHECK: "a.jump"(%arg0)[^bb1] : (tensor<4xf32, 1024 : i64>) -> ()
  "a.jump"(%a)[^bb1] : (tensor<4xf32>) -> ()
// CHECK: ^bb1(%{{.*}}: tensor<4xf32, 1088 : i64>)
^bb1(%b: tensor<4xf32>):
  "a.use"(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

// What is padded has the address of its payload.
// CHECK-LABEL: @padded(
// CHECK: "a.op"(){{.*}}gmem.offset = array<i64: 0>{{.*}} : () -> tensor<4xf32, 1088 : i64>
func.func @padded() {
  %0 = "a.op"() {gmem.padding = [array<i64: 16, 0>]} : () -> tensor<4xf32>
  "a.use"(%0) : (tensor<4xf32>) -> ()
  return
}
