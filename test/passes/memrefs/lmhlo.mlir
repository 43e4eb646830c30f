// Ops of lmhlo write their last memref, element-wise ones in place; a fusion runs
// element by element, so that nothing in it shares memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s -o %t.mlir 2>%t.err
// RUN: FileCheck %s <%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK <%t.err
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.mlir -o /dev/null

// REMARK: remark: no model for 1 op (1 name)
// REMARK: note: 'lmhlo.fusion'

// %b lies over %a; %c, of wider elements, does not lie over %b; %d is written while
// %c is read.
// CHECK: peak = 3072 : i64
// CHECK-LABEL: func.func @apart
// CHECK: memref.alloc() {gmem.offset = array<i64: [[A:[0-9]+]]>
// CHECK: memref.alloc() {gmem.offset = array<i64: [[A]]>
// CHECK-NOT: memref.alloc() {gmem.offset = array<i64: [[A]]>
// CHECK: memref.alloc() {{.*}} : memref<128xf64>
// CHECK-NEXT: lmhlo.convert
// CHECK-NEXT: memref.alloc() {gmem.offset = array<i64: [[A]]>
func.func @apart(%x: memref<128xf32>, %y: memref<1xf32>, %w: memref<128x1xf32>) {
  %a = memref.alloc() : memref<128xf32>
  "lmhlo.exponential"(%x, %a) : (memref<128xf32>, memref<128xf32>) -> ()
  %b = memref.alloc() : memref<128xf32>
  "lmhlo.multiply"(%a, %x, %b) : (memref<128xf32>, memref<128xf32>, memref<128xf32>) -> ()
  %c = memref.alloc() : memref<128xf64>
  "lmhlo.convert"(%b, %c) : (memref<128xf32>, memref<128xf64>) -> ()
  %d = memref.alloc() : memref<128xf32>
  "lmhlo.reverse"(%c, %d) {dimensions = dense<0> : tensor<1xi64>} : (memref<128xf64>, memref<128xf32>) -> ()
  "lmhlo.dot"(%d, %w, %y) : (memref<128xf32>, memref<128x1xf32>, memref<1xf32>) -> ()
  return
}

// The peak is that of %p, %q and %r; %s lies where %p or %q was.
// CHECK-LABEL: func.func @fused
func.func @fused(%x: memref<256xf32>, %y: memref<256xf32>) {
  %p = memref.alloc() : memref<256xf32>
  "lmhlo.exponential"(%x, %p) : (memref<256xf32>, memref<256xf32>) -> ()
  %q = memref.alloc() : memref<256xf32>
  %r = memref.alloc() : memref<256xf32>
  "lmhlo.fusion"() ({
    "lmhlo.abs"(%p, %q) : (memref<256xf32>, memref<256xf32>) -> ()
    "lmhlo.add"(%q, %q, %r) : (memref<256xf32>, memref<256xf32>, memref<256xf32>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) : () -> ()
  %s = memref.alloc() : memref<256xf32>
  "lmhlo.negate"(%r, %s) : (memref<256xf32>, memref<256xf32>) -> ()
  "lmhlo.add"(%s, %r, %y) : (memref<256xf32>, memref<256xf32>, memref<256xf32>) -> ()
  return
}
