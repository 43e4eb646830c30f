// recorder.h - memory planned from lifetimes that a program records while it
// configures its operations. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_recorder_create(NULL, &recorder, &diag);
//   gmem_memory_group_create(recorder, "conv", NULL, NULL, &group, &diag);
//   gmem_memory_object_spec_t spec = {.size = 1000, .alignment = 64};
//   gmem_memory_group_begin(group, &spec, &first, &diag);
//   gmem_memory_group_begin(group, &spec, &second, &diag);
//   ... configure the operation that reads |first| and writes |second| ...
//   gmem_memory_group_end(group, first, &diag);
//   ... other operations, other groups ...
//   gmem_recorder_populate(recorder, &provider, &pool_options, &diag);
//
//   gmem_memory_group_acquire(group, GMEM_WAIT_FOREVER, &hold); // any thread
//   gmem_memory_hold_host(&hold, first, &pointer);
//   gmem_memory_group_release(&hold);
//
// A *recorder* collects the lifetimes of the objects of its *memory groups*. An
// object lives from gmem_memory_group_begin to gmem_memory_group_end, in the
// order of these calls in its group; objects of one group that never live at
// the same time may share memory. Objects of different groups may always share
// memory: a slot serves one group at a time and is as large as the largest
// group. A group acquired while another one is held therefore takes a second
// slot. The plan is checked like every plan image.
//
// A group without a recorder is *immediate*: each object gets memory of its own
// when it begins, and the rest of the program is the same.
//
// Configuration is by one thread: the one that creates the first group. Begin,
// end and planning return STATE on other threads. Acquiring and releasing are
// for any thread, and allocate nothing.
//
// This header belongs to the library gmem_recorder, which uses the planner.

#ifndef GMEM_RECORDER_H_
#define GMEM_RECORDER_H_

#include "gmem/planner/solve.h"
#include "gmem/runtime.h"

GMEM_BEGIN_C

typedef struct gmem_recorder_s gmem_recorder_t;         // counted
typedef struct gmem_memory_group_s gmem_memory_group_t; // owned by its creator
typedef uint32_t
    gmem_memory_object_t; // of one group: 0, 1, ... in order of begin

//===--- recording --------------------------------------------------------===//

// Creates a recorder without groups. |allocator| is copied (NULL: libc). Fails
// with INVALID_ARGUMENT or OUT_OF_MEMORY; *out_recorder is then NULL. Any
// thread.
GMEM_MUST_USE gmem_status_t
gmem_recorder_create(const gmem_allocator_t *allocator,
                     gmem_recorder_t **out_recorder, gmem_diag_t *diag);

// Drops the creator's reference; groups have references of their own, and the
// last one frees the plan and the pool. NULL is allowed. Any thread, once.
void gmem_recorder_release(gmem_recorder_t *recorder);

// Creates a group without objects. |name| (copied; NULL: "group" and a number)
// must be unique in the recorder. With |recorder| NULL the group is immediate
// and its objects are in memory of |provider| (copied); otherwise |provider| is
// ignored, so that the same call serves both. Fails with INVALID_ARGUMENT (no
// recorder and no complete provider, a name in use), STATE (another thread
// configures the recorder, or its plan is made) or OUT_OF_MEMORY; *out_group is
// then NULL.
GMEM_MUST_USE gmem_status_t gmem_memory_group_create(
    gmem_recorder_t *recorder, const char *name,
    const gmem_provider_t *provider, const gmem_allocator_t *allocator,
    gmem_memory_group_t **out_group, gmem_diag_t *diag);

// Frees the group, with the memory of its objects if it is immediate. There
// must be no holds on it. Before the plan is made: also its objects are
// forgotten. NULL is allowed. Any thread, once; not concurrently with planning.
void gmem_memory_group_destroy(gmem_memory_group_t *group);

// An object to be managed.
typedef struct gmem_memory_object_spec_s {
  const char *name;   // copied; NULL: its number. In the plan: "GROUP.NAME"
  uint64_t size;      // bytes
  uint64_t alignment; // power of two; 0: 1
  uint32_t flags;     // 0 or GMEM_BUFFER_SENSITIVE
} gmem_memory_object_spec_t;

// Begins the life of a new object. In an immediate group its memory is mapped
// and zero now. Fails with INVALID_ARGUMENT, OUT_OF_RANGE (size, alignment or
// number of objects), STATE (another thread configures; the plan is made),
// OUT_OF_MEMORY or the status of the provider; the group is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_memory_group_begin(
    gmem_memory_group_t *group, const gmem_memory_object_spec_t *spec,
    gmem_memory_object_t *out_object, gmem_diag_t *diag);

// Ends the life of an object: operations configured from now on do not use it.
// Fails with INVALID_ARGUMENT, OUT_OF_RANGE (no such object) or STATE (it has
// ended; another thread configures; the plan is made).
GMEM_MUST_USE gmem_status_t gmem_memory_group_end(gmem_memory_group_t *group,
                                                  gmem_memory_object_t object,
                                                  gmem_diag_t *diag);

//===--- planning ---------------------------------------------------------===//

// Makes the plan of all groups, once; later calls return the same one, with a
// reference for the caller. |options| NULL: the defaults of gmem_solve. Fails
// with INVALID_ARGUMENT (also two objects of one name), STATE (an object has
// not ended, which the text names; another thread configures), OUT_OF_MEMORY or
// the status of gmem_solve; recording may then go on.
GMEM_MUST_USE gmem_status_t gmem_recorder_plan(
    gmem_recorder_t *recorder, const gmem_solve_options_t *options,
    gmem_plan_t **out_plan, gmem_diag_t *diag);

// Makes the plan if there is none and a pool of its slots from |provider|
// (copied). |options| are those of gmem_pool_create. If there is a pool, adds
// |options->initial_slots| slots to it, and ignores |provider| and the rest.
// Fails as gmem_recorder_plan, gmem_model_create, gmem_pool_create and
// gmem_pool_populate do; the recorder then has no pool, or its old one.
GMEM_MUST_USE gmem_status_t gmem_recorder_populate(
    gmem_recorder_t *recorder, const gmem_provider_t *provider,
    const gmem_pool_options_t *options, gmem_diag_t *diag);

// Lets the groups lease slots of |pool| (retained), a pool of a model of the
// plan. Fails with INVALID_ARGUMENT (NULL, no plan, a pool of another plan) or
// STATE (there is a pool). Any thread.
GMEM_MUST_USE gmem_status_t gmem_recorder_use_pool(gmem_recorder_t *recorder,
                                                   gmem_pool_t *pool,
                                                   gmem_diag_t *diag);

// The pool, for statistics, trimming and interrupts; NULL before there is one.
// Valid as long as the recorder or one of its groups. Any thread.
gmem_pool_t *gmem_recorder_pool(const gmem_recorder_t *recorder);

//===--- memory of a group ------------------------------------------------===//

// A group's memory while it is held. Filled by gmem_memory_group_acquire; of
// one request, like the lease.
typedef struct gmem_memory_hold_s {
  gmem_memory_group_t *group;
  gmem_lease_t *lease; // for the functions on leases; NULL if immediate
} gmem_memory_hold_t;

// Takes a slot for the group: gmem_lease_acquire with the same time-out, order
// and failures. Fails with STATE before there is a pool. An immediate group has
// one copy of its objects: BUSY while it is held. *out_hold is all zero on
// failure. Any thread, also several at a time with the same group.
GMEM_MUST_USE gmem_status_t
gmem_memory_group_acquire(gmem_memory_group_t *group, int64_t timeout_ns,
                          gmem_memory_hold_t *out_hold);

// Returns the slot and clears |hold|. SENSITIVE objects are zeroed. NULL and an
// all-zero hold are allowed. Any thread, one at a time with the same hold.
void gmem_memory_group_release(gmem_memory_hold_t *hold);

// The address of an object while its group is held, as gmem_lease_host and
// gmem_lease_device. Fail with INVALID_ARGUMENT, OUT_OF_RANGE or UNSUPPORTED;
// *out is then NULL or 0. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_memory_hold_host(const gmem_memory_hold_t *hold,
                      gmem_memory_object_t object, void **out_ptr);
GMEM_MUST_USE gmem_status_t
gmem_memory_hold_device(const gmem_memory_hold_t *hold,
                        gmem_memory_object_t object, uint64_t *out_address);

// The buffer of an object in the plan, or GMEM_NONE without one: for functions
// on leases. Any thread, after planning.
gmem_buffer_t gmem_memory_group_buffer(const gmem_memory_group_t *group,
                                       gmem_memory_object_t object);

GMEM_END_C
#endif // GMEM_RECORDER_H_
