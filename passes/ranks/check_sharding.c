// check_sharding.c - gmem-check-sharding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a program before or after MLIR's shard-partition.
// produces: the unchanged program.
// fails:    before the partition, when a tensor constant has several values,
//           on which shard-partition of MLIR 22 fails without a message, or
//           gmem.transform: no rank can have a part of its bytes. After
//           it, when convert-shard-to-mpi cannot convert an op: a collective op
//           other than all_reduce, which MLIR 22 has no lowering of, that
//           gmem-expand-collectives left. The error names the op and a way out.

#include "rank_passes.h"

#include <string.h>

#include "constants_to_arguments.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "vocabulary.h"

// What convert-shard-to-mpi of MLIR 22 converts.
static const char *const convertible[] = {"shard.all_reduce",
                                          "shard.get_sharding",
                                          "shard.grid",
                                          "shard.grid_shape",
                                          "shard.neighbors_linear_indices",
                                          "shard.process_linear_index",
                                          "shard.process_multi_index",
                                          "shard.shard",
                                          "shard.shard_shape",
                                          "shard.sharding",
                                          "shard.update_halo",
                                          NULL};

static bool is_convertible(MlirOperation op) {
  static const char dialect[] = "shard.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool is_found = name.length < sizeof dialect - 1 ||
                  memcmp(name.data, dialect, sizeof dialect - 1) != 0;
  for (size_t i = 0; convertible[i] && !is_found; ++i)
    is_found = gmem_op_is(op, convertible[i]);
  return is_found;
}

// What the walk has found. Annotations go with the partition.
typedef struct found_s {
  MlirOperation annotation, constant, transformed,
      collective; // the first ones, or null
} found_t;

static void note(MlirOperation *first, MlirOperation op, bool is_one) {
  if (is_one && mlirOperationIsNull(*first))
    *first = op;
}

static MlirWalkResult look_at(MlirOperation op, void *user) {
  found_t *found = user;
  note(&found->annotation, op, gmem_op_is(op, "shard.shard"));
  note(&found->constant, op, gmem_is_tensor_of_values(op));
  note(&found->transformed, op,
       !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_TRANSFORM)));
  note(&found->collective, op, !is_convertible(op));
  return MlirWalkResultAdvance;
}

gmem_status_t gmem_check_sharding(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  (void)options, (void)allocator;
  found_t found = {{NULL}, {NULL}, {NULL}, {NULL}};
  mlirOperationWalk(top, look_at, &found, MlirWalkPreOrder);
  if (!mlirOperationIsNull(found.transformed))
    return gmem_reject(diag, found.transformed,
                       "gmem.transform: a program of ranks cannot have it, "
                       "because they cannot have parts of what functions make");
  if (!mlirOperationIsNull(found.annotation))
    return mlirOperationIsNull(found.constant)
               ? GMEM_OK
               : gmem_reject(diag, found.constant,
                             "shard-partition cannot split a constant of "
                             "several values: make it an argument, of which "
                             "each rank gets its part "
                             "(gmem-constants-to-arguments)");
  if (mlirOperationIsNull(found.collective))
    return GMEM_OK;
  return gmem_reject(diag, found.collective,
                     "convert-shard-to-mpi has no conversion for this op: "
                     "choose shardings of which only all_reduce results (split "
                     "a weight's columns, then the next weight's rows)");
}
