module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 80 : i64, optimal = true, peak = 80 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 80 : i64, name = "memory", size = 80 : i64}]} {
  func.func private @keeps(memref<4xi32>)
  func.func private @promises(memref<4xi32> {gmem.no_capture}, memref<4xi32> {llvm.nocapture})
  func.func @called() {
    %alloc = memref.alloc() : memref<4xi32>
    %alloc_0 = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    %alloc_1 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    call @keeps(%alloc) : (memref<4xi32>) -> ()
    call @promises(%alloc_0, %alloc_1) : (memref<4xi32>, memref<4xi32>) -> ()
    return
  }
}

