// c_structs.c - the structs passed to a generated run function: inputs, outputs
// and memory of pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "c_write.h"

const char *gmem_c_struct_name(gmem_c_struct_t which) {
  static const char *const names[] = {"inputs", "outputs", "workspaces",
                                      "parameters"};
  assert(which < GMEM_C_STRUCTS);
  return names[which];
}

void gmem_c_write_place(const gmem_c_model_t *model, const char *memory,
                        uint32_t buffer, gmem_c_text_t *out) {
  uint32_t pool = gmem_planned_buffer(model->planned, buffer)->pool;
  assert(model->pools[pool].is_member && "an empty pool has no buffers");
  gmem_c_print(out, "%s%s + $_%s_OFFSET", memory, model->pools[pool].label.name,
               model->buffers[buffer].stem);
}

//===--- first lines of functions -----------------------------------------===//

// Prints the parameters of run: "const NAME_inputs *inputs, ...)".
static void write_parameters(const gmem_c_model_t *model, bool has_user,
                             gmem_c_text_t *out) {
  const char *comma = "";
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    const char *name = gmem_c_struct_name(i);
    if (!model->ports[i].is_given)
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
  write_parameters(model, false, out);
  gmem_c_print(out, "%s\n", end);
}

void gmem_c_head_of_run(const gmem_c_model_t *model, const char *end,
                        gmem_c_text_t *out) {
  gmem_c_print(out, "^int32_t @_run(");
  write_parameters(model, model->options.entry == GMEM_C_ENTRY_OPERATORS, out);
  gmem_c_print(out, "%s\n", end);
}
