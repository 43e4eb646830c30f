module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 6144 : i64, optimal = true, peak = 6144 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 4096 : i64, name = "memory", size = 4096 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 2048 : i64, name = "memory.1", size = 2048 : i64}]} {
  func.func @spaces(%arg0: f32, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 4096>} : memref<1024xf32>
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory.1"], gmem.size = array<i64: 2048>} : memref<512xf32, 1>
    memref.store %arg0, %alloc[%c0] : memref<1024xf32>
    memref.store %arg0, %alloc_0[%c0] : memref<512xf32, 1>
    %0 = memref.load %alloc[%c0] : memref<1024xf32>
    %1 = memref.load %alloc_0[%c0] : memref<512xf32, 1>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %arg1[%c0] : memref<1xf32>
    return
  }
}

