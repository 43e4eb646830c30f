// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-plan=weight-alignment=16 %s

func.func @workspace() {
  // expected-error@+1 {{result #0 of 'arith.constant' cannot be placed in pool 'io.0' of gmem.pools: it is a workspace pool}}
  %0 = arith.constant {gmem.pools = ["io.0"]} dense<1> : tensor<4xi32>
  return
}

// -----

func.func @no_text() {
  // expected-error@+1 {{gmem.pools must be an array of names of pools, or one such array per result}}
  %0 = arith.constant {gmem.pools = [1]} dense<1> : tensor<4xi32>
  return
}

// -----

func.func @no_name() {
  // expected-error@+1 {{result #0 of 'arith.constant' cannot be placed in pool '' of gmem.pools: the name is empty}}
  %0 = arith.constant {gmem.pools = [""]} dense<1> : tensor<4xi32>
  return
}

// -----

// expected-error@+1 {{gmem.dynamic must be a unit attribute}}
func.func @dynamic() attributes {gmem.dynamic = "yes"} {
  return
}

// -----

// expected-error@+1 {{the weights cannot be placed: buffers 'result #0 of 'arith.constant'' and 'result #0 of 'tosa.const'' share the bytes [16, 32) of pool 'weights' at time 0}}
module {
  func.func @overlap() {
    %0 = arith.constant {gmem.fixed = array<i64: 16>} dense<1> : tensor<4xi32>
    %1 = "tosa.const"() {gmem.fixed = array<i64: 0>, values = dense<1> : tensor<8xi32>} : () -> tensor<8xi32>
    return
  }
}
