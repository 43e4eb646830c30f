// The command streams of an accelerator: its ops state which words take addresses.
func.func @main(%image: tensor<16xf32> loc("image")) -> tensor<16xf32> {
  %w = "npu.weights"() {values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32> loc("w")
  %conv = "npu.conv"(%image, %w) {
    gmem.workbuffers = [{size = 0}, {size = 256}],
    gmem.relocations = [
      {where = 40, workbuffer = 1, kind = "lo32"},
      {where = 44, workbuffer = 1, kind = "hi32"},
      {where = 8, operand = 0},
      {where = 16, operand = 1, addend = 32},
      {where = 24, result = 0}]
  } : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc("conv")
  %half = tensor.extract_slice %conv[8] [8] [1] {
    gmem.relocations = [{where = 3, result = 0, stream = 1}]
  } : tensor<16xf32> to tensor<8xf32> loc("half")
  %sum = "npu.reduce"(%half) {
    gmem.padding = [array<i64: 64, 0>],
    gmem.relocations = [{where = 11, result = 0, stream = 1, addend = 4}]
  } : (tensor<8xf32>) -> tensor<16xf32> loc("sum")
  return %sum : tensor<16xf32>
}
