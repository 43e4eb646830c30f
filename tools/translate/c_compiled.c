// c_compiled.c - generated C that calls a network compiled ahead of time,
// through MLIR's C interface (llvm.emit_c_interface): each memref argument is a
// pointer to its descriptor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_compiled.h"

#include <string.h>

#include "c_print.h"

static void write_type(const gmem_c_model_t *model, uint32_t rank, FILE *out) {
  gmem_c_print(out,
               "\ntypedef struct %s_memref_%u {\n"
               "  void *allocated;\n  void *aligned;\n  %s_INDEX offset;\n",
               model->options.name, rank, model->capitals);
  if (rank)
    gmem_c_print(out, "  %s_INDEX sizes[%u];\n  %s_INDEX strides[%u];\n",
                 model->capitals, rank, model->capitals, rank);
  gmem_c_print(out, "} %s_memref_%u;\n", model->options.name, rank);
}

void gmem_c_write_descriptors(const gmem_c_model_t *model, FILE *out) {
  bool is_written[GMEM_C_MAX_RANK + 1] = {false};
  const gmem_c_entry_t *entry = &model->entry;
  gmem_c_print(out,
               "\n// The symbol of the compiled network and its index type.\n"
               "#ifndef %s_ENTRY\n#define %s_ENTRY _mlir_ciface_%s\n#endif\n"
               "#ifndef %s_INDEX\n#define %s_INDEX intptr_t\n#endif\n",
               model->capitals, model->capitals, entry->name, model->capitals,
               model->capitals);
  for (size_t i = 0; i < entry->count; ++i) {
    uint32_t rank = entry->arguments[i].rank;
    if (!is_written[rank])
      write_type(model, rank, out);
    is_written[rank] = true;
  }
  gmem_c_print(out, "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n");
  gmem_c_print(out, "// clang-format off\nvoid %s_ENTRY(", model->capitals);
  for (size_t i = 0; i < entry->count; ++i)
    gmem_c_print(out, "%s\n    %s_memref_%u *", i ? "," : "",
                 model->options.name, entry->arguments[i].rank);
  gmem_c_print(out, "%s);\n// clang-format on\n", entry->count ? "" : "void");
}

// Writes the address of argument |index|; |inputs| and |outputs| count the
// preceding ones.
static void write_address(const gmem_c_model_t *model, size_t index,
                          size_t *inputs, size_t *outputs, FILE *out) {
  const gmem_c_argument_t *argument = &model->entry.arguments[index];
  if (argument->is_output)
    gmem_c_print(out, "outputs->%s", model->outputs[(*outputs)++].name);
  else if (!argument->pool)
    gmem_c_print(out, "inputs->%s", model->inputs[(*inputs)++].name);
  for (uint32_t i = 0;
       argument->pool && i < gmem_planned_pool_count(model->planned); ++i)
    if (strcmp(gmem_planned_pool(model->planned, i)->name, argument->pool) == 0)
      gmem_c_print(out, "memory.%s", model->pools[i].name);
}

static void write_numbers(const int64_t *numbers, uint32_t count, FILE *out) {
  for (uint32_t i = 0; i < count; ++i)
    gmem_c_print(out, "%s%" PRId64, i ? ", " : "", numbers[i]);
}

void gmem_c_write_compiled_call(const gmem_c_model_t *model, FILE *out) {
  const gmem_c_entry_t *entry = &model->entry;
  size_t inputs = 0, outputs = 0;
  gmem_c_print(out, "  // clang-format off\n");
  for (size_t i = 0; i < entry->count; ++i) {
    const gmem_c_argument_t *argument = &entry->arguments[i];
    gmem_c_print(out,
                 "  %s_memref_%u argument_%zu = {\n      NULL, "
                 "(void *)(uintptr_t)",
                 model->options.name, argument->rank, i);
    write_address(model, i, &inputs, &outputs, out);
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
  gmem_c_print(out, "  %s_ENTRY(", model->capitals);
  for (size_t i = 0; i < entry->count; ++i)
    gmem_c_print(out, "%s\n      &argument_%zu", i ? "," : "", i);
  gmem_c_print(out, ");\n  // clang-format on\n");
}
