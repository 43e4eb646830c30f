// buffer_cluster.h - buffers of a plan that must stay together in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GMEM_POOL_UNSHARED places buffers that share bytes at different times in
// separate memory. Some buffers share bytes to pass a value in place, which an
// image does not record. Buffers that may do so form a *cluster* and keep their
// planned distances:
//
// * an alias and its parent;
// * a view, and all buffers (live at any time) whose bytes it overlaps;
// * two buffers with common bytes, where one becomes live at the step at which
//   the other one ends: an op may have worked in place.
//
// Any two buffers of different clusters that share bytes are separated by a
// step at which neither is live.

#ifndef GMEM_RUNTIME_BUFFER_CLUSTER_H_
#define GMEM_RUNTIME_BUFFER_CLUSTER_H_

#include "gmem/plan.h"
#include "plan_object.h"

// Stores in |sorted| the ids of all per-slot buffers that are not aliases,
// ascending by (region, offset, id), their number in *out_count and, if
// |cluster| is not NULL, in cluster[id] the representative of the cluster of
// |id|. Both arrays have one element per buffer. O(n log n) for n buffers,
// ranges and steps. Returns false if out of memory.
bool gmem_cluster_buffers(const gmem_plan_t *plan,
                          const gmem_allocator_t *allocator, uint32_t *sorted,
                          uint32_t *out_count, uint32_t *cluster);

#endif // GMEM_RUNTIME_BUFFER_CLUSTER_H_
