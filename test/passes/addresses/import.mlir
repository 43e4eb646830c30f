// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-import-addresses --gmem-verify-plan %s | FileCheck %s --implicit-check-not=': i64>)'

// Addresses leave the types and become offsets in pools: weights and all else.
// A pool begins at its lowest address, and its alignment is what all of its
// addresses have in common.
// CHECK: gmem.plan = {algorithm = "imported", keep_inputs = false, lower_bound = 128 : i64, memrefs = false, optimal = false, peak = 192 : i64
// CHECK-SAME: gmem.pool_table = [{alignment = 64 : i64, base = 1088 : i64, kind = "constant", lower_bound = 64 : i64, name = "weights", size = 64 : i64}
// CHECK-SAME: {alignment = 64 : i64, base = 4096 : i64, kind = "workspace", lower_bound = 128 : i64, name = "tensors", size = 192 : i64}]
// CHECK: func.func @basic(%arg0: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32>
func.func @basic(%a: tensor<16xf32, 4224 : i64>) -> tensor<16xf32, 4160 : i64> {
  // CHECK: "top.Weight"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
  %w = "top.Weight"() : () -> tensor<16xf32, 1088 : i64>
  // CHECK: "a.b"{{.*}}gmem.offset = array<i64: 0>{{.*}} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %0 = "a.b"(%a, %w) : (tensor<16xf32, 4224 : i64>, tensor<16xf32, 1088 : i64>) -> tensor<16xf32, 4096 : i64>
  // CHECK: "a.c"{{.*}}gmem.offset = array<i64: 64>
  %1 = "a.c"(%0) : (tensor<16xf32, 4096 : i64>) -> tensor<16xf32, 4160 : i64>
  return %1 : tensor<16xf32, 4160 : i64>
}

// -----

// Where the module says where its regions lie, that is where pools begin. It
// says nothing more afterwards: the gmem attributes do.
// CHECK: module attributes {gmem.plan =
// CHECK-SAME: base = 1024 : i64, kind = "constant"{{.*}}size = 128
// CHECK-SAME: base = 4096 : i64, kind = "workspace"{{.*}}size = 192
// CHECK-SAME: module.other = 1 : i64}
module attributes {module.coeff_addr = 1024 : i64, module.coeff_size = 4096 : i64,
                   module.neuron_addr = 4096 : i64, module.neuron_size = 192 : i64,
                   module.other = 1 : i64} {
  // CHECK: gmem.offset = 128
  func.func @regions(%a: tensor<16xf32, 4224 : i64>) {
    // CHECK: gmem.offset = array<i64: 64>
    %w = "top.Weight"() : () -> tensor<16xf32, 1088 : i64>
    return
  }
}

// -----

// Inputs and outputs in a region of their own. An op may write its output over
// a dying input there.
// CHECK: module attributes {gmem.plan = {algorithm = "imported", io = "separate", {{.*}}peak = 192 : i64
// CHECK-SAME: base = 4096 : i64, kind = "workspace"{{.*}}name = "tensors", size = 128 : i64}
// CHECK-SAME: base = 1024 : i64, kind = "workspace"{{.*}}name = "io", size = 64 : i64}]}
module attributes {module.io_addr = 1024 : i64, module.io_size = 64 : i64} {
  // CHECK: gmem.pool = "io"
  func.func @io(%a: tensor<16xf32, 1024 : i64>) -> tensor<16xf32, 1024 : i64> {
    // CHECK: "a.b"{{.*}}gmem.pool = ["tensors"]
    %0 = "a.b"(%a) : (tensor<16xf32, 1024 : i64>) -> tensor<16xf32, 4096 : i64>
    // CHECK: "a.c"{{.*}}gmem.pool = ["tensors"]
    %1 = "a.c"(%0) : (tensor<16xf32, 4096 : i64>) -> tensor<16xf32, 4160 : i64>
    // CHECK: "a.d"{{.*}}gmem.pool = ["io"]
    %2 = "a.d"(%1) : (tensor<16xf32, 4160 : i64>) -> tensor<16xf32, 1024 : i64>
    return %2 : tensor<16xf32, 1024 : i64>
  }
}

// -----

// Another tensor uses the region when it is free: there is one pool then.
// CHECK: module attributes {gmem.plan = {algorithm = "imported", keep_inputs
// CHECK-SAME: base = 1024 : i64, kind = "workspace"{{.*}}name = "tensors", size = 128 : i64}]}
module attributes {module.io_addr = 1024 : i64, module.io_size = 128 : i64} {
  // CHECK: gmem.pool = "tensors"
  func.func @mixed(%a: tensor<16xf32, 1024 : i64>) -> tensor<16xf32, 1088 : i64> {
    %0 = "a.b"(%a) : (tensor<16xf32, 1024 : i64>) -> tensor<16xf32, 1088 : i64>
    %1 = "a.c"(%0) : (tensor<16xf32, 1088 : i64>) -> tensor<16xf32, 1024 : i64>
    %2 = "a.d"(%1) : (tensor<16xf32, 1024 : i64>) -> tensor<16xf32, 1088 : i64>
    return %2 : tensor<16xf32, 1088 : i64>
  }
}

// -----

// A module that holds one module per device: each is planned on its own, and
// has its own @f.
// CHECK: module @device0 attributes {gmem.plan = {{.*}}peak = 64 : i64{{.*}}base = 128 : i64, kind = "workspace"
module @device0 {
  // CHECK: @f(%arg0: tensor<16xf32> {gmem.offset = 0
  func.func @f(%a: tensor<16xf32, 128 : i64>) {
    return
  }
}
// CHECK: module @device1 attributes {gmem.plan = {{.*}}peak = 32 : i64{{.*}}base = 256 : i64, kind = "workspace"
module @device1 {
  // CHECK: @f(%arg0: tensor<8xf32> {gmem.offset = 0
  func.func @f(%a: tensor<8xf32, 256 : i64>) {
    return
  }
}

// -----

// A call, its callee's signature and what the callee returns agree before and
// after; the argument is the operand.
// CHECK: func.func @main(%arg0: tensor<4xf32> {gmem.offset = 0
func.func @main(%a: tensor<4xf32, 16 : i64>) -> (tensor<4xf32, 48 : i64>, tensor<4xf32, 32 : i64>) {
  // CHECK: call @sub(%arg0) {gmem.offset = array<i64: 16, 32>{{.*}} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %0:2 = call @sub(%a) : (tensor<4xf32, 16 : i64>) -> (tensor<4xf32, 32 : i64>, tensor<4xf32, 48 : i64>)
  // CHECK: return %0#1, %0#0 : tensor<4xf32>, tensor<4xf32>
  return %0#1, %0#0 : tensor<4xf32, 48 : i64>, tensor<4xf32, 32 : i64>
}
// CHECK: func.func @sub(%arg0: tensor<4xf32> {gmem.offset = 0{{.*}}}) -> (tensor<4xf32>, tensor<4xf32>)
func.func @sub(%a: tensor<4xf32, 16 : i64>) -> (tensor<4xf32, 32 : i64>, tensor<4xf32, 48 : i64>) {
  %0:2 = "a.two"(%a) : (tensor<4xf32, 16 : i64>) -> (tensor<4xf32, 32 : i64>, tensor<4xf32, 48 : i64>)
  return %0#0, %0#1 : tensor<4xf32, 32 : i64>, tensor<4xf32, 48 : i64>
}

// -----

// Inside a layer group, what is handed out has the address of the result. The
// host's argument has none, and needs none.
// CHECK: func.func @group(%arg0: tensor<4xf32>) -> tensor<4xf32>
func.func @group(%host: tensor<4xf32>) -> tensor<4xf32, 16 : i64> {
  // CHECK: "top.Input"(%arg0) {gmem.offset = array<i64: 0>
  %a = "top.Input"(%host) : (tensor<4xf32>) -> tensor<4xf32, 0 : i64>
  %0 = "tpu.Group"(%a) ({
    %l = "tpu.Load"(%a) : (tensor<4xf32, 0 : i64>) -> tensor<4xf32>
    // CHECK: "tpu.Store"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
    %s = "tpu.Store"(%l) : (tensor<4xf32>) -> tensor<4xf32, 16 : i64>
    // CHECK: "tpu.Yield"(%{{.*}}) : (tensor<4xf32>) -> ()
    "tpu.Yield"(%s) : (tensor<4xf32, 16 : i64>) -> ()
  }) : (tensor<4xf32, 0 : i64>) -> tensor<4xf32, 16 : i64>
  return %0 : tensor<4xf32, 16 : i64>
}

// -----

// Control flow: what is carried, yielded and branched to.
// CHECK: func.func @loop
func.func @loop(%n: index, %a: tensor<4xf32, 16 : i64>) -> tensor<4xf32, 16 : i64> {
  // CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<4xf32>)
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> tensor<4xf32, 16 : i64> {
    %1 = "a.b"(%x) : (tensor<4xf32, 16 : i64>) -> tensor<4xf32, 32 : i64>
    %2 = "a.c"(%1) : (tensor<4xf32, 32 : i64>) -> tensor<4xf32, 16 : i64>
    // CHECK: scf.yield %{{.*}} : tensor<4xf32>
    scf.yield %2 : tensor<4xf32, 16 : i64>
  }
  return %r : tensor<4xf32, 16 : i64>
}

// -----

// Without an address: what is the same memory as a value that has one, and
// empty tensors.
// CHECK: func.func @reshaped
func.func @reshaped(%a: tensor<2x2xf32, 16 : i64>) -> tensor<4xf32> {
  // CHECK: "tpu.Reshape"{{.*}}gmem.offset = array<i64: 0>
  %0 = "tpu.Reshape"(%a) : (tensor<2x2xf32, 16 : i64>) -> tensor<4xf32>
  // CHECK: "a.empty"{{.*}}gmem.offset = array<i64: 0>
  %1 = "a.empty"() : () -> tensor<0xf32>
  return %0 : tensor<4xf32>
}

// -----

// A reshape between two addresses copies: it says so from then on.
// CHECK: func.func @moved
func.func @moved(%a: tensor<2x2xf32, 16 : i64>) -> tensor<4xf32, 64 : i64> {
  // CHECK: "tpu.Reshape"{{.*}}gmem.offset = array<i64: 48>, gmem.op_model = {kind = "compute"}
  %0 = "tpu.Reshape"(%a) : (tensor<2x2xf32, 16 : i64>) -> tensor<4xf32, 64 : i64>
  return %0 : tensor<4xf32, 64 : i64>
}

// -----

// An earlier plan is replaced, its pools too.
// CHECK: gmem.pool_table = [{{[^]]*}}name = "weights"{{[^]]*}}name = "tensors"{{[^]]*}}]
// CHECK-NOT: "old"
module attributes {gmem.pool_table = [{alignment = 1 : i64, kind = "workspace", lower_bound = 0 : i64, name = "old", size = 0 : i64}]} {
  func.func @again(%a: tensor<4xf32, 0 : i64> {gmem.offset = 7 : i64, gmem.pool = "old", gmem.size = 16 : i64}) {
    return
  }
}

// -----

// A function without a body has the types of its calls.
// CHECK: func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func private @outside(tensor<4xf32, 64 : i64>) -> tensor<4xf32, 128 : i64>
func.func @calls(%a: tensor<4xf32, 64 : i64>) {
  %0 = call @outside(%a) : (tensor<4xf32, 64 : i64>) -> tensor<4xf32, 128 : i64>
  return
}

// -----

// Types that are in no value stay: attributes of ops may hold any.
// CHECK: func.func @types
func.func @types(%a: tensor<4xf32, 64 : i64>) {
  // CHECK: "a.b"() {type = tensor<4xf32, 64 : i64>}
  "a.b"() {type = tensor<4xf32, 64 : i64>} : () -> ()
  return
}

// -----

// What a program allocates itself has no address in its type, and neither has a
// constant memref: they are none of the other compiler's business, and stay
// without a place.
// CHECK: memrefs = false
// CHECK: func.func @memrefs
memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func @memrefs(%a: tensor<16xf32, 4096 : i64>) {
  // CHECK: memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>
  // CHECK: memref.get_global @g : memref<4xf32>
  %g = memref.get_global @g : memref<4xf32>
  memref.copy %g, %m : memref<4xf32> to memref<4xf32>
  // CHECK: "a.b"{{.*}}gmem.offset = array<i64: 64>
  %0 = "a.b"(%a, %m) : (tensor<16xf32, 4096 : i64>, memref<4xf32>) -> tensor<16xf32, 4160 : i64>
  return
}
