// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program with indices of 32 bits cannot have, and wrong options.

// RUN: not gmem-opt --gmem-lower-to-llvm=index-bitwidth=wide %s 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: gmem-lower-to-llvm: index-bitwidth='wide' is neither a number nor a flag
// RUN: not gmem-opt --gmem-lower-to-llvm=index-bitwidth=33 %s 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: error: gmem-lower-to-llvm: index-bitwidth='33' is neither 32 nor 64
// RUN: not gmem-opt --gmem-check-index-width=index-bitwidth= %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: gmem-check-index-width: index-bitwidth='' is neither 32 nor 64

// 1. A constant's bytes were written as 64 bits: a program with narrower ones
// would read other numbers.
// RUN: gmem-opt --gmem-plan --gmem-materialize='arena-mode=arg weights=image' %s -o %t.mlir
// RUN: not gmem-opt --gmem-lower-to-llvm=index-bitwidth=32 %t.mlir 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: error: an element of type index takes 64 bits in an arena, but index-bitwidth is 32: use i32 instead

// 2. Upstream lowers vectors with an index of 64 bits alone.
// RUN: not gmem-opt --gmem-lower-to-llvm=index-bitwidth=32 %S/lower-all.mlir 2>&1 | FileCheck %s --check-prefix=VECTORS
// VECTORS: error: a user of this cast, such as an op of the vector dialect, cannot be lowered with index-bitwidth=32

// 3. The same program for a machine of 64 bits, and views of somebody else's.
// RUN: gmem-opt --gmem-lower-to-llvm=index-bitwidth=64 %t.mlir | FileCheck %s --check-prefix=DONE
// RUN: gmem-opt --gmem-lower-to-llvm=index-bitwidth=32 %s | FileCheck %s --check-prefix=DONE
// DONE: llvm.func @f
memref.global "private" constant @table : memref<2xindex> = dense<[5, 7]>
func.func @f(%i: index, %bytes: memref<16xi8>) -> index {
  %c0 = arith.constant 0 : index
  %t = memref.get_global @table : memref<2xindex>
  %x = memref.load %t[%i] : memref<2xindex>
  %own = memref.view %bytes[%c0][] : memref<16xi8> to memref<2xindex>
  memref.store %x, %own[%i] : memref<2xindex>
  return %x : index
}
