// c_compiled.c - generated C that calls a network compiled ahead of time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "c_write.h"

static void write_type(uint32_t rank, gmem_c_text_t *out) {
  gmem_c_print(out,
               "\ntypedef struct @_memref_%u {\n"
               "  void *allocated;\n  void *aligned;\n  $_INDEX offset;\n",
               rank);
  if (rank)
    gmem_c_print(out, "  $_INDEX sizes[%u];\n  $_INDEX strides[%u];\n", rank,
                 rank);
  gmem_c_print(out, "} @_memref_%u;\n", rank);
}

static void write_types(const gmem_c_entry_t *entry, bool *is_written,
                        gmem_c_text_t *out) {
  for (size_t i = 0; i < entry->count; ++i) {
    uint32_t rank = entry->arguments[i].rank;
    assert(rank <= GMEM_C_MAX_RANK);
    if (!is_written[rank])
      write_type(rank, out);
    is_written[rank] = true;
  }
}

static void write_declaration(const gmem_c_entry_t *entry, const char *symbol,
                              gmem_c_text_t *out) {
  gmem_c_print(out,
               "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
               "// clang-format off\nvoid $_%s(",
               symbol);
  for (size_t i = 0; i < entry->count; ++i)
    gmem_c_print(out, "%s\n    @_memref_%u *", i ? "," : "",
                 entry->arguments[i].rank);
  gmem_c_print(out, "%s);\n// clang-format on\n", entry->count ? "" : "void");
}

void gmem_c_init_symbol(size_t index, char out[GMEM_C_SYMBOL]) {
  if (index == 0)
    snprintf(out, GMEM_C_SYMBOL, "INIT_ENTRY");
  else
    snprintf(out, GMEM_C_SYMBOL, "INIT_ENTRY_%zu", index);
}

void gmem_c_write_descriptors(const gmem_c_model_t *model, gmem_c_text_t *out) {
  bool is_written[GMEM_C_MAX_RANK + 1] = {false};
  const gmem_c_init_t *init = &model->init;
  char symbol[GMEM_C_SYMBOL];
  gmem_c_print(out,
               "\n// The symbol of the compiled network and its index type.\n"
               "#ifndef $_ENTRY\n#define $_ENTRY _mlir_ciface_%s\n#endif\n"
               "#ifndef $_INDEX\n#define $_INDEX intptr_t\n#endif\n",
               model->entry.name);
  for (size_t i = 0; i < init->count; ++i) {
    gmem_c_init_symbol(i, symbol);
    gmem_c_print(out,
                 "\n// The symbol of what computes constants.\n"
                 "#ifndef $_%s\n#define $_%s _mlir_ciface_%s\n#endif\n",
                 symbol, symbol, init->entries[i].name);
  }
  write_types(&model->entry, is_written, out);
  for (size_t i = 0; i < init->count; ++i)
    write_types(&init->entries[i], is_written, out);
  write_declaration(&model->entry, "ENTRY", out);
  for (size_t i = 0; i < init->count; ++i) {
    gmem_c_init_symbol(i, symbol);
    write_declaration(&init->entries[i], symbol, out);
  }
}

static void write_numbers(const int64_t *numbers, uint32_t count,
                          gmem_c_text_t *out) {
  for (uint32_t i = 0; i < count; ++i)
    gmem_c_print(out, "%s%" PRId64, i ? ", " : "", numbers[i]);
}

void gmem_c_write_compiled_call(const gmem_c_model_t *model,
                                const gmem_c_entry_t *entry, const char *symbol,
                                gmem_c_text_t *out) {
  size_t ports[] = {0, 0}; // inputs and outputs so far
  bool has_pools = false;
  for (size_t i = 0; i < entry->count; ++i)
    has_pools |= entry->arguments[i].pool != NULL;
  gmem_c_print(out, "%s  // clang-format off\n",
               has_pools ? "" : "  (void)memory;\n");
  for (size_t i = 0; i < entry->count; ++i) {
    const gmem_c_argument_t *argument = &entry->arguments[i];
    gmem_c_struct_t which =
        argument->is_output ? GMEM_C_OUTPUTS : GMEM_C_INPUTS;
    gmem_c_print(out,
                 "  @_memref_%u argument_%zu = {\n      NULL, "
                 "(void *)(uintptr_t)",
                 argument->rank, i);
    if (argument->pool)
      gmem_c_print(out, "memory.%s",
                   model->pools[argument->pool_index].label.name);
    else
      gmem_c_print(out, "%s->%s", gmem_c_struct_name(which),
                   model->ports[which].at[ports[which]++].label.name);
    gmem_c_print(out, ", 0");
    if (argument->rank) {
      gmem_c_print(out, ",\n      {");
      write_numbers(argument->sizes, argument->rank, out);
      gmem_c_print(out, "}, {");
      write_numbers(argument->strides, argument->rank, out);
      gmem_c_print(out, "}");
    }
    gmem_c_print(out, "};\n  argument_%zu.allocated = argument_%zu.aligned;\n",
                 i, i);
  }
  assert(entry != &model->entry || gmem_c_has_maps(model) ||
         (ports[GMEM_C_INPUTS] == model->ports[GMEM_C_INPUTS].count &&
          ports[GMEM_C_OUTPUTS] == model->ports[GMEM_C_OUTPUTS].count));
  gmem_c_print(out, "  $_%s(", symbol);
  for (size_t i = 0; i < entry->count; ++i)
    gmem_c_print(out, "%s\n      &argument_%zu", i ? "," : "", i);
  gmem_c_print(out, ");\n  // clang-format on\n");
}
