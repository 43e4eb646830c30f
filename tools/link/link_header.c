// link_header.c - see link_header.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link_header.h"

#include <string.h>

// Size of the part of a macro that stands for a pool, or a model's block in it.
enum { STEM = 3 * GMEM_C_NAME };

static bool capitals_of(const char *name, char out[GMEM_C_NAME]) {
  char identifier[GMEM_C_NAME];
  out[0] = '\0';
  if (!gmem_c_identifier(name, identifier))
    return false;
  gmem_c_capitals(identifier, out);
  return true;
}

// Writes POOL_WORKSPACE, or MODEL_POOL_WORKSPACE for a block.
static void write_stem(char out[STEM], const char *model,
                       const gmem_link_pool_t *pool) {
  char first[GMEM_C_NAME] = "", second[GMEM_C_NAME];
  (void)(model && capitals_of(model, first));
  (void)capitals_of(pool->name, second);
  snprintf(out, STEM, "%s%s%s_%s", first, model ? "_" : "", second,
           pool->constant ? "PARAMETER" : "WORKSPACE");
}

//===--- names ------------------------------------------------------------===//

static gmem_status_t check_names(const gmem_link_models_t *models,
                                 const gmem_link_pools_t *pools,
                                 const char *prefix) {
  char ignored[GMEM_C_NAME], header[GMEM_C_NAME + sizeof "_memory.h"];
  if (!gmem_c_is_model_name(prefix))
    return gmem_link_error(
        "--prefix: '%s' is not a valid prefix for a C header and macros",
        prefix);
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
  return GMEM_OK;
}

// Adds all macros of the pool, or of |model|'s block in it, since macros of
// different stems may be equal.
static void add_names(gmem_c_names_t *names, const char *prefix,
                      const char *model, const gmem_link_pool_t *pool) {
  static const char *const ends[] = {"SIZE", "ALIGNMENT", "BASE", "OFFSET"};
  char capitals[GMEM_C_NAME], stem[STEM];
  (void)capitals_of(prefix, capitals);
  write_stem(stem, model, pool);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
    gmem_c_names_add(names, model ? "model" : "pool",
                     model ? model : pool->name, "%s_%s_%s", capitals, stem,
                     ends[i]);
}

gmem_status_t gmem_link_header_check(const gmem_link_models_t *models,
                                     const gmem_link_pools_t *pools,
                                     const char *prefix) {
  gmem_c_names_t names = {0};
  gmem_diag_t diag;
  GMEM_TRY(check_names(models, pools, prefix));
  for (size_t i = 0; i < pools->count; ++i) {
    const gmem_link_pool_t *pool = &pools->at[i];
    add_names(&names, prefix, NULL, pool);
    for (size_t k = 0; k < pool->block_count; ++k)
      add_names(&names, prefix, models->at[pool->blocks[k].model].name, pool);
  }
  return gmem_c_names_check(&names, &diag) == GMEM_OK
             ? GMEM_OK
             : gmem_link_error("%s", diag.text);
}

//===--- the header -------------------------------------------------------===//

static void write_pool(const gmem_link_models_t *models,
                       const gmem_link_pool_t *pool, gmem_c_text_t *out) {
  char stem[STEM];
  write_stem(stem, NULL, pool);
  gmem_c_print_name(out, "\n// Pool ", pool->name,
                    pool->constant
                        ? ": constants, always live.\n"
                        : ": workspaces, each live while its model runs.\n");
  gmem_c_define_bytes(out, pool->size, "$_%s_SIZE", stem);
  gmem_c_define_bytes(out, pool->alignment, "$_%s_ALIGNMENT", stem);
  if (pool->base != GMEM_NO_BASE)
    gmem_c_define_bytes(out, pool->base, "$_%s_BASE", stem);
  for (size_t i = 0; i < pool->block_count; ++i) {
    const gmem_link_block_t *block = &pool->blocks[i];
    write_stem(stem, models->at[block->model].name, pool);
    gmem_c_define_bytes(out, block->offset, "$_%s_OFFSET", stem);
    gmem_c_define_bytes(out, block->size, "$_%s_SIZE", stem);
  }
}

void gmem_link_header_write(const gmem_link_models_t *models,
                            const gmem_link_pools_t *pools,
                            gmem_c_text_t *out) {
  gmem_c_print(out,
               "// @_memory.h - memory shared by several models: sizes,\n"
               "// alignments, addresses and the offsets of the models, in "
               "bytes.\n"
               "// Generated by gmem-link. Do not edit.\n\n"
               "#ifndef $_MEMORY_H_\n#define $_MEMORY_H_\n\n"
               "#include <stdint.h>\n");
  for (size_t i = 0; i < pools->count; ++i)
    if (pools->at[i].size)
      write_pool(models, &pools->at[i], out);
  gmem_c_print(out, "\n#endif // $_MEMORY_H_\n");
}
