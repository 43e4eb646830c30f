// passes_copy_order_test.c - random copies that read before any of them writes.
// In the order that is found, with cycles at once, they leave the same bytes,
// and the check of the order agrees.
// RUN: %unit/passes_copy_order_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "copy_check.h"

enum { POOLS = 2, BYTES = 64, MOST = 12 };

typedef struct memory_s {
  uint8_t bytes[POOLS][BYTES];
} memory_t;

static uint32_t state = 1;

static uint32_t choose(uint32_t count) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % count;
}

static gmem_control_copy_t copy_of(uint32_t from_pool, uint64_t from,
                                   uint32_t to_pool, uint64_t to,
                                   uint64_t size) {
  return (gmem_control_copy_t){.record = {.from = from, .to = to, .size = size},
                               .from_pool = from_pool,
                               .to_pool = to_pool};
}

// Copies to disjoint targets; returns their number.
static size_t make_copies(gmem_control_copy_t *copies) {
  size_t count = 0;
  uint64_t unit = 1 + choose(6);
  for (uint32_t pool = 0; pool < POOLS; ++pool)
    for (uint64_t to = choose(4); to + unit <= BYTES && count < MOST;
         to += unit + choose(3))
      if (choose(2)) {
        uint64_t from = choose(3) ? unit * choose((uint32_t)(BYTES / unit))
                                  : choose((uint32_t)(BYTES - unit));
        // No copy is to its own place.
        copies[count++] = copy_of(from == to ? 1 - pool : choose(POOLS), from,
                                  pool, to, unit);
      }
  return count;
}

static void move(memory_t *out, const memory_t *in,
                 const gmem_control_copy_t *copy) {
  memmove(&out->bytes[copy->to_pool][copy->record.to],
          &in->bytes[copy->from_pool][copy->record.from], copy->record.size);
}

// Makes the copies as an executor does.
static void make_in_order(memory_t *memory, const gmem_control_copy_t *copies,
                          size_t count) {
  for (size_t i = 0, end; i < count; i = end) {
    memory_t before = *memory;
    end = i + 1;
    while (copies[i].record.cycle && end < count && copies[end].record.cycle)
      ++end;
    for (size_t k = i; k < end; ++k)
      move(memory, &before, &copies[k]);
  }
}

static void test_random_copies(gmem_bump_t *arena) {
  size_t cycles = 0, changed = 0;
  for (int round = 0; round < 20000; ++round) {
    gmem_control_copy_t copies[MOST], given[MOST];
    size_t count = make_copies(copies), bad = 0;
    memory_t start, at_once, in_turn;
    for (size_t i = 0; i < sizeof start; ++i)
      ((uint8_t *)&start)[i] = (uint8_t)i;
    memcpy(given, copies, sizeof given);
    at_once = in_turn = start;
    for (size_t i = 0; i < count; ++i)
      move(&at_once, &start, &copies[i]);
    make_in_order(&in_turn, given, count);
    bool was_right = memcmp(&at_once, &in_turn, sizeof at_once) == 0;
    CHECK(gmem_copies_check(given, count, arena, &bad, NULL) == GMEM_OK);
    CHECK((bad == count) == was_right);
    changed += !was_right;
    CHECK(gmem_copies_order(copies, count, arena, NULL) == GMEM_OK);
    in_turn = start;
    make_in_order(&in_turn, copies, count);
    CHECK(memcmp(&at_once, &in_turn, sizeof at_once) == 0);
    CHECK(gmem_copies_check(copies, count, arena, &bad, NULL) == GMEM_OK);
    CHECK(bad == count);
    for (size_t i = 0; i < count; ++i)
      cycles += copies[i].record.cycle;
  }
  CHECK(cycles > 1000 && changed > 1000);
}

// a -> b -> c is made backwards; what a swap needs first and last stays around
// it.
static void test_order(gmem_bump_t *arena) {
  gmem_control_copy_t chain[] = {
      copy_of(0, 0, 0, 8, 8), copy_of(0, 8, 0, 16, 8), copy_of(1, 0, 1, 8, 8)};
  CHECK(gmem_copies_order(chain, 3, arena, NULL) == GMEM_OK);
  CHECK(chain[0].record.to == 16 && chain[1].from_pool == 1);
  CHECK(chain[2].record.to == 8 && !chain[2].record.cycle);
  gmem_control_copy_t swap[] = {
      copy_of(1, 0, 0, 16, 8), // overwrites nothing that is read
      copy_of(0, 0, 0, 8, 8), copy_of(0, 8, 0, 0, 8),
      copy_of(0, 0, 0, 24, 8)}; // reads what the swap overwrites
  CHECK(gmem_copies_order(swap, 4, arena, NULL) == GMEM_OK);
  CHECK(swap[0].record.to == 16 && swap[1].record.to == 24);
  CHECK(swap[2].record.cycle && swap[3].record.cycle);
  CHECK(!swap[0].record.cycle && !swap[1].record.cycle);
}

int main(void) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  test_random_copies(&arena);
  test_order(&arena);
  gmem_bump_destroy(&arena);
  return CHECK_RESULT();
}
