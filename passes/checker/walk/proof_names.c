// proof_names.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include <stdlib.h>

#include "partition_point.h"

// Adds what |state| knows of |name| to |status|.
static void join_status(const gmem_walk_t *walk,
                        const gmem_proof_state_t *state, uint32_t name,
                        gmem_walk_status_t *status) {
  const gmem_proof_entry_t *loss = gmem_proof_loss(state, name);
  status->is_intact |=
      gmem_proof_is_intact(state, gmem_walk_bytes(walk, name), name);
  if (loss && !status->is_lost)
    status->loss = *loss;
  status->is_lost |= loss != NULL;
}

gmem_walk_status_t gmem_walk_status_of(const gmem_walk_t *walk, uint32_t name) {
  gmem_walk_status_t status = {.name = name};
  join_status(walk, &walk->state, name, &status);
  return status;
}

void gmem_walk_set_status(gmem_walk_t *walk, const gmem_walk_status_t *status) {
  gmem_proof_range_t bytes = gmem_walk_bytes(walk, status->name);
  gmem_proof_entry_t entry = {
      .begin = bytes.begin, .end = bytes.end, .id = status->name};
  if (status->is_intact && !status->is_lost &&
      gmem_proof_is_intact(&walk->state, bytes, status->name) &&
      !gmem_proof_loss(&walk->state, status->name))
    return; // as most are when a call is like an earlier one
  if (status->is_intact || status->is_lost)
    gmem_walk_define(walk, status->name, status->loss.by);
  else
    gmem_proof_forget(&walk->store, &walk->state, bytes, status->name);
  if (status->is_lost)
    gmem_proof_lose(&walk->store, &walk->state, &entry, status->loss.bytes,
                    status->loss.by);
}

static int compare_sites(const void *left, const void *right) {
  const gmem_walk_site_t *a = left, *b = right;
  if (a->site != b->site)
    return a->site < b->site ? -1 : 1;
  return (a->name > b->name) - (a->name < b->name);
}

// Lists the sites of the names in |ids|.
static void list_sites(gmem_walk_t *walk) {
  gmem_walk_lists_t *now = &walk->now;
  bool is_sorted = true;
  now->sites.count = 0;
  for (size_t i = 0; i < now->ids.count; ++i) {
    gmem_walk_site_t one = {gmem_proof_site(&walk->memory, now->ids.at[i]),
                            now->ids.at[i]};
    size_t count = now->sites.count;
    is_sorted &= count == 0 || now->sites.at[count - 1].site <= one.site;
    GMEM_APPEND(walk->arena, &now->sites, one);
  }
  if (!is_sorted)
    qsort(now->sites.at, now->sites.count, sizeof *now->sites.at,
          compare_sites);
}

static bool is_below(const void *element, const void *site) {
  return ((const gmem_walk_site_t *)element)->site < *(const uint32_t *)site;
}

// Adds what the state knows of the names of |site| in |sites| to |status|.
static void join_site(const gmem_walk_t *walk, uint32_t site,
                      gmem_walk_status_t *status) {
  const gmem_walk_site_t *sites = walk->now.sites.at;
  size_t count = walk->now.sites.count;
  for (size_t i =
           gmem_partition_point(&site, sites, count, sizeof *sites, is_below);
       i < count && sites[i].site == site; ++i)
    join_status(walk, &walk->state, sites[i].name, status);
}

// That of |names| for |site|; GMEM_NO_INDEX if there is none. All are for sites
// of the function: those are in order.
static uint32_t name_for(const gmem_walk_t *walk, gmem_proof_set_t names,
                         uint32_t site) {
  uint32_t low = 0, high = names.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (gmem_proof_site(&walk->memory, names.at[middle]) < site)
      low = middle + 1;
    else
      high = middle;
  }
  return low < names.count &&
                 gmem_proof_site(&walk->memory, names.at[low]) == site
             ? names.at[low]
             : GMEM_NO_INDEX;
}

// Lists what |name| is as its value becomes the memref whose names are in
// now.sites.
static void list_name(gmem_walk_t *walk, uint32_t name) {
  gmem_walk_status_t status = {.name = name};
  join_site(walk, gmem_proof_site(&walk->memory, name), &status);
  GMEM_APPEND(walk->arena, &walk->now.statuses, status);
}

// Whether nothing is known of |names|, which are those of sites of their
// function: the block of their value is not being walked.
static bool are_unknown(const gmem_walk_t *walk, gmem_proof_set_t names) {
  uint32_t last = names.at[names.count - 1];
  return !gmem_walk_is_in_scope(walk, last) &&
         gmem_proof_name_at(&walk->memory, last)->argument == GMEM_NO_INDEX;
}

void gmem_walk_list_status(gmem_walk_t *walk, uint32_t from, uint32_t to) {
  gmem_proof_set_t names = gmem_proof_bound_names(&walk->memory, to);
  if (names.count == 0)
    return;
  gmem_walk_list_ids(walk, from);
  list_sites(walk);
  if (!are_unknown(walk, names)) {
    for (uint32_t i = 0; i < names.count; ++i)
      list_name(walk, names.at[i]);
    return;
  }
  // Names of sites that |from| does not denote stay unknown. A block that many
  // lead to has many of them.
  for (size_t i = 0; i < walk->now.sites.count; ++i) {
    uint32_t name = name_for(walk, names, walk->now.sites.at[i].site);
    if (name != GMEM_NO_INDEX)
      list_name(walk, name);
  }
}

void gmem_walk_set_statuses(gmem_walk_t *walk) {
  for (size_t i = 0; i < walk->now.statuses.count; ++i)
    gmem_walk_set_status(walk, &walk->now.statuses.at[i]);
  walk->now.statuses.count = 0;
}

void gmem_walk_forget_names(gmem_walk_t *walk, gmem_proof_row_t row) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    gmem_proof_set_t names = gmem_proof_bound_names(&walk->memory, v);
    for (uint32_t i = 0; i < names.count; ++i)
      gmem_walk_set_status(walk, &(gmem_walk_status_t){.name = names.at[i]});
  }
}

bool gmem_walk_has_names(const gmem_walk_t *walk, gmem_proof_row_t row) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (gmem_proof_bound_names(&walk->memory, v).count)
      return true;
  return false;
}

// Lists in now.statuses what is known of |name|, for any memory of its site.
// That may have been made and written in an earlier run of a region.
static void list_any(gmem_walk_t *walk, uint32_t name) {
  gmem_walk_status_t status = {.name = name};
  uint32_t site = gmem_proof_site(&walk->memory, name);
  status.is_intact =
      gmem_walk_named(walk, name)->op == GMEM_NO_INDEX &&
      gmem_proof_may_repeat(walk->program, gmem_walk_value(walk, site)->block);
  join_status(walk, &walk->state, site, &status);
  GMEM_CSR_EACH (other, &walk->memory.names_of, site)
    join_status(walk, &walk->state, *other, &status);
  GMEM_APPEND(walk->arena, &walk->now.statuses, status);
}

void gmem_walk_bind_to_any(gmem_walk_t *walk, gmem_proof_row_t row) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    gmem_proof_set_t names = gmem_proof_bound_names(&walk->memory, v);
    for (uint32_t i = 0; i < names.count; ++i)
      list_any(walk, names.at[i]);
  }
  gmem_walk_set_statuses(walk);
}

// Lists in now.statuses |name| as it is in either state. Returns whether that
// is more than before.
static bool list_joined(gmem_walk_t *walk, const gmem_proof_state_t *state,
                        uint32_t name) {
  gmem_walk_status_t old = gmem_walk_status_of(walk, name), status = old;
  join_status(walk, state, name, &status);
  GMEM_APPEND(walk->arena, &walk->now.statuses, status);
  // A name that is lost on one path stays so, if intact on others.
  return (status.is_lost && !old.is_lost) ||
         (status.is_intact && !old.is_intact && !status.is_lost);
}

bool gmem_walk_join_names(gmem_walk_t *walk, const gmem_proof_state_t *state,
                          gmem_proof_row_t row) {
  bool is_new = false;
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    gmem_proof_set_t names = gmem_proof_bound_names(&walk->memory, v);
    for (uint32_t i = 0; i < names.count; ++i)
      is_new |= list_joined(walk, state, names.at[i]);
  }
  gmem_walk_set_statuses(walk);
  return is_new;
}
