// c_checks.c - generated functions that validate the arguments of run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_write.h"

static const char region_text[] =
    "\n"
    "^// Returns |status| if it is an error, else whether |data| is a valid "
    "pointer to |size| bytes in memory of |room| bytes.\n"
    "^static int32_t @_check_region(int32_t status, const uint8_t *data, "
    "size_t size, size_t alignment, size_t room) {\n"
    "  if (status != $_OK || size == 0)\n"
    "    return status;\n"
    "  if (data == NULL)\n"
    "    return $_NULL;\n"
    "  if ((uintptr_t)data %% alignment != 0)\n"
    "    return $_MISALIGNED;\n"
    "  return room < size ? $_TOO_SMALL : $_OK;\n"
    "}\n";

static void write_check(const gmem_c_model_t *model, gmem_c_struct_t which,
                        gmem_c_text_t *out) {
  const char *name = gmem_c_struct_name(which);
  const gmem_c_ports_t *ports = &model->ports[which];
  gmem_c_print(out, "\n");
  gmem_c_head_of_check(which, " {", out);
  gmem_c_print(out, "%s  int32_t status = %s == NULL ? $_NULL : $_OK;\n",
               ports->count ? "" : "  (void)sizes;\n", name);
  if (ports->count)
    gmem_c_print(out, "  if (status != $_OK)\n    return status;\n");
  gmem_c_print(out, "  // clang-format off\n");
  for (size_t i = 0; i < ports->count; ++i) {
    const gmem_c_port_t *port = &ports->at[i];
    const char *member = port->label.name, *stem = port->label.stem;
    gmem_c_print(out, "^  status = @_check_region(status, %s->%s, $_%s_SIZE, ",
                 name, member, stem);
    if (port->is_aligned)
      gmem_c_print(out, "$_%s_ALIGNMENT, ", stem);
    else
      gmem_c_print(out, "1, ");
    gmem_c_print(out, "sizes == NULL ? SIZE_MAX : sizes->%s);\n", member);
  }
  gmem_c_print(out, "  // clang-format on\n  return status;\n}\n");
}

// Kinds are bits: constants 0, inputs 1, outputs 2, workspaces 4. The union of
// two kinds is greater than 1 if either is written, and 3 for an input and an
// output.
static const char regions_text[] =
    "\n"
    "// Kinds: constants 0, inputs 1, outputs 2, workspaces 4.\n"
    "typedef struct @_region {\n"
    "  const uint8_t *data;\n"
    "  size_t size;\n"
    "  int kind;\n"
    "} @_region;\n"
    "\n"
    "^// Whether no written region overlaps another region.%s\n"
    "^static int32_t @_check_regions(const @_region *regions, size_t count) {\n"
    "  for (size_t i = 1; i < count; ++i) {\n"
    "    for (size_t j = 0; j < i; ++j) {\n"
    "      uintptr_t a = (uintptr_t)regions[i].data;\n"
    "      uintptr_t b = (uintptr_t)regions[j].data;\n"
    "      int kinds = regions[i].kind | regions[j].kind;\n"
    "      if (a - b >= regions[j].size && b - a >= regions[i].size)\n"
    "        continue;\n"
    "      if (kinds > 1%s)\n"
    "        return $_OVERLAP;\n"
    "    }\n"
    "  }\n"
    "  return $_OK;\n"
    "}\n";

void gmem_c_write_checks(const gmem_c_model_t *model, gmem_c_text_t *out) {
  bool is_compiled = model->options.entry == GMEM_C_ENTRY_COMPILED;
  if (!model->is_any_given)
    return;
  gmem_c_print(out, region_text);
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (model->ports[i].is_given)
      write_check(model, i, out);
  if (model->options.entry != GMEM_C_ENTRY_NONE)
    gmem_c_print(out, regions_text,
                 is_compiled ? ""
                             : " Outputs may overlap inputs, which are copied "
                               "first.",
                 is_compiled ? "" : " && kinds != 3");
}
