// high_water.c - see high_water.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "high_water.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "ir_reading.h"
#include "messages.h"
#include "op_marks.h"
#include "text_table.h"

enum { MAX_LINE = 512 };

// When an op runs: one of the times of the op with that number.
typedef struct moment_s {
  int64_t number, begin, end;
  bool is_call; // after which another mark follows
} moment_t;

typedef struct watch_s {
  uint32_t set;     // the first buffer that it shares bytes with, by aliases
  bool is_watched;  // has bytes of its own in a workspace pool
  bool is_open;     // is live now
  bool is_unknown;  // was written before a mark told that it is live
  uint64_t closed;  // the last mark at which it was live no more
  uint8_t *written; // a bit for each byte
} watch_t;

typedef struct arena_s {
  uint8_t *base;    // NULL: not watched
  uint8_t *written; // a bit for each byte
} arena_t;

struct gmem_high_water_s {
  const gmem_planned_t *planned;
  const gmem_mapped_plan_t *memory;
  moment_t *moments;
  size_t moment_count;
  watch_t *watches; // by buffer
  arena_t *arenas;  // by pool
  moment_t *calls;  // that have not returned
  size_t call_count, call_room;
  uint64_t marks; // in this run
  int64_t step;   // that runs
  uint8_t pattern;
};

static _Thread_local gmem_high_water_t *running;

//===--- what is watched --------------------------------------------------===//

static uint8_t *new_bits(uint64_t count) {
  return gmem_need(calloc((size_t)(count / 8 + 1), 1));
}

static void set_bit(uint8_t *bits, uint64_t index) {
  bits[index / 8] |= (uint8_t)(1u << (index % 8));
}

static bool bit(const uint8_t *bits, uint64_t index) {
  return bits[index / 8] >> (index % 8) & 1;
}

static int compare_moments(const void *a, const void *b) {
  const moment_t *left = a, *right = b;
  if (left->number != right->number)
    return left->number < right->number ? -1 : 1;
  return (left->begin > right->begin) - (left->begin < right->begin);
}

static void find_moments(gmem_high_water_t *water) {
  size_t count = gmem_planned_span_count(water->planned);
  water->moments = gmem_need(calloc(count + 1, sizeof *water->moments));
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_span_t *span = gmem_planned_span(water->planned, i);
    int64_t number = gmem_op_marks_find(span->ir);
    if (number >= 0)
      water->moments[water->moment_count++] = (moment_t){
          number, span->begin, span->end, gmem_op_is(span->ir, "func.call")};
  }
  qsort(water->moments, water->moment_count, sizeof *water->moments,
        compare_moments);
}

static uint32_t set_of(gmem_high_water_t *water, uint32_t buffer) {
  while (water->watches[buffer].set != buffer)
    buffer = water->watches[buffer].set =
        water->watches[water->watches[buffer].set].set;
  return buffer;
}

static void unite(gmem_high_water_t *water, uint32_t a, uint32_t b) {
  a = set_of(water, a);
  b = set_of(water, b);
  water->watches[a > b ? a : b].set = a > b ? b : a;
}

static void find_buffers(gmem_high_water_t *water) {
  uint32_t count = gmem_planned_buffer_count(water->planned);
  water->watches = gmem_need(calloc(count + (size_t)1, sizeof(watch_t)));
  for (uint32_t i = 0; i < count; ++i)
    water->watches[i].set = i;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(water->planned, i);
    watch_t *watch = &water->watches[i];
    watch->is_watched = buffer->alias_of == GMEM_NO_BUFFER &&
                        water->arenas[buffer->pool].written && buffer->size > 0;
    if (watch->is_watched)
      watch->written = new_bits(buffer->size);
    if (buffer->alias_of != GMEM_NO_BUFFER)
      unite(water, i, buffer->alias_of);
  }
  for (size_t i = 0; i < gmem_planned_alias_count(water->planned); ++i) {
    const gmem_planned_alias_t *alias = gmem_planned_alias(water->planned, i);
    unite(water, alias->child, alias->parent);
  }
}

gmem_high_water_t *gmem_high_water_create(const gmem_planned_t *planned,
                                          const gmem_mapped_plan_t *memory) {
  gmem_high_water_t *water = gmem_need(calloc(1, sizeof *water));
  uint32_t pools = gmem_planned_pool_count(planned);
  *water = (gmem_high_water_t){.planned = planned, .memory = memory};
  water->arenas = gmem_need(calloc(pools + (size_t)1, sizeof(arena_t)));
  for (uint32_t i = 0; i < pools; ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
    if (!pool->constant &&
        gmem_planned_memory_region(memory, pool->name) != GMEM_NONE)
      water->arenas[i].written = new_bits(pool->size);
  }
  find_moments(water);
  find_buffers(water);
  return water;
}

void gmem_high_water_destroy(gmem_high_water_t *water) {
  if (!water)
    return;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(water->planned); ++i)
    free(water->watches[i].written);
  for (uint32_t i = 0; i < gmem_planned_pool_count(water->planned); ++i)
    free(water->arenas[i].written);
  free(water->watches);
  free(water->arenas);
  free(water->moments);
  free(water->calls);
  free(water);
}

//===--- live ranges ------------------------------------------------------===//

static bool is_live(const gmem_planned_buffer_t *buffer, int64_t step) {
  for (size_t i = 0; i < buffer->range_count; ++i)
    if (buffer->ranges[i].begin <= step && step < buffer->ranges[i].end)
      return true;
  return false;
}

static bool begins(const gmem_planned_buffer_t *buffer, int64_t step) {
  for (size_t i = 0; i < buffer->range_count; ++i)
    if (buffer->ranges[i].begin == step)
      return true;
  return false;
}

static void scan(gmem_high_water_t *water, uint32_t index) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(water->planned, index);
  watch_t *watch = &water->watches[index];
  const arena_t *arena = &water->arenas[buffer->pool];
  const uint8_t *bytes = arena->base + buffer->offset;
  watch->is_open = false;
  watch->closed = water->marks;
  if (watch->is_unknown)
    return;
  for (uint64_t i = 0; i < buffer->size; ++i)
    if (bytes[i] != water->pattern) {
      set_bit(watch->written, i);
      set_bit(arena->written, buffer->offset + i);
    }
}

// Whether the bytes of |other| must stay as they are when |index| begins: it is
// live, or its live range has just ended and |index| is an alias of it.
static bool is_kept(gmem_high_water_t *water, uint32_t index, uint32_t other) {
  const watch_t *watch = &water->watches[other];
  return watch->is_open || (watch->closed == water->marks &&
                            set_of(water, other) == set_of(water, index));
}

// Fills the bytes from |begin| to |end| of a pool, except those that later
// buffers than |next| keep, for the buffer |index|.
static void fill(gmem_high_water_t *water, uint32_t index, uint32_t next,
                 uint64_t begin, uint64_t end) {
  uint32_t pool = gmem_planned_buffer(water->planned, index)->pool;
  for (; next < gmem_planned_buffer_count(water->planned); ++next) {
    const gmem_planned_buffer_t *other =
        gmem_planned_buffer(water->planned, next);
    uint64_t other_end = other->offset + other->size;
    if (next == index || other->pool != pool || other->offset >= end ||
        other_end <= begin || !water->watches[next].is_watched ||
        !is_kept(water, index, next))
      continue;
    if (other->offset > begin)
      fill(water, index, next + 1, begin, other->offset);
    if (other_end >= end)
      return;
    begin = other_end;
  }
  memset(water->arenas[pool].base + begin, water->pattern,
         (size_t)(end - begin));
}

static void open(gmem_high_water_t *water, uint32_t index) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(water->planned, index);
  watch_t *watch = &water->watches[index];
  watch->is_open = true;
  if (begins(buffer, water->step) || water->marks == 1)
    fill(water, index, 0, buffer->offset, buffer->offset + buffer->size);
  else
    watch->is_unknown = true;
}

// The op that runs next begins at |step|.
static void advance(gmem_high_water_t *water, int64_t step) {
  uint32_t count = gmem_planned_buffer_count(water->planned);
  if (step == water->step)
    return;
  water->step = step;
  ++water->marks;
  for (uint32_t i = 0; i < count; ++i)
    if (water->watches[i].is_open &&
        !is_live(gmem_planned_buffer(water->planned, i), step))
      scan(water, i);
  for (uint32_t i = 0; i < count; ++i)
    if (water->watches[i].is_watched && !water->watches[i].is_open &&
        is_live(gmem_planned_buffer(water->planned, i), step))
      open(water, i);
}

//===--- marks ------------------------------------------------------------===//

// The time of the op |number| within the call that runs.
static const moment_t *find_moment(const gmem_high_water_t *water,
                                   int64_t number) {
  const moment_t *call =
      water->call_count ? &water->calls[water->call_count - 1] : NULL;
  size_t low = 0, high = water->moment_count;
  moment_t wanted = {.number = number, .begin = call ? call->begin : 0};
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_moments(&water->moments[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const moment_t *found = &water->moments[low];
  return low < water->moment_count && found->number == number &&
                 (!call || found->begin < call->end)
             ? found
             : NULL;
}

// Ends at the return of the call.
static void enter(gmem_high_water_t *water, const moment_t *moment) {
  if (water->call_count == water->call_room) {
    water->call_room = 2 * water->call_room + 16;
    water->calls = gmem_need(
        realloc(water->calls, water->call_room * sizeof *water->calls));
  }
  water->calls[water->call_count++] = *moment;
}

void gmem_run_mark(int64_t number) {
  gmem_high_water_t *water = running;
  if (!water)
    return;
  if (number < 0) {
    while (water->call_count > 0 &&
           water->calls[--water->call_count].number != ~number)
      ;
    return;
  }
  const moment_t *moment = find_moment(water, number);
  if (!moment)
    return; // it has no tensors
  advance(water, moment->begin);
  if (moment->is_call)
    enter(water, moment);
}

//===--- a run ------------------------------------------------------------===//

void gmem_high_water_begin(gmem_high_water_t *water, gmem_lease_t *lease,
                           uint8_t pattern) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(water->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(water->planned, i);
    void *base = NULL;
    if (!water->arenas[i].written ||
        gmem_lease_region(lease,
                          gmem_planned_memory_region(water->memory, pool->name),
                          &base) != GMEM_OK)
      continue;
    water->arenas[i].base = base;
    memset(base, pattern, (size_t)pool->size);
  }
  water->pattern = pattern;
  water->marks = 0;
  water->step = -1;
  water->call_count = 0;
  running = water;
}

void gmem_high_water_end(gmem_high_water_t *water) {
  running = NULL;
  ++water->marks;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(water->planned); ++i)
    if (water->watches[i].is_open)
      scan(water, i);
}

//===--- what was measured ------------------------------------------------===//

static uint64_t count_bits(const uint8_t *bits, uint64_t size) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < size; ++i)
    count += bit(bits, i);
  return count;
}

static uint64_t end_of_bits(const uint8_t *bits, uint64_t size) {
  while (size > 0 && !bit(bits, size - 1))
    --size;
  return size;
}

void gmem_high_water_print(const gmem_high_water_t *water) {
  gmem_table_t table = {0};
  gmem_table_row_t *head = gmem_table_add(&table, "pool");
  gmem_table_cell(head, "planned");
  gmem_table_cell(head, "written");
  gmem_table_cell(head, "high-water mark");
  for (uint32_t i = 0; i < gmem_planned_pool_count(water->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(water->planned, i);
    const uint8_t *written = water->arenas[i].written;
    if (!written)
      continue;
    gmem_table_row_t *row = gmem_table_add(&table, pool->name);
    gmem_table_cell(row, "%" PRIu64, pool->size);
    gmem_table_cell(row, "%" PRIu64, count_bits(written, pool->size));
    gmem_table_cell(row, "%" PRIu64, end_of_bits(written, pool->size));
  }
  (void)gmem_table_print(&table);
}

static void put(gmem_output_t *output, const char *kind, uint64_t size,
                const char *figures, const char *name) {
  char line[MAX_LINE];
  int length = snprintf(line, sizeof line, "%s %" PRIu64 " %s %s\n", kind, size,
                        figures, name);
  assert(length < MAX_LINE);
  (void)gmem_output_write(output, line,
                          (size_t)length); // the commit reports it
}

static void put_all(const gmem_high_water_t *water, gmem_output_t *output) {
  char figures[64];
  for (uint32_t i = 0; i < gmem_planned_pool_count(water->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(water->planned, i);
    const uint8_t *written = water->arenas[i].written;
    if (!written)
      continue;
    snprintf(figures, sizeof figures, "%" PRIu64 " %" PRIu64,
             count_bits(written, pool->size), end_of_bits(written, pool->size));
    put(output, "pool", pool->size, figures, pool->name);
  }
  for (uint32_t i = 0; i < gmem_planned_buffer_count(water->planned); ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(water->planned, i);
    const watch_t *watch = &water->watches[i];
    if (!watch->is_watched || watch->is_unknown)
      continue;
    snprintf(figures, sizeof figures, "%" PRIu64,
             count_bits(watch->written, buffer->size));
    put(output, "buffer", buffer->size, figures, buffer->name);
  }
}

gmem_status_t gmem_high_water_write(const gmem_high_water_t *water,
                                    const char *path) {
  static const char head[] = "gmem-run high-water 1\n";
  gmem_diag_t diag = {0};
  gmem_output_t *output;
  gmem_status_t status = gmem_output_open(path, &output, &diag);
  if (status == GMEM_OK) {
    (void)gmem_output_write(output, head, sizeof head - 1);
    put_all(water, output);
    status = gmem_output_commit(output, &diag);
  }
  return gmem_tool_check(status, &diag, "%s", path);
}
