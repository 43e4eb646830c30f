// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that needs a function of somebody else.
func.func private @declared(memref<4xf32>)
func.func @calls(%x: memref<4xf32>) {
  call @declared(%x) : (memref<4xf32>) -> ()
  return
}
