// proof_sets.h - the sets of memories that values denote, and their names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *site* is a placed tensor or an allocation, numbered as the value that owns
// it. One instance of it is in use at a time (invariants/proof_instances.h).
//
// A *name* is what contents are tracked by. Names below |values| are sites. A
// memref that control flow passes on has one more for each site that it may
// point to, because on a path where it points to another one that site may hold
// something else. What an argument of a function points to depends on the call:
// it is GMEM_PROOF_ARGUMENT plus its number, unless few memories are given to
// it in all calls. A memref that is passed on within the function then has a
// name for each of these, which counts in the calls that give it. Private
// memory (proof_private.h) has no names beside its sites, and arguments of
// blocks do not denote what is untracked (proof_untracked.h).

#ifndef GMEM_PASSES_PROOF_SETS_H_
#define GMEM_PASSES_PROOF_SETS_H_

#include "csr.h"
#include "proof_program.h"

#define GMEM_PROOF_ARGUMENT (UINT32_C(1) << 31)

// Memory without a place that a value may denote; 0: none.
typedef enum gmem_proof_unplaced_e {
  GMEM_UNPLACED_GIVEN = 1, // what some call gives the function
  GMEM_UNPLACED_MADE = 2,  // other, in each of its calls
} gmem_proof_unplaced_t;

typedef struct gmem_proof_set_s {
  const uint32_t *at; // ascending
  uint32_t count;
} gmem_proof_set_t;

typedef struct gmem_proof_name_s {
  uint32_t value, site;
  uint32_t argument; // number of the one that it is given as, or GMEM_NO_INDEX
  uint64_t edges;    // of control flow that bind it so: bits, by a hash
} gmem_proof_name_t;

// A source from which control flow binds a name: those names of |value| that
// denote |number|, a site or an argument.
typedef struct gmem_proof_source_s {
  uint32_t value; // GMEM_NO_INDEX: not known
  uint32_t number;
  uint64_t edges; // that do so: bits, by a hash
} gmem_proof_source_t;

typedef struct gmem_proof_memory_s {
  uint32_t value_count;
  gmem_proof_set_t *sites; // by value
  gmem_proof_set_t *of;    // by value: names
  // By value, an argument of a function: the sites that calls give it.
  gmem_proof_set_t *given;
  // By value: a memref that may denote memory that the plan does not place: an
  // allocation, or memory from outside.
  uint8_t *unplaced;                  // gmem_proof_unplaced_t
  GMEM_LIST(gmem_proof_name_t) names; // from |values| on
  // By value: it may be forgotten at the end of its block, as ops of that alone
  // use it or its names. A memref has other blocks before it.
  bool *is_of_block;
  bool has_values_of_blocks; // some may be
  bool *is_private;          // by value: an allocation that nothing can lose
  // By value: a private allocation that control flow passes on to memrefs that
  // do not denote it (proof_untracked.h).
  bool *is_untracked;
  gmem_csr_t names_of; // by site: names beside its own
  GMEM_LIST(gmem_proof_source_t) sources;
  gmem_csr_t sources_of; // by name - |values|
  bool *has_deferred;    // by function: some of its code runs at any time
} gmem_proof_memory_t;

// The name |id|, as a memref that control flow passes on has it; NULL: |id| is
// a site or an argument.
static inline const gmem_proof_name_t *
gmem_proof_name_at(const gmem_proof_memory_t *memory, uint32_t id) {
  return id < memory->value_count || id >= GMEM_PROOF_ARGUMENT
             ? NULL
             : &memory->names.at[id - memory->value_count];
}

// The site of a name: the value that owns its memory.
static inline uint32_t gmem_proof_site(const gmem_proof_memory_t *memory,
                                       uint32_t name) {
  return name < memory->value_count
             ? name
             : memory->names.at[name - memory->value_count].site;
}

// How many of |set| are less than |id|.
static inline uint32_t gmem_proof_count_below(gmem_proof_set_t set,
                                              uint32_t id) {
  uint32_t low = 0, high = set.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (set.at[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Those names of |value| that control flow gives to memrefs: they are between
// sites and arguments.
static inline gmem_proof_set_t
gmem_proof_bound_names(const gmem_proof_memory_t *memory, uint32_t value) {
  gmem_proof_set_t set = memory->of[value];
  uint32_t first = gmem_proof_count_below(set, memory->value_count);
  uint32_t end = gmem_proof_count_below(set, GMEM_PROOF_ARGUMENT);
  return (gmem_proof_set_t){set.at ? set.at + first : NULL, end - first};
}

// Whether |site|, or an argument, is of an allocation that nothing can lose.
static inline bool gmem_proof_is_private(const gmem_proof_memory_t *memory,
                                         uint32_t site) {
  return site < memory->value_count && memory->is_private[site];
}

// Whether all code of |function| ends before the code that follows it begins.
static inline bool gmem_proof_runs_alone(const gmem_proof_program_t *program,
                                         const gmem_proof_memory_t *memory,
                                         uint32_t function) {
  const gmem_proof_function_t *entry = &program->functions.at[function];
  return !memory->has_deferred[function] && !entry->is_recursive &&
         !entry->is_concurrent && !entry->may_run_with_self;
}

#endif // GMEM_PASSES_PROOF_SETS_H_
