// sharing_finder.h - state and helpers shared by the files that collect
// optional aliases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SHARING_FINDER_H_
#define GMEM_PASSES_SHARING_FINDER_H_

#include "liveness.h"

// An alias set that has the same contents as a part of another set, or that
// contains such a part.
typedef struct gmem_containment_s {
  uint32_t set;
  uint64_t offset;   // bytes, from the start of the whole to the part
  uint32_t function; // of the ops that make it so
} gmem_containment_t;

typedef GMEM_LIST(gmem_containment_t) gmem_containment_list_t;

// The operands of one op that belong to one alias set.
typedef struct gmem_alias_set_reads_s {
  uint32_t op;      // op + 1; the entry is invalid for other ops
  uint32_t count;   // operands that the op reads
  bool has_inplace; // one of them has been considered for in-place results
  bool has_part;    // one of them has been considered as a part of the result
} gmem_alias_set_reads_t;

typedef struct gmem_alias_s {
  gmem_sharing_t kind;
  uint32_t op;      // op that makes the alias possible
  uint32_t operand; // its number at the op; GMEM_NO_INDEX for a transfer, and
                    // for an alias implied by others
  uint32_t result;  // the same; GMEM_NO_INDEX where memrefs are written, too
  uint32_t child, parent; // values of different alias sets
  uint64_t offset;        // bytes, from the start of the parent to the child
  // Overwriting kinds: the steps at which both may be live, because of the op.
  int32_t begin, end;
} gmem_alias_t;

typedef struct gmem_aliases_s {
  gmem_alias_t *aliases; // ordered by op
  size_t count, room;
  uint64_t view_alignment; // bytes; every offset is a multiple of it
} gmem_aliases_t;

typedef struct gmem_sharing_finder_s {
  const gmem_liveness_t *liveness;
  const gmem_program_t *program;
  const gmem_model_options_t *options;
  gmem_bump_t *arena;
  gmem_containment_list_t
      *wholes;                    // by alias set: the sets that it is a part of
  gmem_containment_list_t *parts; // by alias set: its parts
  gmem_alias_set_reads_t *reads;  // by alias set, for the current op
  GMEM_LIST(uint32_t) operands;   // of the current op: tensors or GMEM_NO_INDEX
  bool *is_repeated; // by alias set: several operands and results of one call
  gmem_aliases_t *aliases;
  size_t first_of_op; // first alias of the current op
  // Aliases of the current op: a hash table with open addressing. Entries that
  // are not indices of such aliases are free.
  uint32_t *table;
  size_t table_mask; // size - 1
  gmem_diag_t *diag;
} gmem_sharing_finder_t;

// Whether the aliases are ordered by op and relate different sets, the child
// inside the parent at a multiple of the view alignment.
bool gmem_aliases_check(const gmem_aliases_t *aliases,
                        const gmem_liveness_t *liveness);

// Whether the op executes once, at its step and as a whole, so that its model
// applies. A layer group reads and writes slice by slice.
bool gmem_runs_as_modelled(const gmem_program_op_t *entry);

// The index of |value| if it is a non-empty tensor with memory of its own, else
// GMEM_NO_INDEX.
uint32_t gmem_finder_tensor(const gmem_sharing_finder_t *finder,
                            MlirValue value);

// The alias set of that tensor, else GMEM_NO_INDEX.
uint32_t gmem_finder_set(const gmem_sharing_finder_t *finder, MlirValue value);

// Adds an alias, unless options exclude its kind or the current op has it
// already. When memory is out it adds none, to be seen by gmem_bump_status.
void gmem_finder_add(gmem_sharing_finder_t *finder, const gmem_alias_t *alias);

// The entry of the current op |op| for alias set |set|.
gmem_alias_set_reads_t *gmem_finder_reads(gmem_sharing_finder_t *finder,
                                          uint32_t op, uint32_t set);

static inline uint32_t gmem_finder_set_of(const gmem_sharing_finder_t *finder,
                                          uint32_t value) {
  return finder->liveness->set_of[value];
}

// Whether one value overwrites the other: inplace, destination, transfer.
static inline bool gmem_alias_overwrites(const gmem_alias_t *alias) {
  return alias->kind != GMEM_SHARE_SLICE && alias->kind != GMEM_SHARE_CONCAT;
}

// Adds the aliases of op |op| if it is a slice, concatenation, insertion or
// tuple op, and the aliases that they imply.
void gmem_find_subtensor_views(gmem_sharing_finder_t *finder, uint32_t op);

// Removes the overwriting aliases of alias sets that are also live together at
// other steps, and the aliases that streams forbid. Returns OUT_OF_MEMORY on
// allocation failure.
gmem_status_t gmem_remove_interfering_aliases(gmem_sharing_finder_t *finder);

#endif // GMEM_PASSES_SHARING_FINDER_H_
