// Functions that no plan at hand has made.
func.func @other(%x: memref<8xf32>, %a: memref<64xi8> {gmem.arena = "memory"}) {
  return
}
func.func @number(%x: memref<8xf32>, %n: i32) {
  return
}
func.func @dynamic(%x: memref<?xf32>) {
  return
}
func.func @returns(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
