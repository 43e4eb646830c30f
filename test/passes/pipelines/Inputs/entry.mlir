// entry.mlir - runs @main of linalg.mlir, behind which it is put, and prints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func private @printMemrefF32(tensor<*xf32>) attributes {llvm.emit_c_interface}
func.func @entry() {
  %x = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c7 = arith.constant 7 : index
    %0 = arith.muli %i, %c7 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = math.sin %3 : f32
    tensor.yield %4 : f32
  } : tensor<4x16xf32>
  %y = call @main(%x) : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %z = tensor.cast %y : tensor<4x8xf32> to tensor<*xf32>
  call @printMemrefF32(%z) : (tensor<*xf32>) -> ()
  return
}
