// Memory that is written anew as a whole holds nothing that is read from its last
// read until then: others have its bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// REQUIRES: mlir-22
// In MLIR 19 linalg.map has another form.

// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan=sharing=none | FileCheck %s
// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan=sharing=none | gmem-opt --split-input-file --allow-unregistered-dialect --gmem-verify-plan | FileCheck %s

// 1. All of it is written again, nothing of it is read in between: the memory is
//    free there.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 2. The same three times.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %u = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
  "some.use"(%u) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 3. By copies, maps and generic ops that do not use the elements of the output.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32, %in: memref<64xi32>) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  memref.copy %in, %s : memref<64xi32> to memref<64xi32>
  "some.use"(%s) : (memref<64xi32>) -> ()
  %u = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
  "some.use"(%u) : (memref<64xi32>) -> ()
  linalg.map ins(%in : memref<64xi32>) outs(%s : memref<64xi32>) (%e: i32, %o: i32) {
    linalg.yield %v : i32
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  %w = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%w : memref<64xi32>)
  "some.use"(%w) : (memref<64xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%in : memref<64xi32>) outs(%s : memref<64xi32>) {
  ^bb0(%e: i32, %o: i32):
    linalg.yield %e : i32
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 4. But not if they do use them.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32, %in: memref<64xi32>) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%in : memref<64xi32>) outs(%s : memref<64xi32>) {
  ^bb0(%e: i32, %o: i32):
    %x = arith.addi %e, %o : i32
    linalg.yield %x : i32
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 5. Or if another operand is the same memory.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %w = memref.cast %s : memref<64xi32> to memref<?xi32>
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%w : memref<?xi32>) outs(%s : memref<64xi32>) {
  ^bb0(%e: i32, %o: i32):
    linalg.yield %e : i32
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 6. Or it is an operand twice.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : memref<64xi32>) outs(%s : memref<64xi32>) {
  ^bb0(%e: i32, %o: i32):
    linalg.yield %o : i32
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 7. Or the body reads it.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32, %i: index) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.map outs(%s : memref<64xi32>) (%o: i32) {
    %x = memref.load %s[%i] : memref<64xi32>
    linalg.yield %x : i32
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 8. Or loops write an element again and again: there may be no iteration.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32, %in: memref<?xi32>) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : memref<?xi32>) outs(%s : memref<64xi32>) {
  ^bb0(%e: i32, %o: i32):
    linalg.yield %e : i32
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 9. A view of all of it will do.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %w = memref.expand_shape %s [[0, 1]] output_shape [2, 32] : memref<64xi32> into memref<2x32xi32>
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%w : memref<2x32xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 10. A part of it will not.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %w = memref.subview %s[0] [63] [1] : memref<64xi32> to memref<63xi32, strided<[1]>>
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%w : memref<63xi32, strided<[1]>>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 11. Neither will a memref that may be another one.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 768 : i64
func.func @main(%v: i32, %c: i1) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %n = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%n : memref<64xi32>)
  %w = arith.select %c, %s, %n : memref<64xi32>
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%w : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  "some.use"(%n) : (memref<64xi32>) -> ()
  return
}

// -----

// 12. A function that writes all of what it is given: its own memory is there before,
//    in both calls, and that of the caller between them.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func private @late(%x: memref<64xi32>, %v: i32) {
  %own = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%own : memref<64xi32>)
  "some.use"(%own) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%x : memref<64xi32>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  call @late(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  call @late(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 13. Through another function, which gives it a view of all of it.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func private @later(%x: memref<64xi32>, %v: i32) {
  %w = memref.cast %x : memref<64xi32> to memref<?xi32>
  %y = memref.expand_shape %x [[0, 1]] output_shape [2, 32] : memref<64xi32> into memref<2x32xi32>
  call @late(%y, %v) : (memref<2x32xi32>, i32) -> ()
  return
}
func.func private @late(%x: memref<2x32xi32>, %v: i32) {
  %own = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%own : memref<64xi32>)
  "some.use"(%own) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%x : memref<2x32xi32>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  call @later(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  call @later(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 14. One that reads it first.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func private @late(%x: memref<64xi32>, %v: i32) {
  "some.use"(%x) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%x : memref<64xi32>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  call @late(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  call @late(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 15. One that writes it on one of two paths.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func private @late(%x: memref<64xi32>, %v: i32, %c: i1) {
  scf.if %c {
    linalg.fill ins(%v : i32) outs(%x : memref<64xi32>)
  }
  return
}
func.func @main(%v: i32, %c: i1) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  call @late(%s, %v, %c) : (memref<64xi32>, i32, i1) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  call @late(%s, %v, %c) : (memref<64xi32>, i32, i1) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 16. One that is given it twice: what it is given first is read.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func private @late(%x: memref<64xi32>, %y: memref<64xi32>, %v: i32) {
  "some.use"(%x) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%y : memref<64xi32>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  call @late(%s, %s, %v) : (memref<64xi32>, memref<64xi32>, i32) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  call @late(%s, %s, %v) : (memref<64xi32>, memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 17. A function that reads it, and writes it anew when it is done with memory of its own.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func private @g(%x: memref<64xi32>, %v: i32) {
  "some.use"(%x) : (memref<64xi32>) -> ()
  %own = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%own : memref<64xi32>)
  "some.use"(%own) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%x : memref<64xi32>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  call @g(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  call @g(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 18. It does not if it writes a part.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func private @g(%x: memref<64xi32>, %v: i32) {
  "some.use"(%x) : (memref<64xi32>) -> ()
  %own = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%own : memref<64xi32>)
  "some.use"(%own) : (memref<64xi32>) -> ()
  %w = memref.subview %x[0] [63] [1] : memref<64xi32> to memref<63xi32, strided<[1]>>
  linalg.fill ins(%v : i32) outs(%w : memref<63xi32, strided<[1]>>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  call @g(%s, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 19. Or if it is given a part of it.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func private @g(%x: memref<32xi32>, %v: i32) {
  "some.use"(%x) : (memref<32xi32>) -> ()
  %own = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%own : memref<64xi32>)
  "some.use"(%own) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%x : memref<32xi32>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %w = memref.subview %s[0] [32] [1] : memref<64xi32> to memref<32xi32, strided<[1]>>
  %y = memref.cast %w : memref<32xi32, strided<[1]>> to memref<32xi32>
  call @g(%y, %v) : (memref<32xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 20. Or if the caller keeps it over a call that is given other memory.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func private @g(%x: memref<64xi32>, %v: i32) {
  "some.use"(%x) : (memref<64xi32>) -> ()
  %own = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%own : memref<64xi32>)
  "some.use"(%own) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%x : memref<64xi32>)
  return
}
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %r = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%r : memref<64xi32>)
  "some.use"(%r) : (memref<64xi32>) -> ()
  call @g(%r, %v) : (memref<64xi32>, i32) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 21. In a loop, of which each iteration reads what the one before has left: the whole
//    loop keeps it.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func private @g(%x: memref<64xi32>, %v: i32) {
  "some.use"(%x) : (memref<64xi32>) -> ()
  %own = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%own : memref<64xi32>)
  "some.use"(%own) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%x : memref<64xi32>)
  return
}
func.func @main(%v: i32, %zero: index, %n: index, %one: index) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  scf.for %i = %zero to %n step %one {
    func.call @g(%s, %v) : (memref<64xi32>, i32) -> ()
  }
  return
}

// -----

// 22. Each iteration writes it anew: other memory of the loop is there before and
//    behind.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32, %zero: index, %n: index, %one: index) {
  %s = memref.alloc() : memref<64xi32>
  scf.for %i = %zero to %n step %one {
    %t = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
    "some.use"(%t) : (memref<64xi32>) -> ()
    linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
    "some.use"(%s) : (memref<64xi32>) -> ()
    %u = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
    "some.use"(%u) : (memref<64xi32>) -> ()
  }
  return
}

// -----

// 23. Unless an iteration reads what the one before has written.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32, %zero: index, %n: index, %one: index) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  scf.for %i = %zero to %n step %one {
    "some.use"(%s) : (memref<64xi32>) -> ()
    linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
    %u = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
    "some.use"(%u) : (memref<64xi32>) -> ()
  }
  return
}

// -----

// 24. Or something reads it behind the loop, which may have no iteration.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32, %zero: index, %n: index, %one: index) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  scf.for %i = %zero to %n step %one {
    %t = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
    "some.use"(%t) : (memref<64xi32>) -> ()
    linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
    "some.use"(%s) : (memref<64xi32>) -> ()
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 25. In an inner loop.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32, %zero: index, %n: index, %one: index) {
  %s = memref.alloc() : memref<64xi32>
  scf.for %i = %zero to %n step %one {
    %t = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
    "some.use"(%t) : (memref<64xi32>) -> ()
    scf.for %k = %zero to %n step %one {
      %u = memref.alloc() : memref<64xi32>
      linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
      "some.use"(%u) : (memref<64xi32>) -> ()
      linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
      "some.use"(%s) : (memref<64xi32>) -> ()
    }
    %w = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%w : memref<64xi32>)
    "some.use"(%w) : (memref<64xi32>) -> ()
  }
  return
}

// -----

// 26. In the arms of a branch.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32, %c: i1) {
  %s = memref.alloc() : memref<64xi32>
  scf.if %c {
    %t = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
    "some.use"(%t) : (memref<64xi32>) -> ()
    linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
    "some.use"(%s) : (memref<64xi32>) -> ()
  } else {
    linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
    "some.use"(%s) : (memref<64xi32>) -> ()
    %u = memref.alloc() : memref<64xi32>
    linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
    "some.use"(%u) : (memref<64xi32>) -> ()
  }
  %w = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%w : memref<64xi32>)
  "some.use"(%w) : (memref<64xi32>) -> ()
  return
}

// -----

// 27. Unless it is read behind the branch, which writes it on one path.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32, %c: i1) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  scf.if %c {
    linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  }
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 28. In a loop of blocks.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  cf.br ^body
^body:
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %u = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
  "some.use"(%u) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %c = "some.condition"() : () -> i1
  cf.cond_br %c, ^body, ^end
^end:
  return
}

// -----

// 29. Of which the next block reads it.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  cf.br ^body
^body:
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %c = "some.condition"() : () -> i1
  cf.cond_br %c, ^body, ^end
^end:
  %u = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%u : memref<64xi32>)
  "some.use"(%u) : (memref<64xi32>) -> ()
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 30. Code that runs later reads it at any time.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %token = async.execute {
    "some.use"(%s) : (memref<64xi32>) -> ()
    async.yield
  }
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  async.await %token : !async.token
  return
}

// -----

// 31. With streams, what is before in the text may still run.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) {gmem.stream = 0 : i64} : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 32. It is held.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @main(%v: i32) {
  %s = memref.alloc() {gmem.hold} : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  %t = memref.alloc() : memref<64xi32>
  linalg.fill ins(%v : i32) outs(%t : memref<64xi32>)
  "some.use"(%t) : (memref<64xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%s : memref<64xi32>)
  "some.use"(%s) : (memref<64xi32>) -> ()
  return
}

// -----

// 33. Such a function is given a memref that may be another one: a plan with its own
//    memory there was refused by the check of contents.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 768 : i64
func.func private @rewrite(%m: memref<64xi32>, %n: i32, %out: memref<64xi32>) {
  %own = memref.alloc() : memref<64xi32>
  memref.copy %out, %own : memref<64xi32> to memref<64xi32>
  memref.copy %own, %out : memref<64xi32> to memref<64xi32>
  linalg.fill ins(%n : i32) outs(%m : memref<64xi32>)
  memref.copy %m, %out : memref<64xi32> to memref<64xi32>
  return
}
func.func @main(%c: i1, %n: i32, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %out, %a : memref<64xi32> to memref<64xi32>
  memref.copy %out, %b : memref<64xi32> to memref<64xi32>
  %w = arith.select %c, %a, %b : memref<64xi32>
  memref.copy %w, %out : memref<64xi32> to memref<64xi32>
  func.call @rewrite(%w, %n, %out) : (memref<64xi32>, i32, memref<64xi32>) -> ()
  return
}
