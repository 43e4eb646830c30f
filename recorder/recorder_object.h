// recorder_object.h - definitions of recorders, memory groups and objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_RECORDER_OBJECT_H_
#define GMEM_RUNTIME_RECORDER_OBJECT_H_

#include <pthread.h>

#include "gmem/recorder.h"
#include "region_map.h"
#include "thread_safety.h"

// An object that a group manages.
typedef struct gmem_recorded_s {
  char *name; // "GROUP.NAME"
  uint64_t size, align;
  uint32_t flags;
  gmem_op_t begin, end;        // steps of the group; |end| 0: still alive
  gmem_mapped_region_t memory; // if the group is immediate
} gmem_recorded_t;

// Written by the configuring thread only, |held| excepted.
struct gmem_memory_group_s {
  gmem_allocator_t allocator;
  gmem_recorder_t *recorder; // retained; NULL: immediate
  gmem_provider_t provider;  // if immediate
  pthread_t owner;           // the configuring thread
  char *name;
  gmem_memory_group_t *previous, *next; // in the recorder
  uint32_t count, room;
  gmem_recorded_t *objects;
  gmem_op_t step;      // of the next begin; a new one only after an end
  bool ended;          // an object has ended since |step| began
  gmem_group_t id;     // in the plan
  gmem_buffer_t first; // buffer of object 0 in the plan
  atomic_bool held;    // if immediate
};

struct gmem_recorder_s {
  gmem_allocator_t allocator;
  atomic_uint references; // of the creator and of the groups
  gmem_mutex_t lock;
  bool has_owner GMEM_GUARDED_BY(&lock);
  pthread_t owner GMEM_GUARDED_BY(&lock);  // the configuring thread
  uint32_t created GMEM_GUARDED_BY(&lock); // groups so far, for their names
  gmem_memory_group_t *first GMEM_GUARDED_BY(&lock);
  gmem_memory_group_t *last GMEM_GUARDED_BY(&lock);
  // Set once, under the lock; then immutable.
  _Atomic(gmem_plan_t *) plan;
  _Atomic(gmem_pool_t *) pool;
};

// Drops a reference to a recorder.
void gmem_recorder_drop(gmem_recorder_t *recorder);

// A plan image of |groups| (linked by |next|), which get their ids in it.
// Returned as a loaded plan.
gmem_status_t gmem_recorder_solve(gmem_memory_group_t *groups,
                                  const gmem_allocator_t *allocator,
                                  const gmem_solve_options_t *options,
                                  gmem_plan_t **out_plan, gmem_diag_t *diag);

#endif // GMEM_RUNTIME_RECORDER_OBJECT_H_
