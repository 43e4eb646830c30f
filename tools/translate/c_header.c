// c_header.c - <model>.h of a planned network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_header.h"

#include <string.h>

#include "c_print.h"
#include "c_structs.h"
#include "c_write.h"

//===--- pools and tensors ------------------------------------------------===//

static void write_digest(const gmem_c_model_t *model, FILE *out) {
  char name[GMEM_C_NAME + 32], text[80] = "\"";
  for (size_t i = 0; i < sizeof model->digest; ++i)
    snprintf(text + 1 + 2 * i, 3, "%02x", model->digest[i]);
  strcat(text, "\"");
  snprintf(name, sizeof name, "%s_FORMAT", model->capitals);
  gmem_c_comment(out, 0,
                 "The version of the format of this file, and the SHA-256 "
                 "digest of the plan image with all known constants.");
  gmem_c_define(out, name, "1");
  snprintf(name, sizeof name, "%s_DIGEST", model->capitals);
  gmem_c_define(out, name, text);
}

// Defines the maximum of |stem|_|end| and a macro argument.
static void write_max(const char *stem, const char *end, const char *max,
                      FILE *out) {
  char name[384], own[384], value[1280];
  snprintf(name, sizeof name, "%s_%s(other)", stem, max);
  snprintf(own, sizeof own, "%s_%s", stem, end);
  int length =
      snprintf(value, sizeof value, "((other) > %s ? (other) : %s)", own, own);
  if (length > 78)
    snprintf(value, sizeof value,
             "((other) > %-66s\\\n       %-72s\\\n       : %s)", own,
             "? (other)", own);
  gmem_c_define(out, name, value);
}

static void write_pool(const gmem_c_model_t *model, uint32_t index, FILE *out) {
  const gmem_planned_pool_t *pool = gmem_planned_pool(model->planned, index);
  const char *kind = pool->constant ? "PARAMETER" : "WORKSPACE";
  char stem[320];
  snprintf(stem, sizeof stem, "%s_%s_%s", model->capitals,
           model->pools[index].capitals, kind);
  gmem_c_print(out, "\n// Pool ");
  gmem_c_print_name(out, pool->name);
  gmem_c_print(out, ", %s.\n", pool->constant ? "of constants" : "a workspace");
  gmem_c_define_bytes(out, pool->size, "%s_SIZE", stem);
  gmem_c_define_bytes(out, pool->alignment, "%s_ALIGNMENT", stem);
  if (pool->base != GMEM_NO_BASE)
    gmem_c_define_bytes(out, pool->base, "%s_%s_BASE", model->capitals,
                        model->pools[index].capitals);
  if (pool->constant)
    return;
  write_max(stem, "SIZE", "MAX", out);
  write_max(stem, "ALIGNMENT", "ALIGNMENT_MAX", out);
}

static void write_pools(const gmem_c_model_t *model, FILE *out) {
  uint32_t count = gmem_planned_pool_count(model->planned);
  gmem_c_print(out, "\n");
  gmem_c_comment(out, 0,
                 "Size and alignment of each pool in bytes, and its address if "
                 "the plan assigns one. MAX is for memory shared by models "
                 "that never run concurrently.");
  for (uint32_t i = 0; i < count; ++i)
    write_pool(model, i, out);
  gmem_c_print(out, "\n");
  for (uint32_t i = 0; i < count; ++i) {
    const char *kind = gmem_c_is_constant(model, i) ? "PARAMETER" : "WORKSPACE";
    gmem_c_print(out,
                 "#if %s_%s_%s_SIZE > PTRDIFF_MAX\n"
                 "#error \"this machine has too few addresses for pool %s\"\n"
                 "#endif\n",
                 model->capitals, model->pools[i].capitals, kind,
                 model->pools[i].name);
  }
}

static void write_tensor(const gmem_c_model_t *model, uint32_t index,
                         FILE *out) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(model->planned, index);
  const char *name = model->buffers[index].capitals;
  gmem_c_print(out, "\n// ");
  gmem_c_print_name(out, buffer->name);
  gmem_c_print(out, " in ");
  gmem_c_print_name(out, gmem_planned_pool(model->planned, buffer->pool)->name);
  gmem_c_print(out, "\n");
  gmem_c_define_bytes(out, buffer->payload_offset, "%s_%s_OFFSET",
                      model->capitals, name);
  gmem_c_define_bytes(out, buffer->payload_size, "%s_%s_SIZE", model->capitals,
                      name);
  gmem_c_define_bytes(out, buffer->alignment, "%s_%s_ALIGNMENT",
                      model->capitals, name);
}

static void write_tensors(const gmem_c_model_t *model, FILE *out) {
  gmem_c_print(out, "\n");
  gmem_c_comment(out, 0,
                 "Tensors: offset from the start of the pool, size and "
                 "alignment, in bytes.");
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i)
    write_tensor(model, i, out);
  for (size_t i = 0; model->options.entry == GMEM_C_ENTRY_COMPILED &&
                     i < model->input_count + model->output_count;
       ++i) {
    const gmem_c_port_t *port = i < model->input_count
                                    ? &model->inputs[i]
                                    : &model->outputs[i - model->input_count];
    gmem_c_print(out, "\n");
    gmem_c_define_bytes(out, port->size, "%s_%s_SIZE", model->capitals,
                        port->capitals);
    gmem_c_define_bytes(out, port->alignment, "%s_%s_ALIGNMENT",
                        model->capitals, port->capitals);
  }
}

//===--- types ------------------------------------------------------------===//

static void write_status(const gmem_c_model_t *model, FILE *out) {
  static const struct {
    const char *name, *meaning;
  } statuses[] = {{"OK", "0"},         {"NULL", "-1"},    {"MISALIGNED", "-2"},
                  {"TOO_SMALL", "-3"}, {"OVERLAP", "-4"}, {"BUSY", "-5"}};
  gmem_c_print(out, "\n");
  gmem_c_comment(
      out, 0,
      "Return values: success; a pointer is null; a pointer is misaligned; "
      "memory is too small; memory that is written overlaps other memory; a "
      "run in the same memory is in progress.");
  gmem_c_print(out, "enum {\n");
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; ++i)
    gmem_c_print(out, "  %s_%s = %s%s\n", model->capitals, statuses[i].name,
                 statuses[i].meaning,
                 i + 1 < sizeof statuses / sizeof *statuses ? "," : "");
  gmem_c_print(out, "};\n");
}

static void write_struct(const gmem_c_model_t *model, gmem_c_struct_t which,
                         FILE *out) {
  const char *model_name = model->options.name;
  const char *name = gmem_c_struct_name(which);
  gmem_c_member_t member;
  gmem_c_print(out, "\ntypedef struct %s_%s {\n", model_name, name);
  for (size_t i = 0; gmem_c_member(model, which, i, &member); ++i)
    gmem_c_print(out, "  %s%s;\n", member.type, member.name);
  if (!gmem_c_member(model, which, 0, &member))
    gmem_c_print(out, "  const uint8_t *nothing;\n");
  gmem_c_print(out, "} %s_%s;\n", model_name, name);
}

static void write_sizes(const gmem_c_model_t *model, gmem_c_struct_t which,
                        FILE *out) {
  const char *model_name = model->options.name;
  const char *name = gmem_c_struct_name(which);
  gmem_c_member_t member;
  gmem_c_print(out, "\ntypedef struct %s_%s_sizes {\n", model_name, name);
  for (size_t i = 0; gmem_c_member(model, which, i, &member); ++i)
    gmem_c_print(out, "  size_t %s;\n", member.name);
  if (!gmem_c_member(model, which, 0, &member))
    gmem_c_print(out, "  size_t nothing;\n");
  gmem_c_print(out, "} %s_%s_sizes;\n", model_name, name);
}

// Whether inputs and outputs have structs although run does not take them.
static bool has_maps(const gmem_c_model_t *model) {
  return model->options.entry == GMEM_C_ENTRY_OPERATORS &&
         model->options.io == GMEM_C_IO_WORKSPACE;
}

static void write_structs(const gmem_c_model_t *model, FILE *out) {
  gmem_c_list_t list;
  gmem_c_print(out, "\n");
  gmem_c_comment(out, 0,
                 "Arguments of the functions below, and the sizes of the "
                 "memory they point to.");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    bool is_mapped =
        has_maps(model) && (i == GMEM_C_INPUTS || i == GMEM_C_OUTPUTS);
    if (gmem_c_is_given(model, i) || is_mapped)
      write_struct(model, i, out);
    if (gmem_c_is_given(model, i))
      write_sizes(model, i, out);
  }
  gmem_c_print(out, "\n");
  gmem_c_comment(out, 0,
                 "Validate the arguments of run. |sizes| are the sizes of the "
                 "memory; NULL skips the check of sizes.");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    const char *name = gmem_c_struct_name(i);
    if (!gmem_c_is_given(model, i))
      continue;
    gmem_c_list_begin(&list, out, 0, "int32_t %s_check_%s(",
                      model->options.name, name);
    gmem_c_list_add(&list, "const %s_%s *%s", model->options.name, name, name);
    gmem_c_list_add(&list, "const %s_%s_sizes *sizes", model->options.name,
                    name);
    gmem_c_list_end(&list, ");");
  }
}

static void write_data(const gmem_c_model_t *model, FILE *out) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i) {
    bool is_extern = model->options.parameters == GMEM_C_PARAMETERS_EXTERN;
    bool is_open = model->options.parameters == GMEM_C_PARAMETERS_GIVEN &&
                   gmem_c_has_array(model, i);
    if (!model->pools[i].is_member || !gmem_c_is_constant(model, i) ||
        !(is_extern || is_open))
      continue;
    gmem_c_print(out, "\n// The bytes of pool ");
    gmem_c_print_name(out, gmem_planned_pool(model->planned, i)->name);
    gmem_c_print(out, "%s.\n", is_extern ? ", defined elsewhere" : "");
    char name[1024];
    int length =
        snprintf(name, sizeof name, "%s_%s_data[%s_%s_PARAMETER_SIZE];",
                 model->options.name, model->pools[i].name, model->capitals,
                 model->pools[i].capitals);
    gmem_c_print(out, "extern const uint8_t%s%s\n",
                 length > 59 ? "\n    " : " ", name);
  }
}

//===--- functions --------------------------------------------------------===//

static void write_operand(const gmem_c_model_t *model, const char *what,
                          const char *type, FILE *out) {
  gmem_c_print(
      out, "typedef struct %s_%s {\n  %sdata;\n  size_t size;\n} %s_%s;\n\n",
      model->options.name, what, type, model->options.name, what);
}

static void write_workbuffer(const gmem_c_model_t *model, FILE *out) {
  gmem_c_comment(out, 0,
                 "Scratch memory of an op: |size| bytes for each of |threads| "
                 "threads, |stride| bytes apart; NULL if |size| is 0. "
                 "Immutable workbuffers are shared by all runs and read-only.");
  gmem_c_print(out,
               "typedef struct %s_workbuffer {\n  uint8_t *data;\n"
               "  size_t size;\n  size_t threads;\n  size_t stride;\n"
               "  int is_immutable;\n} %s_workbuffer;\n\n",
               model->options.name, model->options.name);
}

static void write_call(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name;
  gmem_c_print(out, "\n");
  gmem_c_comment(out, 0,
                 "The arguments of an operator. An input or output without "
                 "memory in the plan (a scalar, a tensor inside a layer group, "
                 "a destination with undefined contents) is NULL and has size "
                 "0. An input with the address of an output is computed in "
                 "place, which the op allows. An input may already lie at its "
                 "final position inside an output; do not overwrite it there.");
  write_operand(model, "input", "const uint8_t *", out);
  write_operand(model, "output", "uint8_t *", out);
  write_workbuffer(model, out);
  gmem_c_print(out, "typedef struct %s_call {\n", name);
  gmem_c_comment(out, 2,
                 "Number of the op: the top-level ops of the module's "
                 "functions are numbered 0, 1, 2... in textual order, "
                 "including those that are not called.");
  gmem_c_print(out,
               "  uint32_t number;\n  const char *name;\n"
               "  const %s_input *inputs;\n  size_t input_count;\n"
               "  const %s_output *outputs;\n  size_t output_count;\n"
               "  const %s_workbuffer *workbuffers;\n"
               "  size_t workbuffer_count;\n} %s_call;\n",
               name, name, name, name);
}

static void write_operators(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name;
  gmem_c_list_t list;
  write_call(model, out);
  gmem_c_print(out, "\n");
  if (model->operator_count)
    gmem_c_comment(
        out, 0,
        "User-defined operators, one per kind of op. They return 0, or a "
        "nonzero status that ends the run and becomes its result.");
  for (size_t i = 0; i < model->operator_count; ++i) {
    char identifier[GMEM_C_NAME];
    (void)gmem_c_identifier(model->operators[i],
                            identifier); // checked by gmem_c_model_make
    gmem_c_list_begin(&list, out, 0, "int32_t %s_op_%s(", name, identifier);
    gmem_c_list_add(&list, "const %s_call *call", name);
    gmem_c_list_add(&list, "void *user");
    gmem_c_list_end(&list, ");");
  }
}

static void write_map(const gmem_c_model_t *model, const char *what,
                      FILE *out) {
  gmem_c_list_t list;
  gmem_c_list_begin(&list, out, 0, "%s_%s %s_map_%s(", model->options.name,
                    what, model->options.name, what);
  gmem_c_add_parameters(model, &list);
  if (!list.count)
    gmem_c_list_add(&list, "void");
  gmem_c_list_end(&list, ");");
}

static void write_run(const gmem_c_model_t *model, FILE *out) {
  gmem_c_list_t list;
  bool is_static = model->options.workspaces == GMEM_C_WORKSPACES_STATIC &&
                   gmem_c_has_pools(model, false);
  if (has_maps(model)) {
    gmem_c_print(out, "\n");
    gmem_c_comment(out, 0,
                   "The addresses of the inputs, to be written before a run, "
                   "and of the outputs, valid after it until an input is "
                   "written. Pointers are not checked.");
    write_map(model, "inputs", out);
    write_map(model, "outputs", out);
  }
  gmem_c_print(out, "\n");
  gmem_c_comment(out, 0,
                 is_static ? "Runs the network once. Not reentrant: a second "
                             "concurrent run returns BUSY."
                           : "Runs the network once. Concurrent runs must not "
                             "use the same workspaces.");
  gmem_c_list_begin(&list, out, 0, "int32_t %s_run(", model->options.name);
  gmem_c_add_parameters(model, &list);
  if (model->options.entry == GMEM_C_ENTRY_OPERATORS)
    gmem_c_list_add(&list, "void *user");
  if (!list.count)
    gmem_c_list_add(&list, "void");
  gmem_c_list_end(&list, ");");
}

void gmem_c_write_header(const gmem_c_model_t *model, FILE *out) {
  gmem_c_print(out,
               "// %s.h - the memory of a planned network.\n"
               "// Generated by gmem-translate --gmem-to-c. Do not edit.\n\n"
               "#ifndef %s_H\n#define %s_H\n\n"
               "#include <stddef.h>\n#include <stdint.h>\n\n",
               model->options.name, model->capitals, model->capitals);
  write_digest(model, out);
  write_pools(model, out);
  write_tensors(model, out);
  gmem_c_print(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  write_status(model, out);
  write_structs(model, out);
  write_data(model, out);
  if (model->options.entry == GMEM_C_ENTRY_OPERATORS)
    write_operators(model, out);
  if (model->options.entry != GMEM_C_ENTRY_NONE)
    write_run(model, out);
  gmem_c_print(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif // %s_H\n",
               model->capitals);
}
