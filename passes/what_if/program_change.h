// program_change.h - a change of a program or of the options that may make its
// plan smaller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROGRAM_CHANGE_H_
#define GMEM_PASSES_PROGRAM_CHANGE_H_

#include <stdbool.h>
#include <stdint.h>

#include "gmem/passes.h"
#include "text.h"

typedef enum gmem_change_kind_e {
  GMEM_CHANGE_NONE, // a new plan of the program as it is
  // Options of gmem-plan.
  GMEM_CHANGE_ORDER,     // order=best
  GMEM_CHANGE_CONSTANTS, // constants=hoist
  GMEM_CHANGE_ALIGNMENT, // alignment=64
  GMEM_CHANGE_SHARING,   // sharing=all
  GMEM_CHANGE_INPUTS,    // keep-inputs=false
  GMEM_CHANGE_IO,        // io=shared
  GMEM_CHANGE_BOUND,     // half of dynamic-bound
  // Changes of ops.
  GMEM_CHANGE_GROUP,     // ops become one layer group
  GMEM_CHANGE_IN_PLACE,  // a result may overwrite an operand
  GMEM_CHANGE_RECOMPUTE, // a value is computed again for its late users
} gmem_change_kind_t;

// Ops are numbered in the order of a walk over the program, outer ones first.
typedef struct gmem_change_s {
  gmem_change_kind_t kind;
  const uint32_t *ops; // that change
  uint32_t op_count;
  uint32_t per_place; // of GROUP: ops of one group; else 1
  uint32_t behind;    // of RECOMPUTE: users behind this op use the copy
  bool has_any_head;  // of GROUP: the first ops of the places may differ
} gmem_change_t;

// The ops of a program, by number.
typedef struct gmem_numbered_ops_s {
  MlirOperation *at;
  uint32_t count;
} gmem_numbered_ops_t;

gmem_status_t gmem_number_ops(MlirOperation top, gmem_bump_t *arena,
                              gmem_numbered_ops_t *out_ops, gmem_diag_t *diag);

// Whether the program computes the same bits, on the same hardware and for the
// same callers.
bool gmem_change_keeps_bits(gmem_change_kind_t kind);

// Whether the change is one of ops, or of their order, so that it can be made
// to the program itself.
bool gmem_change_is_of_program(gmem_change_kind_t kind);

// Appends the option of gmem-plan that is the change, "alignment=64", or the
// attribute that states it, if there is one.
void gmem_change_means(const gmem_change_t *change,
                       const gmem_plan_options_t *options, gmem_text_t *text);

// The operand that the only result of |op| could overwrite, and that nothing
// else uses; -1: none, or the op has a model of its own.
intptr_t gmem_overwritable_operand(MlirOperation op);

// Makes the change to |options|; nothing if it is one of ops.
void gmem_change_options(const gmem_change_t *change,
                         gmem_plan_options_t *options);

// Makes the change to |ops|; nothing if it is one of options.
void gmem_change_ops(const gmem_change_t *change,
                     const gmem_numbered_ops_t *ops);

// Appends what changes: "in place at tosa.add (n.mlir:3:5)". Call it before the
// change is made.
void gmem_change_describe(const gmem_change_t *change,
                          const gmem_plan_options_t *options,
                          const gmem_numbered_ops_t *ops, gmem_text_t *text);

#endif // GMEM_PASSES_PROGRAM_CHANGE_H_
