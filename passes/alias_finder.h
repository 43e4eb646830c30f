// alias_finder.h - what the files that look for aliases share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALIAS_FINDER_H_
#define GMEM_PASSES_ALIAS_FINDER_H_

#include "aliases.h"

// A class that holds the same contents as a part of another, or the reverse.
typedef struct gmem_kin_s {
  uint32_t class;
  uint64_t offset; // bytes of the part in the whole
} gmem_kin_t;

typedef struct gmem_kin_list_s {
  gmem_kin_t *at;
  size_t count, room;
} gmem_kin_list_t;

// The operands of one op that are of one class.
typedef struct gmem_class_reads_s {
  uint32_t op;      // + 1; of another op: there are none
  uint32_t count;   // that are read
  bool has_inplace; // one of them has been looked at for in-place work
  bool has_part;    // and one for being a part of the result
} gmem_class_reads_t;

typedef struct gmem_alias_finder_s {
  const gmem_liveness_t *liveness;
  const gmem_schedule_t *schedule;
  const gmem_op_models_t *models;
  const gmem_model_options_t *options;
  gmem_arena_t *arena;
  gmem_kin_list_t *wholes;   // by class: those that it is a part of
  gmem_kin_list_t *parts;    // by class: its parts
  gmem_class_reads_t *reads; // by class: of the op at hand
  gmem_aliases_t *aliases;
  size_t first_of_op; // alias
  uint32_t *table;    // aliases of the op at hand: a hash table with open
  size_t table_mask;  //   addressing; its size - 1; others: a free place
  gmem_diag_t *diag;
} gmem_alias_finder_t;

// The index of |value| when it is a tensor with memory of its own, not empty;
// else GMEM_NO_INDEX.
uint32_t gmem_finder_tensor(const gmem_alias_finder_t *finder, MlirValue value);

// Adds an alias unless its kind is not wanted, or the op has it already. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_finder_add(gmem_alias_finder_t *finder,
                              const gmem_alias_t *alias);

// What the op at hand, of number |op|, reads of the class.
gmem_class_reads_t *gmem_finder_reads(gmem_alias_finder_t *finder, uint32_t op,
                                      uint32_t class);

// Adds what the slice, concatenation or insertion that |op| is makes possible.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_find_parts(gmem_alias_finder_t *finder, uint32_t op);

// Removes what ends the life of one value by another although the two are live
// together at other steps, too. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_refuse_other_meetings(gmem_alias_finder_t *finder);

#endif // GMEM_PASSES_ALIAS_FINDER_H_
