// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 dlti.dl_spec has another form.
// gmem-lower-to-llvm for machines whose pointers have 32 bits.

// 1. Sizes, strides, indices: all steps agree, nothing of 64 bits is left but
// what the program has itself.
// RUN: gmem-opt --gmem-plan --gmem-materialize='arena-mode=arg weights=image' --gmem-lower-to-llvm=index-bitwidth=32 %s | FileCheck %s --implicit-check-not=unrealized --implicit-check-not='index) : i64'
// RUN: gmem-opt --gmem-plan --gmem-materialize='arena-mode=arg weights=image' --gmem-lower-to-llvm=index-bitwidth=32 %s | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// 2. 64 bits is what is done without the option, whatever the data layout says.
// RUN: gmem-opt --gmem-plan --gmem-materialize --gmem-lower-to-llvm=index-bitwidth=64 %s -o %t.64
// RUN: gmem-opt --gmem-plan --gmem-materialize --gmem-lower-to-llvm %s | cmp - %t.64
// RUN: FileCheck %s --check-prefix=WIDE --implicit-check-not=unrealized < %t.64
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  memref.global "private" constant @w : memref<8xf32> = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]>
  // CHECK: llvm.func @f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32
  // CHECK: llvm.mlir.constant(8 : index) : i32
  // CHECK: llvm.mul %{{.*}} : i64
  // IR: define i64 @f(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, i32 %
  // IR: getelementptr {{.*}}float, ptr %{{[0-9]+}}, i32
  // IR: !noalias
  // WIDE: llvm.func @f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64,
  func.func @f(%x: memref<8xf32>, %n: i64) -> i64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %w = memref.get_global @w : memref<8xf32>
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      %p = memref.load %x[%i] : memref<8xf32>
      %q = memref.load %w[%i] : memref<8xf32>
      %r = arith.mulf %p, %q : f32
      memref.store %r, %a[%i] : memref<8xf32>
    }
    linalg.copy ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    linalg.copy ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
    linalg.copy ins(%b : memref<8xf32>) outs(%x : memref<8xf32>)
    %m = arith.muli %n, %n : i64
    return %m : i64
  }
}
