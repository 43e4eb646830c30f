// buffer_cluster.h - which buffers of a plan must stay together in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GMEM_POOL_UNSHARED gives buffers memory of their own, to see whether they
// only shared it by time. But some share bytes to hand over a value in them,
// and an image does not say which. What may be a hand-over stays together, with
// the distances of the plan; this is a *cluster*:
//
// * an alias and its parent;
// * a view, and all buffers (of any time) whose bytes it touches;
// * two buffers with common bytes, where one begins to live at the very step
//   at which the other ends: an op may have worked in place.
//
// All others are apart: some step lies between them at which neither is live,
// so the bytes could have been anybody's.

#ifndef GMEM_RUNTIME_BUFFER_CLUSTER_H_
#define GMEM_RUNTIME_BUFFER_CLUSTER_H_

#include "gmem/plan.h"
#include "plan_object.h"

// Makes |sorted| the ids of all buffers of the slots that are no aliases,
// ascending by (region, offset, id), |out_count| of them, and, if |cluster| is
// not NULL, cluster[id] a member of the cluster of |id|, the same for all of
// its members. Both have room for all buffers. O(n log n) for n buffers, ranges
// and steps. False: out of memory.
bool gmem_cluster_buffers(const gmem_plan_t *plan,
                          const gmem_allocator_t *allocator, uint32_t *sorted,
                          uint32_t *out_count, uint32_t *cluster);

#endif // GMEM_RUNTIME_BUFFER_CLUSTER_H_
