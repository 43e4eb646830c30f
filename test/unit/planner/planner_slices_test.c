// planner_slices_test.c - the structures behind large composites: slices that
// are painted, reaches over time, trees of stays; each against a plain one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_slices_test

#include "check.h"
#include "live_boxes.h"
#include "packing_query.h"
#include "packing_tools.h"
#include "problem_store.h"
#include "slice_painter.h"

enum { SLICES = 24, TIMES = 40, SPANS = 60 };

//===--- slices -----------------------------------------------------------===//

typedef struct picture_s {
  gmem_span_t spans[SPANS];
  uint32_t first[SPANS], last[SPANS];
  uint32_t count, slices;
} picture_t;

static picture_t random_picture(uint64_t *seed) {
  picture_t picture = {.slices = 1 + random_below(seed, SLICES),
                       .count = random_below(seed, SPANS)};
  uint32_t begin = 0;
  for (uint32_t i = 0; i < picture.count; ++i) {
    begin += random_below(seed, 2);
    picture.spans[i] = (gmem_span_t){begin, begin + 1 + random_below(seed, 6)};
    picture.first[i] = random_below(seed, picture.slices);
    picture.last[i] = picture.first[i] + 1 +
                      random_below(seed, picture.slices - picture.first[i]);
  }
  return picture;
}

// Whether each slice is live at each time.
static void paint_plainly(const picture_t *picture, bool bridges,
                          bool live[SLICES][TIMES * 2]) {
  memset(live, 0, SLICES * TIMES * 2);
  for (uint32_t i = 0; i < picture->count; ++i)
    for (uint32_t s = picture->first[i]; s < picture->last[i]; ++s)
      for (uint32_t t = picture->spans[i].begin; t < picture->spans[i].end; ++t)
        live[s][t] = true;
  for (uint32_t s = 0; bridges && s < SLICES; ++s) {
    uint32_t first = 0, last = 2 * TIMES;
    while (first < last && !live[s][first])
      ++first;
    while (last > first && !live[s][last - 1])
      --last;
    for (; first < last; ++first)
      live[s][first] = true;
  }
}

static void strokes_are_the_lives_of_slices(void) {
  uint64_t seed = 3;
  static bool live[SLICES][TIMES * 2];
  for (uint32_t round = 0; round < 4000; ++round) {
    picture_t picture = random_picture(&seed);
    bool bridges = round % 4 == 0;
    gmem_slice_painter_t painter;
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem)};
    CHECK(gmem_slice_painter_create(&painter, &memory, picture.slices,
                                    bridges) == GMEM_OK);
    for (uint32_t i = 0; i < picture.count; ++i)
      CHECK(gmem_slice_painter_add(&painter, picture.spans[i], picture.first[i],
                                   picture.last[i]) == GMEM_OK);
    CHECK(gmem_slice_painter_finish(&painter) == GMEM_OK);
    paint_plainly(&picture, bridges, live);
    for (size_t i = 0; i < painter.stroke_count; ++i) {
      gmem_stroke_t stroke = painter.strokes[i];
      CHECK(stroke.span.begin == 0 ||
            !live[stroke.slice][stroke.span.begin - 1]);
      CHECK(!live[stroke.slice][stroke.span.end]);
      for (uint32_t t = stroke.span.begin; t < stroke.span.end; ++t) {
        CHECK(live[stroke.slice][t]);
        live[stroke.slice][t] = false; // or a second stroke would pass
      }
    }
    for (uint32_t s = 0; s < SLICES; ++s)
      for (uint32_t t = 0; t < 2 * TIMES; ++t)
        CHECK(!live[s][t]);
    gmem_scratch_free(&memory);
    gmem_problem_destroy(problem);
  }
}

//===--- reaches ----------------------------------------------------------===//

// Groups of views at random places in a parent, some of many parts.
static gmem_problem_t *random_groups(uint64_t *seed) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t group = 0; group < 4; ++group) {
    int64_t begin = random_below(seed, 30);
    uint32_t parent = add_buffer(problem, begin, begin + 1, 64, 1);
    for (uint32_t i = random_below(seed, 14); i; --i) {
      int64_t from = random_below(seed, 30);
      uint64_t size = 1 + random_below(seed, 16);
      uint32_t child =
          add_buffer(problem, from, from + 1 + random_below(seed, 8), size, 1);
      gmem_alias_spec_t alias = {child, parent,
                                 random_below(seed, (uint32_t)(65 - size)),
                                 .is_optional = false};
      CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
    }
  }
  return problem;
}

// The most by which bytes of a member of |lower| end above the begin of those
// of one of |upper| that is live with it.
static bool plain_clearance(const gmem_packing_t *packing, uint32_t lower,
                            uint32_t upper, int64_t *clearance) {
  bool met = false;
  int64_t time = 0;
  for (uint32_t i = packing->items[lower].member;
       i < gmem_members_end(packing, lower); ++i)
    for (uint32_t k = packing->items[upper].member;
         k < gmem_members_end(packing, upper); ++k) {
      const gmem_buffer_spec_t *a =
          gmem_problem_buffer(packing->problem, packing->members[i].buffer);
      const gmem_buffer_spec_t *b =
          gmem_problem_buffer(packing->problem, packing->members[k].buffer);
      if (!reference_meeting(a, b, &time))
        continue;
      int64_t above = (int64_t)(packing->members[i].offset + a->size) -
                      (int64_t)packing->members[k].offset;
      *clearance = met && *clearance > above ? *clearance : above;
      met = true;
    }
  return met;
}

static void clearances_are_those_of_members(void) {
  uint64_t seed = 9, with_steps = 0;
  for (uint32_t round = 0; round < 1000; ++round) {
    gmem_problem_t *problem = random_groups(&seed);
    gmem_packing_t packing = packing_of(problem, 0);
    for (uint32_t i = 0; i < packing.count; ++i)
      for (uint32_t k = 0; k < packing.count; ++k) {
        int64_t expected;
        if (i == k)
          continue;
        bool met = plain_clearance(&packing, i, k, &expected);
        CHECK(gmem_items_conflict(&packing, i, k) == met);
        CHECK(!met || gmem_clearance(&packing, i, k) == expected);
        with_steps += packing.items[i].step_count > 0;
      }
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
  CHECK(with_steps > 1000);
}

//===--- stays ------------------------------------------------------------===//

static gmem_live_box_t random_box(uint64_t *seed) {
  int64_t low = (int64_t)random_below(seed, 60) - 30;
  int64_t begin = (int64_t)random_below(seed, 60) - 30;
  return (gmem_live_box_t){low, low + 1 + random_below(seed, 12), begin,
                           begin + 1 + random_below(seed, 12)};
}

static bool boxes_meet(const gmem_live_box_t *a, const gmem_live_box_t *b) {
  return a->low < b->high && b->low < a->high && a->begin < b->end &&
         b->begin < a->end;
}

static void every_stay_that_meets_a_box_is_found_once(void) {
  enum { STAYS = 200 };
  uint64_t seed = 5;
  gmem_stay_t at[STAYS];
  for (uint32_t round = 0; round < 300; ++round) {
    gmem_live_boxes_t stays = {.at = at};
    uint32_t root = GMEM_NO_STAY, count = random_below(&seed, STAYS);
    for (uint32_t i = 0; i < count; ++i) {
      at[i] = (gmem_stay_t){.box = random_box(&seed), .buffer = i};
      gmem_stay_insert(&stays, &root, i);
    }
    for (uint32_t k = 0; k < 30; ++k) {
      gmem_live_box_t box = random_box(&seed);
      bool found[STAYS] = {false};
      for (uint32_t i = gmem_stay_first(&stays, root, &box); i != GMEM_NO_STAY;
           i = gmem_stay_next(&stays, i, &box)) {
        CHECK(!found[i]);
        found[i] = true;
      }
      for (uint32_t i = 0; i < count; ++i)
        CHECK(found[i] == boxes_meet(&at[i].box, &box));
    }
  }
}

// A row of stays is found one by one, not by a look at all.
static void few_stays_are_looked_at(void) {
  enum { MANY = 100000 };
  gmem_stay_t *at = calloc(MANY, sizeof *at);
  gmem_live_boxes_t stays = {.at = at};
  uint32_t root = GMEM_NO_STAY;
  if (!at)
    abort();
  for (uint32_t i = 0; i < MANY; ++i) {
    at[i].box = (gmem_live_box_t){0, 8, i, (int64_t)i + 2};
    gmem_stay_insert(&stays, &root, i);
  }
  stays.looks = 0;
  gmem_live_box_t box = {4, 5, MANY / 2, MANY / 2 + 1};
  uint32_t first = gmem_stay_first(&stays, root, &box);
  CHECK(first != GMEM_NO_STAY &&
        gmem_stay_next(&stays, first, &box) != GMEM_NO_STAY);
  CHECK(stays.looks < 200);
  free(at);
}

int main(void) {
  strokes_are_the_lives_of_slices();
  clearances_are_those_of_members();
  every_stay_that_meets_a_box_is_found_once();
  few_stays_are_looked_at();
  return CHECK_RESULT();
}
