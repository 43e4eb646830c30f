// Values that are not planned, each for a reason that something helps against.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#sparse = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
#tiles = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
func.func @bounded(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.exp %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @sized(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "my.compress"(%x) : (tensor<64xf32>) -> tensor<64xf32, #sparse>
  %1 = "my.pack"(%0) : (tensor<64xf32, #sparse>) -> tensor<64x!my.block>
  %2 = "my.unpack"(%1) : (tensor<64x!my.block>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
func.func @awaited(%x: tensor<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = tosa.exp %x : (tensor<64xf32>) -> tensor<64xf32>
    "my.send"(%0) {gmem.stream = 1} : (tensor<64xf32>) -> ()
  }
  return
}
func.func @dynamic(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  "my.use"(%0) : (memref<?xf32>) -> ()
  memref.dealloc %0 : memref<?xf32>
  return
}
func.func @plain(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc() : memref<64xf32, #tiles>
  %1 = memref.load %x[%c0] : memref<64xf32>
  memref.store %1, %0[%c0] : memref<64xf32, #tiles>
  %2 = memref.load %0[%c0] : memref<64xf32, #tiles>
  memref.store %2, %x[%c0] : memref<64xf32>
  memref.dealloc %0 : memref<64xf32, #tiles>
  return
}
func.func @returned(%x: memref<64xf32>) -> memref<64xf32> {
  %0 = memref.alloc() : memref<64xf32>
  memref.copy %x, %0 : memref<64xf32> to memref<64xf32>
  return %0 : memref<64xf32>
}
func.func private @unknown(memref<64xf32>)
func.func @called(%x: memref<64xf32>) {
  %0 = memref.alloc() : memref<64xf32>
  memref.copy %x, %0 : memref<64xf32> to memref<64xf32>
  func.call @unknown(%0) : (memref<64xf32>) -> ()
  return
}
