module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 8192 : i64, optimal = true, peak = 8192 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 8192 : i64, name = "memory.1", size = 8192 : i64}]} {
  func.func @two_at_once(%arg0: memref<1024xf32>, %arg1: memref<1024xf32>) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory.1"], gmem.size = array<i64: 4096>} : memref<1024xf32, 1>
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 4096>, gmem.pool = ["memory.1"], gmem.size = array<i64: 4096>} : memref<1024xf32, 1>
    memref.copy %arg0, %alloc : memref<1024xf32> to memref<1024xf32, 1>
    memref.copy %alloc, %alloc_0 : memref<1024xf32, 1> to memref<1024xf32, 1>
    memref.copy %alloc_0, %arg1 : memref<1024xf32, 1> to memref<1024xf32>
    return
  }
}

