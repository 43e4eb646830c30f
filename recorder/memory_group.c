// memory_group.c - memory groups: recording of objects, and holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // explicit_bzero

#include "recorder_object.h"

#include <string.h>

#include "runtime_support.h"

//===--- creation ---------------------------------------------------------===//

static char *copy_text(const gmem_allocator_t *allocator, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = gmem_rt_alloc_raw(allocator, size, 1);
  return copy ? memcpy(copy, text, size) : NULL;
}

static void free_text(const gmem_allocator_t *allocator, char *text) {
  if (text)
    gmem_rt_free(allocator, text, strlen(text) + 1, 1);
}

static gmem_status_t check_join(gmem_recorder_t *recorder,
                                const gmem_memory_group_t *group,
                                gmem_diag_t *diag)
    GMEM_REQUIRES(&recorder->lock) {
  if (recorder->has_owner && !pthread_equal(recorder->owner, group->owner))
    return gmem_rt_fail(diag, GMEM_ERR_STATE,
                        "another thread configures this recorder");
  if (atomic_load(&recorder->plan))
    return gmem_rt_fail(diag, GMEM_ERR_STATE,
                        "the plan of this recorder is made: no more groups");
  for (const gmem_memory_group_t *other = recorder->first; other;
       other = other->next)
    if (strcmp(other->name, group->name) == 0)
      return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                          "the recorder has a group '%.*s'",
                          gmem_rt_shown(group->name), group->name);
  return GMEM_OK;
}

// Adds |group| to its recorder; its creator is the configuring thread.
static gmem_status_t join(gmem_memory_group_t *group, gmem_diag_t *diag) {
  gmem_recorder_t *recorder = group->recorder;
  gmem_mutex_lock(&recorder->lock);
  gmem_status_t status = check_join(recorder, group, diag);
  if (status == GMEM_OK) {
    recorder->has_owner = true;
    recorder->owner = group->owner;
    group->previous = recorder->last;
    *(recorder->last ? &recorder->last->next : &recorder->first) = group;
    recorder->last = group;
    atomic_fetch_add(&recorder->references, 1);
  }
  gmem_mutex_unlock(&recorder->lock);
  return status;
}

static void leave(gmem_memory_group_t *group) {
  gmem_recorder_t *recorder = group->recorder;
  gmem_mutex_lock(&recorder->lock);
  *(group->previous ? &group->previous->next : &recorder->first) = group->next;
  *(group->next ? &group->next->previous : &recorder->last) = group->previous;
  gmem_mutex_unlock(&recorder->lock);
  gmem_recorder_drop(recorder);
}

static void free_group(gmem_memory_group_t *group) {
  gmem_allocator_t own = group->allocator;
  for (uint32_t i = 0; i < group->count; ++i) {
    if (!group->recorder)
      gmem_region_unmap(&group->provider, &group->objects[i].memory);
    free_text(&own, group->objects[i].name);
  }
  GMEM_RT_FREE(&own, group->objects, group->room);
  free_text(&own, group->name);
  GMEM_RT_FREE(&own, group, 1);
}

// The number of the next group of |recorder|, for a name.
static uint32_t next_number(gmem_recorder_t *recorder) {
  if (!recorder)
    return 0;
  gmem_mutex_lock(&recorder->lock);
  uint32_t number = recorder->created++;
  gmem_mutex_unlock(&recorder->lock);
  return number;
}

static gmem_status_t set_up(gmem_memory_group_t *group, const char *name,
                            gmem_diag_t *diag) {
  char made[32];
  if (!name) {
    snprintf(made, sizeof made, "group%u", next_number(group->recorder));
    name = made;
  }
  group->name = copy_text(&group->allocator, name);
  if (!group->name)
    return gmem_rt_out_of_memory(diag);
  return group->recorder ? join(group, diag) : GMEM_OK;
}

gmem_status_t gmem_memory_group_create(gmem_recorder_t *recorder,
                                       const char *name,
                                       const gmem_provider_t *provider,
                                       const gmem_allocator_t *allocator,
                                       gmem_memory_group_t **out_group,
                                       gmem_diag_t *diag) {
  if (!out_group)
    return gmem_rt_invalid(diag, "out_group is NULL");
  *out_group = NULL;
  if (!recorder && !gmem_provider_is_complete(provider))
    return gmem_rt_invalid(diag, "a group without a recorder needs a provider "
                                 "with all mandatory functions");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_memory_group_t *group;
  GMEM_RT_ALLOC(group, &own, 1, diag);
  group->allocator = own;
  group->recorder = recorder;
  if (!recorder)
    group->provider = *provider;
  group->owner = pthread_self();
  group->id = group->first = GMEM_NONE;
  gmem_status_t status = set_up(group, name, diag);
  if (status != GMEM_OK) {
    free_group(group);
    return status;
  }
  *out_group = group;
  return GMEM_OK;
}

void gmem_memory_group_destroy(gmem_memory_group_t *group) {
  if (!group)
    return;
  GMEM_ASSERT(!atomic_load(&group->held));
  if (group->recorder)
    leave(group);
  free_group(group);
}

//===--- recording --------------------------------------------------------===//

// Whether the caller may record in |group|.
static gmem_status_t check_recording(const gmem_memory_group_t *group,
                                     gmem_diag_t *diag) {
  if (!pthread_equal(group->owner, pthread_self()))
    return gmem_rt_fail(diag, GMEM_ERR_STATE,
                        "another thread configures group '%.*s'",
                        gmem_rt_shown(group->name), group->name);
  if (group->recorder && atomic_load(&group->recorder->plan))
    return gmem_rt_fail(diag, GMEM_ERR_STATE,
                        "the plan of group '%.*s' is made: its lifetimes "
                        "cannot change",
                        gmem_rt_shown(group->name), group->name);
  return GMEM_OK;
}

static gmem_status_t check_spec(const gmem_memory_object_spec_t *spec,
                                gmem_diag_t *diag) {
  if (spec->flags & ~(uint32_t)GMEM_BUFFER_SENSITIVE ||
      (spec->alignment && !gmem_rt_is_power_of_two(spec->alignment)))
    return gmem_rt_invalid(diag, "the object has unknown flags, or an "
                                 "alignment that is not a power of two");
  if (spec->size > GMEM_PLAN_MAX_ADDRESS ||
      spec->alignment > GMEM_PLAN_MAX_ALIGNMENT)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                        "the size or the alignment of the object is too large");
  return GMEM_OK;
}

// Makes room for one more object.
static gmem_status_t grow(gmem_memory_group_t *group, gmem_diag_t *diag) {
  if (group->count < group->room)
    return GMEM_OK;
  if (group->count >= GMEM_PLAN_MAX_BUFFERS)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                        "the group has more objects than a plan can have");
  uint32_t room = group->room ? group->room * 2 : 8;
  gmem_recorded_t *objects;
  GMEM_RT_ALLOC(objects, &group->allocator, room, diag);
  if (group->count > 0)
    memcpy(objects, group->objects, group->count * sizeof *objects);
  GMEM_RT_FREE(&group->allocator, group->objects, group->room);
  group->objects = objects;
  group->room = room;
  return GMEM_OK;
}

// Sets the name of |object| to "GROUP.NAME".
static gmem_status_t name_object(const gmem_memory_group_t *group,
                                 const char *name, gmem_recorded_t *object,
                                 gmem_diag_t *diag) {
  char number[16];
  snprintf(number, sizeof number, "%u", group->count);
  if (!name)
    name = number;
  size_t size = strlen(group->name) + strlen(name) + 2;
  object->name = gmem_rt_alloc_raw(&group->allocator, size, 1);
  if (!object->name)
    return gmem_rt_out_of_memory(diag);
  snprintf(object->name, size, "%s.%s", group->name, name);
  return GMEM_OK;
}

// Maps the memory of an object of an immediate group.
static gmem_status_t map_now(const gmem_memory_group_t *group,
                             gmem_recorded_t *object, gmem_diag_t *diag) {
  gmem_region_layout_t layout = {.size = object->size, .align = object->align};
  GMEM_TRY(gmem_region_map_at(&group->provider, &layout, GMEM_ANY_ADDRESS, 0,
                              &object->memory, diag));
  if (!(object->flags & GMEM_BUFFER_SENSITIVE) || object->memory.place.host)
    return GMEM_OK;
  gmem_region_unmap(&group->provider, &object->memory);
  return gmem_rt_unsupported(diag,
                             "memory without a host address cannot be zeroed");
}

gmem_status_t gmem_memory_group_begin(gmem_memory_group_t *group,
                                      const gmem_memory_object_spec_t *spec,
                                      gmem_memory_object_t *out_object,
                                      gmem_diag_t *diag) {
  if (!group || !spec || !out_object)
    return gmem_rt_invalid(diag, "group, spec or out_object is NULL");
  GMEM_TRY(check_recording(group, diag));
  GMEM_TRY(check_spec(spec, diag));
  GMEM_TRY(grow(group, diag));
  gmem_recorded_t object = {.size = spec->size,
                            .align = spec->alignment ? spec->alignment : 1,
                            .flags = spec->flags};
  GMEM_TRY(name_object(group, spec->name, &object, diag));
  gmem_status_t status =
      group->recorder ? GMEM_OK : map_now(group, &object, diag);
  if (status != GMEM_OK) {
    free_text(&group->allocator, object.name);
    return status;
  }
  // Time passes only from an end to the next begin: what happens between can
  // happen at one step.
  group->step += group->ended;
  group->ended = false;
  object.begin = group->step;
  *out_object = group->count;
  group->objects[group->count++] = object;
  return GMEM_OK;
}

gmem_status_t gmem_memory_group_end(gmem_memory_group_t *group,
                                    gmem_memory_object_t object,
                                    gmem_diag_t *diag) {
  if (!group)
    return gmem_rt_invalid(diag, "group is NULL");
  GMEM_TRY(check_recording(group, diag));
  if (object >= group->count)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                        "group '%.*s' has %u objects: there is no object %u",
                        gmem_rt_shown(group->name), group->name, group->count,
                        object);
  gmem_recorded_t *ended = &group->objects[object];
  if (ended->end != 0)
    return gmem_rt_fail(diag, GMEM_ERR_STATE, "object '%.*s' has ended before",
                        gmem_rt_shown(ended->name), ended->name);
  ended->end = group->step + 1;
  group->ended = true;
  return GMEM_OK;
}

//===--- holding ----------------------------------------------------------===//

gmem_status_t gmem_memory_group_acquire(gmem_memory_group_t *group,
                                        int64_t timeout_ns,
                                        gmem_memory_hold_t *out_hold) {
  if (!out_hold)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_hold = (gmem_memory_hold_t){0};
  if (!group || timeout_ns < 0)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (!group->recorder) {
    if (atomic_exchange(&group->held, true))
      return GMEM_ERR_BUSY;
  } else {
    gmem_pool_t *pool = gmem_recorder_pool(group->recorder);
    if (!pool)
      return GMEM_ERR_STATE;
    GMEM_TRY(gmem_lease_acquire(pool, group->id, NULL, timeout_ns,
                                &out_hold->lease));
  }
  out_hold->group = group;
  return GMEM_OK;
}

// Ends the use of an immediate group.
static void give_back(gmem_memory_group_t *group) {
  for (uint32_t i = 0; i < group->count; ++i) {
    const gmem_recorded_t *object = &group->objects[i];
    if (object->flags & GMEM_BUFFER_SENSITIVE)
      explicit_bzero(object->memory.place.host, (size_t)object->size);
  }
  atomic_store(&group->held, false);
}

void gmem_memory_group_release(gmem_memory_hold_t *hold) {
  if (!hold || !hold->group)
    return;
  if (hold->lease)
    gmem_lease_release(hold->lease);
  else
    give_back(hold->group);
  *hold = (gmem_memory_hold_t){0};
}

// The memory of an object of an immediate group that is held.
static gmem_status_t find_held(const gmem_memory_hold_t *hold,
                               gmem_memory_object_t object,
                               const gmem_place_t **out_place) {
  if (object >= hold->group->count)
    return GMEM_ERR_OUT_OF_RANGE;
  *out_place = &hold->group->objects[object].memory.place;
  return GMEM_OK;
}

gmem_status_t gmem_memory_hold_host(const gmem_memory_hold_t *hold,
                                    gmem_memory_object_t object,
                                    void **out_ptr) {
  if (!out_ptr)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_ptr = NULL;
  if (!hold || !hold->group)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (hold->lease)
    return gmem_lease_host(
        hold->lease, gmem_memory_group_buffer(hold->group, object), out_ptr);
  const gmem_place_t *place = NULL;
  GMEM_TRY(find_held(hold, object, &place));
  *out_ptr = place->host;
  return place->host ? GMEM_OK : GMEM_ERR_UNSUPPORTED;
}

gmem_status_t gmem_memory_hold_device(const gmem_memory_hold_t *hold,
                                      gmem_memory_object_t object,
                                      uint64_t *out_address) {
  if (!out_address)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_address = 0;
  if (!hold || !hold->group)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (hold->lease)
    return gmem_lease_device(hold->lease,
                             gmem_memory_group_buffer(hold->group, object),
                             out_address);
  const gmem_place_t *place = NULL;
  GMEM_TRY(find_held(hold, object, &place));
  *out_address = place->device;
  return GMEM_OK;
}

gmem_buffer_t gmem_memory_group_buffer(const gmem_memory_group_t *group,
                                       gmem_memory_object_t object) {
  if (!group || group->first == GMEM_NONE || object >= group->count)
    return GMEM_NONE;
  return group->first + object;
}
