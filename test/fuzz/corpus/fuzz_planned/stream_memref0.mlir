module @seed_19 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 512 : i64, optimal = true, peak = 512 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 416 : i64, name = "tensors", size = 416 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 96 : i64, name = "memory", size = 96 : i64}]} {
  func.func @main(%arg0: tensor<32xi8> {gmem.offset = 256 : i64, gmem.pool = "tensors", gmem.size = 32 : i64}) -> (tensor<32xi8>, tensor<48xi8>) {
    %0 = "any.condition"() : () -> i1
    scf.if %0 {
      %2 = "any.condition"() : () -> i1
      scf.if %2 {
        %3 = "any.over"(%arg0) {gmem.offset = array<i64: 288>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, test.elementwise, test.id = 4 : i64} : (tensor<32xi8>) -> tensor<32xi8>
        %4 = "any.over"(%3) {gmem.offset = array<i64: 320>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, test.elementwise, test.id = 6 : i64} : (tensor<32xi8>) -> tensor<32xi8>
        %5 = "any.reshape"(%4) {gmem.offset = array<i64: 320>, gmem.op_model = {kind = "reshape"}, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, test.does = "view", test.id = 8 : i64} : (tensor<32xi8>) -> tensor<32xi8>
      } else {
        %alloc = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>, test.id = 11 : i64} : memref<64xi8>
        "any.op"(%alloc, %arg0) {test.id = 13 : i64} : (memref<64xi8>, tensor<32xi8>) -> ()
        %alloc_1 = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 32>, test.id = 14 : i64} : memref<32xi8>
        %3:2 = "any.op"(%arg0) {gmem.offset = array<i64: 192, 352>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 32>, gmem.workbuffer_offset = array<i64: 384>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{size = 32 : i64}], test.id = 18 : i64} : (tensor<32xi8>) -> (tensor<64xi8>, tensor<32xi8>)
      } {gmem.stream = 0 : i64, test.id = 3 : i64}
      %concat_0 = tensor.concat dim(0) %arg0, %arg0, %arg0 {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 96>, gmem.stream = 0 : i64, test.id = 20 : i64} : (tensor<32xi8>, tensor<32xi8>, tensor<32xi8>) -> tensor<96xi8>
    } else {
      %concat_0 = tensor.concat dim(0) %arg0, %arg0, %arg0 {gmem.offset = array<i64: 96>, gmem.pool = ["tensors"], gmem.size = array<i64: 96>, gmem.stream = 0 : i64, test.id = 23 : i64} : (tensor<32xi8>, tensor<32xi8>, tensor<32xi8>) -> tensor<96xi8>
    } {test.id = 2 : i64}
    %concat = tensor.concat dim(0) %arg0, %arg0 {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.stream = 0 : i64, test.id = 26 : i64} : (tensor<32xi8>, tensor<32xi8>) -> tensor<64xi8>
    %1 = "any.op"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, gmem.stream = 0 : i64, test.id = 29 : i64} : () -> tensor<48xi8>
    return {test.id = 30 : i64} %arg0, %1 : tensor<32xi8>, tensor<48xi8>
  }
}

