// plan_attributes.h - the placement of values as attributes of the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_ATTRIBUTES_H_
#define GMEM_PASSES_PLAN_ATTRIBUTES_H_

#include "bump.h"
#include "program.h"

// The placement of one value. The pool of a value without memory is empty.
typedef struct gmem_value_place_s {
  MlirStringRef pool; // name; {NULL, 0}: no memory
  int64_t offset;     // bytes from the start of the pool to its buffer
  int64_t size;       // bytes of the buffer, padding included
  int64_t payload;    // bytes from the start of the pool to the value itself
} gmem_value_place_t;

// The values to write or read.
typedef enum gmem_place_part_e {
  GMEM_PLACES_OF_WEIGHTS, // results of weight ops, arguments that are weights
  GMEM_PLACES_OF_TENSORS, // all other results and arguments
} gmem_place_part_t;

// Writes |places|, one per value of the program, to the ops of |part|,
// replacing their previous attributes.
gmem_status_t gmem_places_write(const gmem_program_t *program,
                                const gmem_value_place_t *places,
                                gmem_place_part_t part, gmem_bump_t *arena,
                                gmem_diag_t *diag);

// Reads the placements on the ops of |part| into |places|, one per value;
// entries of other values are unchanged. Names stay owned by the IR. Fails with
// CORRUPT, reported at the op, if attributes are malformed.
gmem_status_t gmem_places_read(const gmem_program_t *program,
                               gmem_value_place_t *places,
                               gmem_place_part_t part, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_ATTRIBUTES_H_
