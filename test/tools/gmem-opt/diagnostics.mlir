// Remarks and errors come with locations, so --verify-diagnostics works on them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-plan=capacity=64 %s

// Case 1: what cannot be planned is said once per function and reason, at the
// first value, and the rest is planned.
module attributes {gmem.op_models = "\22gmem.op_model\22() {op = \22my.op\22} : () -> ()"} {
  func.func @main(%x: tensor<8xf32>) {
    // expected-remark@+1 {{this value of @main is not planned: its shape is dynamic (1 more in this function for the same reason)}}
    %0 = "my.op"(%x) : (tensor<8xf32>) -> tensor<?xf32>
    %1 = "my.op"(%0) : (tensor<?xf32>) -> tensor<*xf32>
    return
  }
}

// -----

// Case 2: tensors that do not fit are an error at the first that does not.
// expected-note@+1 {{pool 'tensors' needs 256 bytes, has 64: over by 192}}
module {
  // expected-error@+2 {{the tensors cannot be placed: }}
  // expected-note@+1 {{argument #0 of @main of 256 bytes is live at the peak}}
  func.func @main(%x: tensor<64xf32>) {
    return
  }
}

// -----

// Case 3: a malformed annotation is an error at its op.
func.func @main(%x: tensor<8xf32>) {
  // expected-error@+1 {{gmem.layer_group must be a unit attribute or an integer}}
  "my.op"(%x) {gmem.layer_group = "one"} : (tensor<8xf32>) -> ()
  return
}

// -----

// Case 4: a tensor of more bytes than an address can count.
func.func @main() {
  // expected-error@+1 {{the size of this tensor does not fit in 63 bits}}
  %0 = "my.op"() : () -> tensor<4294967296x4294967296xf32>
  return
}

// -----

// Case 5: a recursive function is left alone, and said to be.
// expected-remark@+1 {{@main is recursive: its tensors are not planned}}
func.func @main(%x: tensor<8xf32>) {
  func.call @main(%x) : (tensor<8xf32>) -> ()
  return
}
