// gmem.irdl.mlir - the gmem dialect, as IRDL text: it is parsed and loaded into
// a context at run time, so no dialect has to be compiled against MLIR's C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations on other dialects' ops are plain discardable attributes
// (dialect/vocabulary.h) and need nothing from here: stock tools read them.

irdl.dialect @gmem {
  // What ops of one name mean to memory planning; dialect/models/ holds them.
  //
  //   "gmem.op_model"() {op = "tosa.reshape", kind = "reshape"} : () -> ()
  //
  // weight       every result is a constant and goes to a constant pool
  // layer_group  regions compute in local memory: only the operands, captured
  //              values and results of the op are global
  // scalar_body  regions are element-wise code of the op (reducers, combiners):
  //              their values live in registers
  // parallel     regions run several times at once: nothing inside has one
  //              address
  // reshape      result 0 is operand 0 under another shape: same bytes
  // input        the operands are host memory, the results network inputs
  // none         the results never need memory
  irdl.operation @op_model {
    %op = irdl.base "#builtin.string"
    %weight = irdl.is "weight"
    %layer_group = irdl.is "layer_group"
    %scalar_body = irdl.is "scalar_body"
    %parallel = irdl.is "parallel"
    %reshape = irdl.is "reshape"
    %input = irdl.is "input"
    %none = irdl.is "none"
    %kind = irdl.any_of(%weight, %layer_group, %scalar_body, %parallel, %reshape, %input, %none)
    irdl.attributes {"op" = %op, "kind" = %kind}
  }
}
