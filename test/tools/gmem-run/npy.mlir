// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs from .npy files, outputs to such.

// 1. What is saved is read back: the same digest, and the same bytes when it is
//    saved again. Every element type keeps its own.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: gmem-run %s --entry types --unplanned --quiet --save %t.d/a > %t.a
// RUN: grep -c 'result' %t.a | grep -q '^10$'
// RUN: gmem-run %s --entry types --unplanned --quiet --seed 9 --save %t.d/b \
// RUN:   --input 0=%t.d/aresult0.npy --input 1=%t.d/aresult1.npy \
// RUN:   --input 2=%t.d/aresult2.npy --input 3=%t.d/aresult3.npy \
// RUN:   --input 4=%t.d/aresult4.npy --input 5=%t.d/aresult5.npy \
// RUN:   --input 6=%t.d/aresult6.npy --input 7=%t.d/aresult7.npy \
// RUN:   --input 8=%t.d/aresult8.npy --input 9=%t.d/aresult9.npy | cmp - %t.a
// RUN: cmp %t.d/aresult0.npy %t.d/bresult0.npy
// RUN: cmp %t.d/aresult8.npy %t.d/bresult8.npy
// RUN: head -c 75 %t.d/aresult0.npy | tail -c 65 | FileCheck %s --check-prefix=HEADER
// HEADER: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
// RUN: gmem-run %s --entry types --unplanned --quiet --seed 9 > %t.nine
// RUN: not cmp -s %t.nine %t.a

// 2. Files of others: the other order of bytes, the other order of dimensions,
//    version 2.
// RUN: printf '\223NUMPY\001\000\067\000{"descr": ">i2", "fortran_order": True, "shape": (2,2)}\000\001\000\002\000\003\000\004' > %t.swap.npy
// RUN: gmem-run %s --entry small --unplanned --quiet --input 0=%t.swap.npy | FileCheck %s --check-prefix=SWAP
// SWAP: result 0 i16 2x2 [[DIGEST:[0-9a-f]+]] 1 3 2 4
// RUN: printf "\223NUMPY\002\000\075\000\000\000{'shape': (2, 2), 'fortran_order': False, 'descr': '<i2'}   \n\001\000\003\000\002\000\004\000" > %t.two.npy
// RUN: gmem-run %s --entry small --unplanned --quiet --input 0=%t.two.npy | FileCheck %s --check-prefix=TWO
// TWO: result 0 i16 2x2 {{[0-9a-f]+}} 1 3 2 4

// 3. A dynamic dimension is what the file says.
// RUN: gmem-run %s --entry dynamic --unplanned --quiet --input 0=%t.d/aresult0.npy | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: result 0 f32 2x3

// 4. Files that do not fit, or are none.
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.d/aresult0.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: gmem-run: error: {{.*}}aresult0.npy has type f32 2x3, but argument 0 has type i16 2x2
// RUN: not gmem-run %s --entry dynamic --unplanned --input 0=%t.swap.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: gmem-run: error: {{.*}}swap.npy has type i16 2x2, but argument 0 has type f32 ?x3
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: gmem-run: error: {{.*}}none: cannot be opened: No such file or directory
// RUN: not gmem-run %s --entry small --unplanned --input 0=%s 2>&1 | FileCheck %s --check-prefix=MAGIC
// MAGIC: gmem-run: error: {{.*}}npy.mlir: not a .npy file
// RUN: head -c 71 %t.swap.npy > %t.cut
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: cut: the shape requires 8 bytes, but the file contains 6 bytes of elements
// RUN: head -c 40 %t.swap.npy > %t.cut
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.cut 2>&1 | FileCheck %s --check-prefix=HEAD
// HEAD: cut: the header of the .npy file is truncated
// RUN: sed 's/>i2/>M8/' %t.swap.npy > %t.date
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.date 2>&1 | FileCheck %s --check-prefix=DATE
// DATE: date: unsupported element type '>M8'
// RUN: sed 's/descr/desk_/' %t.swap.npy > %t.entry
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.entry 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: entry: the header of the .npy file has an unknown or malformed entry
// RUN: sed 's/(2,2)/(2,2 /' %t.swap.npy > %t.shape
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.shape 2>&1 | FileCheck %s --check-prefix=ENTRY2
// ENTRY2: shape: the header of the .npy file has an unknown or malformed entry
// RUN: printf '\223NUMPY\011\000\066\000' > %t.version
// RUN: not gmem-run %s --entry small --unplanned --input 0=%t.version 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: version: unsupported .npy version 9

func.func @types(
    %0: memref<2x3xf32>, %1: memref<3xf64>, %2: memref<3xf16>,
    %3: memref<3xbf16>, %4: memref<3xi8>, %5: memref<3xi1>, %6: memref<3xi64>,
    %7: memref<3xui16>, %8: memref<3xcomplex<f32>>, %9: memref<f32>)
    -> (memref<2x3xf32>, memref<3xf64>, memref<3xf16>, memref<3xbf16>,
        memref<3xi8>, memref<3xi1>, memref<3xi64>, memref<3xui16>,
        memref<3xcomplex<f32>>, memref<f32>) {
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
      : memref<2x3xf32>, memref<3xf64>, memref<3xf16>, memref<3xbf16>,
        memref<3xi8>, memref<3xi1>, memref<3xi64>, memref<3xui16>,
        memref<3xcomplex<f32>>, memref<f32>
}
func.func @small(%0: memref<2x2xi16>) -> memref<2x2xi16> {
  return %0 : memref<2x2xi16>
}
func.func @dynamic(%0: memref<?x3xf32>) -> memref<?x3xf32> {
  return %0 : memref<?x3xf32>
}
