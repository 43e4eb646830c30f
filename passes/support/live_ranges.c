// live_ranges.c - see live_ranges.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "live_ranges.h"

#include <assert.h>
#include <stdlib.h>

#include "partition_point.h"

static int compare_ranges(const void *a, const void *b) {
  const gmem_live_range_t *left = a, *right = b;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->end > right->end) - (left->end < right->end);
}

static bool is_sorted(const gmem_ranges_t *ranges) {
  for (size_t i = 1; i < ranges->count; ++i)
    if (compare_ranges(&ranges->data[i - 1], &ranges->data[i]) > 0)
      return false;
  return true;
}

void gmem_ranges_normalise(gmem_ranges_t *ranges) {
  if (ranges->count < 2)
    return;
  if (!is_sorted(ranges))
    qsort(ranges->data, ranges->count, sizeof *ranges->data, compare_ranges);
  size_t merged = 1;
  for (size_t i = 1; i < ranges->count; ++i) {
    gmem_live_range_t range = ranges->data[i];
    gmem_live_range_t *last = &ranges->data[merged - 1];
    if (range.begin > last->end)
      ranges->data[merged++] = range;
    else if (range.end > last->end)
      last->end = range.end;
  }
  ranges->count = merged;
}

// Merging before growing keeps the list about as long as its normalised form.
static bool make_room(gmem_ranges_t *ranges) {
  if (ranges->count < ranges->room)
    return true;
  gmem_ranges_normalise(ranges);
  if (ranges->count < ranges->room / 2)
    return true;
  return gmem_bump_grow(ranges->arena, &ranges->data, ranges->room,
                        &ranges->room, sizeof *ranges->data);
}

void gmem_ranges_add(gmem_ranges_t *ranges, int64_t begin, int64_t end) {
  if (begin >= end)
    return;
  if (ranges->count) { // usually the new range extends the last, on either side
    gmem_live_range_t *last = &ranges->data[ranges->count - 1];
    if (begin <= last->end && last->begin <= end) {
      last->begin = begin < last->begin ? begin : last->begin;
      last->end = end > last->end ? end : last->end;
      return;
    }
  }
  if (make_room(ranges))
    ranges->data[ranges->count++] = (gmem_live_range_t){begin, end};
}

void gmem_ranges_add_all(gmem_ranges_t *ranges, const gmem_live_range_t *added,
                         size_t count) {
  for (size_t i = 0; i < count; ++i)
    gmem_ranges_add(ranges, added[i].begin, added[i].end);
}

void gmem_ranges_add_difference(gmem_ranges_t *out, const gmem_ranges_t *ranges,
                                const gmem_ranges_t *taken) {
  assert(gmem_ranges_check(taken->data, taken->count));
  for (size_t i = 0; i < ranges->count; ++i) {
    int64_t begin = ranges->data[i].begin, end = ranges->data[i].end;
    size_t t = gmem_first_range_after(taken->data, taken->count, begin);
    for (; t < taken->count && taken->data[t].begin < end; ++t) {
      gmem_ranges_add(out, begin, taken->data[t].begin);
      begin = taken->data[t].end;
    }
    gmem_ranges_add(out, begin, end);
  }
}

gmem_live_range_t *gmem_ranges_copy(const gmem_ranges_t *ranges) {
  assert(gmem_ranges_check(ranges->data, ranges->count));
  return gmem_bump_copy(ranges->arena, ranges->data, ranges->count,
                        sizeof *ranges->data);
}

static bool ends_before(const void *element, const void *key) {
  const gmem_live_range_t *range = element;
  const int64_t *time = key;
  return range->end <= *time;
}

size_t gmem_first_range_after(const gmem_live_range_t *ranges, size_t count,
                              int64_t time) {
  return gmem_partition_point(&time, ranges, count, sizeof *ranges,
                              ends_before);
}

bool gmem_ranges_contain(const gmem_live_range_t *ranges, size_t count,
                         int64_t time) {
  size_t i = gmem_first_range_after(ranges, count, time);
  return i < count && ranges[i].begin <= time;
}

bool gmem_ranges_meet(const gmem_live_range_t *few, size_t few_count,
                      const gmem_live_range_t *many, size_t many_count) {
  if (few_count > many_count)
    return gmem_ranges_meet(many, many_count, few, few_count);
  for (size_t i = 0; i < few_count; ++i) {
    size_t next = gmem_first_range_after(many, many_count, few[i].begin);
    if (next < many_count && many[next].begin < few[i].end)
      return true;
  }
  return false;
}

bool gmem_ranges_check(const gmem_live_range_t *ranges, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (ranges[i].begin >= ranges[i].end ||
        (i && ranges[i - 1].end >= ranges[i].begin))
      return false;
  return true;
}
