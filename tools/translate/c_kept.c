// c_kept.c - generated functions for what outlasts a run, states, and for what
// must not, sensitive values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "c_write.h"

//===--- which buffers ----------------------------------------------------===//

// Whether run uses the buffer's memory, and the buffer has bytes.
static bool is_used(const gmem_c_model_t *model,
                    const gmem_planned_buffer_t *buffer) {
  const gmem_c_pool_t *pool = &model->pools[buffer->pool];
  return model->options.entry != GMEM_C_ENTRY_NONE && pool->serves_run &&
         !pool->is_constant && buffer->payload_size > 0;
}

static bool do_meet(const gmem_planned_buffer_t *a,
                    const gmem_planned_buffer_t *b) {
  return a->pool == b->pool &&
         a->payload_offset < b->payload_offset + b->payload_size &&
         b->payload_offset < a->payload_offset + a->payload_size;
}

static bool is_in_state(const gmem_c_model_t *model,
                        const gmem_planned_buffer_t *buffer) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i) {
    const gmem_planned_buffer_t *state = gmem_planned_buffer(model->planned, i);
    if ((state->flags & GMEM_PLANNED_STATE) && do_meet(state, buffer))
      return true;
  }
  return false;
}

// Whether reset zeroes the buffer, or what ends a request if |is_secret|. What
// is in a state lasts as long as the state.
static bool is_zeroed(const gmem_c_model_t *model, uint32_t index,
                      bool is_secret) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(model->planned, index);
  if (!is_used(model, buffer))
    return false;
  return is_secret ? (buffer->flags & GMEM_PLANNED_SENSITIVE) &&
                         !is_in_state(model, buffer)
                   : (buffer->flags & GMEM_PLANNED_STATE) != 0;
}

static bool has_zeroed(const gmem_c_model_t *model, bool is_secret) {
  bool is_found = false;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i)
    is_found |= is_zeroed(model, i, is_secret);
  return is_found;
}

bool gmem_c_has_reset(const gmem_c_model_t *model) {
  return has_zeroed(model, false);
}

bool gmem_c_has_clear(const gmem_c_model_t *model) {
  return model->options.io == GMEM_C_IO_WORKSPACE && has_zeroed(model, true);
}

bool gmem_c_keeps_states(const gmem_c_model_t *model, const char *pool) {
  bool is_found = false;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i) {
    uint32_t of = gmem_planned_buffer(model->planned, i)->pool;
    is_found |= is_zeroed(model, i, false) &&
                strcmp(model->pools[of].label.name, pool) == 0;
  }
  return is_found;
}

static bool clears_in_run(const gmem_c_model_t *model) {
  return model->options.io == GMEM_C_IO_CALLER && has_zeroed(model, true);
}

//===--- zeroing ----------------------------------------------------------===//

static void write_zeroing(const gmem_c_model_t *model, bool is_secret,
                          gmem_c_text_t *out) {
  bool is_given = model->ports[GMEM_C_WORKSPACES].is_given;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i) {
    const char *stem = model->buffers[i].stem;
    uint32_t pool = gmem_planned_buffer(model->planned, i)->pool;
    const char *name = model->pools[pool].label.name;
    if (!is_zeroed(model, i, is_secret))
      continue;
    gmem_c_print(out,
                 is_given ? "^  @_zero(workspaces->%s + $_%s_OFFSET, "
                          : "^  @_zero(@_%s_data + $_%s_OFFSET, ",
                 name, stem);
    gmem_c_print(out, "$_%s_SIZE);\n", stem);
  }
}

void gmem_c_write_clear_in_run(const gmem_c_model_t *model,
                               gmem_c_text_t *out) {
  if (clears_in_run(model))
    write_zeroing(model, true, out);
}

static void write_function(const gmem_c_model_t *model, bool is_secret,
                           gmem_c_text_t *out) {
  gmem_c_print(out, "\n");
  gmem_c_head_of_kept(model, is_secret, " {", out);
  gmem_c_print(out, model->ports[GMEM_C_WORKSPACES].is_given
                        ? "^  int32_t status = "
                          "@_check_workspaces(workspaces, NULL);\n"
                          "  if (status != $_OK)\n    return status;\n"
                        : "  int32_t status = $_OK;\n");
  gmem_c_write_enter(model, out);
  write_zeroing(model, is_secret, out);
  gmem_c_write_end(model, out);
}

// Volatile: a compiler must not leave out what nothing reads.
static const char zero_text[] =
    "\n"
    "^static void @_zero(uint8_t *memory, size_t size) {\n"
    "  volatile uint8_t *bytes = memory;\n"
    "  for (size_t i = 0; i < size; ++i)\n"
    "    bytes[i] = 0;\n"
    "}\n";

void gmem_c_write_zero(const gmem_c_model_t *model, gmem_c_text_t *out) {
  if (gmem_c_has_reset(model) || gmem_c_has_clear(model) ||
      clears_in_run(model) || model->transforms.count)
    gmem_c_print(out, zero_text);
}

void gmem_c_write_kept(const gmem_c_model_t *model, gmem_c_text_t *out) {
  if (gmem_c_has_reset(model))
    write_function(model, false, out);
  if (gmem_c_has_clear(model))
    write_function(model, true, out);
}

//===--- declarations -----------------------------------------------------===//

void gmem_c_document_kept(const gmem_c_model_t *model, gmem_c_text_t *out) {
  if (gmem_c_has_reset(model)) {
    gmem_c_print(out, "\n^// Begins anew: the states, which are kept from run "
                      "to run, become zero. Call it before the first run. "
                      "Returns the statuses above.\n");
    gmem_c_head_of_kept(model, false, ";", out);
  }
  if (gmem_c_has_clear(model)) {
    gmem_c_print(out, "\n^// Zeroes what is sensitive, inputs and outputs "
                      "included, but for states. Call it when the outputs of a "
                      "run have been read. Returns the statuses above.\n");
    gmem_c_head_of_kept(model, true, ";", out);
  }
}
