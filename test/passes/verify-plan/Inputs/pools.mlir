// A value that only one memory can have, one that two can, and a pool behind
// another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {gmem.target = "cpu", gmem.memories = [
    {name = "dtcm", targets = ["cpu"], speed = 4 : i64, alignment = 16 : i64, capacity = 64 : i64},
    {name = "sram", targets = ["cpu", "accel"], alignment = 32 : i64, base = 4096 : i64, size = 4096 : i64},
    {name = "dram", after = "sram", alignment = 64 : i64}]} {
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = tosa.exp %x {gmem.target = "accel"} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = tosa.tanh %0 : (tensor<16xf32>) -> tensor<16xf32>
    %2 = tosa.ceil %1 {gmem.pools = ["dram", "dtcm"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}
