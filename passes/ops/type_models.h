// type_models.h - sizes of values whose types MLIR cannot size: types of other
// dialects and encoded tensors, by gmem.bytes or a type model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TYPE_MODELS_H_
#define GMEM_PASSES_TYPE_MODELS_H_

#include "op_model_text.h"
#include "type_size.h"

// As gmem_type_size_within, with the type models of |models|, which may be
// NULL. A type of another dialect is GMEM_TYPE_NO_MEMORY unless a model sizes
// it.
gmem_type_kind_t gmem_modelled_size(const gmem_op_models_t *models,
                                    MlirType type,
                                    const gmem_type_bounds_t *bounds,
                                    uint64_t *out_bytes);

// As gmem_modelled_size for the type of |value|, unless gmem.bytes states the
// bytes of the value. gmem_input_attributes_check says whether the attribute is
// well-formed; a malformed one is ignored.
gmem_type_kind_t gmem_value_size(const gmem_op_models_t *models,
                                 MlirValue value,
                                 const gmem_type_bounds_t *bounds,
                                 uint64_t *out_bytes);

// Bytes of types that have been looked up, by their address in a context; zero
// to begin with.
typedef struct gmem_sizes_seen_s {
  const void *types[GMEM_SEEN];
  uint64_t bytes[GMEM_SEEN];
} gmem_sizes_seen_t;

// Whether the size of a result is that of |type|, as that is a tensor of static
// shape whose size is known, and its op, with the attributes |own|
// (gmem_own_attributes), states no other size or layout. Then gmem_value_size
// is GMEM_TYPE_SIZED with these bytes.
bool gmem_plain_size(MlirType type, uint64_t own, gmem_sizes_seen_t *seen,
                     uint64_t *out_bytes);

// The bytes that gmem.bytes states for |value|, or -1.
int64_t gmem_stated_bytes(MlirValue value);

// Whether |type| is one of another dialect than MLIR's own, with neither a
// model that sizes it nor one that says that it needs no memory.
bool gmem_is_opaque(const gmem_op_models_t *models, MlirType type);

// Whether values of |type| are plain data like numbers, by a model: they need
// no memory, and stand neither for memory nor for work that is still running.
bool gmem_is_scalar_type(const gmem_op_models_t *models, MlirType type);

// Whether values of these types lie in memory alike, although gmem does not
// know how: one static type of another dialect or encoding.
bool gmem_is_same_form(MlirType left, MlirType right);

// Whether a tensor of |left|'s type and one of |right|'s have the same bytes if
// they have the same elements in row-major order: both are stored that way, or
// they have one encoding and shape; and no element changes its scale. True of
// values that are not tensors.
bool gmem_are_arranged_alike(const gmem_op_models_t *models, MlirValue left,
                             MlirValue right);

// Whether |value| is a memref or of a type of another dialect that needs no
// memory, and may stand for memory.
bool gmem_may_stand_for_memory(const gmem_op_models_t *models, MlirValue value);

// Whether |type| is one that gmem sizes neither from its shape and elements nor
// as a memref: only these may have a gmem.bytes of any value.
bool gmem_needs_bytes(MlirType type);

#endif // GMEM_PASSES_TYPE_MODELS_H_
