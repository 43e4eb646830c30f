module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 32 : i64, optimal = true, peak = 32 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 32784 : i64, name = "weights", size = 32784 : i64}, {alignment = 4096 : i64, base = 36864 : i64, kind = "constant", lower_bound = 4112 : i64, name = "flash", size = 4112 : i64}, {alignment = 16 : i64, base = 40976 : i64, kind = "workspace", lower_bound = 32 : i64, name = "tensors", size = 32 : i64}]} {
  func.func private @by_need(%arg0: tensor<4xi32> {gmem.offset = 16 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> tensor<4xi32> attributes {gmem.dynamic} {
    %0 = "top.Weight"() {gmem.offset = array<i64: 28672>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} : () -> tensor<4xi32>
    %1 = "a.op"(%arg0, %0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @run_mode(%arg0: tensor<4xi32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> tensor<4xi32> attributes {mode = #tpu<run_mode TPU_DYNAMIC>} {
    %0 = "top.Weight"() {gmem.offset = array<i64: 32768>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} : () -> tensor<4xi32>
    %1 = "a.op"(%arg0, %0) {gmem.offset = array<i64: 16>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @main(%arg0: tensor<4xi32> {gmem.offset = 16 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> tensor<4xi32> {
    %cst = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense<1> : tensor<4xi32>
    %cst_0 = arith.constant {gmem.offset = array<i64: 4096>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense<2> : tensor<4xi32>
    %cst_1 = arith.constant {gmem.offset = array<i64: 8192>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense<1> : tensor<4xi32>
    %cst_2 = arith.constant {gmem.offset = array<i64: 12288>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense_resource<blob> : tensor<4xi32>
    %cst_3 = arith.constant {gmem.offset = array<i64: 16384>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense_resource<blob> : tensor<4xi32>
    %0 = "top.Weight"() {gmem.offset = array<i64: 20480>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} : () -> tensor<4xi32>
    %1 = "top.Weight"() {gmem.offset = array<i64: 24576>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} : () -> tensor<4xi32>
    %cst_4 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["flash"], gmem.pools = ["flash"], gmem.size = array<i64: 16>} dense<1> : tensor<4xi32>
    %2 = "tosa.const"() <{values = dense<1> : tensor<31xi4>}> {gmem.offset = array<i64: 4096>, gmem.pool = ["flash"], gmem.pools = ["flash"], gmem.size = array<i64: 16>} : () -> tensor<31xi4>
    %3 = "a.op"(%arg0, %cst_2) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %4 = "a.op"(%3, %cst_1) {gmem.offset = array<i64: 16>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %5 = "a.op"(%4, %cst_0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "a.op"(%5, %cst, %cst_4) {gmem.offset = array<i64: 16>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = call @by_need(%6) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>) -> tensor<4xi32>
    %8 = call @run_mode(%7) {gmem.offset = array<i64: 16>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xi32>) -> tensor<4xi32>
    return %8 : tensor<4xi32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001000000020000000300000004000000"
    }
  }
#-}

