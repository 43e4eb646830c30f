// profile.c - see profile.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profile.h"

#include <assert.h>

#include "partition_point.h"

static bool is_earlier(const void *time, const void *wanted) {
  return *(const int64_t *)time < *(const int64_t *)wanted;
}

static size_t slot_of(const gmem_profile_t *profile, int64_t time) {
  size_t slot = gmem_partition_point(&time, profile->times, profile->time_count,
                                     sizeof *profile->times, is_earlier);
  assert(slot < profile->time_count && profile->times[slot] == time);
  return slot;
}

gmem_status_t gmem_profile_make(const int64_t *times, size_t count,
                                gmem_bump_t *arena, gmem_profile_t *out_profile,
                                gmem_diag_t *diag) {
  *out_profile =
      (gmem_profile_t){.times = times, .time_count = count, .leaves = 1};
  while (out_profile->leaves < count)
    out_profile->leaves *= 2;
  GMEM_TRY_ALLOC(out_profile->most, arena, 2 * out_profile->leaves, diag);
  GMEM_TRY_ALLOC(out_profile->all, arena, 2 * out_profile->leaves, diag);
  return GMEM_OK;
}

void gmem_profile_cover(const gmem_profile_t *profile, gmem_live_range_t range,
                        gmem_profile_node_fn visit, void *user) {
  size_t left = slot_of(profile, range.begin) + profile->leaves;
  size_t right = slot_of(profile, range.end) + profile->leaves;
  for (; left < right; left /= 2, right /= 2) {
    if (left & 1)
      visit(left++, user);
    if (right & 1)
      visit(--right, user);
  }
}

typedef struct change_s {
  gmem_profile_t *profile;
  int64_t bytes;
} change_t;

static void add_to_node(size_t node, void *user) {
  const change_t *change = user;
  gmem_profile_t *profile = change->profile;
  profile->all[node] += change->bytes;
  profile->most[node] += change->bytes;
  for (node /= 2; node; node /= 2) {
    int64_t left = profile->most[2 * node], right = profile->most[2 * node + 1];
    profile->most[node] = (left > right ? left : right) + profile->all[node];
  }
}

void gmem_profile_add(gmem_profile_t *profile, gmem_live_range_t range,
                      int64_t bytes) {
  change_t change = {profile, bytes};
  gmem_profile_cover(profile, range, add_to_node, &change);
}

size_t gmem_profile_peak_leaf(const gmem_profile_t *profile) {
  size_t node = 1;
  while (node < profile->leaves)
    node = 2 * node + (profile->most[2 * node] < profile->most[2 * node + 1]);
  return node;
}
