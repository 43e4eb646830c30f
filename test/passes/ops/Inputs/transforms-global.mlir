memref.global "private" constant @w : memref<4xf32> = dense<1.0> {gmem.transform = [{name = "a", bytes = 16}]}
func.func @main(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  memref.copy %w, %x : memref<4xf32> to memref<4xf32>
  return
}
