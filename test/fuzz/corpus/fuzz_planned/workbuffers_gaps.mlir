module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 320 : i64, optimal = true, peak = 320 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, base = 0 : i64, kind = "workspace", lower_bound = 320 : i64, name = "tensors", size = 320 : i64}]} {
  func.func @gaps(%arg0: tensor<16xf32> {gmem.fixed = 0 : i64, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %arg1: tensor<16xf32> {gmem.fixed = 128 : i64, gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %arg2: tensor<16xf32> {gmem.fixed = 256 : i64, gmem.offset = 256 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "a.use"(%arg0, %arg1, %arg2) {gmem.workbuffer_offset = array<i64: 192, 64>, gmem.workbuffer_pool = ["tensors", "tensors"], gmem.workbuffers = [{size = 64 : i64}, {size = 64 : i64}]} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

