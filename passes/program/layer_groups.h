// layer_groups.h - the execution times of layer groups of flat ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LAYER_GROUPS_H_
#define GMEM_PASSES_LAYER_GROUPS_H_

#include "bump.h"
#include "program.h"

// A group is executed as a unit: it reads its inputs and writes its outputs
// slice by slice, from its first op to its last. The execution time of a group
// with ops in several blocks is unknown and taken as that of its function.
typedef struct gmem_layer_group_s {
  uint32_t function;
  int64_t group;
  uint32_t block;       // of its ops, or GMEM_NO_INDEX: of several
  uint32_t first, last; // ops, without those nested in an op of the group
  int64_t begin, end;   // steps
  bool is_mixed; // other ops are between its own, or it is in several blocks:
                 //   what runs inside of one may run beside those
} gmem_layer_group_t;

typedef struct gmem_layer_groups_s {
  gmem_layer_group_t *spans; // sorted by function and group
  size_t count;
} gmem_layer_groups_t;

// Finds the spans of all groups, allocated in |arena|. Fails with
// OUT_OF_MEMORY, or INVALID_ARGUMENT (reported: two groups of one block
// overlap).
gmem_status_t gmem_layer_groups_find(const gmem_program_t *program,
                                     gmem_bump_t *arena,
                                     gmem_layer_groups_t *out_spans,
                                     gmem_diag_t *diag);

// Whether op |op| itself is in a group, rather than nested in an op of it.
bool gmem_is_group_member(const gmem_program_t *program, uint32_t op);

// The span of the group of |op|, or NULL when it is in none.
const gmem_layer_group_t *gmem_layer_group_of(const gmem_layer_groups_t *spans,
                                              const gmem_program_op_t *op);

#endif // GMEM_PASSES_LAYER_GROUPS_H_
