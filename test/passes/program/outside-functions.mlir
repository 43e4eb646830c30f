// Values that are in no function are not planned, and this is said once: those of
// an op with a body but without a function type were left out in silence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan %s -o /dev/null
// RUN: sh -c 'gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=strict=true %s -o /dev/null 2>&1; test $? = 1' | FileCheck %s
// CHECK: error: 3 values outside of functions are not planned: 'npu.func' is no function

func.func @a(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}
// expected-remark @+1 {{3 values outside of functions are not planned: 'npu.func' is no function, which has a symbol name, a function type and a body}}
"npu.func"() ({
^bb0(%x: tensor<64xi8>):
  %0 = "npu.relu"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %m = memref.alloc() : memref<4xi8>
  "npu.ret"(%0, %m) : (tensor<64xi8>, memref<4xi8>) -> ()
}) {sym_name = "main"} : () -> ()

// -----

// A scope in the scope reports its own; an op that needs no memory is not one.
// expected-remark @+1 {{1 value outside of functions is not planned: 'builtin.module' is no function}}
module @without {
  %0 = "npu.input"() : () -> tensor<64xi8>
}
func.func @a() { return }
module @with {
  // expected-remark @+1 {{1 value outside of functions is not planned: 'npu.input' is no function}}
  %0 = "npu.input"() : () -> tensor<64xi8>
  func.func @b() { return }
}
"npu.table"() ({ %0 = "npu.number"() : () -> i32 }) : () -> ()
