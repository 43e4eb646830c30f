// c_descriptor.c - the uniform description of a generated model
// (gmem/model_desc.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "c_write.h"

// Whether the model itself has what the struct points to.
static bool is_own(const gmem_c_model_t *model, gmem_c_struct_t which) {
  return !model->ports[which].is_given;
}

//===--- lists of memory --------------------------------------------------===//

static void write_entry(const gmem_c_model_t *model, gmem_c_struct_t which,
                        const gmem_c_port_t *port, gmem_c_text_t *out) {
  const gmem_c_pool_t *pool = NULL;
  for (uint32_t i = 0; i < model->pool_count; ++i)
    if (which > GMEM_C_OUTPUTS && gmem_c_struct_of(&model->pools[i]) == which &&
        strcmp(model->pools[i].label.name, port->label.name) == 0)
      pool = &model->pools[i];
  gmem_c_print(out, "    {\"%s\", $_%s_SIZE, ", port->label.name,
               port->label.stem);
  if (port->is_aligned || (which <= GMEM_C_OUTPUTS && is_own(model, which)))
    gmem_c_print(out, "$_%s_ALIGNMENT, ", port->label.stem);
  else
    gmem_c_print(out, "1, ");
  bool is_kept = which == GMEM_C_WORKSPACES &&
                 gmem_c_keeps_states(model, port->label.name);
  gmem_c_print(out, "%s%s%s, ", is_own(model, which) ? "GMEM_MODEL_OWN" : "0",
               port->is_computed ? " | GMEM_MODEL_COMPUTED" : "",
               is_kept ? " | GMEM_MODEL_STATE" : "");
  if (pool && pool->file == GMEM_C_DATA_FILE)
    gmem_c_print(out, "@_%s_data},\n", port->label.name);
  else
    gmem_c_print(out, "NULL},\n");
}

static void write_list(const gmem_c_model_t *model, gmem_c_struct_t which,
                       gmem_c_text_t *out) {
  const gmem_c_ports_t *ports = &model->ports[which];
  if (!ports->count)
    return;
  gmem_c_print(out,
               "// clang-format off\n"
               "static const gmem_model_memory_t @_model_%s[] = {\n",
               gmem_c_struct_name(which));
  for (size_t i = 0; i < ports->count; ++i)
    write_entry(model, which, &ports->at[i], out);
  gmem_c_print(out, "};\n// clang-format on\n");
}

//===--- calls ------------------------------------------------------------===//

// Makes the struct of the pointers in |call|.
static void write_struct(const gmem_c_model_t *model, gmem_c_struct_t which,
                         gmem_c_text_t *out) {
  const gmem_c_ports_t *ports = &model->ports[which];
  const char *name = gmem_c_struct_name(which);
  gmem_c_print(out, "  const @_%s %s = {\n", name, name);
  for (size_t i = 0; i < ports->count; ++i)
    gmem_c_print(out, "%scall->%s[%zu],\n",
                 ports->at[i].is_computed ? "      (uint8_t *)(uintptr_t)"
                                          : "      ",
                 name, i);
  gmem_c_print(out, "%s  };\n", ports->count ? "" : "      NULL,\n");
}

// Begins a function: checks |call|, and makes the structs that run or init
// takes.
static void write_structs(const gmem_c_model_t *model, bool is_init,
                          gmem_c_text_t *out) {
  gmem_c_print(out, "  if (call == NULL)\n    return $_NULL;\n");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_takes(model, is_init, i) && model->ports[i].count)
      gmem_c_print(out, "  if (call->%s == NULL)\n    return $_NULL;\n",
                   gmem_c_struct_name(i));
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_takes(model, is_init, i))
      write_struct(model, i, out);
}

// Writes "(&inputs, &outputs, call->user)".
static void write_arguments(const gmem_c_model_t *model, bool is_init,
                            bool has_user, gmem_c_text_t *out) {
  const char *comma = "";
  gmem_c_print(out, "(");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    if (!gmem_c_takes(model, is_init, i))
      continue;
    gmem_c_print(out, "%s&%s", comma, gmem_c_struct_name(i));
    comma = ", ";
  }
  if (has_user)
    gmem_c_print(out, "%scall->user", comma);
  gmem_c_print(out, ")");
}

static void write_call(const gmem_c_model_t *model, bool is_init,
                       gmem_c_text_t *out) {
  const char *name = is_init ? "init" : "run";
  gmem_c_print(out,
               "\n^static int32_t @_model_%s(const gmem_model_call_t *call) "
               "{\n",
               name);
  write_structs(model, is_init, out);
  gmem_c_print(out, "^  return @_%s", name);
  write_arguments(model, is_init, gmem_c_takes_user(model, is_init), out);
  gmem_c_print(out, ";\n}\n");
}

// The call of reset or clear, which take the workspaces at most.
static void write_kept(const gmem_c_model_t *model, bool is_secret,
                       gmem_c_text_t *out) {
  const char *name = is_secret ? "clear" : "reset";
  bool is_given = model->ports[GMEM_C_WORKSPACES].is_given;
  gmem_c_print(out,
               "\n^static int32_t @_model_%s(const gmem_model_call_t *call) "
               "{\n",
               name);
  if (is_given) {
    gmem_c_print(out, "  if (call == NULL || call->workspaces == NULL)\n"
                      "    return $_NULL;\n");
    write_struct(model, GMEM_C_WORKSPACES, out);
  } else {
    gmem_c_print(out, "  if (call == NULL)\n    return $_NULL;\n");
  }
  gmem_c_print(out, "  return @_%s(%s);\n}\n", name,
               is_given ? "&workspaces" : "");
}

static void write_map(const gmem_c_model_t *model, gmem_c_text_t *out) {
  gmem_c_print(out,
               "\n^static int32_t @_model_map(const gmem_model_call_t *call, "
               "uint8_t **inputs, const uint8_t **outputs) {\n");
  write_structs(model, false, out);
  gmem_c_print(out, "  if (inputs == NULL || outputs == NULL)\n"
                    "    return $_NULL;\n");
  for (gmem_c_struct_t i = GMEM_C_INPUTS; i <= GMEM_C_OUTPUTS; ++i) {
    const char *name = gmem_c_struct_name(i);
    gmem_c_print(out, "  {\n^    const @_%s places = @_map_%s", name, name);
    write_arguments(model, false, false, out);
    gmem_c_print(out, ";\n");
    if (!model->ports[i].count)
      gmem_c_print(out, "    (void)places;\n");
    for (size_t k = 0; k < model->ports[i].count; ++k)
      gmem_c_print(out, "    %s[%zu] = places.%s;\n", name, k,
                   model->ports[i].at[k].label.name);
    gmem_c_print(out, "  }\n");
  }
  gmem_c_print(out, "  return $_OK;\n}\n");
}

//===--- the description --------------------------------------------------===//

void gmem_c_write_descriptor(const gmem_c_model_t *model, gmem_c_text_t *out) {
  bool has_run = model->options.entry != GMEM_C_ENTRY_NONE;
  bool has_map = gmem_c_has_maps(model);
  gmem_c_print(out, "\n");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    write_list(model, i, out);
  if (has_run)
    write_call(model, false, out);
  if (gmem_c_has_init(model))
    write_call(model, true, out);
  if (has_map)
    write_map(model, out);
  if (gmem_c_has_reset(model))
    write_kept(model, false, out);
  if (gmem_c_has_clear(model))
    write_kept(model, true, out);
  gmem_c_print(out, "\nconst gmem_model_desc_t @_model = {\n"
                    "    sizeof(gmem_model_desc_t),\n"
                    "    \"@\",\n"
                    "    $_DIGEST,\n");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (model->ports[i].count)
      gmem_c_print(out, "    {@_model_%s, %zu},\n", gmem_c_struct_name(i),
                   model->ports[i].count);
    else
      gmem_c_print(out, "    {NULL, 0},\n");
  gmem_c_print(out, has_run ? "    @_model_run,\n" : "    NULL,\n");
  gmem_c_print(out,
               gmem_c_has_init(model) ? "    @_model_init,\n" : "    NULL,\n");
  gmem_c_print(out, has_map ? "    @_model_map,\n" : "    NULL,\n");
  gmem_c_print(out, gmem_c_has_reset(model) ? "    @_model_reset,\n"
                                            : "    NULL,\n");
  gmem_c_print(out, gmem_c_has_clear(model) ? "    @_model_clear,\n"
                                            : "    NULL,\n");
  gmem_c_print(out, "};\n");
}
