// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses in several memories of one address space, told apart by their upper
// bits: each is a pool, described in gmem.memories, and not one pool from the
// first memory to the last. Encoding the plan gives the same addresses.
// RUN: split-file %s %t.d
// RUN: gmem-opt --allow-unregistered-dialect --gmem-import-addresses --gmem-verify-plan=figures=strict %t.d/tags.mlir | FileCheck %s --check-prefix=TAGS
// RUN: gmem-opt --allow-unregistered-dialect --gmem-import-addresses --gmem-encode-addresses %t.d/tags.mlir | FileCheck %s --check-prefix=BACK
// TAGS: module attributes {gmem.memories = [{base = 2199023255552 : i64, kind = "workspace", name = "tensors"}, {base = 32985348833280 : i64, kind = "workspace", name = "tensors.1"}, {base = 34084860461056 : i64, kind = "workspace", name = "tensors.2"}]
// TAGS-SAME: gmem.plan = {algorithm = "imported"{{.*}}peak = 192
// TAGS-SAME: {alignment = 4096 : i64, base = 1099511627776 : i64, kind = "constant", lower_bound = 64 : i64, name = "weights", size = 64 : i64}
// TAGS-SAME: base = 2199023255552 : i64, kind = "workspace"{{.*}}name = "tensors", size = 64
// TAGS-SAME: base = 32985348833280 : i64, kind = "workspace"{{.*}}name = "tensors.1", size = 64
// TAGS-SAME: base = 34084860461056 : i64, kind = "workspace"{{.*}}name = "tensors.2", size = 64
// TAGS: func.func @main(%arg0: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors.1"
// TAGS: "top.Weight"() {{.*}}gmem.pool = ["weights"]
// TAGS: "a.b"{{.*}}gmem.pool = ["tensors.2"]
// TAGS: "a.c"{{.*}}gmem.pool = ["tensors"]
// BACK: func.func @main(%arg0: tensor<16xf32, 32985348833280 : i64>
// BACK: "a.b"{{.*}} -> tensor<16xf32, 34084860461056 : i64>
// BACK: "a.c"{{.*}} -> tensor<16xf32, 2199023255552 : i64>

// Weights in two memories, tensors in one.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-import-addresses --gmem-verify-plan=figures=strict %t.d/weights.mlir | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS: gmem.memories = [{base = 4096 : i64, kind = "constant", name = "weights"}, {base = 1099511627776 : i64, kind = "constant", name = "weights.1"}]
// WEIGHTS-SAME: name = "tensors", size = 128
// WEIGHTS: "top.Weight"() {{.*}}gmem.pool = ["weights"]
// WEIGHTS: "top.Weight"() {{.*}}gmem.pool = ["weights.1"]

// A gap that is none: 1 GiB.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-import-addresses --gmem-verify-plan=figures=strict %t.d/gap.mlir | FileCheck %s --check-prefix=GAP --implicit-check-not=gmem.memories
// GAP: name = "tensors", size = 1073741888

// Tensors with the addresses of weights, but in another address space.
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-import-addresses --gmem-verify-plan %t.d/apart.mlir 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: error: pools 'weights' and 'tensors' share addresses
// RUN: gmem-opt --allow-unregistered-dialect --gmem-import-addresses=tensor-base=none --gmem-verify-plan=figures=strict %t.d/apart.mlir | FileCheck %s --check-prefix=APART
// APART: {alignment = 4096 : i64, base = 4096 : i64, kind = "constant", lower_bound = 64 : i64, name = "weights", size = 64 : i64}
// APART-SAME: {alignment = 64 : i64, kind = "workspace", lower_bound = 128 : i64, name = "tensors", size = 128 : i64}
// APART: gmem.offset = 64
// APART: "a.b"{{.*}}gmem.offset = array<i64: 0>
// RUN: gmem-opt --allow-unregistered-dialect --gmem-import-addresses=tensor-base=none --gmem-verify-plan=figures=strict %t.d/tags.mlir | FileCheck %s --check-prefix=NO-BASES
// NO-BASES: gmem.memories = [{kind = "workspace", name = "tensors"}, {kind = "workspace", name = "tensors.1"}, {kind = "workspace", name = "tensors.2"}]
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-import-addresses=tensor-base=4096 %t.d/apart.mlir 2>&1 | FileCheck %s --check-prefix=BASE
// BASE: error: tensor-base: the types state the addresses: expected none

//--- tags.mlir
module {
  func.func @main(%a: tensor<16xf32, 32985348833280 : i64>) -> tensor<16xf32, 2199023255552 : i64> {
    %w = "top.Weight"() : () -> tensor<16xf32, 1099511627776 : i64>
    %0 = "a.b"(%a, %w) : (tensor<16xf32, 32985348833280 : i64>, tensor<16xf32, 1099511627776 : i64>) -> tensor<16xf32, 34084860461056 : i64>
    %e = "a.e"() : () -> tensor<0xf32, 0 : i64>
    %1 = "a.c"(%0, %e) : (tensor<16xf32, 34084860461056 : i64>, tensor<0xf32, 0 : i64>) -> tensor<16xf32, 2199023255552 : i64>
    return %1 : tensor<16xf32, 2199023255552 : i64>
  }
}

//--- weights.mlir
module {
  func.func @main(%a: tensor<16xf32, 8192 : i64>) -> tensor<16xf32, 8256 : i64> {
    %v = "top.Weight"() : () -> tensor<16xf32, 4096 : i64>
    %w = "top.Weight"() : () -> tensor<16xf32, 1099511627776 : i64>
    %0 = "a.b"(%a, %v, %w) : (tensor<16xf32, 8192 : i64>, tensor<16xf32, 4096 : i64>, tensor<16xf32, 1099511627776 : i64>) -> tensor<16xf32, 8256 : i64>
    return %0 : tensor<16xf32, 8256 : i64>
  }
}

//--- gap.mlir
module {
  func.func @main(%a: tensor<16xf32, 8192 : i64>) -> tensor<16xf32, 1073750016 : i64> {
    %0 = "a.b"(%a) : (tensor<16xf32, 8192 : i64>) -> tensor<16xf32, 1073750016 : i64>
    return %0 : tensor<16xf32, 1073750016 : i64>
  }
}

//--- apart.mlir
module {
  func.func @main(%a: tensor<16xf32, 4160 : i64>) -> tensor<16xf32, 4096 : i64> {
    %w = "top.Weight"() : () -> tensor<16xf32, 4096 : i64>
    %0 = "a.b"(%a, %w) : (tensor<16xf32, 4160 : i64>, tensor<16xf32, 4096 : i64>) -> tensor<16xf32, 4096 : i64>
    return %0 : tensor<16xf32, 4096 : i64>
  }
}
