// Ops that are nothing in a plan, ops that are something, workbuffers, and calls.
module {
  // Called twice: what it is given and gives back is copied, or not.
  func.func private @twice(%x: tensor<96xi8>, %y: tensor<96xi8>) -> (tensor<96xi8>, tensor<96xi8>) {
    %w = "npu.weight"() {value = dense<3> : tensor<96xi8>} : () -> tensor<96xi8>
    %0 = "my.op"(%x, %w) {gmem.workbuffers = [{size = 64}]} : (tensor<96xi8>, tensor<96xi8>) -> tensor<96xi8>
    %1 = "my.pair"(%0, %y) : (tensor<96xi8>, tensor<96xi8>) -> tensor<96xi8>
    return %1, %0 : tensor<96xi8>, tensor<96xi8>
  }
  // Called once, by a function that stands behind it.
  func.func private @once(%x: tensor<192xi8>) -> tensor<192xi8> {
    %0 = "my.op"(%x) : (tensor<192xi8>) -> tensor<192xi8>
    %1 = "tosa.add"(%0, %x) : (tensor<192xi8>, tensor<192xi8>) -> tensor<192xi8>
    return %1 : tensor<192xi8>
  }
  func.func @main(%a: tensor<96xi8> loc("a"), %b: tensor<2x96xi8> loc("b/c:0"), %u: tensor<64xi8> {gmem.weight})
      -> (tensor<2x96xi8>, tensor<96xi8>, tensor<96xi8>, tensor<192xi8>, tensor<96xi8>) {
    %0:2 = call @twice(%a, %a) : (tensor<96xi8>, tensor<96xi8>) -> (tensor<96xi8>, tensor<96xi8>)
    %1:2 = call @twice(%0#1, %0#0) : (tensor<96xi8>, tensor<96xi8>) -> (tensor<96xi8>, tensor<96xi8>)
    %flat = "stablehlo.reshape"(%b) : (tensor<2x96xi8>) -> tensor<192xi8>
    %half = "stablehlo.slice"(%flat) {start_indices = array<i64: 64>, limit_indices = array<i64: 160>, strides = array<i64: 1>} : (tensor<192xi8>) -> tensor<96xi8>
    %odd = "stablehlo.slice"(%flat) {start_indices = array<i64: 1>, limit_indices = array<i64: 97>, strides = array<i64: 1>} : (tensor<192xi8>) -> tensor<96xi8>
    %n = "my.number"() : () -> i32
    %2 = "my.mix"(%half, %odd, %n, %u) {gmem.workbuffers = [{size = 4096}, {size = 0}, {size = 300, kind = "immutable"}, {size = 100, threads = 4, alignment = 128}]} : (tensor<96xi8>, tensor<96xi8>, i32, tensor<64xi8>) -> tensor<96xi8>
    %3 = "stablehlo.concatenate"(%1#0, %2) {dimension = 0 : i64} : (tensor<96xi8>, tensor<96xi8>) -> tensor<192xi8>
    %4 = call @once(%3) : (tensor<192xi8>) -> tensor<192xi8>
    %5 = "tosa.exp"(%2) : (tensor<96xi8>) -> tensor<96xi8>
    %g = "npu.group"(%5) ({
      %6 = "npu.load"(%5) : (tensor<96xi8>) -> tensor<96xi8>
      %7 = "npu.load"(%1#1) : (tensor<96xi8>) -> tensor<96xi8>
      %8 = "npu.add"(%6, %7) {gmem.workbuffers = [{size = 128}]} : (tensor<96xi8>, tensor<96xi8>) -> tensor<96xi8>
      "npu.yield"(%8) : (tensor<96xi8>) -> ()
    }) {gmem.layer_group} : (tensor<96xi8>) -> tensor<96xi8>
    "my.look"(%g) : (tensor<96xi8>) -> ()
    %9 = "my.op"(%4, %g) : (tensor<192xi8>, tensor<96xi8>) -> tensor<2x96xi8>
    %10 = "my.op"(%4, %9) : (tensor<192xi8>, tensor<2x96xi8>) -> tensor<192xi8>
    return %9, %5, %g, %10, %5 : tensor<2x96xi8>, tensor<96xi8>, tensor<96xi8>, tensor<192xi8>, tensor<96xi8>
  }
}
