// life_check.c - detects writes and reads where no buffer is live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At each step a byte of a slot is live if it belongs to a live buffer, and
// dead otherwise. Dead bytes hold a pattern, and are poisoned under
// AddressSanitizer or Valgrind. When a step begins:
//
//     before      now
//     dead        dead     -
//     dead        live     must hold the pattern; unpoisoned
//     live        dead     filled with the pattern and poisoned
//     live        live     -      even if another buffer owns the bytes now:
//                                 the value may have been passed in place
//
// so steps may repeat in any order. Before the first step the program may write
// inputs for any step, so all bytes that ever have an owner are live; the first
// step then detects writes to bytes that are dead in it. For a program that
// never marks a step, the gaps between and around buffers are still checked.

#include "life_check.h"

#include <inttypes.h>
#include <string.h>

#include "image_codec.h"
#include "lease_import.h"
#include "runtime_support.h"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define POISON __asan_poison_memory_region
#define UNPOISON __asan_unpoison_memory_region
#elif defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define POISON(bytes, size) (void)VALGRIND_MAKE_MEM_NOACCESS(bytes, size)
#define UNPOISON(bytes, size) (void)VALGRIND_MAKE_MEM_DEFINED(bytes, size)
#endif
#endif
#ifndef POISON // neither AddressSanitizer nor Valgrind
#define POISON(bytes, size) (void)(bytes), (void)(size)
#define UNPOISON(bytes, size) (void)(bytes), (void)(size)
#endif

enum { PATTERN = 0xCB };

// A pseudo-step at which only STATE is live; not a valid step number.
#define BETWEEN_LEASES (GMEM_NONE - 1)

static void poison(void *bytes, size_t size) { POISON(bytes, size); }

static void unpoison(void *bytes, size_t size) { UNPOISON(bytes, size); }

//===--- liveness of bytes ------------------------------------------------===//

static bool is_live(const gmem_lease_t *slot, const gmem_owner_t *owner,
                    gmem_op_t op) {
  if (owner->always)
    return true;
  if (slot->import_count > 0 && gmem_lease_import_of(slot, owner->id))
    return false; // not in the slot
  if (op == GMEM_NONE)
    return true;
  const gmem_op_range_t *ranges =
      slot->pool->model->plan->ranges + owner->first_range;
  GMEM_ASSERT(owner->range_count > 0);
  uint32_t at = // first range that ends after |op|
      gmem_rt_search(&ranges->end, owner->range_count, sizeof *ranges, op + 1);
  return at < owner->range_count && ranges[at].begin <= op;
}

// Iterator over the byte ranges of an area that are live at |op|.
typedef struct stretch_s {
  const gmem_lease_t *slot;
  gmem_op_t op;
  uint32_t at, last; // remaining owners
  uint64_t shift;    // byte of the range, minus byte of the region
  uint64_t begin, end;
} stretch_t;

static void next_stretch(stretch_t *stretch) {
  const gmem_owner_t *owners = stretch->slot->pool->memory.owners;
  bool found = false;
  for (; stretch->at < stretch->last; ++stretch->at) {
    const gmem_owner_t *owner = &owners[stretch->at];
    if (!is_live(stretch->slot, owner, stretch->op))
      continue;
    uint64_t begin = owner->begin + stretch->shift;
    uint64_t end = owner->end + stretch->shift;
    if (found && begin > stretch->end)
      return;
    if (!found)
      stretch->begin = begin;
    if (!found || stretch->end < end)
      stretch->end = end;
    found = true;
  }
  if (!found)
    stretch->begin = stretch->end = UINT64_MAX;
}

static stretch_t first_stretch(const gmem_lease_t *slot, uint32_t area,
                               gmem_op_t op) {
  const gmem_area_t *own = &slot->pool->memory.areas[area];
  GMEM_ASSERT(own->first <= own->last &&
              own->last <= slot->pool->memory.owner_count);
  const gmem_mapped_region_t *mapped = gmem_slot_area(slot, area);
  uint64_t lead =
      (uint64_t)(mapped->place.host - (uint8_t *)mapped->range.host);
  stretch_t stretch = {.slot = slot,
                       .op = op,
                       .at = own->first,
                       .last = own->last,
                       .shift = lead - own->begin};
  next_stretch(&stretch);
  return stretch;
}

// A byte range of a slot with the same liveness throughout, at two steps.
typedef struct piece_s {
  uint32_t area;
  uint64_t offset; // bytes of the region; wraps around if before it
  uint8_t *bytes;
  size_t size;
  bool was_live, is_live;
} piece_t;

typedef void (*visit_fn)(gmem_lease_t *slot, const piece_t *piece);

static void walk_area(gmem_lease_t *slot, uint32_t area, gmem_op_t old,
                      gmem_op_t new, visit_fn visit) {
  const gmem_range_t *range = &gmem_slot_area(slot, area)->range;
  stretch_t was = first_stretch(slot, area, old);
  stretch_t is = first_stretch(slot, area, new);
  for (uint64_t at = 0, end; at < range->size; at = end) {
    if (was.end <= at)
      next_stretch(&was);
    if (is.end <= at)
      next_stretch(&is);
    bool was_live = was.begin <= at, is_live = is.begin <= at;
    uint64_t was_until = was_live ? was.end : was.begin;
    uint64_t is_until = is_live ? is.end : is.begin;
    end = was_until < is_until ? was_until : is_until;
    if (end > range->size)
      end = range->size;
    GMEM_ASSERT(end > at);
    piece_t piece = {.area = area,
                     .offset = at - was.shift,
                     .bytes = (uint8_t *)range->host + at,
                     .size = (size_t)(end - at),
                     .was_live = was_live,
                     .is_live = is_live};
    visit(slot, &piece);
  }
}

// Visits all bytes of |slot| with their liveness at the steps |old| and |new|.
static void walk(gmem_lease_t *slot, gmem_op_t old, gmem_op_t new,
                 visit_fn visit) {
  for (uint32_t i = 0; i < slot->pool->memory.area_count; ++i)
    walk_area(slot, i, old, new, visit);
}

//===--- actions on the bytes ---------------------------------------------===//

// Records the first byte that does not hold the pattern.
static void expect_pattern(gmem_lease_t *slot, const piece_t *piece) {
  const uint8_t *bytes = piece->bytes;
  gmem_slot_memory_t *memory = &slot->memory;
  if (memory->corrupt ||
      (bytes[0] == PATTERN && memcmp(bytes, bytes + 1, piece->size - 1) == 0))
    return;
  uint64_t at = 0;
  while (bytes[at] == PATTERN)
    ++at;
  memory->corrupt = true;
  memory->corrupt_op = memory->op;
  memory->corrupt_area = piece->area;
  memory->corrupt_at = piece->offset + at;
}

static void visit_at_begin(gmem_lease_t *slot, const piece_t *piece) {
  (void)slot;
  unpoison(piece->bytes, piece->size);
  if (!piece->was_live)
    memset(piece->bytes, PATTERN, piece->size);
  if (!piece->is_live)
    poison(piece->bytes, piece->size);
}

static void visit_at_step(gmem_lease_t *slot, const piece_t *piece) {
  if (piece->was_live == piece->is_live)
    return;
  unpoison(piece->bytes, piece->size);
  if (piece->is_live || slot->memory.op == GMEM_NONE)
    expect_pattern(slot, piece);
  if (piece->is_live)
    return;
  memset(piece->bytes, PATTERN, piece->size);
  poison(piece->bytes, piece->size);
}

static void visit_at_end(gmem_lease_t *slot, const piece_t *piece) {
  if (piece->is_live)
    return;
  unpoison(piece->bytes, piece->size);
  expect_pattern(slot, piece);
}

static void visit_to_close(gmem_lease_t *slot, const piece_t *piece) {
  (void)slot;
  if (!piece->is_live)
    poison(piece->bytes, piece->size);
}

static void visit_to_check(gmem_lease_t *slot, const piece_t *piece) {
  visit_at_end(slot, piece);
  visit_to_close(slot, piece);
}

//===--- leases -----------------------------------------------------------===//

void gmem_life_begin(gmem_lease_t *slot) {
  slot->memory.corrupt = false;
  walk(slot, BETWEEN_LEASES, GMEM_NONE, visit_at_begin);
}

void gmem_life_end(gmem_lease_t *slot) {
  walk(slot, slot->memory.op, slot->memory.op, visit_at_end);
  if (slot->memory.corrupt)
    atomic_fetch_add_explicit(&slot->pool->memory.corruptions, 1,
                              memory_order_relaxed);
}

void gmem_life_close(gmem_lease_t *slot) {
  walk(slot, BETWEEN_LEASES, BETWEEN_LEASES, visit_to_close);
}

void gmem_life_forget(const gmem_range_t *range) {
  if (range->host)
    unpoison(range->host, (size_t)range->size);
}

void gmem_lease_begin_op(gmem_lease_t *lease, gmem_op_t op) {
  const gmem_pool_t *pool = lease->pool;
  lease->begun = true;
  if (op >= gmem_plan_op_count(pool->model->plan))
    return;
  if (pool->flags & GMEM_POOL_CHECK)
    walk(lease, lease->memory.op, op, visit_at_step);
  lease->memory.op = op;
}

//===--- diagnostics ------------------------------------------------------===//

// The buffers around the corrupt byte, at any step, because the time of the
// write is unknown. Among equally near ones, a buffer that was live is
// preferred.
typedef struct around_s {
  gmem_buffer_t before, behind; // nearest that ends before, begins after it
  gmem_buffer_t dead;           // owner of the byte at another step
} around_t;

static around_t look_around(const gmem_lease_t *lease) {
  const gmem_pool_memory_t *memory = &lease->pool->memory;
  const gmem_area_t *area = &memory->areas[lease->memory.corrupt_area];
  int64_t at = (int64_t)lease->memory.corrupt_at;
  int64_t before = INT64_MIN, behind = INT64_MAX;
  around_t around = {GMEM_NONE, GMEM_NONE, GMEM_NONE};
  for (uint32_t i = area->first; i < area->last; ++i) {
    const gmem_owner_t *owner = &memory->owners[i];
    int64_t begin = (int64_t)owner->begin, end = (int64_t)owner->end;
    bool live = is_live(lease, owner, lease->memory.corrupt_op);
    if (end <= at && end + live > before) {
      before = end + live;
      around.before = owner->id;
    } else if (begin > at && begin - live < behind) {
      behind = begin - live;
      around.behind = owner->id;
    } else if (begin <= at && end > at) {
      around.dead = owner->id;
    }
  }
  return around;
}

// ", |how| 'name'" as three parts of a sentence; all empty without a buffer.
typedef struct phrase_s {
  const char *how, *name, *end;
} phrase_t;

static phrase_t phrase_of(const gmem_lease_t *lease, const char *how,
                          gmem_buffer_t id) {
  const gmem_image_view_t *view = &lease->pool->model->plan->view;
  if (id == GMEM_NONE)
    return (phrase_t){"", "", ""};
  return (phrase_t){
      how, gmem_image_name(view, gmem_image_buffer(view, id).name_offset), "'"};
}

static gmem_status_t report_corruption(const gmem_lease_t *lease,
                                       gmem_diag_t *diag) {
  const gmem_slot_memory_t *found = &lease->memory;
  around_t around = look_around(lease);
  phrase_t before = phrase_of(lease, ", after '", around.before);
  phrase_t behind = phrase_of(lease, ", before '", around.behind);
  phrase_t dead = phrase_of(lease, ", in bytes of '", around.dead);
  bool begun = found->corrupt_op != GMEM_NONE;
  return gmem_rt_fail_at(
      diag, GMEM_ERR_CORRUPT, found->corrupt_at, around.dead,
      "byte %" PRId64 " of region %" PRIu32 " was written %s step %" PRIu32
      " while no buffer was live there%s%.*s%s%s%.*s%s%s%.*s%s",
      (int64_t)found->corrupt_at,
      lease->pool->memory.areas[found->corrupt_area].region,
      begun ? "by the end of" : "before", begun ? found->corrupt_op : 0,
      before.how, gmem_rt_shown(before.name), before.name, before.end,
      behind.how, gmem_rt_shown(behind.name), behind.name, behind.end, dead.how,
      gmem_rt_shown(dead.name), dead.name, dead.end);
}

gmem_status_t gmem_lease_check(gmem_lease_t *lease, gmem_diag_t *diag) {
  if (!lease)
    return gmem_rt_invalid(diag, "lease is NULL");
  if (!(lease->pool->flags & GMEM_POOL_CHECK))
    return GMEM_OK;
  if (!lease->memory.corrupt)
    walk(lease, lease->memory.op, lease->memory.op, visit_to_check);
  return lease->memory.corrupt ? report_corruption(lease, diag) : GMEM_OK;
}
