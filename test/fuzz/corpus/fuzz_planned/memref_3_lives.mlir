module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 512 : i64, optimal = true, peak = 512 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 512 : i64, name = "memory", size = 512 : i64}]} {
  func.func @chain(%arg0: memref<64xi32>, %arg1: memref<64xi32>) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 256>} : memref<64xi32>
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 256>} : memref<64xi32>
    %alloc_1 = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 256>} : memref<64xi32>
    memref.copy %arg0, %alloc : memref<64xi32> to memref<64xi32>
    memref.copy %alloc, %alloc_0 : memref<64xi32> to memref<64xi32>
    memref.copy %alloc_0, %alloc_1 : memref<64xi32> to memref<64xi32>
    memref.copy %alloc_1, %arg1 : memref<64xi32> to memref<64xi32>
    memref.dealloc %alloc : memref<64xi32>
    memref.dealloc %alloc_0 : memref<64xi32>
    memref.dealloc %alloc_1 : memref<64xi32>
    return
  }
}

