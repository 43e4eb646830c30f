// What is not planned of the memory that a program allocates, and why. Arguments
// and views have no memory of their own: nothing is said of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.

// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics=only-expected --gmem-plan -o %t.mlir
// RUN: FileCheck %s < %t.mlir

// None of these has a place but those that say so.
// CHECK-NOT: gmem.offset

// 1. Returned to unknown callers; the first of several is shown.
func.func @returned(%c: i1) -> (memref<4xi32>, memref<?xi32>) {
  // expected-remark @+1 {{this memref of @returned is not planned: it is returned (1 more in this function for the same reason)}}
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %v = memref.cast %b : memref<4xi32> to memref<?xi32>
  // expected-note @+1 {{returned here}}
  return %a, %v : memref<4xi32>, memref<?xi32>
}

// -----

// 2. A private function is known to all its callers: it may return what it
//    allocates, to its only call.
func.func private @makes() -> memref<4xi32> {
  // CHECK: @makes
  // CHECK: memref.alloc() {gmem.offset
  %a = memref.alloc() : memref<4xi32>
  return %a : memref<4xi32>
}
func.func @takes() {
  %a = call @makes() : () -> memref<4xi32>
  "some.use"(%a) : (memref<4xi32>) -> ()
  return
}

// -----

// 3. But a public one may be called by others.
// CHECK-NOT: gmem.offset
func.func @makes() -> memref<4xi32> {
  // expected-remark @+1 {{this memref of @makes is not planned: it is returned}}
  %a = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{returned here}}
  return %a : memref<4xi32>
}
func.func @takes() {
  %a = call @makes() : () -> memref<4xi32>
  "some.use"(%a) : (memref<4xi32>) -> ()
  return
}

// -----

// 4. Stored where memrefs can be stored; what holds them has a place.
// CHECK-LABEL: @stored
// CHECK:     memref.alloc() : memref<4xi32>
// CHECK:     memref.alloc() {gmem.offset
func.func @stored() {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{this memref of @stored is not planned: it is stored in memory}}
  %a = memref.alloc() : memref<4xi32>
  %table = memref.alloc() : memref<2xmemref<4xi32>>
  // expected-note @+1 {{stored here}}
  memref.store %a, %table[%c0] : memref<2xmemref<4xi32>>
  %l = memref.load %table[%c0] : memref<2xmemref<4xi32>>
  "some.use"(%l) : (memref<4xi32>) -> ()
  return
}

// -----

// 5. An op may put it where a handle leads to.
// CHECK-NOT: gmem.offset
func.func @put(%list: !some.list) {
  // expected-remark @+1 {{this memref of @put is not planned: it is stored in memory}}
  %a = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{stored here}}
  "some.append"(%list, %a) : (!some.list, memref<4xi32>) -> ()
  return
}

// -----

// 6. Given to a function without a body, which may keep it; unless it promises
//    not to.
// CHECK-LABEL: @called
// CHECK:     memref.alloc() : memref<4xi32>
// CHECK:     memref.alloc() {gmem.offset
// CHECK:     memref.alloc() {gmem.offset
func.func private @keeps(memref<4xi32>)
func.func private @promises(memref<4xi32> {gmem.no_capture}, memref<4xi32> {llvm.nocapture})
func.func @called() {
  // expected-remark @+1 {{this memref of @called is not planned: it is passed to an unknown function}}
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %d = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{called here}}
  call @keeps(%a) : (memref<4xi32>) -> ()
  call @promises(%b, %d) : (memref<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// 7. The same by a pointer to a function, and by an op that names one and is no
//    call.
// CHECK-NOT: gmem.offset
func.func private @f(%m: memref<4xi32>) {
  return
}
func.func @indirect(%g: (memref<4xi32>) -> ()) {
  // expected-remark @+1 {{this memref of @indirect is not planned: it is passed to an unknown function (1 more in this function for the same reason)}}
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{called here}}
  call_indirect %g(%a) : (memref<4xi32>) -> ()
  "some.spawn"(%b) {what = @f} : (memref<4xi32>) -> ()
  return
}

// -----

// 8. Something else stands for it: a pointer, a tensor, its address.
func.func @handles() {
  // expected-remark @+1 {{this memref of @handles is not planned: it escapes through a value that is not a memref (2 more in this function for the same reason)}}
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %d = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{escapes here}}
  %p = "some.pointer"(%a) : (memref<4xi32>) -> !llvm.ptr
  // expected-remark @+1 {{this value of @handles is not planned: it is a view of a value that is not planned}}
  %t = bufferization.to_tensor %b restrict : memref<4xi32> to tensor<4xi32>
  %i = memref.extract_aligned_pointer_as_index %d : memref<4xi32> -> index
  "some.use"(%p, %t, %i) : (!llvm.ptr, tensor<4xi32>, index) -> ()
  return
}

// -----

// 9. Data that is read from it does not stand for it.
// CHECK: gmem.offset
func.func @data() -> (i32, vector<4xi32>, index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<4xi32>
  %x = memref.load %a[%c0] : memref<4xi32>
  %y = vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : memref<4xi32>, vector<4xi32>
  %z = "some.search"(%a) : (memref<4xi32>) -> index
  return %x, %y, %z : i32, vector<4xi32>, index
}

// -----

// 10. Each iteration makes its own out of the one before: two are wanted at
//     once. What comes in first is planned.
// CHECK-LABEL: @carried
// CHECK:     memref.alloc() {gmem.offset
// CHECK:     memref.alloc() : memref<4xi32>
func.func @carried(%n: index, %in: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  memref.copy %in, %a : memref<4xi32> to memref<4xi32>
  // expected-note @+1 {{an earlier instance is still live here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xi32> {
    // expected-remark @+1 {{this memref of @carried is not planned: several instances of it may be live at once}}
    %b = memref.alloc() : memref<4xi32>
    memref.copy %x, %b : memref<4xi32> to memref<4xi32>
    scf.yield %b : memref<4xi32>
  }
  memref.copy %r, %in : memref<4xi32> to memref<4xi32>
  return
}

// -----

// 11. The same by blocks.
// CHECK-NOT: gmem.offset
func.func @carried_by_blocks(%c: i1, %in: memref<4xi32>) {
  cf.br ^loop(%in : memref<4xi32>)
^loop(%x: memref<4xi32>):
  // expected-remark @+1 {{this memref of @carried_by_blocks is not planned: several instances of it may be live at once}}
  %b = memref.alloc() : memref<4xi32>
  memref.copy %x, %b : memref<4xi32> to memref<4xi32>
  cf.cond_br %c, ^loop(%b : memref<4xi32>), ^end
^end:
  return
}

// -----

// 12. And by calls: the second call makes it again while the first is wanted.
func.func private @makes() -> memref<4xi32> {
  // expected-remark @+1 {{this memref of @makes is not planned: several instances of it may be live at once}}
  %a = memref.alloc() : memref<4xi32>
  return %a : memref<4xi32>
}
func.func @twice() {
  // expected-note @+1 {{an earlier instance is still live here}}
  %a = call @makes() : () -> memref<4xi32>
  %b = call @makes() : () -> memref<4xi32>
  "some.use"(%a, %b) : (memref<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// 13. One after the other they have one place.
// CHECK: @makes
// CHECK: gmem.offset
func.func private @makes() -> memref<4xi32> {
  %a = memref.alloc() : memref<4xi32>
  return %a : memref<4xi32>
}
func.func @twice() {
  %a = call @makes() : () -> memref<4xi32>
  "some.use"(%a) : (memref<4xi32>) -> ()
  %b = call @makes() : () -> memref<4xi32>
  "some.use"(%b) : (memref<4xi32>) -> ()
  return
}

// -----

// 14. In code that runs several times at once, or that may, for all that is known.
// CHECK-NOT: gmem.offset
func.func private @inside(%m: memref<4xi32>) {
  // expected-remark @+1 {{this memref of @inside is not planned: it is in code that may run concurrently with itself}}
  %a = memref.alloc() : memref<4xi32>
  memref.copy %m, %a : memref<4xi32> to memref<4xi32>
  return
}
func.func @parallel(%n: index, %m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{this may run concurrently with itself}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-remark @+1 {{this memref of @parallel is not planned: it is in code that may run concurrently with itself (1 more in this function for the same reason)}}
    %a = memref.alloc() : memref<4xi32>
    memref.copy %m, %a : memref<4xi32> to memref<4xi32>
    // expected-note @+1 {{this may run concurrently with itself}}
    func.call @inside(%m) : (memref<4xi32>) -> ()
  }
  "some.region"() ({
    %a = memref.alloc() : memref<4xi32>
    memref.copy %m, %a : memref<4xi32> to memref<4xi32>
  }) : () -> ()
  return
}

// -----

// 15. Sizes: not known; known by a bound; a layout or elements without a size.
// CHECK-LABEL: @sizes
// CHECK:     memref.alloc({{.*}}) : memref<?xi32>
// CHECK:     memref.alloc({{.*}}) {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 32>
func.func @sizes(%n: index) {
  // expected-remark @+1 {{this memref of @sizes is not planned: its size is dynamic and has no known bound}}
  %a = memref.alloc(%n) : memref<?xi32>
  %b = memref.alloc(%n) {gmem.upper_bound = [array<i64: 8>]} : memref<?xi32>
  // expected-remark @+1 {{this memref of @sizes is not planned: its element type has no known size}}
  %d = memref.alloc() : memref<4xvector<[4]xi32>>
  // expected-remark @+1 {{this memref of @sizes is not planned: its layout has no static, non-negative strides}}
  %e = memref.alloc()[%n] : memref<4x4xi32, strided<[?, 1]>>
  "some.use"(%a, %b, %d, %e) : (memref<?xi32>, memref<?xi32>, memref<4xvector<[4]xi32>>, memref<4x4xi32, strided<[?, 1]>>) -> ()
  return
}

func.func @backwards() {
  // expected-remark @+1 {{this memref of @backwards is not planned: its layout has no static, non-negative strides}}
  %a = memref.alloc() : memref<4xi32, strided<[-1], offset: 3>>
  "some.use"(%a) : (memref<4xi32, strided<[-1], offset: 3>>) -> ()
  return
}

// -----

// 16. What runs later than its op: what it takes goes out by the token.
// CHECK-NOT: gmem.offset
func.func @late() {
  // expected-remark @+1 {{this memref of @late is not planned: it escapes through a value that is not a memref}}
  %a = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{escapes here}}
  %t = "some.start"(%a) : (memref<4xi32>) -> !async.token
  "some.await"(%t) : (!async.token) -> ()
  return
}

// -----

// 17. What ends a region may come out as something else.
func.func @comes_out() {
  // expected-remark @+1 {{this memref of @comes_out is not planned: it escapes through a value that is not a memref}}
  %a = memref.alloc() : memref<4xi32>
  %p = "some.op"() ({
    // expected-note @+1 {{escapes here}}
    "some.end"(%a) : (memref<4xi32>) -> ()
  }) : () -> !llvm.ptr
  "some.use"(%p) : (!llvm.ptr) -> ()
  return
}

// -----

// 18. Work that outlives the function that starts it.
func.func @token(%in: memref<4xi32>) -> !async.token {
  // expected-remark @+1 {{this memref of @token is not planned: it escapes through a value that is not a memref}}
  %a = memref.alloc() : memref<4xi32>
  %t = async.execute {
    // expected-note @+1 {{escapes here}}
    memref.copy %in, %a : memref<4xi32> to memref<4xi32>
    async.yield
  }
  return %t : !async.token
}

// -----

// 19. What goes on behind the program although nothing stands for it.
// CHECK-NOT: gmem.offset
func.func @unseen(%o: memref<4xi32>, %c0: index) {
  // expected-remark @+1 {{this memref of @unseen is not planned: it escapes through a value that is not a memref (1 more in this function for the same reason)}}
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  // expected-remark @+1 {{this memref of @unseen is not planned: an op may go on accessing it after its step (1 more in this function for the same reason)}}
  %c = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
  omp.task {
    // expected-note @+1 {{escapes here}}
    memref.copy %a, %o : memref<4xi32> to memref<4xi32>
    omp.terminator
  }
  acc.parallel async {
    memref.copy %b, %o : memref<4xi32> to memref<4xi32>
    acc.yield
  }
  // expected-note @+1 {{by this op, which nothing is known to wait for}}
  amdgpu.gather_to_lds %c[%c0], %d[%c0] : f32, memref<4xf32>, memref<4xf32, #gpu.address_space<workgroup>>
  omp.taskwait
  return
}

// -----

// 20. The note names the loop that is parallel, not one inside of it.
func.func @nest(%o: memref<8x8xf32>, %c0: index, %c1: index, %c8: index) {
  // expected-note @+1 {{this may run concurrently with itself; if its bounds are constant, gmem-expand-allocs gives each iteration a part of its own}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.for %j = %c0 to %c8 step %c1 {
      // expected-remark @+1 {{this memref of @nest is not planned: it is in code that may run concurrently with itself}}
      %a = memref.alloc() : memref<1xf32>
      %x = memref.load %a[%c0] : memref<1xf32>
      memref.store %x, %o[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
