// c_operators.c - generated C that calls an operator for each op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_operators.h"

#include "c_print.h"

//===--- one op -----------------------------------------------------------===//

// Writes the array |what|s of the tensors |buffers|.
static void write_tensors(const gmem_c_model_t *model, const char *what,
                          const uint32_t *buffers, size_t count, FILE *out) {
  const char *capitals = model->capitals;
  if (count == 0)
    return;
  gmem_c_print(out, "  const %s_%s %ss[] = {\n", model->options.name, what,
               what);
  for (size_t i = 0; i < count; ++i) {
    gmem_c_list_t list;
    uint32_t buffer = buffers[i];
    if (buffer == GMEM_NO_BUFFER ||
        gmem_planned_buffer(model->planned, buffer)->payload_size == 0) {
      gmem_c_print(out, "      {NULL, 0},\n");
      continue;
    }
    uint32_t pool = gmem_planned_buffer(model->planned, buffer)->pool;
    gmem_c_list_begin(&list, out, 6, "{");
    gmem_c_list_add(&list, "memory->%s + %s_%s_OFFSET", model->pools[pool].name,
                    capitals, model->buffers[buffer].capitals);
    gmem_c_list_add(&list, "%s_%s_SIZE", capitals,
                    model->buffers[buffer].capitals);
    gmem_c_list_end(&list, "},");
  }
  gmem_c_print(out, "  };\n");
}

static void write_workbuffers(const gmem_c_model_t *model,
                              const gmem_planned_op_t *op, FILE *out) {
  const char *capitals = model->capitals;
  if (op->workbuffer_count == 0)
    return;
  gmem_c_print(out, "  const %s_workbuffer workbuffers[] = {\n",
               model->options.name);
  for (size_t i = 0; i < op->workbuffer_count; ++i) {
    gmem_c_list_t list;
    const gmem_planned_workbuffer_t *work =
        gmem_planned_workbuffer(model->planned, op->workbuffers[i]);
    uint32_t pool = gmem_planned_buffer(model->planned, work->buffer)->pool;
    gmem_c_list_begin(&list, out, 6, "{");
    if (work->thread_size)
      gmem_c_list_add(&list,
                      work->immutable
                          ? "(uint8_t *)(uintptr_t)(memory->%s + %s_%s_OFFSET)"
                          : "memory->%s + %s_%s_OFFSET",
                      model->pools[pool].name, capitals,
                      model->buffers[work->buffer].capitals);
    else
      gmem_c_list_add(&list, "NULL");
    gmem_c_list_add(&list, "%" PRIu64, work->thread_size);
    gmem_c_list_add(&list, "%u", work->threads);
    gmem_c_list_add(&list, "%" PRIu64, work->thread_stride);
    gmem_c_list_add(&list, "%d", work->immutable);
    gmem_c_list_end(&list, "},");
  }
  gmem_c_print(out, "  };\n");
}

static bool has_workbuffers(const gmem_c_model_t *model,
                            const gmem_planned_op_t *op) {
  for (size_t i = 0; i < op->workbuffer_count; ++i)
    if (gmem_planned_workbuffer(model->planned, op->workbuffers[i])
            ->thread_size)
      return true;
  return false;
}

static bool has_memory(const gmem_c_model_t *model, const uint32_t *buffers,
                       size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (buffers[i] != GMEM_NO_BUFFER &&
        gmem_planned_buffer(model->planned, buffers[i])->payload_size)
      return true;
  return false;
}

static void write_head(const gmem_c_model_t *model, const char *what,
                       size_t number, FILE *out) {
  gmem_c_list_t list;
  gmem_c_list_begin(&list, out, 0, "static int32_t %s_%s_%zu(",
                    model->options.name, what, number);
  gmem_c_list_add(&list, "const %s_memory *memory", model->options.name);
  gmem_c_list_add(&list, "void *user");
  gmem_c_list_end(&list, ") {");
}

static void write_op(const gmem_c_model_t *model, size_t index, FILE *out) {
  const gmem_planned_op_t *op = gmem_planned_op(model->planned, index);
  const char *name = model->options.name;
  char identifier[GMEM_C_NAME];
  (void)gmem_c_identifier(op->name, identifier); // checked by gmem_c_model_make
  gmem_c_print(out, "\n// Op %u", op->number);
  if (op->result_count && op->results[0] != GMEM_NO_BUFFER) {
    gmem_c_print(out, ", defines ");
    gmem_c_print_name(
        out, gmem_planned_buffer(model->planned, op->results[0])->name);
  }
  gmem_c_print(out, "\n");
  write_head(model, "call", index, out);
  if (!has_memory(model, op->operands, op->operand_count) &&
      !has_memory(model, op->results, op->result_count) &&
      !has_workbuffers(model, op))
    gmem_c_print(out, "  (void)memory;\n");
  write_tensors(model, "input", op->operands, op->operand_count, out);
  write_tensors(model, "output", op->results, op->result_count, out);
  write_workbuffers(model, op, out);
  gmem_c_list_t list;
  gmem_c_list_begin(&list, out, 2, "const %s_call call = {", name);
  gmem_c_list_add(&list, "%u", op->number);
  gmem_c_quote(list.parts[list.count++], sizeof *list.parts, op->name);
  gmem_c_list_add(&list, op->operand_count ? "inputs" : "NULL");
  gmem_c_list_add(&list, "%zu", op->operand_count);
  gmem_c_list_add(&list, op->result_count ? "outputs" : "NULL");
  gmem_c_list_add(&list, "%zu", op->result_count);
  gmem_c_list_add(&list, op->workbuffer_count ? "workbuffers" : "NULL");
  gmem_c_list_add(&list, "%zu", op->workbuffer_count);
  gmem_c_list_end(&list, "};");
  gmem_c_print(out, "  return %s_op_%s(&call, user);\n}\n", name, identifier);
}

//===--- functions --------------------------------------------------------===//

static void write_copies(const gmem_c_model_t *model,
                         const gmem_planned_op_t *op, bool after, FILE *out) {
  for (size_t i = 0; i < op->copy_count; ++i) {
    const gmem_planned_copy_t *copy = &op->copies[i];
    const gmem_planned_buffer_t *from =
        gmem_planned_buffer(model->planned, copy->from);
    const gmem_planned_buffer_t *to =
        gmem_planned_buffer(model->planned, copy->to);
    gmem_c_list_t list;
    if (copy->after != after || to->payload_size == 0)
      continue;
    gmem_c_list_begin(&list, out, 2, "%s_copy(", model->options.name);
    gmem_c_list_add(&list, "memory->%s + %s_%s_OFFSET",
                    model->pools[to->pool].name, model->capitals,
                    model->buffers[copy->to].capitals);
    gmem_c_list_add(&list, "memory->%s + %s_%s_OFFSET",
                    model->pools[from->pool].name, model->capitals,
                    model->buffers[copy->from].capitals);
    gmem_c_list_add(&list, "%s_%s_SIZE", model->capitals,
                    model->buffers[copy->to].capitals);
    gmem_c_list_end(&list, ");");
  }
}

static void write_step(const gmem_c_model_t *model, const char *what,
                       size_t number, FILE *out) {
  gmem_c_print(out,
               "  status = %s_%s_%zu(memory, user);\n  if (status != %s_OK)\n"
               "    return status;\n",
               model->options.name, what, number, model->capitals);
}

static void write_body(const gmem_c_model_t *model, size_t index, FILE *out) {
  const gmem_planned_function_t *function =
      gmem_planned_function(model->planned, index);
  gmem_c_print(out, "\n// Function ");
  gmem_c_print_name(out, function->name);
  gmem_c_print(out, "\n");
  write_head(model, "function", index, out);
  gmem_c_print(out,
               "  int32_t status = %s_OK;\n  (void)memory;\n  (void)user;\n",
               model->capitals);
  for (size_t i = function->first_op; i < function->end_op; ++i) {
    const gmem_planned_op_t *op = gmem_planned_op(model->planned, i);
    if (op->work == GMEM_PLANNED_RUN)
      write_step(model, "call", i, out);
    if (op->work != GMEM_PLANNED_CALL)
      continue;
    write_copies(model, op, false, out);
    write_step(model, "function", op->callee, out);
    write_copies(model, op, true, out);
  }
  gmem_c_print(out, "  return status;\n}\n");
}

static void write_calls(const gmem_c_model_t *model, size_t index, FILE *out) {
  const gmem_planned_function_t *function =
      gmem_planned_function(model->planned, index);
  for (size_t i = function->first_op; i < function->end_op; ++i)
    if (gmem_planned_op(model->planned, i)->work == GMEM_PLANNED_RUN)
      write_op(model, i, out);
}

void gmem_c_write_operators(const gmem_c_model_t *model, FILE *out) {
  size_t count = gmem_planned_function_count(model->planned);
  for (size_t i = 0; i < count; ++i)
    if (model->is_called[i])
      write_calls(model, i, out);
  // Forward declarations, since functions may be in any order.
  bool is_first = true;
  for (size_t i = 0; i < count; ++i) {
    gmem_c_list_t list;
    if (!model->is_called[i] || i == model->function)
      continue;
    gmem_c_print(out, is_first ? "\n" : "");
    is_first = false;
    gmem_c_list_begin(&list, out, 0, "static int32_t %s_function_%zu(",
                      model->options.name, i);
    gmem_c_list_add(&list, "const %s_memory *memory", model->options.name);
    gmem_c_list_add(&list, "void *user");
    gmem_c_list_end(&list, ");");
  }
  for (size_t i = 0; i < count; ++i)
    if (model->is_called[i])
      write_body(model, i, out);
}
