// c_header.c - <model>.h of a planned network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <string.h>

#include "c_write.h"

//===--- pools and tensors ------------------------------------------------===//

static void write_digest(const gmem_c_model_t *model, gmem_c_text_t *out) {
  gmem_c_print(out,
               "^// The version of the format of this file, and the SHA-256 "
               "digest of the plan image with all known constants.\n"
               "^#define $_FORMAT 1\n"
               "^#define $_DIGEST \"");
  for (size_t i = 0; i < sizeof model->digest; ++i)
    gmem_c_print(out, "%02x", model->digest[i]);
  gmem_c_print(out, "\"\n");
}

// Defines the maximum of |stem|_|end| and a macro argument.
static void write_max(const char *stem, const char *end, const char *max,
                      gmem_c_text_t *out) {
  char name[384], own[384];
  snprintf(name, sizeof name, "%s_%s_%s(other)", out->capitals, stem, max);
  snprintf(own, sizeof own, "%s_%s_%s", out->capitals, stem, end);
  if (strlen("((other) >  ? (other) : )") + 2 * strlen(own) <= 78)
    gmem_c_print(out, "^#define %s ((other) > %s ? (other) : %s)\n", name, own,
                 own);
  else
    gmem_c_print(out,
                 "#define %-71s\\\n  ((other) > %-66s\\\n       %-72s\\\n"
                 "       : %s)\n",
                 name, own, "? (other)", own);
}

static const char *kind_of(const gmem_c_pool_t *pool) {
  if (pool->is_init)
    return pool->is_constant ? ", of constants that only init reads.\n"
                             : ", a workspace of init.\n";
  if (pool->is_computed)
    return ", of constants; init computes some of them.\n";
  return pool->is_constant ? ", of constants.\n" : ", a workspace.\n";
}

static void write_pool(const gmem_c_model_t *model, uint32_t index,
                       gmem_c_text_t *out) {
  const gmem_planned_pool_t *pool = model->pools[index].plan;
  const gmem_c_pool_t *names = &model->pools[index];
  const char *stem = names->label.stem;
  gmem_c_print_name(out, "\n// Pool ", pool->name, kind_of(names));
  gmem_c_define_bytes(out, pool->size, "$_%s_SIZE", stem);
  gmem_c_define_bytes(out, pool->alignment, "$_%s_ALIGNMENT", stem);
  if (pool->base != GMEM_NO_BASE)
    gmem_c_define_bytes(out, pool->base, "$_%s_BASE", names->capitals);
  if (pool->constant)
    return;
  write_max(stem, "SIZE", "MAX", out);
  write_max(stem, "ALIGNMENT", "ALIGNMENT_MAX", out);
}

static void write_pools(const gmem_c_model_t *model, gmem_c_text_t *out) {
  uint32_t count = model->pool_count;
  gmem_c_print(out,
               "\n^// Size and alignment of each pool in bytes, and its "
               "address if the plan assigns one. MAX is for memory shared by "
               "models that never run concurrently.\n");
  for (uint32_t i = 0; i < count; ++i)
    write_pool(model, i, out);
  gmem_c_print(out, "\n");
  for (uint32_t i = 0; i < count; ++i)
    gmem_c_print(out,
                 "#if $_%s_SIZE > PTRDIFF_MAX\n"
                 "#error \"this machine has too few addresses for pool %s\"\n"
                 "#endif\n",
                 model->pools[i].label.stem, model->pools[i].label.name);
}

static void write_sizes(const char *stem, const char *end, const int64_t *sizes,
                        uint32_t rank, gmem_c_text_t *out) {
  gmem_c_print(out, "#define $_%s_%s {", stem, end);
  for (uint32_t i = 0; i < rank; ++i)
    gmem_c_print(out, "%s%" PRId64, i ? ", " : "", sizes[i]);
  gmem_c_print(out, rank ? "}\n" : "0}\n");
}

// Initialisers of arrays, in elements, of a value with gaps between its rows.
static void write_layout(const gmem_planned_layout_t *layout, const char *stem,
                         gmem_c_text_t *out) {
  static const char *const borders[] = {"undefined", "constant", "replicate"};
  gmem_c_print(out, "// border: %s\n// clang-format off\n",
               borders[layout->border]);
  write_sizes(stem, "STRIDES", layout->strides, layout->rank, out);
  write_sizes(stem, "BEFORE", layout->before, layout->rank, out);
  write_sizes(stem, "AFTER", layout->after, layout->rank, out);
  write_sizes(stem, "VALID_BEGIN", layout->valid_begin, layout->rank, out);
  write_sizes(stem, "VALID_END", layout->valid_end, layout->rank, out);
  gmem_c_print(out, "// clang-format on\n");
}

static void write_tensor(const gmem_c_model_t *model, uint32_t index,
                         gmem_c_text_t *out) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(model->planned, index);
  const char *name = model->buffers[index].stem;
  gmem_c_print_name(out, "\n// ", buffer->name, " in ");
  gmem_c_print_name(out, "", model->pools[buffer->pool].plan->name, "\n");
  gmem_c_define_bytes(out, buffer->payload_offset, "$_%s_OFFSET", name);
  gmem_c_define_bytes(out, buffer->payload_size, "$_%s_SIZE", name);
  gmem_c_define_bytes(out, buffer->alignment, "$_%s_ALIGNMENT", name);
  if (buffer->layout)
    write_layout(buffer->layout, name, out);
}

static void write_tensors(const gmem_c_model_t *model, gmem_c_text_t *out) {
  gmem_c_print(out, "\n^// Tensors: offset from the start of the pool, size "
                    "and alignment, in bytes.\n");
  for (uint32_t i = 0; i < gmem_planned_buffer_count(model->planned); ++i)
    write_tensor(model, i, out);
  if (model->options.entry != GMEM_C_ENTRY_COMPILED)
    return;
  for (gmem_c_struct_t which = GMEM_C_INPUTS; which <= GMEM_C_OUTPUTS; ++which)
    for (size_t i = 0; i < model->ports[which].count; ++i) {
      const gmem_c_port_t *port = &model->ports[which].at[i];
      gmem_c_print(out, "\n");
      gmem_c_define_bytes(out, port->size, "$_%s_SIZE", port->label.stem);
      gmem_c_define_bytes(out, port->alignment, "$_%s_ALIGNMENT",
                          port->label.stem);
    }
}

//===--- types ------------------------------------------------------------===//

static const char status_text[] =
    "\n"
    "^// Return values: success; a pointer is null; a pointer is misaligned; "
    "memory is too small; memory that is written overlaps other memory; a run "
    "in the same memory is in progress.\n"
    "enum {\n"
    "  $_OK = 0,\n"
    "  $_NULL = -1,\n"
    "  $_MISALIGNED = -2,\n"
    "  $_TOO_SMALL = -3,\n"
    "  $_OVERLAP = -4,\n"
    "  $_BUSY = -5\n"
    "};\n";
static const char uninitialised_text[] =
    "\n"
    "// Another one: init has not computed the constants.\n"
    "enum { $_UNINITIALISED = -6 };\n";

static void write_struct(const gmem_c_model_t *model, gmem_c_struct_t which,
                         bool is_sizes, gmem_c_text_t *out) {
  const char *name = gmem_c_struct_name(which), *end = is_sizes ? "_sizes" : "";
  const gmem_c_ports_t *ports = &model->ports[which];
  // Non-const if the pointer is used for writing: by the model, workspaces and
  // outputs; by the caller, mapped inputs.
  bool is_mapped = model->options.io == GMEM_C_IO_WORKSPACE;
  bool is_written = which == GMEM_C_WORKSPACES ||
                    which == GMEM_C_INIT_WORKSPACES ||
                    which == (is_mapped ? GMEM_C_INPUTS : GMEM_C_OUTPUTS);
  gmem_c_print(out, "\ntypedef struct @_%s%s {\n", name, end);
  for (size_t i = 0; i < ports->count; ++i) {
    const gmem_c_port_t *port = &ports->at[i];
    const char *type = is_sizes                          ? "size_t "
                       : is_written || port->is_computed ? "uint8_t *"
                                                         : "const uint8_t *";
    gmem_c_print(out, "  %s%s;\n", type, port->label.name);
  }
  if (!ports->count)
    gmem_c_print(out, "  %snothing;\n",
                 is_sizes ? "size_t " : "const uint8_t *");
  gmem_c_print(out, "} @_%s%s;\n", name, end);
}

static void write_structs(const gmem_c_model_t *model, gmem_c_text_t *out) {
  gmem_c_print(out, "\n^// Arguments of the functions below, and the sizes of "
                    "the memory they point to.\n");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i) {
    if (model->ports[i].is_given ||
        (gmem_c_has_maps(model) && i <= GMEM_C_OUTPUTS))
      write_struct(model, i, false, out);
    if (model->ports[i].is_given)
      write_struct(model, i, true, out);
  }
  gmem_c_print(out,
               "\n^// Validate the arguments of run%s. |sizes| are the "
               "sizes of the memory; NULL skips the check of sizes.\n",
               model->ports[GMEM_C_INIT_WORKSPACES].is_given ||
                       model->ports[GMEM_C_INIT_PARAMETERS].is_given
                   ? " and init"
                   : "");
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (model->ports[i].is_given)
      gmem_c_head_of_check(i, ";", out);
}

static void write_data(const gmem_c_model_t *model, gmem_c_text_t *out) {
  bool is_extern = model->options.parameters == GMEM_C_PARAMETERS_EXTERN;
  for (uint32_t i = 0; i < model->pool_count; ++i) {
    const gmem_c_pool_t *names = &model->pools[i];
    if (!gmem_c_pool_is_used(names) || !names->is_constant ||
        !(is_extern || names->file == GMEM_C_DATA_FILE))
      continue;
    gmem_c_print_name(out, "\n// The bytes of pool ",
                      model->pools[i].plan->name,
                      is_extern ? ", defined elsewhere.\n" : ".\n");
    size_t length = strlen("__data[__SIZE];") + 2 * strlen(out->name) +
                    strlen(names->label.name) + strlen(names->label.stem);
    gmem_c_print(out, "extern %suint8_t%s@_%s_data[$_%s_SIZE];\n",
                 names->is_computed ? "" : "const ",
                 length > (names->is_computed ? 65 : 59) ? "\n    " : " ",
                 names->label.name, names->label.stem);
  }
}

//===--- functions --------------------------------------------------------===//

static const char call_text[] =
    "\n"
    "^// The arguments of an operator. An input or output without memory in "
    "the plan (a scalar, a tensor inside a layer group, a destination with "
    "undefined contents) is NULL and has size 0. An input with the address of "
    "an output is computed in place, which the op allows. An input may already "
    "lie at its final position inside an output; do not overwrite it there.\n"
    "typedef struct @_input {\n"
    "  const uint8_t *data;\n"
    "  size_t size;\n"
    "} @_input;\n"
    "\n"
    "typedef struct @_output {\n"
    "  uint8_t *data;\n"
    "  size_t size;\n"
    "} @_output;\n"
    "\n"
    "^// Scratch memory of an op: |size| bytes for each of |threads| threads, "
    "|stride| bytes apart; NULL if |size| is 0. Immutable workbuffers are "
    "shared by all runs and read-only.\n"
    "typedef struct @_workbuffer {\n"
    "  uint8_t *data;\n"
    "  size_t size;\n"
    "  size_t threads;\n"
    "  size_t stride;\n"
    "  int is_immutable;\n"
    "} @_workbuffer;\n"
    "\n"
    "typedef struct @_call {\n"
    "^  // Number of the op: the top-level ops of the module's functions are "
    "numbered 0, 1, 2... in textual order, including those that are not "
    "called.\n"
    "  uint32_t number;\n"
    "  const char *name;\n"
    "  const @_input *inputs;\n"
    "  size_t input_count;\n"
    "  const @_output *outputs;\n"
    "  size_t output_count;\n"
    "  const @_workbuffer *workbuffers;\n"
    "  size_t workbuffer_count;\n"
    "} @_call;\n"
    "\n";

static void write_operators(const gmem_c_model_t *model, gmem_c_text_t *out) {
  gmem_c_print(out, call_text);
  if (model->calls.operator_count)
    gmem_c_print(out, "^// User-defined operators, one per kind of op. They "
                      "return 0, or a nonzero status that ends the run and "
                      "becomes its result.\n");
  for (size_t i = 0; i < model->calls.operator_count; ++i) {
    char identifier[GMEM_C_NAME];
    (void)gmem_c_identifier(model->calls.operators[i],
                            identifier); // checked by gmem_c_model_make
    gmem_c_print(out, "^int32_t @_op_%s(const @_call *call, void *user);\n",
                 identifier);
  }
}

static void write_run(const gmem_c_model_t *model, gmem_c_text_t *out) {
  bool is_static = model->options.workspaces == GMEM_C_WORKSPACES_STATIC &&
                   model->ports[GMEM_C_WORKSPACES].count;
  if (gmem_c_has_maps(model)) {
    gmem_c_print(out,
                 "\n^// The addresses of the inputs, to be written before a "
                 "run, and of the outputs, valid after it until an input is "
                 "written. Pointers are not checked.\n");
    gmem_c_head_of_map(model, GMEM_C_INPUTS, ";", out);
    gmem_c_head_of_map(model, GMEM_C_OUTPUTS, ";", out);
  }
  gmem_c_document_init(model, out);
  gmem_c_document_kept(model, out);
  gmem_c_print(out, "\n^// Runs the network once. %s\n",
               is_static ? "Not reentrant: a second concurrent run returns "
                           "BUSY."
                         : "Concurrent runs must not use the same workspaces.");
  gmem_c_head_of_run(model, false, ";", out);
}

void gmem_c_write_header(const gmem_c_model_t *model, gmem_c_text_t *out) {
  gmem_c_print(out,
               "// @.h - the memory of a planned network.\n"
               "// Generated by gmem-translate --gmem-to-c. Do not edit.\n\n"
               "#ifndef $_H\n#define $_H\n\n"
               "#include <stddef.h>\n#include <stdint.h>\n\n");
  if (model->options.descriptor)
    gmem_c_print(out, "#include \"gmem/model_desc.h\"\n\n");
  write_digest(model, out);
  write_pools(model, out);
  write_tensors(model, out);
  gmem_c_print(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  gmem_c_print(out, status_text);
  if (gmem_c_has_ready_flag(model))
    gmem_c_print(out, uninitialised_text);
  write_structs(model, out);
  write_data(model, out);
  if (model->options.entry == GMEM_C_ENTRY_OPERATORS)
    write_operators(model, out);
  gmem_c_declare_transforms(model, out);
  if (model->options.entry != GMEM_C_ENTRY_NONE)
    write_run(model, out);
  if (model->options.descriptor)
    gmem_c_print(out, "\n// This model as programs see it that run several.\n"
                      "extern const gmem_model_desc_t @_model;\n");
  gmem_c_print(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif // $_H\n");
}
