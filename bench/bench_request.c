// bench_request.c - see bench_request.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include "bench_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ARENA_ALIGN = 4096 };

//===--- what a network does ----------------------------------------------===//

static bool is_used(const gmem_buffer_info_t *info) {
  return info->space >= GMEM_SPACE_ACTIVATION && info->parent == GMEM_NONE &&
         info->payload > 0;
}

// Puts the regions of a slot one after the other.
static uint64_t *place_regions(bench_steps_t *steps) {
  uint32_t count = gmem_plan_region_count(steps->plan);
  uint64_t *places = bench_alloc(count + 1, sizeof *places);
  for (uint32_t r = 0; r < count; ++r) {
    gmem_region_info_t info;
    bench_must(gmem_plan_region(steps->plan, r, &info), NULL);
    places[r] = steps->arena_size;
    if (info.space >= GMEM_SPACE_ACTIVATION)
      steps->arena_size +=
          (info.size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
  }
  return places;
}

static void place_buffers(bench_steps_t *steps) {
  uint32_t count = gmem_plan_buffer_count(steps->plan);
  uint64_t *regions = place_regions(steps);
  steps->sizes = bench_alloc(count + 1, sizeof *steps->sizes);
  steps->places = bench_alloc(count + 1, sizeof *steps->places);
  steps->offsets = bench_alloc(count + 1, sizeof *steps->offsets);
  steps->regions = bench_alloc(count + 1, sizeof *steps->regions);
  for (gmem_buffer_t id = 0; id < count; ++id) {
    gmem_buffer_info_t info;
    bench_must(gmem_plan_buffer(steps->plan, id, &info), NULL);
    steps->sizes[id] = info.payload;
    steps->places[id] = regions[info.region] + info.offset;
    steps->offsets[id] = info.offset;
    steps->regions[id] = info.region;
    if (!is_used(&info))
      continue;
    steps->value_count += info.range_count;
    steps->value_bytes += info.range_count * info.payload;
  }
  free(regions);
}

// An event at a step; within a step lives begin before others end.
typedef struct dated_s {
  uint64_t date;
  bench_event_t event;
} dated_t;

static int compare_dates(const void *left, const void *right) {
  const dated_t *l = left, *r = right;
  if (l->date != r->date)
    return l->date < r->date ? -1 : 1;
  return (l->event.value > r->event.value) - (l->event.value < r->event.value);
}

static void order_events(bench_steps_t *steps) {
  dated_t *all = bench_alloc(2 * (size_t)steps->value_count + 1, sizeof *all);
  uint32_t value = 0, count = 0;
  for (gmem_buffer_t id = 0; id < gmem_plan_buffer_count(steps->plan); ++id) {
    gmem_buffer_info_t info;
    bench_must(gmem_plan_buffer(steps->plan, id, &info), NULL);
    for (uint32_t r = 0; is_used(&info) && r < info.range_count; ++r) {
      uint64_t begin = info.ranges[r].begin, last = info.ranges[r].end - 1;
      all[count++] = (dated_t){2 * begin, {true, id, value}};
      all[count++] = (dated_t){2 * last + 1, {false, id, value++}};
    }
  }
  qsort(all, count, sizeof *all, compare_dates);
  steps->events = bench_alloc(count + 1, sizeof *steps->events);
  steps->event_count = count;
  for (uint32_t i = 0; i < count; ++i)
    steps->events[i] = all[i].event;
  free(all);
}

void bench_read_steps(const char *path, bench_steps_t *steps) {
  gmem_diag_t diag = {.status = GMEM_OK};
  *steps = (bench_steps_t){.plan = NULL};
  bench_must(gmem_plan_load_file(path, 0, NULL, &steps->plan, &diag), &diag);
  place_buffers(steps);
  order_events(steps);
}

void bench_free_steps(bench_steps_t *steps) {
  gmem_plan_release(steps->plan);
  free(steps->events);
  free(steps->sizes);
  free(steps->places);
  free(steps->offsets);
  free(steps->regions);
}

//===--- touching ---------------------------------------------------------===//

// The byte of a page that is touched: in another set of the processor's cache
// from page to page, or the cache alone would be measured.
static uint64_t in_page(uint64_t at, uint64_t size) {
  enum { LINES = 13, LINE = 64 };
  uint64_t byte = at + at / PAGE * LINES * LINE % PAGE;
  return byte < size ? byte : at;
}

static void write_buffer(uint8_t *bytes, uint64_t size, bench_touch_t touch) {
  if (touch == BENCH_EVERY_BYTE) {
    memset(bytes, 1, size);
    return;
  }
  if (touch == BENCH_ONE_BYTE)
    size = 1;
  for (uint64_t at = 0; at < size; at += PAGE)
    *(volatile uint8_t *)(bytes + in_page(at, size)) = 1;
}

static uint64_t read_words(const uint8_t *bytes, uint64_t size) {
  uint64_t sum = 0, word = 0, at = 0;
  for (; at + sizeof word <= size; at += sizeof word) {
    memcpy(&word, bytes + at, sizeof word);
    sum += word;
  }
  for (; at < size; ++at)
    sum += bytes[at];
  return sum;
}

static uint64_t read_buffer(const uint8_t *bytes, uint64_t size,
                            bench_touch_t touch) {
  uint64_t sum = 0;
  if (touch == BENCH_EVERY_BYTE)
    return read_words(bytes, size);
  if (touch == BENCH_ONE_BYTE)
    size = 1;
  for (uint64_t at = 0; at < size; at += PAGE)
    sum += *(const volatile uint8_t *)(bytes + in_page(at, size));
  return sum;
}

static void touch(bench_requester_t *it, const bench_event_t *event,
                  uint8_t *bytes) {
  uint64_t size = it->steps->sizes[event->buffer];
  if (event->begins)
    write_buffer(bytes, size, it->touch);
  else
    it->sum += read_buffer(bytes, size, it->touch);
}

//===--- sources of memory ------------------------------------------------===//

static gmem_lease_t *acquire(const bench_requester_t *it) {
  gmem_lease_t *lease = NULL;
  bench_must(
      gmem_lease_acquire(it->pool, GMEM_NONE, NULL, GMEM_WAIT_FOREVER, &lease),
      NULL);
  return lease;
}

// As programs do that have been compiled for a plan.
static void run_on_regions(bench_requester_t *it) {
  const bench_steps_t *steps = it->steps;
  void *regions[GMEM_PLAN_MAX_REGIONS];
  gmem_lease_t *lease = acquire(it);
  for (uint32_t r = 0; r < gmem_plan_region_count(steps->plan); ++r)
    bench_must(gmem_lease_region(lease, r, &regions[r]), NULL);
  for (uint32_t i = 0; i < steps->event_count; ++i) {
    const bench_event_t *event = &steps->events[i];
    uint8_t *region = regions[steps->regions[event->buffer]];
    touch(it, event, region + steps->offsets[event->buffer]);
  }
  gmem_lease_release(lease);
}

static void run_by_id(bench_requester_t *it) {
  gmem_lease_t *lease = acquire(it);
  for (uint32_t i = 0; i < it->steps->event_count; ++i) {
    const bench_event_t *event = &it->steps->events[i];
    void *bytes = NULL;
    bench_must(gmem_lease_host(lease, event->buffer, &bytes), NULL);
    touch(it, event, bytes);
  }
  gmem_lease_release(lease);
}

static void run_on_heap(bench_requester_t *it) {
  for (uint32_t i = 0; i < it->steps->event_count; ++i) {
    const bench_event_t *event = &it->steps->events[i];
    void **bytes = &it->values[event->value];
    if (event->begins)
      *bytes = malloc(it->steps->sizes[event->buffer]);
    if (!*bytes)
      exit(1);
    touch(it, event, *bytes);
    if (!event->begins)
      free(*bytes);
  }
}

static void run_on_arena(bench_requester_t *it, uint8_t *arena) {
  for (uint32_t i = 0; i < it->steps->event_count; ++i) {
    const bench_event_t *event = &it->steps->events[i];
    touch(it, event, arena + it->steps->places[event->buffer]);
  }
}

static void run_on_one_malloc(bench_requester_t *it) {
  uint8_t *arena = malloc(it->steps->arena_size);
  if (!arena)
    exit(1);
  run_on_arena(it, arena);
  free(arena);
}

static void run_on_mmap(bench_requester_t *it) {
  size_t size = it->steps->arena_size;
  uint8_t *arena = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (arena == MAP_FAILED)
    exit(1);
  run_on_arena(it, arena);
  munmap(arena, size);
}

void bench_run_request(bench_requester_t *requester) {
  switch (requester->source) {
  case BENCH_POOL:
    run_on_regions(requester);
    break;
  case BENCH_POOL_BY_ID:
    run_by_id(requester);
    break;
  case BENCH_HEAP_PER_LIFE:
    run_on_heap(requester);
    break;
  case BENCH_HEAP:
    run_on_one_malloc(requester);
    break;
  case BENCH_MMAP:
    run_on_mmap(requester);
    break;
  }
}
