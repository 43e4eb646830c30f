// The constants of transforms.mlir in a program of memrefs.
memref.global "private" constant @w : memref<16xf32> = uninitialized {
  gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
  gmem.transform = [{name = "negate", bytes = 16}, {name = "widen", bytes = 64}]}
memref.global "private" constant @other : memref<16xf32> = dense<0.0> {
  gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
  gmem.transform = [{name = "widen", bytes = 64}]}
memref.global "private" constant @same : memref<16xf32> = dense<0.0> {
  gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
  gmem.transform = [{name = "negate", bytes = 16}, {name = "widen", bytes = 64}]}
memref.global "private" constant @plain : memref<16xf32> = dense<0.0>
memref.global "private" constant @own : memref<8xi8> = dense<3> {gmem.transform = [{name = "negate", bytes = 8}]}
func.func @main(%x: memref<16xf32>, %y: memref<8xi8>) {
  %w = memref.get_global @w : memref<16xf32> {gmem.name = "w"}
  %other = memref.get_global @other : memref<16xf32> {gmem.name = "other"}
  %same = memref.get_global @same : memref<16xf32> {gmem.name = "same"}
  %plain = memref.get_global @plain : memref<16xf32> {gmem.name = "plain"}
  %own = memref.get_global @own : memref<8xi8> {gmem.name = "own"}
  memref.copy %w, %x : memref<16xf32> to memref<16xf32>
  memref.copy %other, %x : memref<16xf32> to memref<16xf32>
  memref.copy %same, %x : memref<16xf32> to memref<16xf32>
  memref.copy %plain, %x : memref<16xf32> to memref<16xf32>
  memref.copy %own, %y : memref<8xi8> to memref<8xi8>
  return
}
