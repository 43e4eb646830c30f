// A function that computes a constant from one that functions make.
memref.global "private" constant @w : memref<4xf32> = uninitialized {gmem.source = dense<[1, 2, 3, 4]> : tensor<4xi8>, gmem.transform = [{name = "widen", bytes = 16}]}
memref.global "private" @twice : memref<4xf32> = uninitialized {gmem.init = "init"}
func.func @init() attributes {gmem.init} {
  %w = memref.get_global @w : memref<4xf32>
  %to = memref.get_global @twice : memref<4xf32>
  linalg.add ins(%w, %w : memref<4xf32>, memref<4xf32>) outs(%to : memref<4xf32>)
  return
}
func.func @main(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  %twice = memref.get_global @twice : memref<4xf32>
  linalg.add ins(%w, %twice : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  return
}
