// link_header.c - see link_header.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link_header.h"

#include <string.h>

#include "c_names.h"
#include "c_print.h"

// Size of the common prefix of the macros of a pool or block.
enum { STEM = 4 * GMEM_C_NAME };

static bool capitals_of(const char *name, char out[GMEM_C_NAME]) {
  char identifier[GMEM_C_NAME];
  if (!gmem_c_identifier(name, identifier))
    return false;
  gmem_c_capitals(identifier, out);
  return true;
}

// Writes PREFIX_POOL_WORKSPACE, or PREFIX_MODEL_POOL_WORKSPACE for a block.
static void write_stem(char out[STEM], const char *prefix, const char *model,
                       const gmem_link_pool_t *pool) {
  char first[GMEM_C_NAME] = "", second[GMEM_C_NAME] = "",
       third[GMEM_C_NAME] = "";
  (void)capitals_of(prefix, first);
  (void)(model && capitals_of(model, second));
  (void)capitals_of(pool->name, third);
  snprintf(out, STEM, "%s_%s%s%s_%s", first, second, model ? "_" : "", third,
           pool->constant ? "PARAMETER" : "WORKSPACE");
}

//===--- names ------------------------------------------------------------===//

static bool check_names(const gmem_link_models_t *models,
                        const gmem_link_pools_t *pools, const char *prefix) {
  char ignored[GMEM_C_NAME];
  if (!gmem_c_is_model_name(prefix))
    return gmem_link_error(
        "--prefix: '%s' is not a valid prefix for a C header and macros",
        prefix);
  char header[GMEM_C_NAME + sizeof "_memory.h"];
  snprintf(header, sizeof header, "%s_memory.h", prefix);
  for (size_t i = 0; i < models->count; ++i)
    if (strcmp(models->at[i].file, header) == 0)
      return gmem_link_error("%s: the name conflicts with the header %s",
                             models->at[i].path, header);
  for (size_t i = 0; i < models->count; ++i)
    if (!capitals_of(models->at[i].name, ignored))
      return gmem_link_error("the name of model '%s' cannot be part of a C "
                             "identifier: use NAME=FILE",
                             models->at[i].name);
  for (size_t i = 0; i < pools->count; ++i)
    if (!capitals_of(pools->at[i].name, ignored))
      return gmem_link_error(
          "the name of pool '%s' cannot be part of a C identifier",
          pools->at[i].name);
  return true;
}

// Adds all macros of the stem, since macros of different stems may be equal.
static void add_names(gmem_c_names_t *names, const char *stem, const char *kind,
                      const char *owner) {
  static const char *const ends[] = {"SIZE", "ALIGNMENT", "BASE", "OFFSET"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
    gmem_c_names_add(names, kind, owner, "%s_%s", stem, ends[i]);
}

bool gmem_link_header_check(const gmem_link_models_t *models,
                            const gmem_link_pools_t *pools,
                            const char *prefix) {
  gmem_c_names_t names = {0};
  gmem_diag_t diag;
  char stem[STEM];
  if (!check_names(models, pools, prefix))
    return false;
  for (size_t i = 0; i < pools->count; ++i) {
    const gmem_link_pool_t *pool = &pools->at[i];
    write_stem(stem, prefix, NULL, pool);
    add_names(&names, stem, "pool", pool->name);
    for (size_t k = 0; k < pool->block_count; ++k) {
      const char *model = models->at[pool->blocks[k].model].name;
      write_stem(stem, prefix, model, pool);
      add_names(&names, stem, "model", model);
    }
  }
  return gmem_c_names_check(&names, &diag) == GMEM_OK ||
         gmem_link_error("%s", diag.text);
}

//===--- the header -------------------------------------------------------===//

static void write_block(const gmem_link_models_t *models,
                        const gmem_link_pool_t *pool,
                        const gmem_link_block_t *block, const char *prefix,
                        FILE *out) {
  char stem[STEM];
  write_stem(stem, prefix, models->at[block->model].name, pool);
  gmem_c_define_bytes(out, block->offset, "%s_OFFSET", stem);
  gmem_c_define_bytes(out, block->size, "%s_SIZE", stem);
}

static void write_pool(const gmem_link_models_t *models,
                       const gmem_link_pool_t *pool, const char *prefix,
                       FILE *out) {
  char stem[STEM];
  write_stem(stem, prefix, NULL, pool);
  fprintf(out, "\n// Pool ");
  gmem_c_print_name(out, pool->name);
  fprintf(out, ": %s.\n",
          pool->constant ? "constants, always live"
                         : "workspaces, each live while its model runs");
  gmem_c_define_bytes(out, pool->size, "%s_SIZE", stem);
  gmem_c_define_bytes(out, pool->alignment, "%s_ALIGNMENT", stem);
  if (pool->base != GMEM_NO_BASE)
    gmem_c_define_bytes(out, pool->base, "%s_BASE", stem);
  for (size_t i = 0; i < pool->block_count; ++i)
    write_block(models, pool, &pool->blocks[i], prefix, out);
}

void gmem_link_header_write(const gmem_link_models_t *models,
                            const gmem_link_pools_t *pools, const char *prefix,
                            FILE *out) {
  char capitals[GMEM_C_NAME] = "";
  (void)capitals_of(prefix, capitals);
  fprintf(out,
          "// %s_memory.h - memory shared by several models: sizes,\n"
          "// alignments, addresses and the offsets of the models, in bytes.\n"
          "// Generated by gmem-link. Do not edit.\n\n#ifndef "
          "%s_MEMORY_H_\n#define %s_MEMORY_H_\n\n"
          "#include <stdint.h>\n",
          prefix, capitals, capitals);
  for (size_t i = 0; i < pools->count; ++i)
    if (pools->at[i].size)
      write_pool(models, &pools->at[i], prefix, out);
  fprintf(out, "\n#endif // %s_MEMORY_H_\n", capitals);
}
