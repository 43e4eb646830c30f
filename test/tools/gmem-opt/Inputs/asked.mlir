// asked.mlir - one of each thing that a program can ask of planning, and of
// each way to share memory: places, pools, bounds, models of its own, slices,
// concatenations, tuples, destinations, what control flow hands on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

module attributes {gmem.op_models = "\"gmem.op_model\"() {op = \"my.relu\", inplace = \"all\"} : () -> ()\0A// -----\0A\"gmem.op_model\"() {op = \"my.slice\", slice = {begin = \"first\", size = \"count\"}} : () -> ()"} {
  func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32> {gmem.fixed = 0 : i64}, %c: tensor<?x4xf32> {gmem.upper_bound = array<i64: 8, 4>}, %k: tensor<16xi8> {gmem.weight}, %flag: i1) -> (tensor<8xf32> {gmem.same_as = 0 : i64}, tensor<16xf32>) {
    %w = "npu.weight"() {value = dense<1> : tensor<4xi8>} : () -> tensor<4xi8>
    %v = "npu.weight"() {value = dense<1> : tensor<4xi8>, gmem.pools = ["flash"]} : () -> tensor<4xi8>
    %0 = "my.op"(%a, %b, %w, %v, %k) {gmem.op_model = {inplace = array<i64: 0>}} : (tensor<8xf32>, tensor<8xf32>, tensor<4xi8>, tensor<4xi8>, tensor<16xi8>) -> tensor<8xf32>
    %1 = "my.grow"(%c) {gmem.upper_bound = [array<i64: 64>], gmem.fixed = array<i64: 4096>} : (tensor<?x4xf32>) -> tensor<?xf32>
    %2 = "my.relu"(%1) {gmem.upper_bound = [array<i64: 64>]} : (tensor<?xf32>) -> tensor<?xf32>
    %3 = "my.fit"(%2) : (tensor<?xf32>) -> tensor<16xf32>
    %4 = "my.slice"(%3) {first = array<i64: 8>, count = array<i64: 8>} : (tensor<16xf32>) -> tensor<8xf32>
    %5 = "my.relu"(%4) : (tensor<8xf32>) -> tensor<8xf32>
    %6 = tensor.concat dim(0) %5, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %7 = tensor.extract_slice %6[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
    %8 = scf.if %flag -> (tensor<8xf32>) {
      %t = math.tanh %7 : tensor<8xf32>
      scf.yield %t : tensor<8xf32>
    } else {
      scf.yield %7 : tensor<8xf32>
    }
    %e = tensor.empty() : tensor<16xf32>
    %9 = tensor.insert_slice %8 into %e[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
    %10 = "my.tuple"(%9, %5) {gmem.op_model = {tuple}} : (tensor<16xf32>, tensor<8xf32>) -> tuple<tensor<16xf32>, tensor<8xf32>>
    %11 = "my.element"(%10) {index = 0 : i64, gmem.op_model = {tuple_element = "index"}} : (tuple<tensor<16xf32>, tensor<8xf32>>) -> tensor<16xf32>
    %12 = "my.op"(%8, %11) {gmem.op_model = {destination = 0 : i64}} : (tensor<8xf32>, tensor<16xf32>) -> tensor<8xf32>
    %13 = func.call @callee(%12) : (tensor<8xf32>) -> tensor<8xf32>
    return %13, %11 : tensor<8xf32>, tensor<16xf32>
  }
  func.func private @callee(%x: tensor<8xf32>) -> tensor<8xf32> attributes {gmem.dynamic} {
    %n = arith.negf %x : tensor<8xf32>
    return %n : tensor<8xf32>
  }
}
