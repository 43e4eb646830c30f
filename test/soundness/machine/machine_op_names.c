// machine_op_names.c - see machine_op_names.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_op_names.h"

#include <string.h>

// Words between blanks: "dialect.", then its ops without it.
static const char *const lists[NAMES_COUNT] = {
    [NAMES_WEIGHT] =
        "arith. constant ml_program. global_load_const tf. Const tosa. const"
        " stablehlo. constant mhlo. constant onnx. Constant top."
        " Weight npu. weight ttir. constant torch."
        " vtensor.literal util. global.load global.load.indirect chlo."
        " constant flow. variable.load variable.load.indirect iree. "
        "unfoldable_constant tfl. "
        "pseudo_const"
        " pseudo_qconst pseudo_sparse_const pseudo_sparse_qconst"
        " external_const sdy. constant",
    [NAMES_VIEW] =
        "tensor. reshape expand_shape collapse_shape cast bitcast"
        " tosa. reshape identity builtin. unrealized_conversion_cast"
        " bufferization. to_buffer to_tensor stablehlo. reshape"
        ""
        " bitcast_convert mhlo. add_dependency reshape bitcast"
        " bitcast_convert onnx. Reshape Identity Flatten Squeeze SqueezeV11"
        " Unsqueeze UnsqueezeV11 Dropout top. Reshape Squeeze Unsqueeze"
        " Identity Flatten tpu. Reshape Squeeze Unsqueeze Identity Flatten npu."
        " reshape ttir. reshape squeeze unsqueeze torch. aten.view"
        " aten._unsafe_view aten.reshape aten.unsqueeze aten.squeeze"
        " aten.squeeze.dim aten.flatten.using_ints aten.detach aten.alias"
        " prims.split_dim prims.collapse torch_c. to_builtin_tensor"
        " from_builtin_tensor tfl. bitcast reshape squeeze expand_dims"
        " flow. tensor.bitcast tensor.reshape tensor.tie_shape sdy."
        " data_flow_edge propagation_barrier sharding_constraint",
    [NAMES_ELEMENTWISE] =
        "arith. addf subf mulf divf remf negf maximumf minimumf maxnumf minnumf"
        " addi subi muli divsi divui remsi remui andi ori xori shli shrsi shrui"
        " maxsi maxui minsi minui ceildivsi ceildivui floordivsi extf truncf"
        " extsi extui trunci sitofp uitofp fptosi fptoui bitcast index_cast"
        " index_castui cmpf cmpi select"
        " math. absf absi acos acosh asin asinh atan atan2 atanh cbrt ceil"
        " clampf copysign cos cosh ctlz ctpop cttz erf erfc exp exp2 expm1"
        " floor fma fpowi ipowi isfinite isinf isnan isnormal log log10 log1p"
        " log2 powf round roundeven rsqrt sin sinh sqrt tan tanh trunc"
        " linalg. add sub mul div div_unsigned max min powf exp log abs ceil"
        " floor negf reciprocal round rsqrt sqrt square tanh erf select copy"
        " map elementwise"
        " tosa. abs add arithmetic_right_shift bitwise_and bitwise_not"
        " bitwise_or bitwise_xor cast ceil clamp clz cos equal erf exp floor"
        " greater greater_equal intdiv log logical_and logical_left_shift"
        " logical_not logical_or logical_right_shift logical_xor maximum"
        " minimum mul negate pow reciprocal rescale rsqrt select sigmoid sin"
        " sub tanh"
        " stablehlo. abs add and atan2 cbrt ceil clamp compare complex convert"
        " cosine count_leading_zeros divide exponential exponential_minus_one"
        " floor imag is_finite log log_plus_one logistic maximum minimum"
        " multiply negate not or popcnt power real reduce_precision remainder"
        " round_nearest_afz round_nearest_even rsqrt select shift_left"
        " shift_right_arithmetic shift_right_logical sign sine sqrt subtract"
        " tan tanh uniform_quantize uniform_dequantize xor batch_norm_inference"
        " mhlo. abs add and atan2 cbrt ceil clamp compare complex convert"
        " cosine count_leading_zeros divide exponential exponential_minus_one"
        " floor imag is_finite log log_plus_one logistic maximum minimum"
        " multiply negate not or popcnt power real reduce_precision remainder"
        " round_nearest_afz round_nearest_even rsqrt select shift_left"
        " shift_right_arithmetic shift_right_logical sign sine sqrt subtract"
        " tan tanh uniform_quantize uniform_dequantize xor erf copy"
        " batch_norm_inference",
    [NAMES_ELEMENTWISE_TOO] =
        "onnx. Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift"
        " BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil Celu"
        " Clip Cos Cosh Div Elu Equal Erf Exp Floor Gelu Greater"
        " GreaterOrEqual HardSigmoid HardSwish IsInf IsNaN LeakyRelu Less"
        " LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow"
        " Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus"
        " Softsign Sqrt Sub Sum Tan Tanh ThresholdedRelu Where Xor"
        " top. Abs Add AddConst Arccos Arctanh BitShift Cast Ceil Clip Compare"
        " CompareConst Cos Cosh Div DivConst Elu Erf Exp Floor GELU HardSigmoid"
        " HardSwish LeakyRelu Log Max MaxConst Min MinConst Mish Mul MulConst"
        " Pow Pow2 Pow3 Reciprocal Relu Remainder RequantFp RequantInt Round"
        " Sigmoid Sign SiLU Sin Sinh Softplus Softsign Sqrt Sub SubConst Swish"
        " Tan Tanh Where"
        " tpu. Abs Active Add AddConst BinaryConstShift BinaryShift BitwiseAnd"
        " BitwiseNot BitwiseOr BitwiseXor Cast Clip Compare CompareConst"
        " DequantFloat DequantInt Div DivConst LeakyRelu LogicalAnd Lut "
        "MaskedFill"
        " Max MaxConst Min MinConst Mod Mul MulConst MulShift Pow Pow2 Pow3"
        " PRelu Reciprocal Relu RequantFp RequantFpAxis RequantInt"
        " RequantIntAxis Round Sign Sub SubConst Where"
        " ttir. abs add atan atan2 bitwise_and bitwise_not bitwise_or"
        " bitwise_xor cbrt ceil clamp_scalar clamp_tensor cos div eq erf erfc"
        " exp expm1 floor ge gelu gt hardsigmoid isfinite le leaky_relu log"
        " log1p logical_and logical_left_shift logical_not logical_or"
        " logical_right_shift logical_xor lt maximum minimum multiply ne neg"
        " pow reciprocal relu relu6 remainder rsqrt sigmoid sign silu sin sqrt"
        " subtract tan tanh typecast where"
        " torch. aten.abs aten.add.Scalar aten.add.Tensor "
        "aten.bitwise_and.Tensor"
        " aten.bitwise_not aten.bitwise_or.Tensor aten.ceil aten.clamp "
        "aten.clone"
        " aten.cos aten.div.Scalar aten.div.Tensor aten.eq.Scalar"
        " aten.eq.Tensor aten.erf aten.exp aten.fill.Scalar aten.floor "
        "aten.floor_divide"
        " aten.floor_divide.Scalar aten.ge.Scalar aten.ge.Tensor aten.gelu"
        " aten.gt.Scalar aten.gt.Tensor aten.le.Scalar aten.le.Tensor"
        " aten.leaky_relu aten.log aten.logical_and aten.logical_not"
        " aten.logical_or aten.lt.Scalar aten.lt.Tensor aten.maximum"
        " aten.minimum aten.mul.Scalar aten.mul.Tensor aten.ne.Scalar"
        " aten.ne.Tensor aten.neg aten.pow.Scalar aten.pow.Tensor_Scalar"
        " aten.pow.Tensor_Tensor aten.reciprocal aten.relu"
        " aten.remainder.Scalar aten.round aten.rsqrt aten.rsub.Scalar"
        " aten.sigmoid aten.sign aten.silu aten.sin aten.sqrt aten.sub.Scalar"
        " aten.sub.Tensor aten.tanh aten.to.dtype aten.where.self"
        " prims.convert_element_type npu. add cast"
        " tfl. abs add atan2 bitwise_xor cast ceil cos dequantize div elu equal"
        " exp fake_quant floor floor_div floor_mod gelu greater greater_equal"
        " hard_swish"
        " leaky_relu less less_equal log logical_and logical_not logical_or"
        " logistic maximum minimum mul neg not_equal pow prelu quantize relu"
        " relu6 relu_0_to_1 relu_n1_to_1 right_shift round rsqrt select"
        " select_v2 sign sin sqrt square squared_difference sub tanh"
        " flow. tensor.clone chlo. acos acosh asin asinh atan atanh bessel_i1e "
        "conj cosh digamma erf erf_inv erfc lgamma sinh square tan"
        " broadcast_add broadcast_and broadcast_atan2 broadcast_divide "
        "broadcast_maximum broadcast_minimum broadcast_multiply "
        "broadcast_next_after broadcast_or broadcast_polygamma broadcast_power "
        "broadcast_remainder broadcast_shift_left "
        "broadcast_shift_right_arithmetic broadcast_shift_right_logical "
        "broadcast_subtract broadcast_xor broadcast_zeta next_after polygamma "
        "zeta broadcast_select",
    [NAMES_ROWWISE] = "ttir. softmax rms_norm layer_norm torch. aten._softmax"
                      " aten.softmax.int aten._log_softmax aten.layer_norm"
                      " onnx. Softmax LogSoftmax LayerNormalization tpu."
                      " Softmax RMSNorm LayerNorm top. Softmax RMSNorm"
                      " LayerNorm linalg. softmax tfl. softmax"
                      " log_softmax",
    [NAMES_PERMUTE] = "ttir. permute stablehlo. transpose mhlo. transpose tosa."
                      " transpose onnx. Transpose tpu. Permute top. Permute"
                      " npu. permute",
    [NAMES_SWAP] = "ttir. transpose torch. aten.transpose.int",
    [NAMES_EXPAND] = "ttir. broadcast torch. aten.expand aten.broadcast_to"
                     " stablehlo. broadcast_in_dim broadcast mhlo."
                     " broadcast_in_dim broadcast onnx. Expand tfl."
                     " broadcast_to",
    [NAMES_EMPTY] =
        "tensor. empty bufferization. alloc_tensor flow. tensor.alloca"
        " tensor.empty ttir. empty torch."
        " aten.empty_strided aten.empty.memory_format",
    [NAMES_NOTHING] = "top. None tpu. None tosa. const_shape onnx. NoValue"
                      " tfl. no_value",
    [NAMES_SHAPE] =
        "tensor. dim rank shape. shape_of torch. aten.size.int"
        " aten.dim stablehlo. get_dimension_size mhlo. get_dimension_size"
        " ttir. get_dimension_size chlo. constant_like"
        " tfl. shape rank",
    [NAMES_WRITES] = "ttir. update_cache fill_cache paged_update_cache"
                     " paged_fill_cache",
    [NAMES_WRITES_SIXTH] = "tpu. RecurrentGatedDeltaRule ChunkGatedDeltaRule",
    [NAMES_INTO_FIRST] =
        "stablehlo. scatter mhlo. scatter onnx. ScatterElements ScatterND"
        " torch. aten.index_put aten.scatter.src aten.scatter.value"
        " aten.scatter_add tosa. scatter tpu. ConcatSlice tfl."
        " dynamic_update_slice flow. tensor.update stablehlo."
        " optimization_barrier mhlo. optimization_barrier util."
        " optimization_barrier",
    [NAMES_INTO_SECOND] = "tensor. insert scatter bufferization."
                          " materialize_in_destination linalg. pack unpack"
                          " softmax winograd_filter_transform"
                          " winograd_input_transform winograd_output_transform"
                          " vector. transfer_write flow. tensor.store",
    [NAMES_TUPLE] = "stablehlo. tuple mhlo. tuple",
    [NAMES_ELEMENT] = "stablehlo. get_tuple_element mhlo. get_tuple_element",
    [NAMES_INPUT] = "top. Input npu. input",
    [NAMES_GROUP] = "tpu. Group npu. group",
    [NAMES_OPAQUE] =
        "scf. forall parallel affine. parallel gpu. launch omp. parallel",
    [NAMES_JOIN] = "tensor. concat tosa. concat stablehlo. concatenate mhlo."
                   " concatenate onnx. Concat ttir. concat top. Concat tpu."
                   " Concat npu. concat tfl. concatenation",
    [NAMES_CHOOSE] = "scf. if index_switch execute_region affine. if tosa."
                     " cond_if sdy. named_computation stablehlo. if case mhlo. "
                     "if case onnx. If torch."
                     " prim.If tpu. If top. If tfl. if",
    [NAMES_LIST] =
        "any. list torch. aten.chunk aten.split.Tensor aten.unbind.int"
        " prim.ListConstruct prim.TupleConstruct hal. tensor.export",
    [NAMES_FOR] = "scf. for affine. for",
    [NAMES_WHILE] = "scf. while",
    [NAMES_TEST] = "stablehlo. while mhlo. while tosa. while_loop tfl. while",
};

static bool is_word(const char *word, size_t length, const char *text,
                    size_t text_length) {
  return length == text_length && memcmp(word, text, length) == 0;
}

bool is_named(name_list_t list, MlirStringRef name) {
  const char *dot = memchr(name.data, '.', name.length);
  if (!dot)
    return false;
  size_t prefix = (size_t)(dot - name.data) + 1;
  bool ours = false; // the words are ops of the name's dialect
  for (const char *word = lists[list]; *word;) {
    size_t length = strcspn(word, " ");
    if (word[length - 1] == '.')
      ours = is_word(word, length, name.data, prefix);
    else if (ours &&
             is_word(word, length, name.data + prefix, name.length - prefix))
      return true;
    word += length + (word[length] == ' ');
  }
  return false;
}

static const box_row_t box_rows[] = {
    {"tensor.extract_slice", 0, -1, "static_offsets", "static_sizes",
     "static_strides", NULL, false, false},
    {"stablehlo.slice", 0, -1, "start_indices", NULL, "strides", NULL, false,
     false},
    {"mhlo.slice", 0, -1, "start_indices", NULL, "strides", NULL, false, false},
    {"tosa.slice", 0, -1, "@1", NULL, NULL, NULL, false, false},
    {"tfl.slice", 0, -1, "@1", NULL, NULL, NULL, false, false},
    {"onnx.Slice", 0, -1, "@1", NULL, "@4", "@3", false, false},
    {"ttir.slice", 0, -1, "begins", NULL, "step", NULL, false, false},
    {"ttir.slice_static", 0, -1, "begins", NULL, "step", NULL, false, false},
    {"top.Slice", 0, -1, "offset", NULL, "steps", "axes", false, false},
    {"tpu.Slice", 0, -1, "offset", NULL, "steps", "axes", false, false},
    {"npu.slice", 0, -1, "begin", NULL, NULL, NULL, false, false},
    {"torch.aten.slice.Tensor", 0, -1, "@2", NULL, "@4", "@1", false, false},
    {"torch.aten.narrow", 0, -1, "@2", NULL, NULL, "@1", false, false},
    {"torch.aten.select.int", 0, -1, "@2", NULL, NULL, "@1", false, true},
    {"ttir.index", 0, -1, "begin", NULL, "step", "dim", false, false},
    {"torch.aten.slice_scatter", 0, 1, "@3", NULL, "@5", "@2", false, false},
    {"torch.aten.select_scatter", 0, 1, "@3", NULL, NULL, "@2", false, true},
    {"stablehlo.dynamic_slice", 0, -1, "@1", NULL, NULL, NULL, true, false},
    {"mhlo.dynamic_slice", 0, -1, "@1", NULL, NULL, NULL, true, false},
    {"tensor.insert_slice", 1, 0, "static_offsets", "static_sizes",
     "static_strides", NULL, false, false},
    {"stablehlo.dynamic_update_slice", 0, 1, "@2", NULL, NULL, NULL, true,
     false},
    {"mhlo.dynamic_update_slice", 0, 1, "@2", NULL, NULL, NULL, true, false},
};

const box_row_t *find_box_row(MlirStringRef name) {
  for (size_t i = 0; i < sizeof box_rows / sizeof *box_rows; ++i)
    if (is_word(box_rows[i].op, strlen(box_rows[i].op), name.data, name.length))
      return &box_rows[i];
  return NULL;
}
