// The memories that a module describes are the pools of its plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=none %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='io=separate alignment=64 sharing=none' %s 2>/dev/null | FileCheck %s --check-prefix=IO

// 1. A value goes to the fastest memory that every op on it reaches: what
// "accel" makes or reads cannot be in the memory of "cpu" alone. Alignments are
// those of the memories; one that has a base is at an address.
// CHECK-LABEL: {{^}}module attributes
// CHECK-SAME: {alignment = 16 : i64, kind = "workspace", lower_bound = 0 : i64, name = "dtcm", size = 64 : i64},
// CHECK-SAME: {alignment = 32 : i64, base = 536870912 : i64, kind = "workspace", lower_bound = 128 : i64, name = "sram", size = 128 : i64}]
// CHECK: func.func @targets(%arg0: {{.*}}gmem.pool = "dtcm"
// CHECK: "my.a"{{.*}}gmem.pool = ["sram"]
// CHECK: "my.b"{{.*}}gmem.pool = ["sram"]
// CHECK: "my.c"{{.*}}gmem.pool = ["dtcm"]
module attributes {gmem.target = "cpu", gmem.memories = [
    {name = "dtcm", targets = ["cpu"], speed = 2 : i64, alignment = 16 : i64},
    {name = "sram", base = 0x20000000 : i64, alignment = 32 : i64}]} {
  func.func @targets(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = "my.a"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "my.b"(%0) {gmem.target = "accel"} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "my.c"(%1) : (tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// 2. The target of a function counts for all in it, also in bodies that are not
// planned themselves. A plain call touches nothing: its callee does.
// CHECK-LABEL: {{^}}module attributes
// CHECK: func.func @functions
// CHECK: "my.a"{{.*}}gmem.pool = ["far"]
// CHECK: call @inner({{.*}}gmem.pool = ["far"]
// CHECK: "my.group"
// CHECK: }) {gmem.layer_group{{.*}}gmem.pool = ["near"]
module attributes {gmem.memories = [
    {name = "near", targets = ["cpu"]}, {name = "far", targets = ["accel"]},
    {name = "spare", targets = ["dsp"]}]} {
  func.func @functions() {
    %0 = "my.a"() : () -> tensor<16xf32>
    %1 = func.call @inner(%0) {gmem.target = "cpu"} : (tensor<16xf32>) -> tensor<16xf32>
    "my.use"(%1) : (tensor<16xf32>) -> ()
    %2 = "my.group"() ({
      %3 = "my.local"() {gmem.target = "accel"} : () -> tensor<16xf32>
      "my.done"(%3) : (tensor<16xf32>) -> ()
    }) {gmem.layer_group} : () -> tensor<16xf32>
    "my.use"(%2) {gmem.target = "cpu"} : (tensor<16xf32>) -> ()
    return
  }
  func.func private @inner(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {gmem.target = "accel"} {
    %0 = "my.b"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// 3. gmem.pools narrows and orders: of all results, of each, of an argument. An
// empty list says nothing.
// CHECK-LABEL: {{^}}module attributes
// CHECK: func.func @wishes(%arg0: {{.*}}gmem.pool = "b"
// CHECK: "my.one"{{.*}}gmem.pool = ["c"]
// CHECK: "my.two"{{.*}}gmem.pool = ["b", "a"]
module attributes {gmem.memories = [{name = "a"}, {name = "b"}, {name = "c"}]} {
  func.func @wishes(%x: tensor<16xf32> {gmem.pools = ["b"]}) {
    %0 = "my.one"(%x) {gmem.pools = ["c", "a"]} : (tensor<16xf32>) -> tensor<16xf32>
    %1:2 = "my.two"(%0) {gmem.pools = [["b", "c"], []]} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    "my.use"(%1#0, %1#1) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// 4. Two values that are one memory: what both ask for, in the order of the
// first.
// CHECK-LABEL: {{^}}module attributes
// CHECK: func.func @both
// CHECK: "my.a"{{.*}}gmem.pool = ["c"]
// CHECK: tensor.expand_shape{{.*}}gmem.pool = ["c"]
module attributes {gmem.memories = [{name = "a"}, {name = "b"}, {name = "c"}]} {
  func.func @both() {
    %0 = "my.a"() {gmem.pools = ["c", "b"]} : () -> tensor<16xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.pools = ["a", "b", "c"]} : tensor<16xf32> into tensor<4x4xf32>
    "my.use"(%1) : (tensor<4x4xf32>) -> ()
    return
  }
}

// -----

// 5. A hard limit: what is used least leaves, whatever comes first.
// CHECK-LABEL: {{^}}module attributes
// CHECK-SAME: capacity = 64 : i64, kind = "workspace", lower_bound = 0 : i64, name = "fast", size = 64 : i64}
// CHECK: func.func @limit
// CHECK: "my.rare"{{.*}}gmem.pool = ["slow"]
// CHECK: "my.often"{{.*}}gmem.pool = ["fast"]
module attributes {gmem.memories = [
    {name = "slow", alignment = 64 : i64},
    {name = "fast", alignment = 64 : i64, capacity = 64 : i64, speed = 8 : i64}]} {
  func.func @limit() {
    %0 = "my.rare"() : () -> tensor<16xf32>
    %1 = "my.often"() : () -> tensor<16xf32>
    "my.use"(%1) : (tensor<16xf32>) -> ()
    "my.use"(%1) : (tensor<16xf32>) -> ()
    "my.use"(%0, %1) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// 6. A hint is kept while another memory has room ...
// CHECK-LABEL: {{^}}module attributes
// CHECK-SAME: name = "near", size = 64 : i64, size_hint = 100 : i64}
// CHECK-SAME: name = "far", size = 64 : i64}
// ... and exceeded where none has: as far as is needed, and with a remark. What
// has another choice does not fill it up then.
// REMARK: remark: pool 'near' needs 192 bytes, more than its size hint of 100
// REMARK-NOT: remark: pool
module attributes {gmem.memories = [
    {name = "near", alignment = 64 : i64, size = 100 : i64},
    {name = "far", alignment = 64 : i64}]} {
  func.func @hint() {
    %0 = "my.a"() : () -> tensor<16xf32>
    %1 = "my.b"() : () -> tensor<16xf32>
    "my.use"(%0, %1) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// CHECK-LABEL: {{^}}module attributes
// CHECK-SAME: lower_bound = 192 : i64, name = "near", size = 192 : i64, size_hint = 100 : i64}
// CHECK-SAME: name = "far", size = 64 : i64}
module attributes {gmem.memories = [
    {name = "near", alignment = 64 : i64, size = 100 : i64},
    {name = "far", alignment = 64 : i64}]} {
  func.func @exceeded() {
    %0 = "my.a"() {gmem.pools = ["near"]} : () -> tensor<16xf32>
    %1 = "my.b"() {gmem.pools = ["near"]} : () -> tensor<32xf32>
    %2 = "my.c"() : () -> tensor<16xf32>
    "my.use"(%0, %1, %2) : (tensor<16xf32>, tensor<32xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// 7. Behind another pool: behind the bytes that are used of it, at a multiple
// of the alignment. "weights" is one where no constant memory is described.
// CHECK-LABEL: {{^}}module attributes
// CHECK-SAME: base = 0 : i64, kind = "constant", {{[^}]*}}name = "weights", size = 0 : i64}
// CHECK-SAME: {alignment = 256 : i64, base = 512 : i64, {{[^}]*}}name = "last", size = 0 : i64}
// CHECK-SAME: {alignment = 64 : i64, base = 256 : i64, {{[^}]*}}name = "middle", size = 64 : i64}
// CHECK-SAME: {alignment = 64 : i64, base = 0 : i64, {{[^}]*}}name = "first", size = 200 : i64}
module attributes {gmem.memories = [
    {name = "last", after = "middle", alignment = 256 : i64},
    {name = "middle", after = "first", alignment = 64 : i64},
    {name = "first", after = "weights", alignment = 64 : i64}]} {
  func.func @behind() {
    %0 = "my.a"() {gmem.pools = ["first"]} : () -> tensor<50xf32>
    %1 = "my.b"() {gmem.pools = ["middle"]} : () -> tensor<16xf32>
    "my.use"(%0, %1) : (tensor<50xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// 8. Memrefs go to the memories that take their memory space; one that says
// nothing of spaces takes the default one. A space that no memory takes has a
// pool of its own, as without any description. The start of a pool is aligned
// to the most that one of its memrefs may ask for.
// CHECK-LABEL: {{^}}module attributes
// CHECK-SAME: {alignment = 128 : i64, kind = "workspace", {{[^}]*}}name = "sram", size = 64 : i64}
// CHECK-SAME: {alignment = 128 : i64, kind = "workspace", {{[^}]*}}name = "tile", size = 128 : i64}
// CHECK-SAME: {alignment = 64 : i64, kind = "workspace", {{[^}]*}}name = "memory.2", size = 64 : i64}]
// CHECK: gmem.pool = ["sram"]{{.*}} : memref<16xf32>
// CHECK: gmem.pool = ["tile"]{{.*}} : memref<16xf32>
// CHECK: gmem.pool = ["tile"]{{.*}} : memref<16xf32, 1>
// CHECK: gmem.pool = ["memory.2"]{{.*}} : memref<16xf32, 2>
module attributes {gmem.memories = [
    {name = "sram"}, {name = "tile", spaces = ["1", "memory"]}]} {
  func.func @spaces(%x: f32) {
    %c = arith.constant 0 : index
    %0 = memref.alloc() : memref<16xf32>
    %1 = memref.alloc() {alignment = 128 : i64, gmem.pools = ["tile", "sram"]} : memref<16xf32>
    %2 = memref.alloc() : memref<16xf32, 1>
    %3 = memref.alloc() : memref<16xf32, 2>
    memref.store %x, %0[%c] : memref<16xf32>
    memref.store %x, %1[%c] : memref<16xf32>
    memref.store %x, %2[%c] : memref<16xf32, 1>
    memref.store %x, %3[%c] : memref<16xf32, 2>
    memref.store %x, %1[%c] : memref<16xf32>
    memref.store %x, %0[%c] : memref<16xf32>
    return
  }
}

// -----

// 9. All that a memref is seen as counts: a view in a called function, and what
// a loop carries. What frees it does not.
// CHECK-LABEL: {{^}}module attributes
// CHECK: func.func @seen
// CHECK: memref.alloc() {{.*}}gmem.pool = ["far"]
// CHECK: memref.alloc() {{.*}}gmem.pool = ["near"]
module attributes {gmem.memories = [
    {name = "near", targets = ["cpu"]}, {name = "far", targets = ["cpu", "accel"]}]} {
  func.func @seen() attributes {gmem.target = "cpu"} {
    %0 = memref.alloc() : memref<16xf32>
    %1 = memref.alloc() : memref<16xf32>
    func.call @view(%0) : (memref<16xf32>) -> ()
    func.call @view2(%1) : (memref<16xf32>) -> ()
    memref.dealloc %1 {gmem.target = "accel"} : memref<16xf32>
    return
  }
  func.func private @view(%x: memref<16xf32>) attributes {gmem.target = "accel"} {
    %0 = memref.subview %x[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
    %c = arith.constant 0 : index
    %1 = memref.load %0[%c] : memref<4xf32, strided<[1], offset: 4>>
    return
  }
  func.func private @view2(%x: memref<16xf32>) {
    %c = arith.constant 0 : index
    %1 = memref.load %x[%c] : memref<16xf32>
    return
  }
}

// -----

// 10. What lies at one place goes to one pool: the argument's op on "accel"
// keeps the result out of the memory of "cpu", too.
// CHECK-LABEL: {{^}}module attributes
// CHECK: func.func @tied(%arg0: {{.*}}gmem.pool = "far"
// CHECK: "my.read"
// CHECK: "my.make"{{.*}}gmem.pool = ["far"]
module attributes {gmem.memories = [
    {name = "near", targets = ["cpu"]}, {name = "far", targets = ["cpu", "accel"]}]} {
  func.func @tied(%x: tensor<16xf32>) -> (tensor<16xf32> {gmem.same_as = 0 : i64}) {
    "my.read"(%x) {gmem.target = "accel"} : (tensor<16xf32>) -> ()
    %0 = "my.make"() {gmem.target = "cpu"} : () -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// 11. Nested modules use the memories of the one around them, or their own.
// CHECK-LABEL: {{^}}module attributes
// CHECK: module @a
// CHECK-SAME: name = "outer", size = 64 : i64
// CHECK: module @b
// CHECK-SAME: name = "inner", size = 64 : i64
module attributes {gmem.memories = [{name = "outer"}]} {
  module @a {
    func.func @f() {
      %0 = "my.a"() : () -> tensor<16xf32>
      "my.use"(%0) : (tensor<16xf32>) -> ()
      return
    }
  }
  module @b attributes {gmem.memories = [{name = "inner"}]} {
    func.func @f() {
      %0 = "my.a"() : () -> tensor<16xf32>
      "my.use"(%0) : (tensor<16xf32>) -> ()
      return
    }
  }
}

// -----

// 12. Inputs and outputs that have pools of their own keep them; these have no
// address here.
// CHECK-LABEL: {{^}}module attributes
// CHECK: "my.b"{{.*}}gmem.pool = ["only"]
// IO: {{.*}}{alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "io", size = 64 : i64}]
// IO: func.func @io(%arg0: {{.*}}gmem.pool = "io"
// IO: "my.a"{{.*}}gmem.pool = ["only"]
// IO: "my.b"{{.*}}gmem.pool = ["io"]
module attributes {gmem.memories = [{name = "only", alignment = 64 : i64}]} {
  func.func @io(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = "my.a"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "my.b"(%0) : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// 13. What one terminator may hand to one block in two ways was placed as if
// nobody copied it: "npu" has to reach all three.
// CHECK-LABEL: func.func @two_ways
// CHECK-SAME: gmem.block_args = [{block = 1 {{.*}}pool = ["slow"]
// CHECK: "my.a"() {{.*}}gmem.pool = ["slow"]
// CHECK: "my.b"() {{.*}}gmem.pool = ["slow"]
// CHECK: "my.c"() {{.*}}gmem.pool = ["fast"]
module attributes {gmem.memories = [
    {name = "slow"}, {name = "fast", speed = 2 : i64, targets = ["cpu"]}]} {
  func.func @two_ways(%flag: i1) {
    %0 = "my.a"() : () -> tensor<16xf32>
    %1 = "my.b"() : () -> tensor<16xf32>
    %2 = "my.c"() : () -> tensor<16xf32>
    cf.cond_br %flag, ^bb1(%0 : tensor<16xf32>), ^bb1(%1 : tensor<16xf32>) {gmem.target = "npu"}
  ^bb1(%3: tensor<16xf32>):
    "my.use"(%2, %3) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}
