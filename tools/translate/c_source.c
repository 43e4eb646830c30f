// c_source.c - <model>.c of a planned network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_source.h"

#include "c_checks.h"
#include "c_compiled.h"
#include "c_operators.h"
#include "c_print.h"
#include "c_structs.h"
#include "c_write.h"

//===--- memory of the model's own ----------------------------------------===//

static void write_bytes(const uint8_t *bytes, uint64_t size, FILE *out) {
  enum { BYTES_PER_LINE = 19 };
  char line[4 * BYTES_PER_LINE + 8];
  gmem_c_print(out, " = {\n");
  for (uint64_t i = 0; i < size; i += BYTES_PER_LINE) {
    int length = 0;
    for (uint64_t j = i; j < size && j < i + BYTES_PER_LINE; ++j)
      length += snprintf(line + length, sizeof line - (size_t)length, "%u,",
                         bytes[j]);
    gmem_c_print(out, "%s\n", line);
  }
  gmem_c_print(out, "}");
}

// Somebody else may want the bytes of constants, too, where they are given.
static void write_array(const gmem_c_model_t *model, uint32_t pool, FILE *out) {
  bool constant = gmem_c_is_constant(model, pool);
  bool is_open =
      constant && model->options.parameters == GMEM_C_PARAMETERS_GIVEN;
  const char *capitals = model->pools[pool].capitals;
  const char *kind = constant ? "PARAMETER" : "WORKSPACE";
  gmem_c_print(out,
               "\n#ifndef %s_%s_SECTION\n#define %s_%s_SECTION\n#endif\n"
               "// clang-format off\n",
               model->capitals, capitals, model->capitals, capitals);
  gmem_c_print(out,
               "%s_ALIGNAS(%s_%s_%s_ALIGNMENT)\n%s_%s_SECTION\n%s%suint8_t "
               "%s_%s_data[%s_%s_%s_SIZE]",
               model->capitals, model->capitals, capitals, kind,
               model->capitals, capitals, is_open ? "" : "static ",
               constant ? "const " : "", model->options.name,
               model->pools[pool].name, model->capitals, capitals, kind);
  if (constant)
    write_bytes(model->pools[pool].bytes,
                gmem_planned_pool(model->planned, pool)->size, out);
  gmem_c_print(out, ";\n// clang-format on\n");
}

// Whether the model has the arrays of its workspaces, or of its constants, in
// |is_data|'s file: constants that a user may do without have one of their own.
static bool has_arrays(const gmem_c_model_t *model, bool constant,
                       bool is_data) {
  bool is_open = model->options.parameters == GMEM_C_PARAMETERS_GIVEN;
  if ((constant && is_open) != is_data)
    return false;
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i)
    if (gmem_c_has_array(model, i) && gmem_c_is_constant(model, i) == constant)
      return true;
  return false;
}

bool gmem_c_has_data_file(const gmem_c_model_t *model) {
  return has_arrays(model, true, true);
}

static const char alignas_text[] = "\n"
                                   "#ifdef __cplusplus\n"
                                   "#define %s_ALIGNAS(bytes) alignas(bytes)\n"
                                   "#else\n"
                                   "#define %s_ALIGNAS(bytes) _Alignas(bytes)\n"
                                   "#endif\n";

static const char order_text[] =
    "\n"
    "// The elements of constants have their lowest byte first.\n"
    "#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n"
    "#error \"the constants of %s are for little-endian machines\"\n"
    "#endif\n";

static void write_arrays(const gmem_c_model_t *model, bool is_data, FILE *out) {
  const char *capitals = model->capitals;
  bool has_constants = has_arrays(model, true, is_data);
  bool has_workspaces = has_arrays(model, false, is_data);
  if (has_workspaces || has_constants) {
    gmem_c_print(out, alignas_text, capitals, capitals);
    gmem_c_print(out, "\n");
    gmem_c_comment(out, 0,
                   "A pool goes where its SECTION says, which may be defined "
                   "as __attribute__((section(\".sram\"))) for example.");
  }
  if (has_constants)
    gmem_c_print(out, order_text, model->options.name);
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i)
    if (gmem_c_has_array(model, i) &&
        (gmem_c_is_constant(model, i) ? has_constants : has_workspaces))
      write_array(model, i, out);
}

void gmem_c_write_data(const gmem_c_model_t *model, FILE *out) {
  gmem_c_print(out,
               "// %s_data.c - the constants of a planned network.\n"
               "// Made by gmem-translate --gmem-to-c: not to be edited.\n\n"
               "#include \"%s.h\"\n",
               model->options.name, model->options.name);
  write_arrays(model, true, out);
}

//===--- one run at a time ------------------------------------------------===//

static bool has_guard(const gmem_c_model_t *model) {
  return model->options.entry != GMEM_C_ENTRY_NONE &&
         has_arrays(model, false, false);
}

// Every processor has some way to do this; its compiler knows it, or the user.
static const char guard_text[] =
    "\n"
    "// Of runs at one time only one may have the workspaces. A machine "
    "without "
    "such\n"
    "// instructions defines both macros otherwise.\n"
    "#ifdef %s_TEST_AND_SET\n"
    "static unsigned char %s_is_busy;\n"
    "#elif defined(__GNUC__)\n"
    "static unsigned char %s_is_busy;\n"
    "#define %s_TEST_AND_SET(flag) __atomic_test_and_set(flag, "
    "__ATOMIC_ACQUIRE)\n"
    "#define %s_CLEAR(flag) __atomic_clear(flag, __ATOMIC_RELEASE)\n"
    "#elif defined(__cplusplus)\n"
    "#include <atomic>\n"
    "static std::atomic_flag %s_is_busy = ATOMIC_FLAG_INIT;\n"
    "#define %s_TEST_AND_SET(flag) std::atomic_flag_test_and_set(flag)\n"
    "#define %s_CLEAR(flag) std::atomic_flag_clear(flag)\n"
    "#else\n"
    "#include <stdatomic.h>\n"
    "static atomic_flag %s_is_busy = ATOMIC_FLAG_INIT;\n"
    "#define %s_TEST_AND_SET(flag) atomic_flag_test_and_set(flag)\n"
    "#define %s_CLEAR(flag) atomic_flag_clear(flag)\n"
    "#endif\n";

static void write_guard(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name, *capitals = model->capitals;
  if (has_guard(model))
    gmem_c_print(out, guard_text, capitals, name, name, capitals, capitals,
                 name, capitals, capitals, name, capitals, capitals);
}

//===--- where the pools are ----------------------------------------------===//

static void write_memory(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name;
  bool is_empty = true;
  gmem_c_print(out, "\n// Where the pools are.\ntypedef struct %s_memory {\n",
               name);
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i) {
    if (!model->pools[i].is_member)
      continue;
    is_empty = false;
    gmem_c_print(out, "  %suint8_t *%s;\n",
                 gmem_c_is_constant(model, i) ? "const " : "",
                 model->pools[i].name);
  }
  if (is_empty)
    gmem_c_print(out, "  const uint8_t *nothing;\n");
  gmem_c_print(out, "} %s_memory;\n", name);
}

// Defines "memory": arrays, and what the user has given.
static void write_addresses(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name;
  gmem_c_list_t list;
  gmem_c_list_begin(&list, out, 2, "const %s_memory memory = {", name);
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i) {
    bool constant = gmem_c_is_constant(model, i);
    const char *pool = model->pools[i].name;
    if (!model->pools[i].is_member)
      continue;
    if (gmem_c_is_given(model,
                        constant ? GMEM_C_PARAMETERS : GMEM_C_WORKSPACES))
      gmem_c_list_add(&list, "%s->%s", constant ? "parameters" : "workspaces",
                      pool);
    else
      gmem_c_list_add(&list, "%s_%s_data", name, pool);
  }
  if (!list.count)
    gmem_c_list_add(&list, "NULL");
  gmem_c_list_end(&list, "};");
}

//===--- copies -----------------------------------------------------------===//

static bool is_copied(const gmem_c_model_t *model) {
  bool has_copies = model->options.io == GMEM_C_IO_CALLER &&
                    (model->input_count || model->output_count);
  for (size_t f = 0; f < gmem_planned_function_count(model->planned); ++f) {
    const gmem_planned_function_t *function =
        gmem_planned_function(model->planned, f);
    for (size_t i = function->first_op;
         model->is_called[f] && i < function->end_op; ++i)
      has_copies |= gmem_planned_op(model->planned, i)->copy_count > 0;
  }
  return has_copies;
}

static void write_copy(const gmem_c_model_t *model, FILE *out) {
  gmem_c_list_t list;
  gmem_c_print(out, "\n");
  gmem_c_list_begin(&list, out, 0, "static void %s_copy(", model->options.name);
  gmem_c_list_add(&list, "uint8_t *to");
  gmem_c_list_add(&list, "const uint8_t *from");
  gmem_c_list_add(&list, "size_t size");
  gmem_c_list_end(&list, ") {");
  gmem_c_print(out, "  for (size_t i = 0; i < size; ++i)\n"
                    "    to[i] = from[i];\n}\n");
}

// Copies a tensor of the plan, whose pools are in "memory", to or from what the
// caller gave; an output if all went well.
static void write_port_copy(const gmem_c_model_t *model,
                            const gmem_c_port_t *port, bool is_input,
                            FILE *out) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(model->planned, port->buffer);
  gmem_c_list_t list;
  char planned[640];
  if (port->size == 0)
    return;
  snprintf(planned, sizeof planned, "memory.%s + %s_%s_OFFSET",
           model->pools[buffer->pool].name, model->capitals, port->capitals);
  if (!is_input)
    gmem_c_print(out, "  if (status == %s_OK)\n", model->capitals);
  gmem_c_list_begin(&list, out, is_input ? 2 : 4, "%s_copy(",
                    model->options.name);
  if (is_input)
    gmem_c_list_add(&list, "%s", planned);
  gmem_c_list_add(&list, "%s->%s", is_input ? "inputs" : "outputs", port->name);
  if (!is_input)
    gmem_c_list_add(&list, "%s", planned);
  gmem_c_list_add(&list, "%s_%s_SIZE", model->capitals, port->capitals);
  gmem_c_list_end(&list, ");");
}

//===--- maps -------------------------------------------------------------===//

static void write_map(const gmem_c_model_t *model, gmem_c_struct_t which,
                      FILE *out) {
  const char *name = model->options.name, *what = gmem_c_struct_name(which);
  bool is_input = which == GMEM_C_INPUTS;
  size_t count = is_input ? model->input_count : model->output_count;
  gmem_c_list_t list;
  gmem_c_print(out, "\n");
  gmem_c_list_begin(&list, out, 0, "%s_%s %s_map_%s(", name, what, name, what);
  gmem_c_add_parameters(model, &list);
  if (!list.count)
    gmem_c_list_add(&list, "void");
  gmem_c_list_end(&list, ") {");
  write_addresses(model, out);
  if (count == 0)
    gmem_c_print(out, "  (void)memory;\n");
  gmem_c_print(out, "  const %s_%s mapped = {\n", name, what);
  for (size_t i = 0; i < count; ++i) {
    const gmem_c_port_t *port = &(is_input ? model->inputs : model->outputs)[i];
    uint32_t pool = gmem_planned_buffer(model->planned, port->buffer)->pool;
    if (port->size)
      gmem_c_print(out, "      memory.%s + %s_%s_OFFSET,\n",
                   model->pools[pool].name, model->capitals, port->capitals);
    else
      gmem_c_print(out, "      NULL,\n");
  }
  if (count == 0)
    gmem_c_print(out, "      NULL,\n");
  gmem_c_print(out, "  };\n  return mapped;\n}\n");
}

//===--- run --------------------------------------------------------------===//

static void write_region(const gmem_c_model_t *model, gmem_c_struct_t which,
                         size_t *count, FILE *out) {
  static const int kinds[] = {1, 2, 4, 0};
  gmem_c_member_t member;
  for (size_t i = 0; gmem_c_member(model, which, i, &member); ++i) {
    gmem_c_list_t list;
    if (member.bytes == 0)
      continue;
    if ((*count)++ == 0)
      gmem_c_print(out, "  const %s_region regions[] = {\n",
                   model->options.name);
    gmem_c_list_begin(&list, out, 6, "{");
    gmem_c_list_add(&list, "%s->%s", gmem_c_struct_name(which), member.name);
    gmem_c_list_add(&list, "%s", member.size);
    gmem_c_list_add(&list, "%d", kinds[which]);
    gmem_c_list_end(&list, "},");
  }
}

// Looks at all that is given; returns from run when something is wrong.
static void write_run_checks(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name, *capitals = model->capitals;
  size_t count = 0;
  bool is_first = true;
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    const char *what = gmem_c_struct_name(i);
    if (!gmem_c_is_given(model, i))
      continue;
    if (is_first)
      gmem_c_print(out, "  int32_t status = ");
    else
      gmem_c_print(out, "  if (status == %s_OK)\n    status = ", capitals);
    gmem_c_print(out, "%s_check_%s(%s, NULL);\n", name, what, what);
    is_first = false;
  }
  gmem_c_print(out, "  if (status != %s_OK)\n    return status;\n", capitals);
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_is_given(model, i))
      write_region(model, i, &count, out);
  if (count)
    gmem_c_print(out,
                 "  };\n  status = %s_check_regions(regions, %zu);\n"
                 "  if (status != %s_OK)\n    return status;\n",
                 name, count, capitals);
}

static bool gives_anything(const gmem_c_model_t *model) {
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_is_given(model, i))
      return true;
  return false;
}

static void write_operators_call(const gmem_c_model_t *model, FILE *out) {
  bool is_copied = model->options.io == GMEM_C_IO_CALLER;
  for (size_t i = 0; is_copied && i < model->input_count; ++i)
    write_port_copy(model, &model->inputs[i], true, out);
  gmem_c_print(out, "  status = %s_function_%zu(&memory, user);\n",
               model->options.name, model->function);
  for (size_t i = 0; is_copied && i < model->output_count; ++i)
    write_port_copy(model, &model->outputs[i], false, out);
}

static void write_run(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name, *capitals = model->capitals;
  gmem_c_list_t list;
  gmem_c_print(out, "\n");
  gmem_c_list_begin(&list, out, 0, "int32_t %s_run(", name);
  gmem_c_add_parameters(model, &list);
  if (model->options.entry == GMEM_C_ENTRY_OPERATORS)
    gmem_c_list_add(&list, "void *user");
  if (!list.count)
    gmem_c_list_add(&list, "void");
  gmem_c_list_end(&list, ") {");
  if (gives_anything(model))
    write_run_checks(model, out);
  else
    gmem_c_print(out, "  int32_t status = %s_OK;\n", capitals);
  write_addresses(model, out);
  if (has_guard(model))
    gmem_c_print(out,
                 "  if (%s_TEST_AND_SET(&%s_is_busy))\n    return %s_BUSY;\n",
                 capitals, name, capitals);
  if (model->options.entry == GMEM_C_ENTRY_OPERATORS)
    write_operators_call(model, out);
  else
    gmem_c_write_compiled_call(model, out);
  if (has_guard(model))
    gmem_c_print(out, "  %s_CLEAR(&%s_is_busy);\n", capitals, name);
  gmem_c_print(out, "  return status;\n}\n");
}

void gmem_c_write_source(const gmem_c_model_t *model, FILE *out) {
  gmem_c_print(out,
               "// %s.c - a planned network.\n"
               "// Made by gmem-translate --gmem-to-c: not to be edited.\n\n"
               "#include \"%s.h\"\n",
               model->options.name, model->options.name);
  write_arrays(model, false, out);
  write_guard(model, out);
  gmem_c_write_checks(model, out);
  if (model->options.entry == GMEM_C_ENTRY_NONE)
    return;
  write_memory(model, out);
  if (model->options.entry == GMEM_C_ENTRY_COMPILED)
    gmem_c_write_descriptors(model, out);
  if (model->options.entry == GMEM_C_ENTRY_OPERATORS) {
    if (is_copied(model))
      write_copy(model, out);
    gmem_c_write_operators(model, out);
    if (model->options.io == GMEM_C_IO_WORKSPACE) {
      write_map(model, GMEM_C_INPUTS, out);
      write_map(model, GMEM_C_OUTPUTS, out);
    }
  }
  write_run(model, out);
}
