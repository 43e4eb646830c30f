// passes_lookup_test.c - a code generator's look-ups: values and ops of the IR,
// in calls, loops and layer groups, and what the plan says of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_lookup_test

#include "check.h"
#include "passes_program.h"

static const char program[] =
    "func.func @main(%x: tensor<64xi8> loc(\"x\"), %n: index)"
    "    -> (tensor<64xi8>, tensor<128xi8>) {\n"
    "  %a = func.call @f(%x) : (tensor<64xi8>) -> tensor<64xi8> loc(\"a\")\n"
    "  %b = func.call @f(%a) : (tensor<64xi8>) -> tensor<64xi8> loc(\"b\")\n"
    "  %c:2 = \"scf.for\"(%n, %n, %n, %a, %b) ({\n"
    "  ^bb0(%i: index, %u: tensor<64xi8>, %v: tensor<64xi8>):\n"
    "    \"scf.yield\"(%v, %u) : (tensor<64xi8>, tensor<64xi8>) -> ()\n"
    "  }) : (index, index, index, tensor<64xi8>, tensor<64xi8>)"
    "      -> (tensor<64xi8>, tensor<64xi8>) loc(\"c\")\n"
    "  %g = \"npu.group\"(%c#0) ({\n"
    "    %l = \"npu.op\"(%c#0) : (tensor<64xi8>) -> tensor<64xi8> loc(\"l\")\n"
    "    \"npu.done\"(%l) : (tensor<64xi8>) -> ()\n"
    "  }) {gmem.layer_group} : (tensor<64xi8>) -> tensor<64xi8> loc(\"g\")\n"
    "  %e = \"npu.concat\"(%g, %c#1) {gmem.op_model = {concat = {axis ="
    " \"axis\"}}, axis = 0 : i64} : (tensor<64xi8>, tensor<64xi8>)"
    " -> tensor<128xi8> loc(\"e\")\n"
    "  return %g, %e : tensor<64xi8>, tensor<128xi8>\n"
    "}\n"
    "func.func private @f(%y: tensor<64xi8> loc(\"y\")) -> tensor<64xi8> {\n"
    "  %z = \"npu.op\"(%y) : (tensor<64xi8>) -> tensor<64xi8> loc(\"z\")\n"
    "  return %z : tensor<64xi8>\n"
    "}\n";

typedef struct counts_s {
  const gmem_planned_t *planned;
  size_t values, unplanned, ops, copies, copies_at_end, no_spans;
} counts_t;

static bool is(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            ref(name));
}

// The look-up leads to a buffer of this op, and to its address.
static void check_value(counts_t *counts, MlirValue value, const char *op) {
  const gmem_planned_t *planned = counts->planned;
  gmem_planned_place_t place = gmem_planned_value(planned, value);
  if (place.index == GMEM_NO_BUFFER) {
    CHECK(place.address == GMEM_NO_BASE && !place.buffer && !place.size);
    ++counts->unplanned;
    return;
  }
  ++counts->values;
  CHECK(place.buffer == gmem_planned_buffer(planned, place.index));
  CHECK(place.pool == gmem_planned_pool(planned, place.buffer->pool));
  CHECK(strcmp(place.buffer->op, op) == 0);
  CHECK(place.size == place.buffer->payload_size && place.size >= 64);
  CHECK(place.address == UINT64_C(0x500000000) + place.buffer->payload_offset);
  for (size_t i = 0; i < place.alias_count; ++i) {
    uint32_t leader = place.buffer->alias_of == GMEM_NO_BUFFER
                          ? place.index
                          : place.buffer->alias_of;
    CHECK(place.aliases[i].child == leader);
  }
}

static void check_block(counts_t *counts, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    check_value(counts, mlirBlockGetArgument(block, i), "argument");
}

static void check_copies(counts_t *counts, MlirOperation op, bool at_end) {
  size_t count;
  const gmem_planned_flow_copy_t *copies =
      gmem_planned_flow_copies_of(counts->planned, op, at_end, &count);
  CHECK((copies == NULL) == (count == 0));
  for (size_t i = 0; i < count; ++i) {
    CHECK(mlirOperationEqual(copies[i].ir, op));
    CHECK((copies[i].edge == GMEM_COPY_RESULTS) == at_end);
    CHECK(copies[i].from_address == UINT64_C(0x500000000) + copies[i].from);
    CHECK(copies[i].to_address == UINT64_C(0x500000000) + copies[i].to);
  }
  counts->copies += count;
  counts->copies_at_end += at_end ? count : 0;
}

static MlirWalkResult check_op(MlirOperation op, void *user) {
  counts_t *counts = user;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    check_value(counts, mlirOperationGetResult(op, i), name.data);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    check_block(counts, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)));
  const gmem_planned_op_t *planned = gmem_planned_op_of(counts->planned, op);
  CHECK(!planned || mlirOperationEqual(planned->ir, op));
  counts->ops += planned != NULL;
  check_copies(counts, op, false);
  check_copies(counts, op, true);
  const gmem_planned_span_t *span =
      gmem_planned_span_of(counts->planned, op, 0);
  CHECK(!span || mlirOperationEqual(span->ir, op));
  counts->no_spans += span == NULL;
  return MlirWalkResultAdvance;
}

// The function's op has a span for each call, in their order.
static MlirWalkResult check_calls(MlirOperation op, void *user) {
  const gmem_planned_t *planned = user;
  const gmem_planned_span_t *first = gmem_planned_span_of(planned, op, 0);
  if (!is(op, "npu.op") || first->is_grouped)
    return MlirWalkResultAdvance;
  const gmem_planned_span_t *second =
      gmem_planned_span_of(planned, op, first->begin + 1);
  CHECK(second && second->begin > first->begin);
  CHECK(strcmp(first->name, "z@0") == 0);
  CHECK(second && strcmp(second->name, "z@1") == 0);
  CHECK(second && !gmem_planned_span_of(planned, op, second->begin + 1));
  return MlirWalkResultAdvance;
}

int main(void) {
  MlirContext context = program_context();
  MlirModule module = mlirModuleCreateParse(context, ref(program));
  CHECK(!mlirModuleIsNull(module));
  MlirOperation top = mlirModuleGetOperation(module);
  gmem_plan_options_t options;
  gmem_planned_t *planned = NULL;
  gmem_diag_t diag;
  gmem_plan_options_init(&options);
  options.alignment = 64;
  options.quiet = true;
  options.weight_base = UINT64_C(0x500000000);
  CHECK(gmem_plan_module(top, &options, NULL, &diag) == GMEM_OK);
  CHECK(gmem_planned_read(top, NULL, &planned, &diag) == GMEM_OK);
  if (planned) {
    counts_t counts = {.planned = planned};
    mlirOperationWalk(top, check_op, &counts, MlirWalkPreOrder);
    // x, a, b, u, v, c#0, c#1, g, e, y and z; not n, i and l, which is local.
    CHECK(counts.values == 11 && counts.unplanned == 3);
    CHECK(counts.values == gmem_planned_buffer_count(planned));
    // Two calls, the loop, the group, the concatenation, z and two returns.
    CHECK(counts.ops == gmem_planned_op_count(planned) && counts.ops == 8);
    CHECK(counts.copies == gmem_planned_flow_copy_count(planned));
    CHECK(counts.copies_at_end > 0 && counts.copies > counts.copies_at_end);
    CHECK(counts.no_spans <= 2); // the module, and what ends the group
    mlirOperationWalk(top, check_calls, planned, MlirWalkPreOrder);
  }
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return CHECK_RESULT();
}
