module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 80 : i64, optimal = true, peak = 80 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 16 : i64, name = "weights", size = 16 : i64}, {alignment = 16 : i64, base = 16 : i64, kind = "workspace", lower_bound = 64 : i64, name = "tensors", size = 64 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 16 : i64, name = "memory", size = 16 : i64}]} {
  memref.global "private" constant @g : memref<4xf32> = dense<1.000000e+00>
  func.func @f(%arg0: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xf32>
    %0 = memref.get_global @g : memref<4xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 16>}
    memref.copy %0, %alloc : memref<4xf32> to memref<4xf32>
    "a.b"(%arg0, %alloc) : (tensor<16xf32>, memref<4xf32>) -> ()
    return
  }
}

