// torch.mlir - op models: torch, on builtin tensors; scalars are operands, too
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "torch.vtensor.literal", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "torch.constant.bool", kind = "none"} : () -> ()
"gmem.op_model"() {op = "torch.constant.device", kind = "none"} : () -> ()
"gmem.op_model"() {op = "torch.constant.float", kind = "none"} : () -> ()
"gmem.op_model"() {op = "torch.constant.int", kind = "none"} : () -> ()
"gmem.op_model"() {op = "torch.constant.none", kind = "none"} : () -> ()
"gmem.op_model"() {op = "torch.constant.str", kind = "none"} : () -> ()

// Reshapes: the same bytes with another shape.
"gmem.op_model"() {op = "torch.aten._unsafe_view", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.alias", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.detach", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.flatten.using_ints", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.squeeze.dim", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.unflatten.int", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.unsqueeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.view", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch_c.from_builtin_tensor", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch_c.to_builtin_tensor", kind = "reshape"} : () -> ()

// Only the shape of the operand is read.
"gmem.op_model"() {op = "torch.aten.dim", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.full_like", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.new_full", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.new_ones", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.new_zeros", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.numel", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.ones_like", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.size", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.size.int", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.zeros_like", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.bind_symbolic_shape", unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.fill.Scalar", inplace = array<i64: 0>,
  unread = array<i64: 0>} : () -> ()

"gmem.op_model"() {op = "torch.aten.empty.memory_format", kind = "empty"} : () -> ()
"gmem.op_model"() {op = "torch.aten.empty_strided", kind = "empty"} : () -> ()
"gmem.op_model"() {op = "torch.aten.empty_like", kind = "empty",
  unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.new_empty", kind = "empty",
  unread = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.new_empty_strided", kind = "empty",
  unread = array<i64: 0>} : () -> ()

// Subtensors.
"gmem.op_model"() {op = "torch.aten.slice.Tensor",
  slice = {begin = 2, end = 3, step = 4, axes = 1}} : () -> ()
"gmem.op_model"() {op = "torch.aten.narrow",
  slice = {begin = 2, size = 3, axes = 1}} : () -> ()
"gmem.op_model"() {op = "torch.aten.select.int", slice = {begin = 2, axes = 1}} : () -> ()
"gmem.op_model"() {op = "torch.aten.slice_scatter", destination = 0,
  insert = {operand = 1, begin = 3, step = 5, axes = 2}} : () -> ()
"gmem.op_model"() {op = "torch.aten.select_scatter", destination = 0,
  insert = {operand = 1, begin = 3, axes = 2}} : () -> ()

// A copy of operand 0 with some elements replaced.
"gmem.op_model"() {op = "torch.aten.index_put", destination = 0} : () -> ()
"gmem.op_model"() {op = "torch.aten.scatter.src", destination = 0} : () -> ()
"gmem.op_model"() {op = "torch.aten.scatter.value", destination = 0} : () -> ()
"gmem.op_model"() {op = "torch.aten.scatter_add", destination = 0} : () -> ()

// Element-wise. Comparisons are not listed: the elements of their results are
// narrower than those of their operands.
"gmem.op_model"() {op = "torch.aten.abs", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.add.Scalar", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.bitwise_not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.ceil", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.clamp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.clone", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.cos", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.div.Scalar", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.elu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.erf", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.exp", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.expm1", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.floor", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.gelu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.hardsigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.hardswish", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.hardtanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.leaky_relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.log", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.log1p", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.logical_not", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.mul.Scalar", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.neg", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.pow.Tensor_Scalar", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.reciprocal", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.relu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.relu6", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.remainder.Scalar", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.round", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.rsqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.sigmoid", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.sign", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.silu", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.sin", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.sqrt", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.square", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.sub.Scalar", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.tan", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.tanh", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.to.dtype", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.prims.convert_element_type",
  inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.add.Tensor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.bitwise_and.Tensor",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.bitwise_or.Tensor",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.bitwise_xor.Tensor",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.div.Tensor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.maximum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.minimum", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.mul.Tensor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.pow.Tensor_Tensor",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.remainder.Tensor",
  inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.sub.Tensor", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "torch.aten.where.self", inplace = array<i64: 1, 2>} : () -> ()

"gmem.op_model"() {op = "torch.overwrite.tensor.contents",
  unread = array<i64: 1>, writes = array<i64: 1>} : () -> ()

"gmem.op_model"() {op = "torch.prim.If", kind = "branch"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "torch.aten._scaled_dot_product_flash_attention_for_cpu"} : () -> ()
"gmem.op_model"() {op = "torch.aten.adaptive_avg_pool1d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.adaptive_avg_pool2d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.addmm"} : () -> ()
"gmem.op_model"() {op = "torch.aten.all"} : () -> ()
"gmem.op_model"() {op = "torch.aten.all.dim"} : () -> ()
"gmem.op_model"() {op = "torch.aten.amax"} : () -> ()
"gmem.op_model"() {op = "torch.aten.amin"} : () -> ()
"gmem.op_model"() {op = "torch.aten.any"} : () -> ()
"gmem.op_model"() {op = "torch.aten.any.dim"} : () -> ()
"gmem.op_model"() {op = "torch.aten.arange"} : () -> ()
"gmem.op_model"() {op = "torch.aten.arange.start"} : () -> ()
"gmem.op_model"() {op = "torch.aten.arange.start_step"} : () -> ()
"gmem.op_model"() {op = "torch.aten.argmax"} : () -> ()
"gmem.op_model"() {op = "torch.aten.argmin"} : () -> ()
"gmem.op_model"() {op = "torch.aten.avg_pool1d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.avg_pool2d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.baddbmm"} : () -> ()
"gmem.op_model"() {op = "torch.aten.batch_norm"} : () -> ()
"gmem.op_model"() {op = "torch.aten.bmm"} : () -> ()
"gmem.op_model"() {op = "torch.aten.constant_pad_nd"} : () -> ()
"gmem.op_model"() {op = "torch.aten.conv1d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.conv2d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.conv3d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.conv_transpose2d.input"} : () -> ()
"gmem.op_model"() {op = "torch.aten.convolution"} : () -> ()
"gmem.op_model"() {op = "torch.aten.cumsum"} : () -> ()
"gmem.op_model"() {op = "torch.aten.embedding"} : () -> ()
"gmem.op_model"() {op = "torch.aten.eq.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.eq.Tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.flip"} : () -> ()
"gmem.op_model"() {op = "torch.aten.floor_divide.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.full"} : () -> ()
"gmem.op_model"() {op = "torch.aten.gather"} : () -> ()
"gmem.op_model"() {op = "torch.aten.ge.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.ge.Tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.group_norm"} : () -> ()
"gmem.op_model"() {op = "torch.aten.gt.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.gt.Tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.index.Tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.index_select"} : () -> ()
"gmem.op_model"() {op = "torch.aten.le.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.le.Tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.linear"} : () -> ()
"gmem.op_model"() {op = "torch.aten.logical_and"} : () -> ()
"gmem.op_model"() {op = "torch.aten.logical_or"} : () -> ()
"gmem.op_model"() {op = "torch.aten.lt.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.lt.Tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.matmul"} : () -> ()
"gmem.op_model"() {op = "torch.aten.max"} : () -> ()
"gmem.op_model"() {op = "torch.aten.max.dim"} : () -> ()
"gmem.op_model"() {op = "torch.aten.max_pool2d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.max_pool2d_with_indices"} : () -> ()
"gmem.op_model"() {op = "torch.aten.mean"} : () -> ()
"gmem.op_model"() {op = "torch.aten.mean.dim"} : () -> ()
"gmem.op_model"() {op = "torch.aten.min"} : () -> ()
"gmem.op_model"() {op = "torch.aten.mm"} : () -> ()
"gmem.op_model"() {op = "torch.aten.native_group_norm"} : () -> ()
"gmem.op_model"() {op = "torch.aten.ne.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.ne.Tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.ones"} : () -> ()
"gmem.op_model"() {op = "torch.aten.pow.Scalar"} : () -> ()
"gmem.op_model"() {op = "torch.aten.prod"} : () -> ()
"gmem.op_model"() {op = "torch.aten.repeat"} : () -> ()
"gmem.op_model"() {op = "torch.aten.roll"} : () -> ()
"gmem.op_model"() {op = "torch.aten.scalar_tensor"} : () -> ()
"gmem.op_model"() {op = "torch.aten.scaled_dot_product_attention"} : () -> ()
"gmem.op_model"() {op = "torch.aten.sort"} : () -> ()
"gmem.op_model"() {op = "torch.aten.stack"} : () -> ()
"gmem.op_model"() {op = "torch.aten.std.dim"} : () -> ()
"gmem.op_model"() {op = "torch.aten.sum"} : () -> ()
"gmem.op_model"() {op = "torch.aten.sum.dim_IntList"} : () -> ()
"gmem.op_model"() {op = "torch.aten.topk"} : () -> ()
"gmem.op_model"() {op = "torch.aten.tril"} : () -> ()
"gmem.op_model"() {op = "torch.aten.triu"} : () -> ()
"gmem.op_model"() {op = "torch.aten.upsample_bilinear2d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.upsample_nearest2d"} : () -> ()
"gmem.op_model"() {op = "torch.aten.var.correction"} : () -> ()
"gmem.op_model"() {op = "torch.aten.var_mean.correction"} : () -> ()
"gmem.op_model"() {op = "torch.aten.zeros"} : () -> ()

// A copy; a condition per channel.


// Row by row.
"gmem.op_model"() {op = "torch.aten._log_softmax", rowwise = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten._softmax", rowwise = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.layer_norm", rowwise = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.log_softmax.int", rowwise = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.native_layer_norm", rowwise = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "torch.aten.softmax.int", rowwise = array<i64: 0>} : () -> ()

// Views where they move nothing.
"gmem.op_model"() {op = "torch.aten.transpose.int",
  swap = {first = 1, second = 2}} : () -> ()

"gmem.op_model"() {op = "torch.aten.broadcast_to", broadcast} : () -> ()
"gmem.op_model"() {op = "torch.aten.expand", broadcast} : () -> ()
"gmem.op_model"() {op = "torch.aten.expand_as", broadcast} : () -> ()

// Tensors with value semantics.
"gmem.type_model"() {type = "!torch.vtensor"} : () -> ()

// No tensors. A list stands for those that are in it.
"gmem.type_model"() {type = "!torch.Device", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.Generator", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.any", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.bool", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.dict", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.float", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.int", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.list", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.none", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.number", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.optional", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.str", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.tuple", kind = "none"} : () -> ()
"gmem.type_model"() {type = "!torch.union", kind = "none"} : () -> ()

// The result is the operand.
"gmem.op_model"() {op = "torch.prim.ListConstruct", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "torch.prim.ListUnpack", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "torch.prim.TupleConstruct", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "torch.prim.TupleUnpack", kind = "unknown"} : () -> ()

"gmem.op_model"() {op = "torch.copy.to_tensor"} : () -> ()
"gmem.op_model"() {op = "torch.copy.to_vtensor"} : () -> ()

// Ops of ONNX, or ops that torch-mlir does not know, by the name of that op.
// Attributes of ONNX have names that begin with "torch.onnx.".
"gmem.op_name"() {op = "torch.operator", attribute = "name"} : () -> ()
"gmem.op_model"() {op = "torch.operator.onnx.Concat",
  concat = {axis = "torch.onnx.axis"}} : () -> ()
"gmem.op_model"() {op = "torch.operator.onnx.Transpose",
  permutation = "torch.onnx.perm"} : () -> ()
