module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 208 : i64, optimal = true, peak = 208 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 208 : i64, name = "memory", size = 208 : i64}]} {
  func.func @all_go(%arg0: i1) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 192>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    %alloc_1 = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    %alloc_2 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    "some.use"(%alloc, %alloc_0, %alloc_1, %alloc_2) : (memref<4xi32>, memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
    %cast = memref.cast %alloc : memref<4xi32> to memref<?xi32>
    memref.dealloc %cast : memref<?xi32>
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %alloc_0 : memref<4xi32> -> memref<i32>, index, index, index
    memref.dealloc %base_buffer : memref<i32>
    scf.if %arg0 {
      memref.dealloc %alloc_1 : memref<4xi32>
    }
    call @frees(%alloc_2) : (memref<4xi32>) -> ()
    return
  }
  func.func private @frees(%arg0: memref<4xi32>) {
    memref.dealloc %arg0 : memref<4xi32>
    return
  }
}

