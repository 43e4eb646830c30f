module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 896 : i64, optimal = true, peak = 896 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 256 : i64, kind = "workspace", lower_bound = 864 : i64, name = "memory", size = 864 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 16 : i64, name = "memory.1", size = 16 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 16 : i64, name = "memory.gpu.address_space.workgroup", size = 16 : i64}]} {
  func.func @strided(%arg0: memref<4x2xf32>) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 72>} : memref<4x2xf32, strided<[4, 2], offset: 3>>
    memref.copy %arg0, %alloc : memref<4x2xf32> to memref<4x2xf32, strided<[4, 2], offset: 3>>
    memref.copy %alloc, %arg0 : memref<4x2xf32, strided<[4, 2], offset: 3>> to memref<4x2xf32>
    return
  }
  func.func @dynamic(%arg0: memref<?x4x?xf32>, %arg1: index, %arg2: index) {
    %alloc = memref.alloc(%arg1, %arg2) {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 864>, gmem.upper_bound = [array<i64: 6, 4, 9>]} : memref<?x4x?xf32>
    memref.copy %arg0, %alloc : memref<?x4x?xf32> to memref<?x4x?xf32>
    memref.copy %alloc, %arg0 : memref<?x4x?xf32> to memref<?x4x?xf32>
    return
  }
  func.func @dynamic_strided(%arg0: memref<?x2xi16>, %arg1: index) {
    %alloc = memref.alloc(%arg1) {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 88>, gmem.upper_bound = [array<i64: 6, 2>]} : memref<?x2xi16, strided<[8, 3]>>
    memref.copy %arg0, %alloc : memref<?x2xi16> to memref<?x2xi16, strided<[8, 3]>>
    memref.copy %alloc, %arg0 : memref<?x2xi16, strided<[8, 3]>> to memref<?x2xi16>
    return
  }
  func.func @small(%arg0: memref<0x4xf32>, %arg1: f32) -> f32 {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 0>} : memref<0x4xf32>
    memref.copy %arg0, %alloc : memref<0x4xf32> to memref<0x4xf32>
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 4>} : memref<f32>
    memref.store %arg1, %alloc_0[] : memref<f32>
    %0 = memref.load %alloc_0[] : memref<f32>
    return %0 : f32
  }
  func.func @spaces(%arg0: memref<4xf32>) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory.1"], gmem.size = array<i64: 16>} : memref<4xf32, 1>
    memref.copy %alloc, %alloc_0 : memref<4xf32> to memref<4xf32, 1>
    %alloc_1 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory.gpu.address_space.workgroup"], gmem.size = array<i64: 16>} : memref<4xf32, #gpu.address_space<workgroup>>
    memref.copy %alloc_0, %alloc_1 : memref<4xf32, 1> to memref<4xf32, #gpu.address_space<workgroup>>
    memref.copy %alloc_1, %arg0 : memref<4xf32, #gpu.address_space<workgroup>> to memref<4xf32>
    return
  }
  func.func @aligned(%arg0: memref<4xf32>) {
    %alloc = memref.alloc() {alignment = 256 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
    memref.copy %alloc, %arg0 : memref<4xf32> to memref<4xf32>
    return
  }
}

