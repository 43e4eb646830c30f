// c_checks.c - generated functions that validate the arguments of run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_checks.h"

#include "c_print.h"
#include "c_structs.h"
#include "c_write.h"

static bool takes_anything(const gmem_c_model_t *model) {
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_is_given(model, i))
      return true;
  return false;
}

static const char check_region_body[] =
    "  if (status != %s_OK || size == 0)\n"
    "    return status;\n"
    "  if (data == NULL)\n"
    "    return %s_NULL;\n"
    "  if ((uintptr_t)data %% alignment != 0)\n"
    "    return %s_MISALIGNED;\n"
    "  return room < size ? %s_TOO_SMALL : %s_OK;\n"
    "}\n";

static void write_check_region(const gmem_c_model_t *model, FILE *out) {
  const char *capitals = model->capitals;
  gmem_c_list_t list;
  gmem_c_print(out, "\n");
  gmem_c_comment(out, 0,
                 "Returns |status| if it is an error, else whether |data| is a "
                 "valid pointer to |size| bytes in memory of |room| bytes.");
  gmem_c_list_begin(&list, out, 0, "static int32_t %s_check_region(",
                    model->options.name);
  gmem_c_list_add(&list, "int32_t status");
  gmem_c_list_add(&list, "const uint8_t *data");
  gmem_c_list_add(&list, "size_t size");
  gmem_c_list_add(&list, "size_t alignment");
  gmem_c_list_add(&list, "size_t room");
  gmem_c_list_end(&list, ") {");
  gmem_c_print(out, check_region_body, capitals, capitals, capitals, capitals,
               capitals);
}

static void write_check(const gmem_c_model_t *model, gmem_c_struct_t which,
                        FILE *out) {
  const char *name = gmem_c_struct_name(which);
  gmem_c_list_t list;
  gmem_c_member_t member;
  gmem_c_print(out, "\n");
  gmem_c_list_begin(&list, out, 0, "int32_t %s_check_%s(", model->options.name,
                    name);
  gmem_c_list_add(&list, "const %s_%s *%s", model->options.name, name, name);
  gmem_c_list_add(&list, "const %s_%s_sizes *sizes", model->options.name, name);
  gmem_c_list_end(&list, ") {");
  if (!gmem_c_member(model, which, 0, &member))
    gmem_c_print(out, "  (void)sizes;\n");
  gmem_c_print(out, "  int32_t status = %s == NULL ? %s_NULL : %s_OK;\n", name,
               model->capitals, model->capitals);
  if (gmem_c_member(model, which, 0, &member))
    gmem_c_print(out, "  if (status != %s_OK)\n    return status;\n",
                 model->capitals);
  gmem_c_print(out, "  // clang-format off\n");
  for (size_t i = 0; gmem_c_member(model, which, i, &member); ++i) {
    gmem_c_list_begin(&list, out, 2, "status = %s_check_region(",
                      model->options.name);
    gmem_c_list_add(&list, "status");
    gmem_c_list_add(&list, "%s->%s", name, member.name);
    gmem_c_list_add(&list, "%s", member.size);
    gmem_c_list_add(&list, "%s", member.alignment);
    gmem_c_list_add(&list, "sizes == NULL ? SIZE_MAX : sizes->%s", member.name);
    gmem_c_list_end(&list, ");");
  }
  gmem_c_print(out, "  // clang-format on\n  return status;\n}\n");
}

//===--- overlaps ---------------------------------------------------------===//

static const char overlap_body[] =
    "  for (size_t i = 1; i < count; ++i) {\n"
    "    for (size_t j = 0; j < i; ++j) {\n"
    "      uintptr_t a = (uintptr_t)regions[i].data;\n"
    "      uintptr_t b = (uintptr_t)regions[j].data;\n"
    "      int kinds = regions[i].kind | regions[j].kind;\n"
    "      if (a - b >= regions[j].size && b - a >= regions[i].size)\n"
    "        continue;\n"
    "      if (%s)\n"
    "        return %s_OVERLAP;\n"
    "    }\n"
    "  }\n"
    "  return %s_OK;\n"
    "}\n";

// Kinds are bits: constants 0, inputs 1, outputs 2, workspaces 4. The union of
// two kinds is greater than 1 if either is written, and 3 for an input and an
// output.
static void write_overlaps(const gmem_c_model_t *model, FILE *out) {
  const char *name = model->options.name;
  gmem_c_list_t list;
  gmem_c_print(out,
               "\n// Kinds: constants 0, inputs 1, outputs 2, workspaces 4.\n"
               "typedef struct %s_region {\n"
               "  const uint8_t *data;\n"
               "  size_t size;\n"
               "  int kind;\n"
               "} %s_region;\n\n",
               name, name);
  gmem_c_comment(out, 0,
                 model->options.entry == GMEM_C_ENTRY_COMPILED
                     ? "Whether no written region overlaps another region."
                     : "Whether no written region overlaps another region. "
                       "Outputs may overlap inputs, which are copied first.");
  gmem_c_list_begin(&list, out, 0, "static int32_t %s_check_regions(", name);
  gmem_c_list_add(&list, "const %s_region *regions", name);
  gmem_c_list_add(&list, "size_t count");
  gmem_c_list_end(&list, ") {");
  gmem_c_print(out, overlap_body,
               model->options.entry == GMEM_C_ENTRY_COMPILED
                   ? "kinds > 1"
                   : "kinds > 1 && kinds != 3",
               model->capitals, model->capitals);
}

void gmem_c_write_checks(const gmem_c_model_t *model, FILE *out) {
  if (!takes_anything(model))
    return;
  write_check_region(model, out);
  for (gmem_c_struct_t i = 0; i < GMEM_C_STRUCTS; ++i)
    if (gmem_c_is_given(model, i))
      write_check(model, i, out);
  if (model->options.entry != GMEM_C_ENTRY_NONE)
    write_overlaps(model, out);
}
