// derivation.h - which values of a scope are computed from constants alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op is *derived* if it is pure (gmem_op_models_is_pure) and all operands,
// and all values that its regions use from outside, are constants or results
// of derived ops. It then has the same results whenever it runs. Ops with
// attributes of gmem that request something (a stream, a pool, padding) are
// not: what is requested is about the request.
//
// A derived op *generates* its results if no input of it is larger than one
// element (a fill, a splat, an iota, a broadcast of a scalar), or if it
// computes from nothing but equal elements: making them again is cheaper than
// keeping them. An empty tensor counts as no input.

#ifndef GMEM_PASSES_DERIVATION_H_
#define GMEM_PASSES_DERIVATION_H_

#include "analysis.h"

typedef enum gmem_op_origin_e {
  GMEM_ORIGIN_REQUEST,  // depends on inputs, has effects or is not known
  GMEM_ORIGIN_CONSTANT, // makes constants
  GMEM_ORIGIN_DERIVED,
  GMEM_ORIGIN_INSIDE, // in a region of a derived op
} gmem_op_origin_t;

typedef struct gmem_derivation_s {
  const gmem_analysis_t *analysis;
  gmem_op_origin_t *origin; // by op
  bool *generates;          // by op that is derived
  bool *is_movable;         // by op that generates: it uses no other value with
                            //   more than one element
  gmem_pointer_map_t number; // of MlirOperation: op
  size_t count;              // of derived ops
} gmem_derivation_t;

// Everything is allocated in |arena|. If |analysis| has only the program, the
// result may have more derived ops than it should: values that ops write count
// as constants. Fails with OUT_OF_MEMORY.
//
// With |follows_calls| arguments that are constants because all calls pass the
// same one count as constants, too, or any argument of a function with callers
// if |analysis| has only the program.
gmem_status_t gmem_derivation_find(const gmem_analysis_t *analysis,
                                   bool follows_calls, gmem_bump_t *arena,
                                   gmem_derivation_t *out_derivation,
                                   gmem_diag_t *diag);

// The op of the program that |op| is, or is in an opaque body of; GMEM_NO_INDEX
// if there is none.
uint32_t gmem_derivation_op(const gmem_derivation_t *derivation,
                            MlirOperation op);

// The same, or the derived op around it.
uint32_t gmem_derivation_outermost(const gmem_derivation_t *derivation,
                                   MlirOperation op);

// Calls |visit| with the constants and the results of derived ops that derived
// op |op|, or an op in its regions, uses: each use once.
typedef void (*gmem_used_fn)(MlirValue value, void *user);
void gmem_for_each_used(MlirOperation op, gmem_used_fn visit, void *user);

#endif // GMEM_PASSES_DERIVATION_H_
