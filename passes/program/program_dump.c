// program_dump.c - see program_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program_dump.h"

#include <inttypes.h>

static const char *const flow_names[] = {
    [GMEM_FLOW_STEP] = "",         [GMEM_FLOW_ANY] = ", any order",
    [GMEM_FLOW_BRANCH] = ", arms", [GMEM_FLOW_FOR] = ", for",
    [GMEM_FLOW_WHILE] = ", while", [GMEM_FLOW_CALL] = ", call",
};

void gmem_dump_range(gmem_text_t *text, int64_t begin, int64_t end) {
  gmem_text_print(text, " [%" PRId64 ", %" PRId64 ")", begin, end);
}

static void dump_op(const gmem_program_facts_t *facts, uint32_t index,
                    gmem_text_t *text) {
  const gmem_program_op_t *op = &facts->program->ops[index];
  const gmem_streams_t *streams = &facts->streams;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op->op));
  gmem_text_print(text, "  op %u: '%.*s'", index, (int)name.length, name.data);
  gmem_dump_range(text, op->begin, op->end);
  gmem_text_print(text, ", block %u%s", op->block,
                  flow_names[facts->flow.flows[index]]);
  if (op->group != GMEM_NO_GROUP)
    gmem_text_print(text, ", group %" PRId64, op->group);
  if (streams->count && streams->stream_of[index])
    gmem_text_print(text, ", stream %" PRId64,
                    streams->names[streams->stream_of[index] - 1]);
  gmem_text_print(text, "%s%s%s%s\n", op->opaque ? ", opaque" : "",
                  op->hold ? ", hold" : "", op->deferred ? ", deferred" : "",
                  op->parallel ? ", parallel" : "");
}

static void dump_value(const gmem_program_facts_t *facts, uint32_t index,
                       gmem_text_t *text) {
  const gmem_value_t *value = &facts->program->values[index];
  char name[128];
  gmem_value_describe(facts->program, index, name, sizeof name);
  gmem_text_print(text, "  value %u: %s", index, name);
  if (value->type == GMEM_TYPE_SIZED)
    gmem_text_print(text, ", %" PRIu64 " bytes%s", value->size,
                    value->is_bound ? " at most" : "");
  if (facts->uses.is_written[index])
    gmem_text_print(text, ", written");
  gmem_text_print(text, ", used by");
  GMEM_CSR_EACH (user, &facts->uses.users, index)
    gmem_text_print(text, " %u", *user);
  gmem_text_print(text, "\n");
}

static void dump_function(const gmem_program_facts_t *facts, uint32_t index,
                          gmem_text_t *text) {
  const gmem_function_t *function = &facts->program->functions[index];
  const gmem_callee_t *callee = &facts->calls.callees[index];
  size_t count;
  const uint32_t *contexts = gmem_contexts_of(facts->contexts, index, &count);
  gmem_text_print(text, "@%.*s: steps", (int)function->name.length,
                  function->name.data);
  gmem_dump_range(text, function->begin, function->end);
  gmem_text_print(text, "%s%s%s, runs from",
                  callee->recursive ? ", recursive" : "",
                  callee->parallel ? ", parallel" : "",
                  callee->escapes ? ", at any time" : "");
  for (size_t i = 0; i < count; ++i)
    gmem_text_print(text, " %" PRId64,
                    gmem_call_context(facts->contexts, contexts[i])->begin);
  gmem_text_print(text, "\n");
  for (uint32_t i = function->first_op; i < function->end_op; ++i)
    dump_op(facts, i, text);
  for (uint32_t i = function->first_value; i < function->end_value; ++i)
    dump_value(facts, i, text);
}

void gmem_program_dump(const gmem_program_facts_t *facts, gmem_text_t *text) {
  const gmem_program_t *program = facts->program;
  const gmem_transfers_t *transfers = &facts->flow.transfers;
  for (uint32_t i = 0; i < program->function_count; ++i)
    dump_function(facts, i, text);
  for (size_t i = 0; i < facts->calls.count; ++i) {
    const gmem_call_t *call = &facts->calls.calls[i];
    MlirStringRef name = program->functions[call->callee].name;
    gmem_text_print(text, "call of @%.*s at op %u%s\n", (int)name.length,
                    name.data, call->op,
                    call->by_reference ? ", by reference"
                    : call->is_plain   ? ", plain"
                                       : "");
  }
  for (size_t i = 0; i < transfers->count; ++i)
    gmem_text_print(text,
                    "transfer of value %u to %u at op %u, step %" PRId64 "\n",
                    transfers->at[i].from, transfers->at[i].to,
                    transfers->at[i].op, transfers->at[i].time);
}
