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

bool gmem_c_is_given(const gmem_c_model_t *model, gmem_c_struct_t which) {
  const gmem_c_options_t *options = &model->options;
  if (which == GMEM_C_WORKSPACES)
    return options->workspaces == GMEM_C_WORKSPACES_GIVEN &&
           gmem_c_has_pools(model, false);
  if (which == GMEM_C_PARAMETERS)
    return options->parameters == GMEM_C_PARAMETERS_GIVEN &&
           gmem_c_has_pools(model, true);
  return gmem_c_has_ports(model);
}

bool gmem_c_is_any_given(const gmem_c_model_t *model) {
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_is_given(model, i))
      return true;
  return false;
}

static bool port_member(const gmem_c_model_t *model, gmem_c_struct_t which,
                        size_t number, gmem_c_member_t *member) {
  if (number >= model->ports[which].count)
    return false;
  const gmem_c_port_t *port = &model->ports[which].at[number];
  // Non-const if the pointer is used for writing: by the model, outputs; by the
  // caller, mapped inputs.
  bool is_workspace = model->options.io == GMEM_C_IO_WORKSPACE;
  bool is_written = (which == GMEM_C_INPUTS) == is_workspace;
  *member =
      (gmem_c_member_t){.name = port->name,
                        .type = is_written ? "uint8_t *" : "const uint8_t *",
                        .stem = port->capitals,
                        .bytes = port->size,
                        .is_aligned = port->alignment != 1};
  return true;
}

bool gmem_c_member(const gmem_c_model_t *model, gmem_c_struct_t which,
                   size_t number, gmem_c_member_t *out_member) {
  bool constant = which == GMEM_C_PARAMETERS;
  if (which == GMEM_C_INPUTS || which == GMEM_C_OUTPUTS)
    return port_member(model, which, number, out_member);
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i) {
    if (!model->pools[i].is_member ||
        gmem_c_is_constant(model, i) != constant || number-- > 0)
      continue;
    *out_member =
        (gmem_c_member_t){.name = model->pools[i].name,
                          .type = constant ? "const uint8_t *" : "uint8_t *",
                          .stem = model->pools[i].stem,
                          .bytes = gmem_planned_pool(model->planned, i)->size,
                          .is_aligned = true};
    return true;
  }
  return false;
}

bool gmem_c_has_array(const gmem_c_model_t *model, uint32_t pool) {
  const gmem_c_options_t *options = &model->options;
  if (!model->pools[pool].is_member)
    return false;
  if (!gmem_c_is_constant(model, pool))
    return options->workspaces == GMEM_C_WORKSPACES_STATIC;
  return options->parameters != GMEM_C_PARAMETERS_EXTERN &&
         model->pools[pool].bytes;
}

//===--- first lines of functions -----------------------------------------===//

// Prints the parameters of run: "const NAME_inputs *inputs, ...)".
static void write_parameters(const gmem_c_model_t *model, bool has_user,
                             gmem_c_text_t *out) {
  const char *comma = "";
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    const char *name = gmem_c_struct_name(i);
    if (!gmem_c_is_given(model, i))
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
