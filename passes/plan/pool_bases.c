// pool_bases.c - see pool_bases.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_bases.h"

#include <assert.h>

#include "diagnostics.h"
#include "ir_reading.h"

const gmem_memory_t *gmem_pool_memory(const gmem_program_t *program,
                                      MlirStringRef name) {
  for (size_t i = 0; i < program->memory_count; ++i)
    if (gmem_string_is(name, program->memories[i].name))
      return &program->memories[i];
  return NULL;
}

void gmem_pool_bases_find(const gmem_program_t *program,
                          const gmem_pool_table_t *table, uint64_t *out_bases) {
  for (uint32_t i = 0; i < table->count; ++i) {
    const gmem_memory_t *memory =
        gmem_pool_memory(program, table->entries[i].name);
    out_bases[i] = memory ? memory->base : table->entries[i].base;
  }
  // A chain has at most all memories.
  for (size_t round = 0; round < program->memory_count; ++round)
    for (uint32_t i = 0; i < table->count; ++i) {
      const gmem_memory_t *memory =
          gmem_pool_memory(program, table->entries[i].name);
      if (!memory || !memory->after || out_bases[i] != GMEM_NO_BASE)
        continue;
      uint32_t before = gmem_pool_table_find(table, gmem_string(memory->after));
      if (before == GMEM_NO_INDEX || out_bases[before] == GMEM_NO_BASE)
        continue;
      gmem_pool_entry_t last = table->entries[before];
      last.base = out_bases[before];
      out_bases[i] = gmem_address_behind(&(gmem_pool_table_t){&last, 1}, 1,
                                         table->entries[i].alignment);
    }
}

static gmem_status_t check_base(MlirOperation scope,
                                const gmem_pool_entry_t *entry,
                                gmem_diag_t *diag) {
  MlirLocation location = mlirOperationGetLocation(scope);
  if (entry->base == GMEM_NO_BASE)
    return GMEM_OK;
  if (entry->base > GMEM_MAX_ADDRESS ||
      entry->size > GMEM_MAX_ADDRESS - entry->base)
    return gmem_error_at(diag, GMEM_ERR_OUT_OF_RANGE, location,
                         "the addresses of pool '%.*s' do not fit in 63 bits",
                         (int)entry->name.length, entry->name.data);
  if (entry->base & (entry->alignment - 1))
    return gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT, location,
                         "gmem.memories: the base of memory '%.*s' is not a "
                         "multiple of %llu, the alignment of its pool",
                         (int)entry->name.length, entry->name.data,
                         (unsigned long long)entry->alignment);
  return GMEM_OK;
}

gmem_status_t gmem_pool_bases_set(const gmem_program_t *program,
                                  gmem_pool_table_t *table, gmem_bump_t *arena,
                                  gmem_diag_t *diag) {
  uint64_t *bases;
  GMEM_TRY_ALLOC(bases, arena, table->count, diag);
  gmem_pool_bases_find(program, table, bases);
  for (uint32_t i = 0; i < table->count; ++i) {
    gmem_pool_entry_t *entry = &table->entries[i];
    entry->base = bases[i];
    if (gmem_pool_memory(program, entry->name))
      GMEM_TRY(check_base(program->scope, entry, diag));
  }
  return GMEM_OK;
}
