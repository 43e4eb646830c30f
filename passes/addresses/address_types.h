// address_types.h - addresses in tensor types, and changing the types of a
// program consistently.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some compilers store the address of a tensor as the encoding of its type:
//
//   tensor<1x16xbf16, 4325937152 : i64>
//
// The same type occurs in several places that must agree: the value, the
// signature of a function, the operands that a layer group's terminator yields.

#ifndef GMEM_PASSES_ADDRESS_TYPES_H_
#define GMEM_PASSES_ADDRESS_TYPES_H_

#include "bump.h"
#include "program.h"

//===--- types ------------------------------------------------------------===//

// Whether |type| is a ranked tensor whose encoding is an i64.
bool gmem_type_has_address(MlirType type);

// The address in |type|, which must have one. It may be negative.
int64_t gmem_type_address(MlirType type);

// The same ranked tensor type without an encoding, or with |address| as its
// encoding. Null when memory is out; |arena| is scratch memory.
MlirType gmem_type_without_address(MlirType type, gmem_bump_t *arena);
MlirType gmem_type_with_address(MlirType type, uint64_t address,
                                gmem_bump_t *arena);

//===--- types of a program -----------------------------------------------===//

// A value, or a function whose function_type changes.
typedef struct gmem_type_change_s {
  MlirValue value;        // null: the function
  MlirOperation function; // null: the value
  MlirType from, to;
} gmem_type_change_t;

// Changes that are applied together or not at all.
typedef struct gmem_retyping_s {
  gmem_bump_t *arena;
  GMEM_LIST(gmem_type_change_t) changes; // in the order of their application
} gmem_retyping_t;

// Lists the changes to a scope when each value takes its type in |types| (null:
// unchanged): the values, the signatures of functions, and the operands that
// terminators of layer groups yield. Does not change the IR. Fails with
// INVALID_ARGUMENT, reported at the op, if a signature would need two types in
// one place, or OUT_OF_MEMORY.
gmem_status_t gmem_retype_scope(gmem_retyping_t *retyping,
                                const gmem_program_t *program,
                                const MlirType *types, gmem_diag_t *diag);

// Applies all changes and runs MLIR's verifier on |top|. If an op does not
// allow its new types, or a value would need two of them, reverts all changes,
// reports the op and fails with INVALID_ARGUMENT.
gmem_status_t gmem_retype(const gmem_retyping_t *retyping, MlirOperation top,
                          gmem_diag_t *diag);

//===--- regions of memory ------------------------------------------------===//

// Names of the attributes by which such compilers describe a memory region on
// the op that contains the functions.
typedef struct gmem_region_names_s {
  const char *pool; // name of the corresponding pool
  const char *base; // "module.neuron_addr"
  const char *size; // "module.neuron_size"
} gmem_region_names_t;

#define GMEM_REGION_COUNT 3
extern const gmem_region_names_t gmem_region_names[GMEM_REGION_COUNT];

#endif // GMEM_PASSES_ADDRESS_TYPES_H_
