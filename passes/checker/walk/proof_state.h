// proof_state.h - what memory holds at one point of the program: which values
// are intact, and which have been overwritten.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sets, each a persistent treap (Seidel and Aragon, "Randomized Search
// Trees", Algorithmica 16, 1996) with priorities that are a hash of the key:
// its shape depends on the elements alone, so that states which differ little
// share most of their nodes, and a union skips what is shared. A state is
// copied by assignment after gmem_proof_freeze; nodes of the current epoch are
// changed in place, so that straight code allocates no more than it defines.

#ifndef GMEM_PASSES_PROOF_STATE_H_
#define GMEM_PASSES_PROOF_STATE_H_

#include "proof_program.h"

typedef struct gmem_proof_node_s gmem_proof_node_t;

// An element: the bytes that value |id| has. In the set of lost values the key
// is the id, and |by| is the op that wrote over it.
typedef struct gmem_proof_entry_s {
  uint64_t begin, end;
  uint32_t id, by;
  gmem_proof_range_t bytes; // of a lost value: those that were written over
} gmem_proof_entry_t;

typedef struct gmem_proof_state_s {
  const gmem_proof_node_t *intact; // by address
  const gmem_proof_node_t *lost;   // by id
  bool is_reached;
} gmem_proof_state_t;

// Owns the nodes of all states.
typedef struct gmem_proof_store_s {
  gmem_bump_t *arena;
  gmem_proof_node_t *unused, *fresh;
  size_t fresh_count;
  GMEM_LIST(gmem_proof_node_t *) chunks;
  size_t taken, kept; // nodes: since the last sweep, and those that it kept
  uint32_t epoch;
  GMEM_LIST(gmem_proof_entry_t) found; // of the last query
} gmem_proof_store_t;

// Makes all states until now immutable, so that they can be copied.
void gmem_proof_freeze(gmem_proof_store_t *store);

// Value |id| has its contents in |bytes|, written by op |by|.
void gmem_proof_define(gmem_proof_store_t *store, gmem_proof_state_t *state,
                       gmem_proof_range_t bytes, uint32_t id, uint32_t by);

// Value |id|, at |bytes|, has no contents that an op may rely on.
void gmem_proof_forget(gmem_proof_store_t *store, gmem_proof_state_t *state,
                       gmem_proof_range_t bytes, uint32_t id);

// Sets store->found to the intact values that have some of |bytes|.
void gmem_proof_list(gmem_proof_store_t *store, const gmem_proof_state_t *state,
                     gmem_proof_range_t bytes);

// A set of bytes, as ranges that do not touch: a tree as those of a state, and
// frozen with them. NULL is the empty set. Time is logarithmic in the number of
// ranges, except that of a union: that of adding the smaller set to the other.
typedef const gmem_proof_node_t *gmem_proof_area_t;

void gmem_proof_area_add(gmem_proof_store_t *store, gmem_proof_area_t *area,
                         gmem_proof_range_t bytes);

void gmem_proof_area_unite(gmem_proof_store_t *store, gmem_proof_area_t *area,
                           gmem_proof_area_t other);

// Sets |*out_bytes| to those that the first range of |area| shares with
// |bytes|. Returns false if there is none.
bool gmem_proof_area_meets(gmem_proof_area_t area, gmem_proof_range_t bytes,
                           gmem_proof_range_t *out_bytes);

// As gmem_proof_list, for a set of bytes. Parts of the state with no byte of it
// between their ends take no time.
void gmem_proof_list_area(gmem_proof_store_t *store,
                          const gmem_proof_state_t *state,
                          gmem_proof_area_t area);

// |entry|, an intact value, is lost: op |by| has written over |bytes| of it.
void gmem_proof_lose(gmem_proof_store_t *store, gmem_proof_state_t *state,
                     const gmem_proof_entry_t *entry, gmem_proof_range_t bytes,
                     uint32_t by);

bool gmem_proof_is_intact(const gmem_proof_state_t *state,
                          gmem_proof_range_t bytes, uint32_t id);

// How |id| was lost; NULL if it was not. Valid until the state changes.
const gmem_proof_entry_t *gmem_proof_loss(const gmem_proof_state_t *state,
                                          uint32_t id);

// Adds |other| to |state|, for a place that both lead to: what is lost on some
// path is lost, and what else is intact on some path is intact.
void gmem_proof_join(gmem_proof_store_t *store, gmem_proof_state_t *state,
                     const gmem_proof_state_t *other);

// A number that grows whenever gmem_proof_join changes the state.
size_t gmem_proof_size(const gmem_proof_state_t *state);

// States that are changed leave nodes behind that no state has any more.
// Whether these may be as many as the others; marks the nodes of a state or
// set; takes back all nodes that are not marked. Time is linear in all nodes.
bool gmem_proof_is_due(const gmem_proof_store_t *store);
void gmem_proof_mark(const gmem_proof_state_t *state);
void gmem_proof_area_mark(gmem_proof_area_t area);
void gmem_proof_sweep(gmem_proof_store_t *store);

#endif // GMEM_PASSES_PROOF_STATE_H_
