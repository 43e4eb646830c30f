// c_structs.c - the structs passed to a generated run function: inputs, outputs
// and memory of pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "c_write.h"

const char *gmem_c_struct_name(gmem_c_struct_t which) {
  static const char *const names[] = {"inputs",          "outputs",
                                      "workspaces",      "parameters",
                                      "init_workspaces", "init_parameters"};
  assert(which < GMEM_C_STRUCTS);
  return names[which];
}

void gmem_c_write_place(const gmem_c_model_t *model, const char *memory,
                        uint32_t buffer, gmem_c_text_t *out) {
  uint32_t pool = gmem_planned_buffer(model->planned, buffer)->pool;
  assert(gmem_c_pool_is_used(&model->pools[pool]) && "it is no empty pool");
  gmem_c_print(out, "%s%s + $_%s_OFFSET", memory, model->pools[pool].label.name,
               model->buffers[buffer].stem);
}

//===--- first lines of functions -----------------------------------------===//

bool gmem_c_takes(const gmem_c_model_t *model, bool is_init,
                  gmem_c_struct_t which) {
  return is_init ? model->init.takes[which]
                 : which < GMEM_C_RUN_STRUCTS && model->ports[which].is_given;
}

// Prints the parameters of run or init: "const NAME_inputs *inputs, ...)".
static void write_parameters(const gmem_c_model_t *model, bool is_init,
                             bool has_user, gmem_c_text_t *out) {
  const char *comma = "";
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    const char *name = gmem_c_struct_name(i);
    if (!gmem_c_takes(model, is_init, i))
      continue;
    gmem_c_print(out, "%sconst @_%s *%s", comma, name, name);
    comma = ", ";
  }
  if (has_user)
    gmem_c_print(out, "%svoid *user)", comma);
  else
    gmem_c_print(out, *comma ? ")" : "void)");
}

void gmem_c_head_of_check(gmem_c_struct_t which, const char *end,
                          gmem_c_text_t *out) {
  const char *name = gmem_c_struct_name(which);
  gmem_c_print(out,
               "^int32_t @_check_%s(const @_%s *%s, "
               "const @_%s_sizes *sizes)%s\n",
               name, name, name, name, end);
}

void gmem_c_head_of_map(const gmem_c_model_t *model, gmem_c_struct_t which,
                        const char *end, gmem_c_text_t *out) {
  const char *name = gmem_c_struct_name(which);
  gmem_c_print(out, "^@_%s @_map_%s(", name, name);
  write_parameters(model, false, false, out);
  gmem_c_print(out, "%s\n", end);
}

void gmem_c_head_of_kept(const gmem_c_model_t *model, bool is_secret,
                         const char *end, gmem_c_text_t *out) {
  gmem_c_print(out,
               model->ports[GMEM_C_WORKSPACES].is_given
                   ? "^int32_t @_%s(const @_workspaces *workspaces)%s\n"
                   : "^int32_t @_%s(void)%s\n",
               is_secret ? "clear" : "reset", end);
}

bool gmem_c_takes_user(const gmem_c_model_t *model, bool is_init) {
  return model->options.entry == GMEM_C_ENTRY_OPERATORS ||
         (is_init && model->transforms.count);
}

void gmem_c_head_of_run(const gmem_c_model_t *model, bool is_init,
                        const char *end, gmem_c_text_t *out) {
  gmem_c_print(out, "^int32_t @_%s(", is_init ? "init" : "run");
  write_parameters(model, is_init, gmem_c_takes_user(model, is_init), out);
  gmem_c_print(out, "%s\n", end);
}
