// c_structs.c - the structs passed to a generated run function: inputs, outputs
// and memory of pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_structs.h"

#include "c_print.h"
#include "c_write.h"

const char *gmem_c_struct_name(gmem_c_struct_t which) {
  static const char *const names[] = {"inputs", "outputs", "workspaces",
                                      "parameters"};
  return names[which];
}

bool gmem_c_is_given(const gmem_c_model_t *model, gmem_c_struct_t which) {
  const gmem_c_options_t *options = &model->options;
  switch (which) {
  case GMEM_C_WORKSPACES:
    return options->workspaces == GMEM_C_WORKSPACES_GIVEN &&
           gmem_c_has_pools(model, false);
  case GMEM_C_PARAMETERS:
    return options->parameters == GMEM_C_PARAMETERS_GIVEN &&
           gmem_c_has_pools(model, true);
  default:
    return gmem_c_has_ports(model);
  }
}

static bool port_member(const gmem_c_model_t *model, gmem_c_struct_t which,
                        size_t number, gmem_c_member_t *member) {
  bool is_input = which == GMEM_C_INPUTS;
  size_t count = is_input ? model->input_count : model->output_count;
  if (number >= count)
    return false;
  const gmem_c_port_t *port =
      &(is_input ? model->inputs : model->outputs)[number];
  // Non-const if the pointer is used for writing: by the model, outputs; by the
  // caller, mapped inputs.
  bool is_workspace = model->options.io == GMEM_C_IO_WORKSPACE;
  member->name = port->name;
  member->bytes = port->size;
  member->type = is_input == is_workspace ? "uint8_t *" : "const uint8_t *";
  snprintf(member->size, sizeof member->size, "%s_%s_SIZE", model->capitals,
           port->capitals);
  if (port->alignment == 1)
    snprintf(member->alignment, sizeof member->alignment, "1");
  else
    snprintf(member->alignment, sizeof member->alignment, "%s_%s_ALIGNMENT",
             model->capitals, port->capitals);
  return true;
}

static bool pool_member(const gmem_c_model_t *model, bool constant,
                        size_t number, gmem_c_member_t *member) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i) {
    if (!model->pools[i].is_member ||
        gmem_c_is_constant(model, i) != constant || number-- > 0)
      continue;
    const char *kind = constant ? "PARAMETER" : "WORKSPACE";
    member->name = model->pools[i].name;
    member->bytes = gmem_planned_pool(model->planned, i)->size;
    member->type = constant ? "const uint8_t *" : "uint8_t *";
    snprintf(member->size, sizeof member->size, "%s_%s_%s_SIZE",
             model->capitals, model->pools[i].capitals, kind);
    snprintf(member->alignment, sizeof member->alignment, "%s_%s_%s_ALIGNMENT",
             model->capitals, model->pools[i].capitals, kind);
    return true;
  }
  return false;
}

bool gmem_c_member(const gmem_c_model_t *model, gmem_c_struct_t which,
                   size_t number, gmem_c_member_t *out_member) {
  if (which == GMEM_C_INPUTS || which == GMEM_C_OUTPUTS)
    return port_member(model, which, number, out_member);
  return pool_member(model, which == GMEM_C_PARAMETERS, number, out_member);
}

void gmem_c_add_parameters(const gmem_c_model_t *model, gmem_c_list_t *list) {
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_is_given(model, i))
      gmem_c_list_add(list, "const %s_%s *%s", model->options.name,
                      gmem_c_struct_name(i), gmem_c_struct_name(i));
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
