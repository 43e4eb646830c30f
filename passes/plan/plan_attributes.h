// plan_attributes.h - the placement of values as attributes of the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_ATTRIBUTES_H_
#define GMEM_PASSES_PLAN_ATTRIBUTES_H_

#include "pool_table.h"
#include "program.h"
#include "stale_figures.h"

#define GMEM_NO_POOL UINT32_MAX // a value without memory
#define GMEM_UNLISTED_POOL                                                     \
  (UINT32_MAX - 1) // a pool that the table does not list

// The placement of one value or workbuffer.
typedef struct gmem_value_place_s {
  uint32_t pool;   // index of the pool table, or one of the numbers above
  int64_t offset;  // bytes from the start of the pool to its buffer
  int64_t size;    // bytes of the buffer, padding included
  int64_t payload; // bytes from the start of the pool to the value itself
} gmem_value_place_t;

// Allocates |count| placements without memory in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_places_alloc(gmem_bump_t *arena, size_t count,
                                gmem_value_place_t **out_places,
                                gmem_diag_t *diag);

// Whether the value or workbuffer has memory.
static inline bool gmem_has_place(const gmem_value_place_t *place) {
  return place->pool != GMEM_NO_POOL;
}

// The pool that a pool attribute names; GMEM_NO_POOL if the name is empty.
uint32_t gmem_place_pool(const gmem_pool_table_t *table, MlirAttribute name);

// The name of the pool, "" for GMEM_NO_POOL.
MlirStringRef gmem_place_pool_name(const gmem_pool_table_t *table,
                                   uint32_t pool);

// Writes |places|, one per value of the program, to results of weight ops and
// arguments that are weights or, with |aliases|, gmem.alias of each op, to all
// other results and arguments, replacing their previous attributes. The aliases
// are written along, to all ops, as each change of an op makes a dictionary.
gmem_status_t gmem_places_write(const gmem_program_t *program,
                                const gmem_pool_table_t *table,
                                const gmem_value_place_t *places,
                                const MlirAttribute *aliases,
                                gmem_bump_t *arena, gmem_diag_t *diag);

// Reads the placements of the same values into |places|, one per value; entries
// of other values are unchanged. Adds to |stale|, if not NULL, the placements
// of results and block arguments that do not exist any more. Fails with
// CORRUPT, reported at the op, if attributes are malformed or describe another
// number of values.
gmem_status_t gmem_places_read(const gmem_program_t *program,
                               const gmem_pool_table_t *table,
                               gmem_value_place_t *places, bool constant,
                               gmem_stale_figures_t *stale, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_ATTRIBUTES_H_
