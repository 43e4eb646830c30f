// machine_memory.c - see machine_memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===--- contents ---------------------------------------------------------===//

typedef struct builder_s {
  machine_arena_t *arena;
  span_t *spans;
  size_t count, room;
  uint64_t size;
} builder_t;

static void append(builder_t *builder, span_t span) {
  if (!span.size)
    return;
  builder->size += span.size;
  span_t *last =
      builder->count ? &builder->spans[builder->count - 1] : &(span_t){0, 0, 0};
  bool goes_on = span.tag == TAG_ANY || last->start + last->size == span.start;
  if (builder->count && last->tag == span.tag && goes_on) {
    last->size += span.size;
    return;
  }
  *(span_t *)machine_push(builder->arena, &builder->spans, &builder->count,
                          &builder->room, sizeof span) = span;
}

static content_t built(const builder_t *builder) {
  return (content_t){builder->spans, builder->count, builder->size};
}

content_t content_of_tag(machine_arena_t *arena, uint64_t tag, uint64_t size) {
  builder_t builder = {.arena = arena};
  append(&builder, (span_t){size, tag, 0});
  return built(&builder);
}

static void append_cut(builder_t *builder, content_t content, uint64_t begin,
                       uint64_t size) {
  uint64_t end = begin + size, at = 0;
  for (size_t i = 0; i < content.count && at < end; ++i) {
    span_t span = content.spans[i];
    uint64_t low = at > begin ? at : begin;
    uint64_t high = at + span.size < end ? at + span.size : end;
    if (low < high)
      append(builder, (span_t){high - low, span.tag, span.start + low - at});
    at += span.size;
  }
  uint64_t known = content.size > begin ? content.size - begin : 0;
  if (known < size)
    append(builder, (span_t){size - known, TAG_ANY, 0});
}

content_t content_cut(machine_arena_t *arena, content_t content, uint64_t begin,
                      uint64_t size) {
  builder_t builder = {.arena = arena};
  append_cut(&builder, content, begin, size);
  return built(&builder);
}

content_t content_join(machine_arena_t *arena, const content_t *parts,
                       size_t count) {
  builder_t builder = {.arena = arena};
  for (size_t i = 0; i < count; ++i)
    append_cut(&builder, parts[i], 0, parts[i].size);
  return built(&builder);
}

content_t content_patch(machine_arena_t *arena, content_t content,
                        content_t part, uint64_t begin) {
  builder_t builder = {.arena = arena};
  uint64_t end = begin + part.size;
  append_cut(&builder, content, 0, begin);
  append_cut(&builder, part, 0, part.size);
  if (end < content.size)
    append_cut(&builder, content, end, content.size - end);
  return built(&builder);
}

//===--- pools ------------------------------------------------------------===//

// The first cell that ends behind |offset|.
static size_t find_cell(const pool_t *pool, uint64_t offset) {
  size_t low = 0, high = pool->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (pool->cells[middle].end <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Replaces |removed| cells at |index| by |added| ones, which are left unset.
static void splice(pool_t *pool, size_t index, size_t removed, size_t added) {
  if (pool->count - removed + added > pool->room) {
    pool->room = 2 * (pool->count + added) + 16;
    pool->cells = realloc(pool->cells, pool->room * sizeof *pool->cells);
    if (!pool->cells) {
      fputs("gmem-machine: error: out of memory\n", stderr);
      exit(2);
    }
  }
  if (pool->cells)
    memmove(pool->cells + index + added, pool->cells + index + removed,
            (pool->count - index - removed) * sizeof *pool->cells);
  pool->count = pool->count - removed + added;
}

static void write_span(pool_t *pool, uint64_t begin, span_t span) {
  uint64_t end = begin + span.size;
  size_t first = find_cell(pool, begin), last = first;
  while (last < pool->count && pool->cells[last].begin < end)
    ++last;
  cell_t made[3];
  size_t count = 0;
  if (first < last && pool->cells[first].begin < begin) {
    made[count] = pool->cells[first];
    made[count++].end = begin;
  }
  made[count++] = (cell_t){begin, end, span.tag, span.start};
  if (first < last && pool->cells[last - 1].end > end) {
    cell_t cell = pool->cells[last - 1];
    made[count++] =
        (cell_t){end, cell.end, cell.tag, cell.start + end - cell.begin};
  }
  splice(pool, first, last - first, count);
  memcpy(pool->cells + first, made, count * sizeof *made);
}

void pool_write(pool_t *pool, uint64_t offset, content_t content) {
  for (size_t i = 0; i < content.count; ++i) {
    span_t span = content.spans[i];
    if (span.tag == TAG_ANY) // whatever is copied, what was there is gone
      span = (span_t){span.size, TAG_NOTHING, 0};
    write_span(pool, offset, span);
    offset += span.size;
  }
}

// Compares one span with the cells from |*cell| on; |*fault| has its |byte|
// from the caller.
static bool span_holds(const pool_t *pool, size_t *cell, uint64_t begin,
                       span_t span, fault_t *fault) {
  uint64_t at = begin, end = begin + span.size;
  while (at < end) {
    while (*cell < pool->count && pool->cells[*cell].end <= at)
      ++*cell;
    const cell_t *here =
        *cell < pool->count ? &pool->cells[*cell] : &(cell_t){end, end, 0, 0};
    uint64_t wanted = span.start + (at - begin);
    *fault = (fault_t){fault->byte, span.tag, wanted, TAG_NOTHING, 0};
    if (here->begin > at)
      return false;
    fault->found = here->tag;
    fault->found_start = here->start + (at - here->begin);
    if (fault->found != span.tag || fault->found_start != wanted)
      return false;
    uint64_t next = here->end < end ? here->end : end;
    fault->byte += next - at;
    at = next;
  }
  return true;
}

bool pool_holds(const pool_t *pool, uint64_t offset, content_t content,
                fault_t *fault) {
  size_t cell = find_cell(pool, offset);
  uint64_t byte = 0;
  for (size_t i = 0; i < content.count; ++i) {
    fault->byte = byte;
    if (content.spans[i].tag != TAG_ANY &&
        !span_holds(pool, &cell, offset + byte, content.spans[i], fault))
      return false;
    byte += content.spans[i].size;
  }
  return true;
}

content_t pool_read(const pool_t *pool, machine_arena_t *arena, uint64_t offset,
                    uint64_t size) {
  builder_t builder = {.arena = arena};
  uint64_t at = offset, end = offset + size;
  for (size_t i = find_cell(pool, offset); at < end; ++i) {
    const cell_t *cell = i < pool->count ? &pool->cells[i] : NULL;
    uint64_t next = cell && cell->begin < end ? cell->begin : end;
    if (at < next) {
      append(&builder, (span_t){next - at, TAG_NOTHING, 0});
      at = next;
    }
    if (at == end)
      break;
    next = cell->end < end ? cell->end : end;
    append(&builder,
           (span_t){next - at, cell->tag, cell->start + (at - cell->begin)});
    at = next;
  }
  return built(&builder);
}

void pool_clear(pool_t *pool) { pool->count = 0; }

void pool_free(pool_t *pool) {
  free(pool->cells);
  pool->cells = NULL;
  pool->count = pool->room = 0;
}
