// c_transforms.c - the part of the generated init that makes constants by
// functions of the user (gmem.transform).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "c_write.h"

static const char transform_text[] =
    "\n"
    "^// The arguments of a transform, a function that makes a constant, or "
    "what "
    "the next transform reads. The result is zeroed before, and does not "
    "overlap the source. Both are aligned to 16 bytes, a constant as planned.\n"
    "typedef struct @_transform {\n"
    "  const uint8_t *source;\n"
    "  size_t source_size;\n"
    "  uint8_t *result;\n"
    "  size_t result_size;\n"
    "} @_transform;\n"
    "\n"
    "^// User-defined transforms, which init calls. They return 0, or a "
    "nonzero status that ends init and becomes its result.\n";

void gmem_c_declare_transforms(const gmem_c_model_t *model,
                               gmem_c_text_t *out) {
  char identifier[GMEM_C_NAME];
  if (!model->transforms.count)
    return;
  gmem_c_print(out, transform_text);
  for (size_t i = 0; i < model->transforms.name_count; ++i) {
    (void)gmem_c_identifier(model->transforms.names[i],
                            identifier); // checked by gmem_c_model_make
    gmem_c_print(out,
                 "^int32_t @_transform_%s(const @_transform *transform, void "
                 "*user);\n",
                 identifier);
  }
}

// Prints the place of the result of step |index| of the chain between two
// functions.
static void write_result(const gmem_c_model_t *model,
                         const gmem_c_chain_t *chain, size_t index,
                         gmem_c_text_t *out) {
  const gmem_planned_transform_t *step =
      gmem_planned_transform(model->planned, index);
  assert(index >= chain->first && index + 1 < chain->end);
  uint64_t offset = (index - chain->first) % 2 ? model->transforms.second : 0;
  gmem_c_print(out, "memory.transform_results + %" PRIu64 "u, %" PRIu64 "u",
               offset, step->size);
}

static void write_step(const gmem_c_model_t *model, const gmem_c_chain_t *chain,
                       size_t index, gmem_c_text_t *out) {
  const gmem_planned_transform_t *step =
      gmem_planned_transform(model->planned, index);
  char identifier[GMEM_C_NAME];
  (void)gmem_c_identifier(step->name, identifier); // checked as above
  gmem_c_print(out, "  if (status == $_OK) {\n"
                    "^    const @_transform transform = {");
  if (index == chain->first && chain->source_size == 0)
    gmem_c_print(out, "NULL, 0");
  else if (index == chain->first)
    gmem_c_print(out, "memory.transform_sources + %" PRIu64 "u, %" PRIu64 "u",
                 chain->source, chain->source_size);
  else
    write_result(model, chain, index - 1, out);
  gmem_c_print(out, ", ");
  if (index + 1 < chain->end) {
    write_result(model, chain, index, out);
  } else {
    gmem_c_write_place(model, "memory.", chain->buffer, out);
    gmem_c_print(out, ", $_%s_SIZE", model->buffers[chain->buffer].stem);
  }
  gmem_c_print(out,
               "};\n"
               "    @_zero(transform.result, transform.result_size);\n"
               "    status = @_transform_%s(&transform, user);\n  }\n",
               identifier);
}

void gmem_c_write_transforms(const gmem_c_model_t *model, gmem_c_text_t *out) {
  for (size_t i = 0; i < model->transforms.count; ++i) {
    const gmem_c_chain_t *chain = &model->transforms.chains[i];
    for (size_t k = chain->first; k < chain->end; ++k)
      write_step(model, chain, k, out);
  }
}
