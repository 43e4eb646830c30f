// sharing_finder.h - what the files that look for aliases share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SHARING_FINDER_H_
#define GMEM_PASSES_SHARING_FINDER_H_

#include "gmem/passes.h"
#include "liveness.h"

// A class that holds the same contents as a part of another, or the reverse.
typedef struct gmem_kin_s {
  uint32_t set;
  uint64_t offset; // bytes of the part in the whole
} gmem_kin_t;

typedef struct gmem_kin_list_s {
  gmem_kin_t *at;
  size_t count, room;
} gmem_kin_list_t;

// The operands of one op that are of one class.
typedef struct gmem_alias_set_reads_s {
  uint32_t op;      // + 1; of another op: there are none
  uint32_t count;   // that are read
  bool has_inplace; // one of them has been looked at for in-place work
  bool has_part;    // and one for being a part of the result
} gmem_alias_set_reads_t;

typedef struct gmem_alias_s {
  gmem_sharing_t kind;
  uint32_t op;            // of the schedule, that makes it possible
  uint32_t operand;       // its number at the op; GMEM_NO_INDEX: of a
                          //   transfer, or one that follows from others
  uint32_t result;        // the same
  uint32_t child, parent; // values, of different classes
  uint64_t offset;        // bytes from the start of the parent to the child
  int64_t begin, end;     // of those that end a life: the steps at which the op
                          //   lets both be live
} gmem_alias_t;

typedef struct gmem_aliases_s {
  gmem_alias_t *aliases; // in the order of their ops
  size_t count, room;
  uint64_t view_alignment; // bytes: of every offset
} gmem_aliases_t;

typedef struct gmem_sharing_finder_s {
  const gmem_liveness_t *liveness;
  const gmem_program_t *program;
  const gmem_op_models_t *models;
  const gmem_model_options_t *options;
  gmem_bump_t *arena;
  gmem_kin_list_t *wholes;       // by class: those that it is a part of
  gmem_kin_list_t *parts;        // by class: its parts
  gmem_alias_set_reads_t *reads; // by class: of the op at hand
  gmem_aliases_t *aliases;
  size_t first_of_op; // alias
  uint32_t *table;    // aliases of the op at hand: a hash table with open
  size_t table_mask;  //   addressing; its size - 1; others: a free place
  gmem_diag_t *diag;
} gmem_sharing_finder_t;

// The index of |value| when it is a tensor with memory of its own, not empty;
// else GMEM_NO_INDEX.
uint32_t gmem_finder_tensor(const gmem_sharing_finder_t *finder,
                            MlirValue value);

// Adds an alias unless its kind is not wanted, or the op has it already. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_finder_add(gmem_sharing_finder_t *finder,
                              const gmem_alias_t *alias);

// What the op at hand, of number |op|, reads of the class.
gmem_alias_set_reads_t *gmem_finder_reads(gmem_sharing_finder_t *finder,
                                          uint32_t op, uint32_t set);

static inline uint32_t gmem_finder_set_of(const gmem_sharing_finder_t *finder,
                                          uint32_t value) {
  return finder->liveness->set_of[value];
}

#endif // GMEM_PASSES_SHARING_FINDER_H_
