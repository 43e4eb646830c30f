module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 786 : i64, optimal = true, peak = 786 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, base = 0 : i64, kind = "workspace", lower_bound = 786 : i64, name = "tensors", size = 786 : i64}]} {
  func.func @main(%arg0: tensor<?x4xi32> {gmem.offset = 400 : i64, gmem.pool = "tensors", gmem.size = 160 : i64, gmem.upper_bound = array<i64: 10, 0>}, %arg1: tensor<?x4xi32, #stablehlo.bounds<8, ?>> {gmem.offset = 560 : i64, gmem.pool = "tensors", gmem.size = 128 : i64}, %arg2: tensor<4x?xi32, #mhlo.type_extensions<bounds = [?, 6]>> {gmem.offset = 688 : i64, gmem.pool = "tensors", gmem.size = 96 : i64}, %arg3: tensor<?x?xi8, #mhlo.type_extensions<bounds = [-1, 3]>>, %arg4: tensor<?xi32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 0 : i64, gmem.upper_bound = array<i64: 0>}) {
    %0:3 = "a.op"(%arg0, %arg1, %arg2, %arg3) {gmem.offset = array<i64: 0, -1, 784>, gmem.pool = ["tensors", "", "tensors"], gmem.size = array<i64: 400, -1, 2>, gmem.upper_bound = [array<i64: 100>, array<i64>, array<i64: 3>]} : (tensor<?x4xi32>, tensor<?x4xi32, #stablehlo.bounds<8, ?>>, tensor<4x?xi32, #mhlo.type_extensions<bounds = [?, 6]>>, tensor<?x?xi8, #mhlo.type_extensions<bounds = [-1, 3]>>) -> (tensor<?xi32>, i32, tensor<?xi4>)
    %1 = "a.unknown"(%0#0) : (tensor<?xi32>) -> tensor<?xi32>
    %expanded = tensor.expand_shape %0#0 [[0, 1]] output_shape [25, 4] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 400>} : tensor<?xi32> into tensor<?x4xi32>
    "a.use"(%expanded) : (tensor<?x4xi32>) -> ()
    return
  }
  func.func @other_dialects(%arg0: tensor<4xi32, #x.bounds<3>> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    return
  }
}

