// plan_attributes.h - the placement of values, as attributes of the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_ATTRIBUTES_H_
#define GMEM_PASSES_PLAN_ATTRIBUTES_H_

#include "bump.h"
#include "program.h"

// Where one value is. A value without memory has an empty pool.
typedef struct gmem_value_place_s {
  MlirStringRef pool; // name; {NULL, 0}: no memory
  int64_t offset;     // bytes from the start of the pool to its buffer
  int64_t size;       // bytes of the buffer, padding included
  int64_t payload;    // bytes from the start of the pool to the value itself
} gmem_value_place_t;

// Whose places are written or read.
typedef enum gmem_place_part_e {
  GMEM_PLACES_OF_WEIGHTS, // results of weight ops, arguments that are weights
  GMEM_PLACES_OF_TENSORS, // all other results and arguments
} gmem_place_part_t;

// Writes |places|, one per value of the schedule, to the ops of |part|; what
// those ops said before is replaced.
gmem_status_t gmem_places_write(const gmem_program_t *program,
                                const gmem_value_place_t *places,
                                gmem_place_part_t part, gmem_bump_t *arena,
                                gmem_diag_t *diag);

// Reads the places that the ops of |part| state into |places|, one per value;
// those of other values stay as they are. Fails with CORRUPT, reported at the
// op, when attributes are malformed; names stay in the IR.
gmem_status_t gmem_places_read(const gmem_program_t *program,
                               gmem_value_place_t *places,
                               gmem_place_part_t part, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_ATTRIBUTES_H_
