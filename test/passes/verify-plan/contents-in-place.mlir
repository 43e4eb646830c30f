// Does every op find what it reads? Memrefs that are written over others element by
// element, in plans written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Each element is read for the last time when it is written.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// In whatever order the loops are, if both are read and written in the same.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.generic {indexing_maps = [#turned, #turned], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// Element (i, j) is written before (j, i) is read.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    // expected-error @+2 {{'linalg.generic' still reads result #0 of 'memref.alloc', but 'linalg.generic' has overwritten bytes [0, 64)}}
    // expected-note @+1 {{'linalg.generic' writes there}}
    linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// 2. All of an allocation by another name.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    %w = memref.collapse_shape %a [[0, 1]] : memref<4x4xi32> into memref<16xi32>
    %x = memref.expand_shape %w [[0, 1]] output_shape [4, 4] : memref<16xi32> into memref<4x4xi32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// A part of one: the other begins where it does.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<2x4xi32>
    %w = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<4x4xi32> to memref<2x4xi32, strided<[4, 1]>>
    // expected-error @+2 {{'linalg.generic' still reads result #0 of 'memref.alloc', but 'linalg.generic' has overwritten bytes [0, 32)}}
    // expected-note @+1 {{'linalg.generic' writes there}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w : memref<2x4xi32, strided<[4, 1]>>) outs(%b : memref<2x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
    }
    %y = memref.subview %out[0, 0] [2, 4] [1, 1] : memref<4x4xi32> to memref<2x4xi32, strided<[4, 1]>>
    memref.copy %b, %y : memref<2x4xi32> to memref<2x4xi32, strided<[4, 1]>>
    return
  }
}

// -----

// At other bytes.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 32>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    // expected-error @+2 {{'linalg.generic' still reads result #0 of 'memref.alloc', but 'linalg.generic' has overwritten bytes [32, 64)}}
    // expected-note @+1 {{'linalg.generic' writes there}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// 3. Two operands read the memory, both where it is written.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %f: i32, %o: i32):
      %s = arith.addi %e, %f : i32
      linalg.yield %s : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// One of them elsewhere.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    // expected-error @+2 {{'linalg.generic' still reads result #0 of 'memref.alloc', but 'linalg.generic' has overwritten bytes [0, 64)}}
    // expected-note @+1 {{'linalg.generic' writes there}}
    linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %f: i32, %o: i32):
      %s = arith.addi %e, %f : i32
      linalg.yield %s : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// The body of the op reads it, and might write it.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    %c0 = arith.constant 0 : index
    // expected-error @+2 {{'linalg.generic' still reads result #0 of 'memref.alloc', but 'linalg.generic' has overwritten bytes [0, 64)}}
    // expected-note @+1 {{'linalg.generic' writes there}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      %f = memref.load %a[%c0, %c0] : memref<4x4xi32>
      %s = arith.addi %e, %f : i32
      linalg.yield %s : i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// 4. It is read once more later.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    // expected-note @+1 {{'linalg.generic' writes there}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
    }
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.generic' has overwritten bytes [0, 64)}}
    memref.copy %a, %out : memref<4x4xi32> to memref<4x4xi32>
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}

// -----

// 5. Of two that an op writes at the same bytes, none is known to be there after it.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<4x4xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128)}}
    %a = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    linalg.fill ins(%v : i32) outs(%out : memref<4x4xi32>)
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<4x4xi32>
    // expected-error @+2 {{'linalg.generic' still reads result #0 of 'memref.alloc', but 'linalg.generic' has overwritten bytes [64, 128)}}
    // expected-note @+1 {{'linalg.generic' writes there}}
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%out : memref<4x4xi32>) outs(%a, %b : memref<4x4xi32>, memref<4x4xi32>) {
    ^bb0(%e: i32, %o: i32, %p: i32):
      linalg.yield %e, %e : i32, i32
    }
    memref.copy %b, %out : memref<4x4xi32> to memref<4x4xi32>
    return
  }
}
