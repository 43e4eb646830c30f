// linalg.mlir - op models: linalg, on tensors: destination-passing style
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Element-wise or not depending on the indexing maps.
"gmem.op_model"() {op = "linalg.generic", kind = "scalar_body", inplace = "map",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.elementwise", kind = "scalar_body",
  inplace = "map", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.map", kind = "scalar_body", inplace = "all",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.reduce", kind = "scalar_body",
  destination = "trailing"} : () -> ()

// Contractions accumulate into the destination.
"gmem.op_model"() {op = "linalg.batch_matmul", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.batch_matvec", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.batch_mmt4d", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.batch_reduce_matmul", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.batch_vecmat", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.contract", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.dot", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.matmul", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.matvec", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.mmt4d", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.quantized_batch_matmul", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.quantized_matmul", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.vecmat", kind = "scalar_body",
  destination = "trailing"} : () -> ()

"gmem.op_model"() {op = "linalg.conv_1d", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_1d_ncw_fcw", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_1d_nwc_wcf", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nchw_fchw", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nchw_fchw_q", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_ngchw_fgchw", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_ngchw_gfchw", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_ngchw_gfchw_q", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nhwc_fhwc", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nhwc_fhwc_q", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nhwc_hwcf", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nhwc_hwcf_q", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nhwgc_gfhwc", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_2d_nhwgc_gfhwc_q", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_3d", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_3d_ncdhw_fcdhw", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_3d_ndhwc_dhwcf", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.conv_3d_ndhwc_dhwcf_q", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_1d_ncw_cw", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_1d_nwc_wc", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_1d_nwc_wcm",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_2d_nchw_chw",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_2d_nhwc_hwc",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_2d_nhwc_hwc_q",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_2d_nhwc_hwcm",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_2d_nhwc_hwcm_q",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_3d_ncdhw_cdhw",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_3d_ndhwc_dhwc",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.depthwise_conv_3d_ndhwc_dhwcm",
  kind = "scalar_body", destination = "trailing"} : () -> ()

"gmem.op_model"() {op = "linalg.pooling_nchw_max", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nchw_sum", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_ncw_max", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_ncw_sum", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_ndhwc_max", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_ndhwc_min", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_ndhwc_sum", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nhwc_max", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nhwc_max_unsigned",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nhwc_min", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nhwc_min_unsigned",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nhwc_sum", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nwc_max", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nwc_max_unsigned", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nwc_min", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nwc_min_unsigned", kind = "scalar_body",
  destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "linalg.pooling_nwc_sum", kind = "scalar_body",
  destination = "trailing"} : () -> ()

// These do not read the destination.
"gmem.op_model"() {op = "linalg.abs", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.ceil", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.copy", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.erf", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.exp", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.floor", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.log", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.negf", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.reciprocal", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.round", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.rsqrt", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.sqrt", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.square", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.tanh", kind = "scalar_body",
  inplace = array<i64: 0>, destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.add", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.div", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.div_unsigned", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.max", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.min", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.mul", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.powf", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.sub", kind = "scalar_body",
  inplace = array<i64: 0, 1>, destination = "trailing", unread = array<i64: 2>} : () -> ()
"gmem.op_model"() {op = "linalg.select", kind = "scalar_body",
  inplace = array<i64: 1, 2>, destination = "trailing", unread = array<i64: 3>} : () -> ()
"gmem.op_model"() {op = "linalg.broadcast", kind = "scalar_body",
  destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.fill", kind = "scalar_body",
  destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.transpose", kind = "scalar_body",
  destination = "trailing", unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.fill_rng_2d", kind = "scalar_body",
  destination = "trailing", unread = array<i64: 3>} : () -> ()

// Ops without a body.
"gmem.op_model"() {op = "linalg.pack", destination = 1, unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.softmax", rowwise = array<i64: 0>, destination = 1,
  unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.unpack", destination = 1,
  unread = array<i64: 1>} : () -> ()
"gmem.op_model"() {op = "linalg.winograd_filter_transform", destination = 1} : () -> ()
"gmem.op_model"() {op = "linalg.winograd_input_transform", destination = 1} : () -> ()
"gmem.op_model"() {op = "linalg.winograd_output_transform", destination = 1} : () -> ()
