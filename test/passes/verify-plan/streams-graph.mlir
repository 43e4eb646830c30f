// The ops of a graph region run once, in no known order: one in a stream may read what an op
// behind it in the text has made. The plan was refused, as if that were made again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --gmem-plan --gmem-verify-plan -o /dev/null

func.func @f(%x: tensor<16xi8>) -> tensor<16xi8> {
  "any.graph"() ({
    %c = "any.compute"(%b) {gmem.stream = 1} : (tensor<16xi8>) -> tensor<16xi8>
    %b = "any.compute"(%x) : (tensor<16xi8>) -> tensor<16xi8>
    "any.yield"(%c) : (tensor<16xi8>) -> ()
  }) : () -> ()
  return %x : tensor<16xi8>
}
