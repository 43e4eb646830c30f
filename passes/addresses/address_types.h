// address_types.h - addresses that stand in tensor types, and changing the
// types of a program as a whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some compilers keep the address of a tensor in its type, as the encoding:
//
//   tensor<1x16xbf16, 4325937152 : i64>
//
// A type stands in several places, which have to agree: on the value, in the
// signature of a function, on what the body of a layer group hands out.

#ifndef GMEM_PASSES_ADDRESS_TYPES_H_
#define GMEM_PASSES_ADDRESS_TYPES_H_

#include "bump.h"
#include "program.h"

//===--- types ------------------------------------------------------------===//

// Whether |type| is a ranked tensor whose encoding is an i64.
bool gmem_type_has_address(MlirType type);

// That number; the type must have one. It may be negative.
int64_t gmem_type_address(MlirType type);

// The same ranked tensor type without encoding, or with |address| as it. Null
// when memory is out; |arena| holds what is needed on the way.
MlirType gmem_type_without_address(MlirType type, gmem_bump_t *arena);
MlirType gmem_type_with_address(MlirType type, uint64_t address,
                                gmem_bump_t *arena);

//===--- types of a program -----------------------------------------------===//

typedef struct gmem_value_change_s {
  MlirValue value;
  MlirType from, to;
} gmem_value_change_t;

typedef struct gmem_signature_change_s {
  MlirOperation function;
  MlirAttribute from, to;
} gmem_signature_change_t;

// Changes that are to be made together, or not at all.
typedef struct gmem_retyping_s {
  gmem_bump_t *arena;
  gmem_value_change_t *values;
  size_t value_count, value_room;
  gmem_signature_change_t *signatures;
  size_t signature_count, signature_room;
} gmem_retyping_t;

// Lists what becomes of a scope when each of its values takes the type in
// |types| (a null type: stays as it is): besides the values themselves the
// signatures of its functions, and what the bodies of layer groups hand out as
// their results. Changes nothing yet. Fails with INVALID_ARGUMENT, reported at
// the op, when a signature would need two types in one place, or OUT_OF_MEMORY.
gmem_status_t gmem_retype_scope(gmem_retyping_t *retyping,
                                const gmem_program_t *program,
                                const MlirType *types, gmem_diag_t *diag);

// Makes all the changes. MLIR's verifier looks at |top| afterwards; when an op
// does not allow its new types, or a value would need two of them, everything
// becomes what it was, and the op is reported: INVALID_ARGUMENT.
gmem_status_t gmem_retype(const gmem_retyping_t *retyping, MlirOperation top,
                          gmem_diag_t *diag);

//===--- regions of memory ------------------------------------------------===//

// What such compilers say of a region of memory on the op that holds the
// functions: names of two attributes.
typedef struct gmem_region_names_s {
  const char *pool; // of ours that it is
  const char *base; // "module.neuron_addr"
  const char *size; // "module.neuron_size"
} gmem_region_names_t;

#define GMEM_REGION_COUNT 3
extern const gmem_region_names_t gmem_region_names[GMEM_REGION_COUNT];

#endif // GMEM_PASSES_ADDRESS_TYPES_H_
