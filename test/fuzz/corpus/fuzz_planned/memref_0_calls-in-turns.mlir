module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 5120 : i64, optimal = true, peak = 5120 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 5120 : i64, name = "memory", size = 5120 : i64}]} {
  func.func @layers(%arg0: memref<1024xi8>, %arg1: memref<1024xi8>) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 3072>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%arg0, %alloc) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 4096>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc, %alloc_0) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_1 = memref.alloc() {gmem.offset = array<i64: 3072>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc_0, %alloc_1) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_2 = memref.alloc() {gmem.offset = array<i64: 4096>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc_1, %alloc_2) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_3 = memref.alloc() {gmem.offset = array<i64: 3072>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc_2, %alloc_3) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_4 = memref.alloc() {gmem.offset = array<i64: 4096>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc_3, %alloc_4) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_5 = memref.alloc() {gmem.offset = array<i64: 3072>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc_4, %alloc_5) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_6 = memref.alloc() {gmem.offset = array<i64: 4096>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc_5, %alloc_6) : (memref<1024xi8>, memref<1024xi8>) -> ()
    %alloc_7 = memref.alloc() {gmem.offset = array<i64: 3072>, gmem.pool = ["memory"], gmem.size = array<i64: 1024>} : memref<1024xi8>
    call @layer(%alloc_6, %alloc_7) : (memref<1024xi8>, memref<1024xi8>) -> ()
    call @layer(%alloc_7, %arg1) : (memref<1024xi8>, memref<1024xi8>) -> ()
    return
  }
  func.func private @layer(%arg0: memref<1024xi8>, %arg1: memref<1024xi8>) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 3072>} : memref<3072xi8>
    "a.widen"(%arg0, %alloc) : (memref<1024xi8>, memref<3072xi8>) -> ()
    "a.narrow"(%arg0, %alloc, %arg1) : (memref<1024xi8>, memref<3072xi8>, memref<1024xi8>) -> ()
    memref.dealloc %alloc : memref<3072xi8>
    return
  }
}

