// pool_bases.c - see pool_bases.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_bases.h"

#include "diagnostics.h"
#include "ir_reading.h"

static const gmem_memory_t *memory_of(const gmem_memory_t *memories,
                                      size_t count, MlirStringRef name) {
  for (size_t i = 0; i < count; ++i)
    if (mlirStringRefEqual(gmem_string(memories[i].name), name))
      return &memories[i];
  return NULL;
}

static size_t entry_of(const gmem_pool_entry_t *entries, size_t count,
                       const char *name) {
  size_t i = 0;
  while (i < count && !mlirStringRefEqual(entries[i].name, gmem_string(name)))
    ++i;
  return i;
}

// The first aligned address at or after |base| + |size|.
static uint64_t address_after(uint64_t base, uint64_t size,
                              uint64_t alignment) {
  uint64_t mask = alignment - 1;
  if (base > GMEM_MAX_ADDRESS || size > GMEM_MAX_ADDRESS - base ||
      base + size > GMEM_MAX_ADDRESS - mask)
    return GMEM_MAX_ADDRESS + 1;
  return (base + size + mask) & ~mask;
}

void gmem_pool_bases_find(const gmem_memory_t *memories, size_t memory_count,
                          const gmem_pool_entry_t *entries, size_t count,
                          uint64_t *out_bases) {
  for (size_t i = 0; i < count; ++i) {
    const gmem_memory_t *memory =
        memory_of(memories, memory_count, entries[i].name);
    out_bases[i] = memory ? memory->base : entries[i].base;
  }
  // A chain of memories has at most |memory_count| links.
  for (size_t round = 0; round < memory_count; ++round)
    for (size_t i = 0; i < count; ++i) {
      const gmem_memory_t *memory =
          memory_of(memories, memory_count, entries[i].name);
      if (!memory || !memory->after || out_bases[i] != GMEM_NO_BASE)
        continue;
      size_t before = entry_of(entries, count, memory->after);
      if (before < count && out_bases[before] != GMEM_NO_BASE)
        out_bases[i] = address_after(out_bases[before], entries[before].size,
                                     entries[i].alignment);
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
    return gmem_error(diag, GMEM_ERR_OUT_OF_RANGE, location, NULL, 0,
                      "the addresses of pool '%.*s' do not fit in 63 bits",
                      (int)entry->name.length, entry->name.data);
  if (entry->base & (entry->alignment - 1))
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT, location, NULL, 0,
                      "gmem.memories: the base of memory '%.*s' is not a "
                      "multiple of %llu, the alignment of its pool",
                      (int)entry->name.length, entry->name.data,
                      (unsigned long long)entry->alignment);
  return GMEM_OK;
}

gmem_status_t gmem_pool_bases_write(MlirOperation scope,
                                    const gmem_memory_t *memories,
                                    size_t memory_count, gmem_bump_t *arena,
                                    gmem_diag_t *diag) {
  gmem_pool_entry_t *entries;
  size_t count;
  GMEM_TRY(gmem_pool_table_read(scope, arena, &entries, &count, diag));
  if (!memory_count)
    return GMEM_OK;
  uint64_t *bases;
  GMEM_TRY_ALLOC(bases, arena, count, diag);
  gmem_pool_bases_find(memories, memory_count, entries, count, bases);
  for (size_t i = 0; i < count; ++i) {
    entries[i].base = bases[i];
    if (memory_of(memories, memory_count, entries[i].name))
      GMEM_TRY(check_base(scope, &entries[i], diag));
  }
  return gmem_pool_table_write(scope, entries, count, arena, diag);
}
