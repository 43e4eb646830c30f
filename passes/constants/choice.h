// choice.h - which values that are computed from constants become constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is hoisted is kept for as long as the program is loaded, so the choice
// is one of size. Counted are the bytes that are resident with one slot: the
// constants that the request reads, and the peak of what is live at once, with
// every sharing applied that is possible (the figure that plans reach as a
// rule, without making one).
//
//  1. A value is hoisted if the constants do not grow by it: originals that
//     nothing else reads are not needed any more once it is computed. Several
//     values that are computed from one constant are considered together, too.
//  2. Of the others those that are live at the peak, in order of the bytes by
//     which the constants grow per byte; kept are as many of them as give the
//     fewest resident bytes, or, with a budget for this growth, the lowest
//     peak.
//
// Never hoisted are values that are made from scalars (derivation.h), that an
// op overwrites (it would have to copy them), that control flow passes on, and
// reshapes, which cost nothing.

#ifndef GMEM_PASSES_CHOICE_H_
#define GMEM_PASSES_CHOICE_H_

#include "derivation.h"

// Why a value that is computed from constants is not hoisted.
typedef enum gmem_stay_reason_e {
  GMEM_STAY_NO,        // it is, or it costs nothing
  GMEM_STAY_GENERATED, // it is made from scalars
  GMEM_STAY_WRITTEN,   // an op writes over it
  GMEM_STAY_PASSED,    // control flow passes it on
  GMEM_STAY_TYPE,      // there is no memref of its type and size
  GMEM_STAY_SIZE,      // resident bytes would grow
  GMEM_STAY_COUNT,
} gmem_stay_reason_t;

typedef struct gmem_footprint_s {
  uint64_t constants; // bytes of constants that requests read
  uint64_t peak;      // bytes of other values live at once
} gmem_footprint_t;

typedef struct gmem_hoisting_s {
  const gmem_derivation_t *derivation;
  bool *hoisted;     // by op: its results become constants
  bool *initialises; // by op: a constant or derived op whose results those that
                     //   are hoisted are computed from, or one of these
  bool *leaves;      // by op: derived, and the request does not compute it any
                     //   more
  gmem_stay_reason_t *stays; // by op
  gmem_footprint_t before, after;
  uint64_t made;    // bytes of the hoisted results
  uint64_t dropped; // bytes of constants that only the initialisation reads
  size_t count;     // of hoisted ops
} gmem_hoisting_t;

// Sizes of buffers are rounded up to the alignments in |options|. Allocates in
// |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_choice_make(const gmem_derivation_t *derivation,
                               const gmem_plan_options_t *options,
                               gmem_bump_t *arena, gmem_hoisting_t *out_choice,
                               gmem_diag_t *diag);

// The bytes of the results of op |op| that need memory of their own.
uint64_t gmem_choice_bytes(const gmem_analysis_t *analysis, uint32_t op);

// The type of a memref that has the elements of |tensor|; null if there is
// none.
MlirType gmem_constant_memref(MlirType tensor);

// "it is made from scalars"
const char *gmem_stay_text(gmem_stay_reason_t stay);

#endif // GMEM_PASSES_CHOICE_H_
