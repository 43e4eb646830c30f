// check_sharding.c - gmem-check-sharding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a program after MLIR's shard-partition.
// produces: the unchanged program.
// fails:    when convert-shard-to-mpi cannot convert an op: a collective op
//           other than all_reduce, which MLIR 22 has no lowering of, that
//           gmem-expand-collectives left. The error names the op and a way out.

#include "rank_passes.h"

#include <string.h>

#include "diagnostics.h"
#include "ir_reading.h"

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

static MlirWalkResult find_other(MlirOperation op, void *user) {
  MlirOperation *found = user;
  if (is_convertible(op))
    return MlirWalkResultAdvance;
  *found = op;
  return MlirWalkResultInterrupt;
}

gmem_status_t gmem_check_sharding(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  (void)options, (void)allocator;
  MlirOperation found = {NULL};
  mlirOperationWalk(top, find_other, &found, MlirWalkPreOrder);
  if (mlirOperationIsNull(found))
    return GMEM_OK;
  return gmem_reject(diag, found,
                     "convert-shard-to-mpi has no conversion for this op: "
                     "choose shardings of which only all_reduce results (split "
                     "a weight's columns, then the next weight's rows)");
}
