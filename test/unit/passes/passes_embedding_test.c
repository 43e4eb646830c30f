// passes_embedding_test.c - planning from C, without the tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_embedding_test

#include "check.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes_program.h"

// Two weights; %1 may take the place of %x, and %2 is %1 reshaped.
static const char network[] =
    "module {\n"
    "  func.func @main(%x: tensor<16xf32>) -> tensor<4x4xf32> {\n"
    "    %w0 = \"npu.weight\"() : () -> tensor<10xi8> loc(\"w0\")\n"
    "    %w1 = \"npu.weight\"() : () -> tensor<10xi8> loc(\"w1\")\n"
    "    %0 = \"npu.conv\"(%x, %w0) : (tensor<16xf32>, tensor<10xi8>)"
    " -> tensor<16xf32> loc(\"conv0\")\n"
    "    %1 = \"npu.conv\"(%0, %w1) : (tensor<16xf32>, tensor<10xi8>)"
    " -> tensor<16xf32> loc(\"conv1\")\n"
    "    %2 = \"npu.reshape\"(%1) : (tensor<16xf32>) -> tensor<4x4xf32>"
    " loc(\"shaped\")\n"
    "    return %2 : tensor<4x4xf32>\n"
    "  }\n"
    "}\n";

static MlirModule parse(MlirContext context, const char *text) {
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  CHECK(!mlirModuleIsNull(module));
  return module;
}

static void set(gmem_plan_options_t *options, const char *name,
                const char *value) {
  gmem_diag_t diag;
  gmem_status_t status = gmem_plan_options_set(options, name, value, &diag);
  CHECK(status == GMEM_OK);
}

//===--- options ----------------------------------------------------------===//

static void check_usual_model(const gmem_model_options_t *model) {
  CHECK(!model->keep_inputs && !model->share_weights);
  CHECK(model->sharing == GMEM_SHARE_ALL);
  CHECK(model->view_alignment == 64);
  CHECK(model->io == GMEM_IO_SHARED);
  CHECK(model->io_tags == 5);
  CHECK(model->dynamic_bound == 0);
}

static void test_defaults_are_those_of_the_table(void) {
  gmem_plan_options_t defaults, from_text;
  gmem_plan_options_init(&defaults);
  memset(&from_text, 0x5a, sizeof from_text);
  gmem_plan_options_init(&from_text);
  const gmem_pass_descriptor_t *plan = gmem_pass_find("gmem-plan");
  CHECK(plan && plan->steps && !plan->run && plan->option_count >= 16);
  for (size_t i = 0; plan && i < plan->option_count; ++i)
    set(&from_text, plan->options[i].name, plan->options[i].default_value);
  CHECK(from_text.algorithm == defaults.algorithm);
  CHECK(from_text.algorithm == gmem_algorithm_find("auto"));
  CHECK(from_text.effort == GMEM_EFFORT_NORMAL);
  CHECK(defaults.effort == GMEM_EFFORT_NORMAL);
  CHECK(from_text.alignment == 4096 && defaults.alignment == 4096);
  CHECK(from_text.weight_alignment == 4096);
  CHECK(from_text.weight_base == 0 && defaults.weight_base == 0);
  CHECK(from_text.tensor_base == GMEM_AFTER_WEIGHTS);
  CHECK(defaults.tensor_base == GMEM_AFTER_WEIGHTS);
  CHECK(from_text.capacity == GMEM_UNLIMITED);
  CHECK(defaults.capacity == GMEM_UNLIMITED);
  CHECK(from_text.weight_order == GMEM_WEIGHTS_BY_WALK);
  CHECK(defaults.weight_order == GMEM_WEIGHTS_BY_WALK);
  check_usual_model(&from_text.model);
  check_usual_model(&defaults.model);
}

static void test_options_from_text(void) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  set(&options, "algorithm", "none");
  CHECK(strcmp(options.algorithm->name, "none") == 0);
  set(&options, "effort", "exhaustive");
  CHECK(options.effort == GMEM_EFFORT_EXHAUSTIVE);
  set(&options, "effort", "fast");
  CHECK(options.effort == GMEM_EFFORT_FAST);
  set(&options, "alignment", "1");
  CHECK(options.alignment == 1);
  set(&options, "alignment", "0x40");
  CHECK(options.alignment == 64);
  set(&options, "weight-alignment", "1099511627776"); // the largest
  CHECK(options.weight_alignment == GMEM_MAX_ALIGNMENT);
  set(&options, "weight-base", "9223372036854775807"); // the largest
  CHECK(options.weight_base == GMEM_MAX_ADDRESS);
  set(&options, "tensor-base", "none");
  CHECK(options.tensor_base == GMEM_NO_BASE);
  set(&options, "tensor-base", "0");
  CHECK(options.tensor_base == 0);
  set(&options, "capacity", "1");
  CHECK(options.capacity == 1);
  set(&options, "keep-inputs", "true");
  CHECK(options.model.keep_inputs);
  set(&options, "keep-inputs", "0");
  CHECK(!options.model.keep_inputs);
  set(&options, "keep-inputs", "");
  CHECK(options.model.keep_inputs);
  set(&options, "weight-order", "first-use");
  CHECK(options.weight_order == GMEM_WEIGHTS_BY_FIRST_USE);
  set(&options, "weight-order", "name");
  CHECK(options.weight_order == GMEM_WEIGHTS_BY_NAME);
}

static void test_model_options_from_text(void) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  const gmem_model_options_t *model = &options.model;
  set(&options, "sharing", "none");
  CHECK(model->sharing == 0);
  set(&options, "sharing", "inplace+slice");
  CHECK(model->sharing == (GMEM_SHARE_INPLACE | GMEM_SHARE_SLICE));
  set(&options, "sharing", "destination,concat,transfer,concat");
  CHECK(model->sharing ==
        (GMEM_SHARE_DESTINATION | GMEM_SHARE_CONCAT | GMEM_SHARE_TRANSFER));
  set(&options, "sharing", "all");
  CHECK(model->sharing == GMEM_SHARE_ALL);
  set(&options, "view-alignment", "256");
  CHECK(model->view_alignment == 256);
  set(&options, "io", "separate");
  CHECK(model->io == GMEM_IO_SEPARATE);
  set(&options, "io", "tagged");
  CHECK(model->io == GMEM_IO_TAGGED);
  set(&options, "io-tags", "32");
  CHECK(model->io_tags == GMEM_MAX_IO_TAGS);
  set(&options, "dynamic-bound", "4096");
  CHECK(model->dynamic_bound == 4096);
  set(&options, "dynamic-bound", "none");
  CHECK(model->dynamic_bound == 0);
  set(&options, "share-weights", "");
  CHECK(model->share_weights);
}

typedef struct bad_option_s {
  const char *name, *value;
  gmem_status_t status;
  const char *text;
} bad_option_t;

#define ALGORITHMS                                                             \
  "auto, none, ref-count, blobs, first-fit, best-fit, greedy-by-size, "        \
  "greedy-by-conflicts, sweep, hill-climb, exact"
#define NO_SHARING                                                             \
  " is not all, none or a '+'-separated list of: inplace, destination, "       \
  "slice, concat, transfer"
#define NO_POWER " is not a power of two of at most 1099511627776"

static const bad_option_t bad_options[] = {
    {"algorithm", "best", GMEM_ERR_INVALID_ARGUMENT,
     "algorithm='best' is not one of: " ALGORITHMS},
    {"algorithm", "", GMEM_ERR_INVALID_ARGUMENT,
     "algorithm='' is not one of: " ALGORITHMS},
    {"effort", "slow", GMEM_ERR_INVALID_ARGUMENT,
     "effort='slow' is not one of: fast, normal, exhaustive"},
    {"effort", "", GMEM_ERR_INVALID_ARGUMENT,
     "effort='' is not one of: fast, normal, exhaustive"},
    {"alignment", "0", GMEM_ERR_INVALID_ARGUMENT, "alignment='0'" NO_POWER},
    {"alignment", "96", GMEM_ERR_INVALID_ARGUMENT, "alignment='96'" NO_POWER},
    {"alignment", "2199023255552", GMEM_ERR_INVALID_ARGUMENT,
     "alignment='2199023255552'" NO_POWER},
    {"weight-alignment", " 64", GMEM_ERR_INVALID_ARGUMENT,
     "weight-alignment=' 64'" NO_POWER},
    {"weight-alignment", "64 ", GMEM_ERR_INVALID_ARGUMENT,
     "weight-alignment='64 '" NO_POWER},
    {"weight-alignment", "+64", GMEM_ERR_INVALID_ARGUMENT,
     "weight-alignment='+64'" NO_POWER},
    {"weight-base", "9223372036854775808", GMEM_ERR_INVALID_ARGUMENT,
     "weight-base='9223372036854775808' is not a number of bytes"},
    {"weight-base", "none", GMEM_ERR_INVALID_ARGUMENT,
     "weight-base='none' is not a number of bytes"},
    {"weight-base", "0x", GMEM_ERR_INVALID_ARGUMENT,
     "weight-base='0x' is not a number of bytes"},
    {"tensor-base", "", GMEM_ERR_INVALID_ARGUMENT,
     "tensor-base='' is not a number of bytes, after-weights or none"},
    {"tensor-base", "18446744073709551615", GMEM_ERR_INVALID_ARGUMENT,
     "tensor-base='18446744073709551615' is not a number of bytes, "
     "after-weights or none"},
    {"capacity", "99999999999999999999", GMEM_ERR_INVALID_ARGUMENT,
     "capacity='99999999999999999999' is not a number of bytes or unlimited"},
    {"keep-inputs", "yes", GMEM_ERR_INVALID_ARGUMENT,
     "keep-inputs='yes' is neither true nor false"},
    {"share-weights", "2", GMEM_ERR_INVALID_ARGUMENT,
     "share-weights='2' is neither true nor false"},
    {"sharing", "", GMEM_ERR_INVALID_ARGUMENT, "sharing=''" NO_SHARING},
    {"sharing", "slice+", GMEM_ERR_INVALID_ARGUMENT,
     "sharing='slice+'" NO_SHARING},
    {"sharing", "slice+all", GMEM_ERR_INVALID_ARGUMENT,
     "sharing='slice+all'" NO_SHARING},
    {"sharing", "slices", GMEM_ERR_INVALID_ARGUMENT,
     "sharing='slices'" NO_SHARING},
    {"view-alignment", "0", GMEM_ERR_INVALID_ARGUMENT,
     "view-alignment='0'" NO_POWER},
    {"io", "", GMEM_ERR_INVALID_ARGUMENT,
     "io='' is not one of: shared, separate, tagged"},
    {"io-tags", "0", GMEM_ERR_INVALID_ARGUMENT,
     "io-tags='0' is not a number from 1 to 32"},
    {"io-tags", "33", GMEM_ERR_INVALID_ARGUMENT,
     "io-tags='33' is not a number from 1 to 32"},
    {"dynamic-bound", "0", GMEM_ERR_INVALID_ARGUMENT,
     "dynamic-bound='0' is not a number of elements or none"},
    {"weight-order", "size", GMEM_ERR_INVALID_ARGUMENT,
     "weight-order='size' is not one of: walk, name, first-use"},
    {"colour", "red", GMEM_ERR_NOT_FOUND, "unknown option 'colour'"},
    {"", "", GMEM_ERR_NOT_FOUND, "unknown option ''"},
};

static void test_wrong_options_change_nothing(void) {
  for (size_t i = 0; i < sizeof bad_options / sizeof *bad_options; ++i) {
    const bad_option_t *bad = &bad_options[i];
    gmem_plan_options_t options, before;
    memset(&options, 0, sizeof options);
    gmem_plan_options_init(&options);
    memcpy(&before, &options, sizeof before);
    gmem_diag_t diag = {.status = GMEM_OK};
    gmem_status_t status =
        gmem_plan_options_set(&options, bad->name, bad->value, &diag);
    CHECK(status == bad->status && diag.status == bad->status);
    CHECK(strcmp(diag.text, bad->text) == 0);
    CHECK(options.algorithm == before.algorithm &&
          options.effort == before.effort &&
          options.alignment == before.alignment &&
          options.weight_alignment == before.weight_alignment &&
          options.weight_base == before.weight_base &&
          options.tensor_base == before.tensor_base &&
          options.capacity == before.capacity &&
          options.model.keep_inputs == before.model.keep_inputs);
    // Without a place for the detail the status is the same.
    status = gmem_plan_options_set(&options, bad->name, bad->value, NULL);
    CHECK(status == bad->status);
  }
}

// A caller that was compiled with other options is noticed, not misread.
static void test_options_of_another_size_are_refused(MlirContext context) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  CHECK(options.struct_size == sizeof options);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  MlirOperation top = mlirModuleGetOperation(module);
  const size_t sizes[] = {0, sizeof options - 1, sizeof options + 8};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    gmem_diag_t diag = {.status = GMEM_OK};
    options.struct_size = (uint32_t)sizes[i];
    CHECK(gmem_plan_module(top, &options, NULL, &diag) ==
          GMEM_ERR_INVALID_ARGUMENT);
    CHECK(strstr(diag.text, "gmem_plan_options_init"));
    CHECK(gmem_plan_options_set(&options, "alignment", "64", &diag) ==
          GMEM_ERR_INVALID_ARGUMENT);
  }
  // Nothing behind a shorter struct of an older caller is written.
  gmem_plan_options_t older;
  memset(&older, 0xA5, sizeof older);
  const size_t shorter = offsetof(gmem_plan_options_t, weight_base);
  gmem_plan_options_init_sized(&older, shorter);
  CHECK(older.struct_size == shorter);
  CHECK(older.weight_base == UINT64_C(0xA5A5A5A5A5A5A5A5));
  mlirModuleDestroy(module);
}

static void test_zero_in_front_is_decimal(void) {
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  gmem_status_t status =
      gmem_plan_options_set(&options, "alignment", "0100", NULL);
  CHECK(status == GMEM_ERR_INVALID_ARGUMENT); // 100, and not 64
}

//===--- planning and reading ---------------------------------------------===//

static const gmem_planned_buffer_t *find(const gmem_planned_t *planned,
                                         const char *name) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i)
    if (strcmp(gmem_planned_buffer(planned, i)->name, name) == 0)
      return gmem_planned_buffer(planned, i);
  CHECK(!"the buffer is there");
  return gmem_planned_buffer(planned, 0);
}

static void check_figures(const gmem_planned_t *planned) {
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  CHECK(strcmp(figures->algorithm, "auto") == 0);
  CHECK(figures->peak == 128 && figures->lower_bound == 128);
  CHECK(figures->optimal);
  CHECK(figures->step_count == 7); // the function's own, and 6 ops
  CHECK(gmem_planned_pool_count(planned) == 2);
  const gmem_planned_pool_t *weights = gmem_planned_pool(planned, 0);
  CHECK(strcmp(weights->name, "weights") == 0 && weights->constant);
  CHECK(weights->base == 0x1000 && weights->size == 26);
  CHECK(weights->alignment == 16 && weights->capacity == GMEM_UNLIMITED);
  const gmem_planned_pool_t *tensors = gmem_planned_pool(planned, 1);
  CHECK(strcmp(tensors->name, "tensors") == 0 && !tensors->constant);
  CHECK(tensors->base == 0x1040); // the first multiple of 64 after the weights
  CHECK(tensors->size == 128 && tensors->lower_bound == 128);
  CHECK(tensors->alignment == 64 && tensors->capacity == 128);
}

static void check_buffers(const gmem_planned_t *planned) {
  CHECK(gmem_planned_buffer_count(planned) == 6);
  const gmem_planned_buffer_t *input = gmem_planned_buffer(planned, 0);
  CHECK(strcmp(input->op, "argument") == 0);
  CHECK(strcmp(input->function, "main") == 0);
  CHECK(input->flags == GMEM_PLANNED_INPUT && input->pool == 1);
  CHECK(input->range_count == 1 && input->ranges[0].begin == 0);
  CHECK(input->ranges[0].end == 4); // after the first convolution, step 3
  const gmem_planned_buffer_t *weight = find(planned, "w1");
  CHECK(weight->pool == 0 && weight->offset == 16 && weight->size == 10);
  CHECK(weight->ranges[0].begin == 0 && weight->ranges[0].end == 7);
  const gmem_planned_buffer_t *conv0 = find(planned, "conv0");
  CHECK(strcmp(conv0->op, "npu.conv") == 0 && conv0->flags == 0);
  CHECK(strcmp(conv0->location, "loc(\"conv0\")") == 0);
  CHECK(conv0->offset != input->offset && conv0->size == 64);
  const gmem_planned_buffer_t *conv1 = find(planned, "conv1");
  const gmem_planned_buffer_t *shaped = find(planned, "shaped");
  CHECK(conv1->offset == input->offset);
  CHECK(conv1->alias_of == GMEM_NO_BUFFER && conv1->flags == 0);
  CHECK(gmem_planned_buffer(planned, shaped->alias_of) == conv1);
  CHECK(shaped->offset == conv1->offset && shaped->size == 64);
  CHECK(shaped->flags == GMEM_PLANNED_OUTPUT);
}

// The IR names these constants only; a tensor is none.
static void check_contents(const gmem_planned_t *planned) {
  uint8_t bytes[64] = {0};
  gmem_diag_t diag = {0};
  uint32_t weight =
      (uint32_t)(find(planned, "w1") - gmem_planned_buffer(planned, 0));
  CHECK(gmem_planned_contents(planned, weight, bytes, &diag) ==
        GMEM_ERR_NOT_FOUND);
  CHECK(strstr(diag.text, "'w1'") && strstr(diag.text, "loc(\"w1\")"));
  CHECK(gmem_planned_contents(planned, weight, bytes, NULL) ==
        GMEM_ERR_NOT_FOUND);
  CHECK(gmem_planned_contents(planned, 0, bytes, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
}

static void small_options(gmem_plan_options_t *options) {
  gmem_plan_options_init(options);
  set(options, "alignment", "64");
  set(options, "weight-alignment", "16");
  set(options, "weight-base", "0x1000");
  set(options, "capacity", "128");
}

static void test_plan_and_read(MlirContext context) {
  MlirModule module = parse(context, network);
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  small_options(&options);
  gmem_diag_t diag;
  CHECK(gmem_plan_module(top, &options, NULL, &diag) == GMEM_OK);
  CHECK(gmem_verify_module(top, NULL, NULL) == GMEM_OK);
  gmem_planned_t *planned = NULL;
  gmem_status_t status = gmem_planned_read(top, NULL, &planned, &diag);
  CHECK(status == GMEM_OK && planned);
  if (planned) {
    check_figures(planned);
    check_buffers(planned);
    check_contents(planned);
  }
  mlirModuleDestroy(module); // what was read stands alone
  if (planned)
    check_buffers(planned);
  gmem_planned_destroy(planned);
  gmem_planned_destroy(NULL);
}

//===--- shared bytes -----------------------------------------------------===//

static void check_range(const gmem_live_range_t *ranges, size_t count,
                        int64_t begin, int64_t end) {
  CHECK(count == 1 && ranges[0].begin == begin && ranges[0].end == end);
}

// An op in place, and a part that its tensor outlives.
static void check_sharing(const gmem_planned_t *planned) {
  const gmem_planned_buffer_t *input = gmem_planned_buffer(planned, 0);
  const gmem_planned_buffer_t *part = find(planned, "part");
  const gmem_planned_buffer_t *over = find(planned, "over");
  check_range(input->ranges, input->range_count, 0, 4);
  check_range(input->owned, input->owned_count, 0, 4);
  check_range(part->ranges, part->range_count, 1, 3);
  CHECK(part->owned_count == 0 && part->offset == input->offset + 32);
  CHECK(part->alignment == 32 && input->alignment == 64);
  check_range(over->ranges, over->range_count, 3, 5);
  check_range(over->owned, over->owned_count, 4, 5);
  CHECK(gmem_planned_alias_count(planned) == 2);
  const gmem_planned_alias_t *slice = gmem_planned_alias(planned, 0);
  CHECK(slice->kind == GMEM_SHARE_SLICE && slice->offset == 32);
  CHECK(gmem_planned_buffer(planned, slice->child) == part);
  CHECK(slice->parent == 0);
  const gmem_planned_alias_t *inplace = gmem_planned_alias(planned, 1);
  CHECK(inplace->kind == GMEM_SHARE_INPLACE && inplace->offset == 0);
  CHECK(gmem_planned_buffer(planned, inplace->child) == over);
  CHECK(inplace->parent == 0);
  CHECK(strcmp(gmem_sharing_name(slice->kind), "slice") == 0);
  CHECK(strcmp(gmem_sharing_name(GMEM_SHARE_TRANSFER), "transfer") == 0);
  CHECK(!gmem_sharing_name(0) && !gmem_sharing_name(GMEM_SHARE_ALL));
}

// The part is there already; what nobody knows has to be run all the same.
static void check_ops_of_sharing(const gmem_planned_t *planned) {
  static const gmem_planned_work_t works[] = {
      GMEM_PLANNED_NOTHING, GMEM_PLANNED_RUN, GMEM_PLANNED_RUN,
      GMEM_PLANNED_RETURN};
  CHECK(gmem_planned_function_count(planned) == 1);
  const gmem_planned_function_t *function = gmem_planned_function(planned, 0);
  CHECK(strcmp(function->name, "main") == 0 && function->is_entry);
  CHECK(!function->why && function->first_op == 0 && function->end_op == 4);
  CHECK(function->input_count == 1 && function->inputs[0] == 0);
  CHECK(gmem_planned_op_count(planned) == 4);
  for (size_t i = 0; i < 4; ++i) {
    CHECK(gmem_planned_op(planned, i)->work == works[i]);
    CHECK(gmem_planned_op(planned, i)->number == i);
  }
  const gmem_planned_op_t *use = gmem_planned_op(planned, 1);
  CHECK(strcmp(use->name, "npu.use") == 0 && use->operand_count == 1);
  CHECK(gmem_planned_buffer(planned, use->operands[0]) ==
        find(planned, "part"));
  CHECK(use->result_count == 0);
}

static void test_sharing_is_read(MlirContext context) {
  MlirModule module =
      parse(context,
            "module {\n"
            "  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {\n"
            "    %0 = \"stablehlo.slice\"(%x) {start_indices = array<i64: 8>,"
            " limit_indices = array<i64: 16>, strides = array<i64: 1>} : "
            "(tensor<16xf32>) -> tensor<8xf32> "
            "loc(\"part\")\n"
            "    \"npu.use\"(%0) : (tensor<8xf32>) -> ()\n"
            "    %1 = \"tosa.exp\"(%x) : (tensor<16xf32>) -> tensor<16xf32>"
            " loc(\"over\")\n"
            "    return %1 : tensor<16xf32>\n"
            "  }\n"
            "}\n");
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  set(&options, "alignment", "64");
  set(&options, "view-alignment", "32");
  gmem_diag_t diag;
  CHECK(gmem_plan_module(top, &options, NULL, &diag) == GMEM_OK);
  gmem_planned_t *planned = NULL;
  CHECK(gmem_planned_read(top, NULL, &planned, &diag) == GMEM_OK);
  if (planned) {
    check_sharing(planned);
    check_ops_of_sharing(planned);
  }
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
}

//===--- ops --------------------------------------------------------------===//

static const char calls[] =
    "module {\n"
    "  func.func private @g(%x: tensor<8xi8>) -> tensor<8xi8> {\n"
    "    %0 = \"npu.op\"(%x) : (tensor<8xi8>) -> tensor<8xi8>\n"
    "    return %0 : tensor<8xi8>\n"
    "  }\n"
    "  func.func @main(%x: tensor<8xi8>, %n: i32) -> tensor<8xi8> {\n"
    "    %0 = call @g(%x) : (tensor<8xi8>) -> tensor<8xi8>\n"
    "    %1 = call @g(%0) : (tensor<8xi8>) -> tensor<8xi8>\n"
    "    %2 = \"npu.op\"(%1, %x) : (tensor<8xi8>, tensor<8xi8>)"
    " -> tensor<8xi8>\n"
    "    %3 = \"npu.number\"() : () -> i32\n"
    "    %4 = \"npu.op\"(%2, %3) : (tensor<8xi8>, i32) -> tensor<8xi8>\n"
    "    %5 = \"npu.op\"(%4, %n) : (tensor<8xi8>, i32) -> tensor<8xi8>\n"
    "    %6 = \"npu.largest\"(%5) : (tensor<8xi8>) -> i32\n"
    "    return %5 : tensor<8xi8>\n"
    "  }\n"
    "}\n";

// With sharing=none all that a call hands on is copied, but for what is one
// piece of memory with it.
static void check_calls(const gmem_planned_t *planned) {
  static const gmem_planned_work_t works[] = {
      GMEM_PLANNED_RUN,   GMEM_PLANNED_RETURN, GMEM_PLANNED_CALL,
      GMEM_PLANNED_CALL,  GMEM_PLANNED_RUN,    GMEM_PLANNED_NOTHING,
      GMEM_PLANNED_RUN,   GMEM_PLANNED_OTHER,  GMEM_PLANNED_OTHER,
      GMEM_PLANNED_RETURN};
  CHECK(gmem_planned_function_count(planned) == 2);
  CHECK(!gmem_planned_function(planned, 0)->is_entry);
  CHECK(gmem_planned_function(planned, 1)->is_entry);
  CHECK(strcmp(gmem_planned_function(planned, 1)->why, "it takes a scalar") ==
        0);
  CHECK(gmem_planned_op_count(planned) == 10);
  for (size_t i = 0; i < 10; ++i)
    CHECK(gmem_planned_op(planned, i)->work == works[i]);
  const gmem_planned_op_t *call = gmem_planned_op(planned, 2);
  CHECK(call->callee == 0 && call->copy_count == 2);
  CHECK(call->copies[0].from == call->operands[0] && !call->copies[0].after);
  CHECK(call->copies[1].to == call->results[0] && call->copies[1].after);
  CHECK(call->copies[0].size && call->copies[1].size);
  CHECK(strcmp(gmem_planned_op(planned, 7)->why,
               "it uses a scalar that the program computes") == 0);
  CHECK(strcmp(gmem_planned_op(planned, 8)->why, "it computes a scalar") == 0);
}

static void test_ops_are_read(MlirContext context) {
  MlirModule module = parse(context, calls);
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  set(&options, "sharing", "none");
  gmem_diag_t diag;
  CHECK(gmem_plan_module(top, &options, NULL, &diag) == GMEM_OK);
  gmem_planned_t *planned = NULL;
  CHECK(gmem_planned_read(top, NULL, &planned, &diag) == GMEM_OK);
  if (planned)
    check_calls(planned);
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
}

// Two calls of one function give it two constants: each is copied there.
static void check_constants(const gmem_planned_t *planned) {
  static const char *const constants[] = {"one", "two"};
  for (size_t i = 0; i < 2; ++i) {
    const gmem_planned_op_t *call = gmem_planned_op(planned, 2 + i);
    CHECK(call->work == GMEM_PLANNED_CALL && call->copy_count >= 1);
    if (call->copy_count == 0)
      continue;
    const gmem_planned_copy_t *copy = &call->copies[0];
    CHECK(gmem_planned_buffer(planned, copy->from) ==
          find(planned, constants[i]));
    CHECK(gmem_planned_buffer(planned, copy->to) == find(planned, "given"));
    CHECK(!copy->after);
  }
}

// Whether the copy is between the places of its buffers, in memory that the
// program may write.
static bool is_between_buffers(const gmem_planned_t *planned,
                               const gmem_planned_flow_copy_t *copy) {
  const gmem_planned_buffer_t *from =
      gmem_planned_buffer(planned, copy->from_buffer);
  const gmem_planned_buffer_t *to =
      gmem_planned_buffer(planned, copy->to_buffer);
  return copy->from_pool == from->pool && copy->to_pool == to->pool &&
         copy->from == from->payload_offset && copy->to == to->payload_offset &&
         copy->size == to->payload_size && copy->step_count == 1 &&
         !gmem_planned_pool(planned, copy->to_pool)->constant;
}

// The copies of ops that are not run one by one: a loop around a
// branch.
static void check_flow_copies(const gmem_planned_t *planned) {
  static const struct {
    const char *op;
    gmem_copy_edge_t edge;
  } expected[] = {{"scf.for", GMEM_COPY_REGION},
                  {"scf.yield", GMEM_COPY_PARENT},
                  {"scf.yield", GMEM_COPY_PARENT},
                  {"scf.yield", GMEM_COPY_NEXT},
                  {"scf.yield", GMEM_COPY_NEXT}};
  size_t count = gmem_planned_flow_copy_count(planned);
  CHECK(count == 5);
  for (size_t i = 0; i < count && i < 5; ++i) {
    const gmem_planned_flow_copy_t *copy = gmem_planned_flow_copy(planned, i);
    CHECK(strcmp(copy->op, expected[i].op) == 0);
    CHECK(copy->edge == expected[i].edge && !copy->cycle);
    CHECK(strcmp(copy->function, "main") == 0 && copy->number == 0);
    CHECK(is_between_buffers(planned, copy));
    CHECK(i == 0 ||
          copy->steps[0] >= gmem_planned_flow_copy(planned, i - 1)->steps[0]);
  }
  CHECK(strcmp(gmem_copy_edge_name(GMEM_COPY_NEXT), "next") == 0);
  CHECK(gmem_copy_edge_name(GMEM_COPY_EDGES) == NULL);
}

static void test_flow_copies_are_read(MlirContext context) {
  MlirModule module =
      parse(context,
            "func.func @main(%a: tensor<8xi8>, %n: index, %c: i1)"
            "    -> (tensor<8xi8>, tensor<8xi8>) {\n"
            "  %k = \"tosa.const\"() {values = dense<1> : tensor<8xi8>}"
            "      : () -> tensor<8xi8>\n"
            "  %0:2 = \"scf.for\"(%n, %n, %n, %a, %k) ({\n"
            "  ^bb0(%i: index, %u: tensor<8xi8>, %v: tensor<8xi8>):\n"
            "    %1 = \"scf.if\"(%c) ({\n"
            "      \"scf.yield\"(%u) : (tensor<8xi8>) -> ()\n"
            "    }, {\n"
            "      \"scf.yield\"(%k) : (tensor<8xi8>) -> ()\n"
            "    }) : (i1) -> tensor<8xi8>\n"
            "    \"scf.yield\"(%v, %1) : (tensor<8xi8>, tensor<8xi8>) -> ()\n"
            "  }) : (index, index, index, tensor<8xi8>, tensor<8xi8>)"
            "      -> (tensor<8xi8>, tensor<8xi8>)\n"
            "  return %0#0, %0#1 : tensor<8xi8>, tensor<8xi8>\n"
            "}\n");
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  gmem_diag_t diag;
  CHECK(gmem_plan_module(top, &options, NULL, &diag) == GMEM_OK);
  gmem_planned_t *planned = NULL;
  CHECK(gmem_planned_read(top, NULL, &planned, &diag) == GMEM_OK);
  if (planned)
    check_flow_copies(planned);
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
}

static void test_constants_are_copied(MlirContext context) {
  MlirModule module = parse(
      context,
      "module {\n"
      "  func.func @main() -> (tensor<8xi8>, tensor<8xi8>) {\n"
      "    %1 = \"npu.weight\"() {value = dense<1> : tensor<8xi8>} : () -> "
      "tensor<8xi8> loc(\"one\")\n"
      "    %2 = \"npu.weight\"() {value = dense<2> : tensor<8xi8>} : () -> "
      "tensor<8xi8> loc(\"two\")\n"
      "    %3 = call @g(%1) : (tensor<8xi8>) -> tensor<8xi8>\n"
      "    %4 = call @g(%2) : (tensor<8xi8>) -> tensor<8xi8>\n"
      "    return %3, %4 : tensor<8xi8>, tensor<8xi8>\n"
      "  }\n"
      "  func.func private @g(%x: tensor<8xi8> loc(\"given\")) -> tensor<8xi8> "
      "{\n"
      "    %0 = \"npu.op\"(%x) : (tensor<8xi8>) -> tensor<8xi8>\n"
      "    return %0 : tensor<8xi8>\n"
      "  }\n"
      "}\n");
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  gmem_diag_t diag;
  CHECK(gmem_plan_module(top, &options, NULL, &diag) == GMEM_OK);
  gmem_planned_t *planned = NULL;
  CHECK(gmem_planned_read(top, NULL, &planned, &diag) == GMEM_OK);
  if (planned)
    check_constants(planned);
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
}

//===--- failures ---------------------------------------------------------===//

// Keeps the first message of MLIR's.
typedef struct messages_s {
  size_t count;
  program_text_t first;
} messages_t;

static MlirLogicalResult keep_message(MlirDiagnostic diagnostic, void *user) {
  messages_t *messages = user;
  if (messages->count++ == 0)
    mlirDiagnosticPrint(diagnostic, program_append, &messages->first);
  return mlirLogicalResultSuccess();
}

// Plans, with a capacity that is too small, with and without a gmem_diag_t: the
// handlers of the context get one error, |diag| the same text.
static void test_failure_is_reported_once(MlirContext context) {
  MlirModule module = parse(context, network);
  gmem_plan_options_t options;
  small_options(&options);
  set(&options, "capacity", "127");
  for (int with_diag = 0; with_diag < 2; ++with_diag) {
    messages_t messages = {0, {NULL, 0}};
    MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
        context, keep_message, &messages, NULL);
    gmem_diag_t diag = {.status = GMEM_OK};
    gmem_status_t status =
        gmem_plan_module(mlirModuleGetOperation(module), &options, NULL,
                         with_diag ? &diag : NULL);
    mlirContextDetachDiagnosticHandler(context, handler);
    CHECK(status == GMEM_ERR_OVER_BUDGET);
    CHECK(messages.count == 1);
    CHECK(messages.first.bytes &&
          strstr(messages.first.bytes, "the tensors cannot be placed: "));
    CHECK(!with_diag || diag.status == status);
    CHECK(!with_diag || strstr(messages.first.bytes, diag.text));
    free(messages.first.bytes);
  }
  mlirModuleDestroy(module);
}

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic;
  (void)user;
  return mlirLogicalResultSuccess();
}

// Sets gmem.offset of the op that defines |name|'s tensor, an op with one
// result.
static void move(MlirModule module, const char *op_name, int64_t offset) {
  MlirBlock body = mlirModuleGetBody(module);
  MlirOperation function = mlirBlockGetFirstOperation(body);
  MlirOperation op = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
  while (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                             ref(op_name)))
    op = mlirOperationGetNextInBlock(op);
  mlirOperationSetDiscardableAttributeByName(
      op, ref("gmem.offset"),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), 1, &offset));
}

static void check_refused(MlirModule module, gmem_status_t wanted,
                          const char *text) {
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_diag_t diag = {.status = GMEM_OK};
  CHECK(gmem_verify_module(top, NULL, &diag) == wanted);
  CHECK(diag.status == wanted && strstr(diag.text, text));
  gmem_planned_t *planned = (gmem_planned_t *)&diag; // must be set to NULL
  gmem_status_t status = gmem_planned_read(top, NULL, &planned, NULL);
  CHECK(status == wanted && !planned);
}

static void test_wrong_plans_are_refused(MlirContext context) {
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, ignore, NULL, NULL);
  MlirModule module = parse(context, network);
  MlirOperation top = mlirModuleGetOperation(module);
  check_refused(module, GMEM_ERR_CORRUPT, "there is no plan here");
  gmem_plan_options_t options;
  small_options(&options);
  set(&options, "algorithm", "greedy-by-size"); // puts the input at 0
  CHECK(gmem_plan_module(top, &options, NULL, NULL) == GMEM_OK);
  move(module, "npu.conv", 0); // where the input is
  check_refused(module, GMEM_ERR_OVERLAP, "share bytes [0, 64)");
  move(module, "npu.conv", 32);
  check_refused(module, GMEM_ERR_ALIGNMENT, "is not aligned");
  move(module, "npu.conv", 128);
  check_refused(module, GMEM_ERR_OVER_BUDGET, "does not fit in its pool");
  move(module, "npu.conv", -1);
  check_refused(module, GMEM_ERR_CORRUPT, "has no offset");
  move(module, "npu.conv", 64);
  CHECK(gmem_verify_module(top, NULL, NULL) == GMEM_OK);
  mlirModuleDestroy(module);
  module = parse(context, "module {}");
  gmem_planned_t *planned;
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), NULL, &planned, NULL);
  CHECK(status == GMEM_ERR_NOT_FOUND && !planned);
  mlirModuleDestroy(module);
  mlirContextDetachDiagnosticHandler(context, handler);
}

//===--- pass manager -----------------------------------------------------===//

static char *run_pipeline(MlirContext context, const char *pipeline) {
  MlirModule module = parse(context, network);
  MlirPassManager manager = mlirPassManagerCreate(context);
  program_text_t errors = {NULL, 0};
  MlirLogicalResult added =
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                   ref(pipeline), program_append, &errors);
  CHECK(mlirLogicalResultIsSuccess(added));
  MlirOperation top = mlirModuleGetOperation(module);
  CHECK(mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, top)));
  char *text = program_print(top);
  free(errors.bytes);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return text;
}

static void check_same_as_pipeline(MlirContext context, const char *pipeline) {
  MlirModule module = parse(context, network);
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_plan_options_init(&options);
  set(&options, "algorithm", "ref-count");
  set(&options, "alignment", "64");
  CHECK(gmem_plan_module(top, &options, NULL, NULL) == GMEM_OK);
  char *direct = program_print(top);
  char *piped = run_pipeline(context, pipeline);
  CHECK(strcmp(direct, piped) == 0);
  free(direct);
  free(piped);
  mlirModuleDestroy(module);
}

static void test_pass_manager(MlirContext context) {
  gmem_register_passes();
  check_same_as_pipeline(context,
                         "gmem-plan{algorithm=ref-count alignment=64}");
  check_same_as_pipeline(context, "gmem-assign-weights,"
                                  "gmem-assign-tensors{alignment=64 "
                                  "algorithm=ref-count},gmem-verify-plan");
  MlirPassManager manager = mlirPassManagerCreate(context);
  program_text_t errors = {NULL, 0};
  MlirLogicalResult added = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager), ref("gmem-plan{speed=9}"),
      program_append, &errors);
  CHECK(mlirLogicalResultIsFailure(added));
  CHECK(errors.bytes && strstr(errors.bytes, "no such option speed"));
  free(errors.bytes);
  mlirPassManagerDestroy(manager);
}

static bool has_option(const gmem_pass_descriptor_t *pass, const char *name) {
  for (size_t i = 0; i < pass->option_count; ++i)
    if (strcmp(pass->options[i].name, name) == 0)
      return true;
  return false;
}

static void test_table(void) {
  CHECK(gmem_pass_count() >= 6);
  for (size_t i = 0; i < gmem_pass_count(); ++i) {
    const gmem_pass_descriptor_t *pass = gmem_pass_at(i);
    CHECK(gmem_pass_find(pass->name) == pass);
    CHECK(!pass->run == !!pass->steps);
    CHECK(strncmp(pass->name, "gmem-", 5) == 0 && *pass->summary);
    for (const gmem_pipeline_step_t *step = pass->steps; step && step->passes;
         ++step)
      CHECK(!step->option || has_option(pass, step->option));
  }
  CHECK(!gmem_pass_find("gmem") && !gmem_pass_find(""));
  // gmem_plan_module runs these without the table.
  static const char *const planned[] = {
      "gmem-hoist-constants{constants=keep}", "gmem-order-ops{order=given}",
      "gmem-assign-weights", "gmem-assign-tensors",
      "gmem-verify-plan{figures=strict}"};
  const gmem_pipeline_step_t *steps = gmem_pass_find("gmem-plan")->steps;
  for (size_t i = 0; i < sizeof planned / sizeof *planned; ++i)
    CHECK(strcmp(steps[i].passes, planned[i]) == 0);
  CHECK(!steps[sizeof planned / sizeof *planned].passes);
}

int main(void) {
  MlirContext context = program_context();
  test_defaults_are_those_of_the_table();
  test_options_from_text();
  test_model_options_from_text();
  test_wrong_options_change_nothing();
  test_zero_in_front_is_decimal();
  test_options_of_another_size_are_refused(context);
  test_plan_and_read(context);
  test_sharing_is_read(context);
  test_ops_are_read(context);
  test_constants_are_copied(context);
  test_flow_copies_are_read(context);
  test_failure_is_reported_once(context);
  test_wrong_plans_are_refused(context);
  test_table();
  test_pass_manager(context);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
