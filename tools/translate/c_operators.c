// c_operators.c - generated C that calls an operator for each op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "c_write.h"

//===--- one op -----------------------------------------------------------===//

static bool has_memory(const gmem_c_model_t *model, uint32_t buffer) {
  return buffer != GMEM_NO_BUFFER &&
         gmem_planned_buffer(model->planned, buffer)->payload_size;
}

// Writes the array |what|s of the tensors |buffers|.
static void write_tensors(const gmem_c_model_t *model, const char *what,
                          const uint32_t *buffers, size_t count,
                          gmem_c_text_t *out) {
  if (count == 0)
    return;
  gmem_c_print(out, "  const @_%s %ss[] = {\n", what, what);
  for (size_t i = 0; i < count; ++i) {
    if (!has_memory(model, buffers[i])) {
      gmem_c_print(out, "      {NULL, 0},\n");
      continue;
    }
    gmem_c_print(out, "^      {");
    gmem_c_write_place(model, "memory->", buffers[i], out);
    gmem_c_print(out, ", $_%s_SIZE},\n", model->buffers[buffers[i]].stem);
  }
  gmem_c_print(out, "  };\n");
}

static void write_workbuffers(const gmem_c_model_t *model,
                              const gmem_planned_op_t *op, gmem_c_text_t *out) {
  if (op->workbuffer_count == 0)
    return;
  gmem_c_print(out, "  const @_workbuffer workbuffers[] = {\n");
  for (size_t i = 0; i < op->workbuffer_count; ++i) {
    const gmem_planned_workbuffer_t *work =
        gmem_planned_workbuffer(model->planned, op->workbuffers[i]);
    bool is_cast = work->thread_size && work->immutable;
    gmem_c_print(out, "^      {%s", is_cast ? "(uint8_t *)(uintptr_t)(" : "");
    if (work->thread_size)
      gmem_c_write_place(model, "memory->", work->buffer, out);
    else
      gmem_c_print(out, "NULL");
    gmem_c_print(out, "%s, %" PRIu64 ", %u, %" PRIu64 ", %d},\n",
                 is_cast ? ")" : "", work->thread_size, work->threads,
                 work->thread_stride, work->immutable);
  }
  gmem_c_print(out, "  };\n");
}

// Whether the arguments of the op refer to any memory.
static bool uses_memory(const gmem_c_model_t *model,
                        const gmem_planned_op_t *op) {
  bool uses = false;
  for (size_t i = 0; i < op->operand_count; ++i)
    uses |= has_memory(model, op->operands[i]);
  for (size_t i = 0; i < op->result_count; ++i)
    uses |= has_memory(model, op->results[i]);
  for (size_t i = 0; i < op->workbuffer_count; ++i)
    uses |= gmem_planned_workbuffer(model->planned, op->workbuffers[i])
                ->thread_size > 0;
  return uses;
}

static void write_head(const char *what, size_t number, const char *end,
                       gmem_c_text_t *out) {
  gmem_c_print(out,
               "^static int32_t @_%s_%zu(const @_memory *memory, void *user)"
               "%s\n",
               what, number, end);
}

static void write_op(const gmem_c_model_t *model, size_t index,
                     gmem_c_text_t *out) {
  const gmem_planned_op_t *op = gmem_planned_op(model->planned, index);
  char identifier[GMEM_C_NAME];
  (void)gmem_c_identifier(op->name, identifier); // checked by gmem_c_model_make
  gmem_c_print(out, "\n// Op %u", op->number);
  if (op->result_count && op->results[0] != GMEM_NO_BUFFER)
    gmem_c_print_name(out, ", defines ",
                      gmem_planned_buffer(model->planned, op->results[0])->name,
                      "");
  gmem_c_print(out, "\n");
  write_head("call", index, " {", out);
  if (!uses_memory(model, op))
    gmem_c_print(out, "  (void)memory;\n");
  write_tensors(model, "input", op->operands, op->operand_count, out);
  write_tensors(model, "output", op->results, op->result_count, out);
  write_workbuffers(model, op, out);
  gmem_c_print(out, "^  const @_call call = {%u, ", op->number);
  gmem_c_print_string(out, op->name);
  gmem_c_print(out, ", %s, %zu, %s, %zu, %s, %zu};\n",
               op->operand_count ? "inputs" : "NULL", op->operand_count,
               op->result_count ? "outputs" : "NULL", op->result_count,
               op->workbuffer_count ? "workbuffers" : "NULL",
               op->workbuffer_count);
  gmem_c_print(out, "  return @_op_%s(&call, user);\n}\n", identifier);
}

//===--- functions --------------------------------------------------------===//

static void write_copies(const gmem_c_model_t *model,
                         const gmem_planned_op_t *op, bool after,
                         gmem_c_text_t *out) {
  assert(op->work == GMEM_PLANNED_CALL || op->work == GMEM_PLANNED_COPY);
  for (size_t i = 0; i < op->copy_count; ++i) {
    const gmem_planned_copy_t *copy = &op->copies[i];
    if (copy->after != after || !has_memory(model, copy->to))
      continue;
    gmem_c_print(out, "^  @_copy(");
    gmem_c_write_place(model, "memory->", copy->to, out);
    gmem_c_print(out, ", ");
    gmem_c_write_place(model, "memory->", copy->from, out);
    if (copy->size ==
        gmem_planned_buffer(model->planned, copy->to)->payload_size)
      gmem_c_print(out, ", $_%s_SIZE);\n", model->buffers[copy->to].stem);
    else // the upper bound of the source is lower
      gmem_c_print(out, ", %lluu);\n", (unsigned long long)copy->size);
  }
}

static void write_step(const char *what, size_t number, gmem_c_text_t *out) {
  gmem_c_print(out,
               "  status = @_%s_%zu(memory, user);\n  if (status != $_OK)\n"
               "    return status;\n",
               what, number);
}

static void write_body(const gmem_c_model_t *model, size_t index,
                       gmem_c_text_t *out) {
  const gmem_planned_function_t *function =
      gmem_planned_function(model->planned, index);
  gmem_c_print_name(out, "\n// Function ", function->name, "\n");
  write_head("function", index, " {", out);
  gmem_c_print(out,
               "  int32_t status = $_OK;\n  (void)memory;\n  (void)user;\n");
  for (size_t i = function->first_op; i < function->end_op; ++i) {
    const gmem_planned_op_t *op = gmem_planned_op(model->planned, i);
    if (op->work == GMEM_PLANNED_RUN)
      write_step("call", i, out);
    if (op->work == GMEM_PLANNED_COPY)
      write_copies(model, op, false, out);
    if (op->work != GMEM_PLANNED_CALL)
      continue;
    write_copies(model, op, false, out);
    assert(model->calls.is_called[op->callee]);
    write_step("function", op->callee, out);
    write_copies(model, op, true, out);
  }
  gmem_c_print(out, "  return status;\n}\n");
}

static void write_calls(const gmem_c_model_t *model, size_t index,
                        gmem_c_text_t *out) {
  const gmem_planned_function_t *function =
      gmem_planned_function(model->planned, index);
  for (size_t i = function->first_op; i < function->end_op; ++i)
    if (gmem_planned_op(model->planned, i)->work == GMEM_PLANNED_RUN)
      write_op(model, i, out);
}

// Whether run or init calls the function, and no other one does.
static bool is_root(const gmem_c_model_t *model, size_t function) {
  bool is_root = function == model->calls.function;
  for (size_t i = 0; i < model->init.count; ++i)
    is_root |= function == model->init.functions[i];
  return is_root;
}

void gmem_c_write_operators(const gmem_c_model_t *model, gmem_c_text_t *out) {
  size_t count = gmem_planned_function_count(model->planned);
  for (size_t i = 0; i < count; ++i)
    if (model->calls.is_called[i])
      write_calls(model, i, out);
  // Forward declarations, since functions may be in any order. Those of init
  // are called at its end only, as that of run is.
  const char *before = "\n";
  for (size_t i = 0; i < count; ++i) {
    if (!model->calls.is_called[i] || is_root(model, i))
      continue;
    gmem_c_print(out, "%s", before);
    write_head("function", i, ";", out);
    before = "";
  }
  for (size_t i = 0; i < count; ++i)
    if (model->calls.is_called[i])
      write_body(model, i, out);
}
