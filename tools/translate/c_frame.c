// c_frame.c - what the generated run and init have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_write.h"

//===--- properties -------------------------------------------------------===//

bool gmem_c_has_guard(const gmem_c_model_t *model) {
  bool has_arrays = false; // of workspaces
  for (uint32_t i = 0; i < model->pool_count; ++i)
    has_arrays |= model->pools[i].file == GMEM_C_SOURCE_FILE &&
                  !model->pools[i].is_constant;
  return model->options.entry != GMEM_C_ENTRY_NONE && has_arrays;
}

bool gmem_c_has_maps(const gmem_c_model_t *model) {
  return model->options.entry != GMEM_C_ENTRY_NONE &&
         model->options.io == GMEM_C_IO_WORKSPACE;
}

bool gmem_c_has_init(const gmem_c_model_t *model) {
  return (model->init.count || model->transforms.count) &&
         model->options.entry != GMEM_C_ENTRY_NONE;
}

bool gmem_c_has_ready_flag(const gmem_c_model_t *model) {
  bool is_given = false; // some of what is computed
  for (uint32_t i = 0; i < model->pool_count; ++i)
    is_given |= model->pools[i].is_computed &&
                gmem_c_pool_is_used(&model->pools[i]) &&
                model->ports[GMEM_C_PARAMETERS].is_given;
  return gmem_c_has_init(model) && !is_given;
}

//===--- addresses of pools -----------------------------------------------===//

void gmem_c_write_addresses(const gmem_c_model_t *model, bool is_init,
                            gmem_c_text_t *out) {
  const char *comma = "";
  gmem_c_print(out, "^  const @_memory memory = {");
  for (uint32_t i = 0; i < model->pool_count; ++i) {
    const gmem_c_pool_t *names = &model->pools[i];
    gmem_c_struct_t which = gmem_c_struct_of(names);
    const char *pool = names->label.name;
    if (!gmem_c_pool_is_used(names))
      continue;
    if (!(is_init ? names->serves_init : names->serves_run))
      gmem_c_print(out, "%sNULL", comma);
    else if (model->ports[which].is_given)
      gmem_c_print(out, "%s%s->%s", comma, gmem_c_struct_name(which), pool);
    else
      gmem_c_print(out, "%s@_%s_data", comma, pool);
    comma = ", ";
  }
  gmem_c_print(out, *comma ? "};\n" : "NULL};\n");
}

//===--- the beginning and the end ----------------------------------------===//

// Adds the memory of a struct to the array of regions. Returns the number of
// regions so far, |count| before.
static size_t write_regions(const gmem_c_model_t *model, bool is_init,
                            gmem_c_struct_t which, size_t count,
                            gmem_c_text_t *out) {
  static const int kinds[] = {1, 2, 4, 0, 4, 0};
  for (size_t i = 0; i < model->ports[which].count; ++i) {
    const gmem_c_port_t *port = &model->ports[which].at[i];
    if (port->size == 0)
      continue;
    if (count++ == 0)
      gmem_c_print(out, "  const @_region regions[] = {\n");
    gmem_c_print(out, "^      {%s->%s, $_%s_SIZE, %d},\n",
                 gmem_c_struct_name(which), port->label.name, port->label.stem,
                 is_init && port->is_computed ? 4 : kinds[which]);
  }
  return count;
}

// Writes the checks of all arguments at the start of run or init.
static void write_run_checks(const gmem_c_model_t *model, bool is_init,
                             gmem_c_text_t *out) {
  bool is_first = true;
  size_t count = 0;
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    const char *name = gmem_c_struct_name(i);
    if (!gmem_c_takes(model, is_init, i))
      continue;
    gmem_c_print(out, is_first ? "  int32_t status = "
                               : "  if (status == $_OK)\n    status = ");
    gmem_c_print(out, "@_check_%s(%s, NULL);\n", name, name);
    is_first = false;
  }
  gmem_c_print(out, "  if (status != $_OK)\n    return status;\n");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_takes(model, is_init, i))
      count = write_regions(model, is_init, i, count, out);
  if (count)
    gmem_c_print(out,
                 "  };\n  status = @_check_regions(regions, %zu);\n"
                 "  if (status != $_OK)\n    return status;\n",
                 count);
}

void gmem_c_write_begin(const gmem_c_model_t *model, bool is_init,
                        gmem_c_text_t *out) {
  bool takes_any = false;
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    takes_any |= gmem_c_takes(model, is_init, i);
  if (takes_any)
    write_run_checks(model, is_init, out);
  else
    gmem_c_print(out, "  int32_t status = $_OK;\n");
  if (!is_init && gmem_c_has_ready_flag(model))
    gmem_c_print(out, "  if (!@_is_ready)\n    return $_UNINITIALISED;\n");
  gmem_c_write_addresses(model, is_init, out);
  gmem_c_write_enter(model, out);
}

void gmem_c_write_enter(const gmem_c_model_t *model, gmem_c_text_t *out) {
  if (gmem_c_has_guard(model))
    gmem_c_print(out,
                 "  if ($_TEST_AND_SET(&@_is_busy))\n    return $_BUSY;\n");
}

void gmem_c_write_end(const gmem_c_model_t *model, gmem_c_text_t *out) {
  if (gmem_c_has_guard(model))
    gmem_c_print(out, "  $_CLEAR(&@_is_busy);\n");
  gmem_c_print(out, "  return status;\n}\n");
}
