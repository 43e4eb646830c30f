// A use of a list writes nothing: of what the tensor is a part stays known. The planner's
// own plan was refused, in which a concatenation writes what is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s 2> /dev/null | FileCheck %s
// CHECK: tensor.concat
// CHECK-SAME: kind = "concat"

func.func @parts() -> (tensor<128xi8>) {
%v20 = "any.compute"() : () -> (tensor<32xi8>)
%v21 = tensor.concat dim(0) %v20, %v20, %v20, %v20, %v20 : (tensor<32xi8>, tensor<32xi8>, tensor<32xi8>, tensor<32xi8>, tensor<32xi8>) -> tensor<160xi8>
%v22 = "any.concat"(%v21) <{axis = 0}> {gmem.op_model = {concat = {axis = "axis"}}} : (tensor<160xi8>) -> (tensor<160xi8>)
"any.branch"()[^b0_2, ^b0_1] : () -> ()
^b0_1():
%r26 = tensor.expand_shape %v21 [[0, 1]] output_shape [2, 80] : tensor<160xi8> into tensor<2x80xi8>
%v27 = "any.compute"(%v22) : (tensor<160xi8>) -> (tensor<48xi8>)
%v28 = tensor.collapse_shape %r26 [[0, 1]] : tensor<2x80xi8> into tensor<160xi8>
%e29 = tensor.empty() : tensor<416xi8>
%v31 = tensor.insert_slice %v27 into %e29[0] [48] [1] : tensor<48xi8> into tensor<416xi8>
%v32 = "any.compute"() : () -> (tensor<160xi8>)
%v33 = tensor.insert_slice %v32 into %v31[48] [160] [1] : tensor<160xi8> into tensor<416xi8>
%v35 = tensor.insert_slice %v27 into %v33[208] [48] [1] : tensor<48xi8> into tensor<416xi8>
%v37 = tensor.insert_slice %v28 into %v35[256] [160] [1] : tensor<160xi8> into tensor<416xi8>
%v51 = "any.compute"() : () -> (tensor<128xi8>)
"func.return"(%v51) : (tensor<128xi8>) -> ()
^b0_2(%v1: tensor<48xi8>):
%v52 = "any.compute"() : () -> (tensor<64xi8>)
%v53 = "any.compute"() : () -> (tensor<16xi8>)
%v54, %v55 = "any.into"(%v52, %v53) {gmem.op_model = {destination = "trailing"}} : (tensor<64xi8>, tensor<16xi8>) -> (tensor<64xi8>, tensor<16xi8>)
%v56 = "any.insert"(%v20, %v55) <{begin = array<i64: 0>}> {gmem.op_model = {destination = 0, insert = {operand = 1, begin = "begin"}}} : (tensor<32xi8>, tensor<16xi8>) -> (tensor<32xi8>)
%r57 = tensor.expand_shape %v56 [[0, 1]] output_shape [2, 16] : tensor<32xi8> into tensor<2x16xi8>
%v58 = tensor.collapse_shape %r57 [[0, 1]] : tensor<2x16xi8> into tensor<32xi8>
%v59 = tensor.concat dim(0) %v58, %v55, %v55, %v58 : (tensor<32xi8>, tensor<16xi8>, tensor<16xi8>, tensor<32xi8>) -> tensor<96xi8>
%v61 = "any.list"(%v55) : (tensor<16xi8>) -> (!any.list)
%v60 = "torch.prim.ListUnpack"(%v61) : (!any.list) -> (tensor<24xi8>)
%v63 = "hal.tensor.export"(%v60, %v22) : (tensor<24xi8>, tensor<160xi8>) -> (!any.list)
%v62 = "any.unlist"(%v63) : (!any.list) -> (tensor<96xi8>)
%v67 = "any.compute"() : () -> (tensor<128xi8>)
"func.return"(%v67) : (tensor<128xi8>) -> ()
}
