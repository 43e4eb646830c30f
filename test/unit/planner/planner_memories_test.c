// planner_memories_test.c - descriptions of memories as text: what is read,
// what is refused and where, and every allocation that fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_memories_test

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "gmem/memories.h"

static gmem_memories_t read_text(const char *text) {
  gmem_memories_t memories;
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_memories_read(text, strlen(text), NULL, &memories, &diag);
  if (status != GMEM_OK)
    fprintf(stderr, "%s\n", diag.text);
  CHECK(status == GMEM_OK);
  return memories;
}

static void reads_every_key(void) {
  gmem_memories_t memories = read_text(
      "a:kind=workspace,capacity=2K,size=1KiB,alignment=64,base=0x1000,speed=7,"
      "targets=cpu+dsp,spaces=1\nb:kind=constant,after=a");
  CHECK(memories.count == 2);
  const gmem_memory_t *a = &memories.memories[0], *b = a + 1;
  CHECK(strcmp(a->name, "a") == 0 && !a->is_constant && !a->after);
  CHECK(a->capacity == 2048 && a->size == 1024 && a->alignment == 64);
  CHECK(a->base == 4096 && a->speed == 7);
  CHECK(a->target_count == 2 && strcmp(a->targets[0], "cpu") == 0 &&
        strcmp(a->targets[1], "dsp") == 0);
  CHECK(a->space_count == 1 && strcmp(a->spaces[0], "1") == 0);
  CHECK(b->is_constant && strcmp(b->after, "a") == 0 && b->base == UINT64_MAX);
  CHECK(b->capacity == GMEM_UNLIMITED && b->size == GMEM_UNLIMITED);
  CHECK(b->alignment == 0 && b->speed == 0 && b->target_count == 0);
  CHECK(gmem_memories_find(memories.memories, 2, "b") == b);
  CHECK(!gmem_memories_find(memories.memories, 2, "c"));
  gmem_memories_free(&memories, NULL);
  CHECK(!memories.memories && memories.count == 0);
}

static void skips_blanks_and_comments(void) {
  gmem_memories_t memories = read_text(
      "\n ; # all of them: x=y\r\n\t a : size = 4 , targets = x + y #;b\n;;c;");
  CHECK(memories.count == 2);
  CHECK(strcmp(memories.memories[0].name, "a") == 0);
  CHECK(memories.memories[0].size == 4);
  CHECK(strcmp(memories.memories[0].targets[1], "y") == 0);
  CHECK(strcmp(memories.memories[1].name, "c") == 0);
  gmem_memories_free(&memories, NULL);
  memories = read_text("");
  CHECK(memories.count == 0);
  gmem_memories_free(&memories, NULL);
}

static void refuse(const char *text, uint64_t line, const char *message) {
  gmem_memories_t memories = {.count = 7};
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_memories_read(text, strlen(text), NULL, &memories, &diag);
  if (status == GMEM_OK || strcmp(diag.text, message) != 0)
    fprintf(stderr, "'%s': '%s'\n", text, diag.text);
  CHECK(status == GMEM_ERR_PARSE || status == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(diag.status == status && diag.line == line);
  CHECK(strcmp(diag.text, message) == 0);
  CHECK(!memories.memories && !memories.storage && memories.count == 0);
}

static void says_where_it_is_wrong(void) {
  refuse("a:", 1, "1:3: expected KEY=VALUE, not ''");
  refuse("a:size", 1, "1:3: expected KEY=VALUE, not 'size'");
  refuse("a\n  b:size=1,size=2", 2, "2:12: duplicate key 'size'");
  refuse("a:speed=fast", 1, "1:9: expected a number, not 'fast'");
  refuse("a:size=", 1, "1:8: expected a number of bytes, not ''");
  refuse("a:base=-1", 1, "1:8: expected a number of bytes, not '-1'");
  refuse("a:size=9223372036854775808", 1,
         "1:8: expected a number of bytes, not '9223372036854775808'");
  refuse("a:size=8388608T", 1,
         "1:8: expected a number of bytes, not '8388608T'");
  refuse("a:size=0x1K", 1, "1:8: expected a number of bytes, not '0x1K'");
  refuse("a:alignment=0", 1, "1:13: expected a power of two, not '0'");
  refuse("a:kind=Constant", 1,
         "1:8: expected kind workspace or constant, not 'Constant'");
  refuse("x;a:targets=cpu+", 1,
         "1:3: memory 'a' has an invalid or duplicate name in its list of "
         "targets");
  refuse("#\n#\n\x80:size=4", 3,
         "3:1: memory '\x80' has an invalid name: expected 1 to 96 "
         "printable characters other than space and :;,=+#\"");
  refuse("a:after=a", 1, "1:1: memory 'a' follows itself ('after')");
  refuse("a:after=weights;flash:kind=constant", 1,
         "1:1: memory 'a' follows unknown memory 'weights' ('after')");
}

static void takes_names_of_some_length(void) {
  char text[GMEM_MAX_MEMORY_NAME + 2];
  memset(text, 'n', sizeof text);
  text[GMEM_MAX_MEMORY_NAME] = '\0';
  gmem_memories_t memories = read_text(text);
  CHECK(memories.count == 1);
  gmem_memories_free(&memories, NULL);
  text[GMEM_MAX_MEMORY_NAME] = 'n';
  text[GMEM_MAX_MEMORY_NAME + 1] = '\0';
  gmem_diag_t diag = {0};
  CHECK(gmem_memories_read(text, strlen(text), NULL, &memories, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
}

static void checks_what_comes_from_elsewhere(void) {
  static const char *const empty[] = {""};
  gmem_memory_t memories[2] = {{.name = "a",
                                .capacity = GMEM_UNLIMITED,
                                .size = GMEM_UNLIMITED,
                                .base = UINT64_MAX}};
  gmem_diag_t diag;
  memories[1] = memories[0];
  CHECK(gmem_memories_check(memories, 1, NULL) == GMEM_OK);
  CHECK(gmem_memories_check(memories, 2, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(diag.object == 1 &&
        strcmp(diag.text, "memory 'a' is listed twice") == 0);
  memories[1].name = "b";
  CHECK(gmem_memories_check(memories, 2, &diag) == GMEM_OK);
  memories[1].base = GMEM_MAX_ADDRESS + 1;
  CHECK(gmem_memories_check(memories, 2, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  memories[1].base = UINT64_MAX;
  memories[0].targets = empty;
  memories[0].target_count = 1;
  CHECK(gmem_memories_check(memories, 2, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(diag.object == 0);
}

static void every_allocation_fails_once(void) {
  static const char text[] = "a:targets=x+y,size=4;b:after=c;c:base=0";
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  while (status != GMEM_OK && heap.fail_at < 10) {
    heap = (heap_t){.fail_at = heap.fail_at + 1};
    gmem_memories_t memories;
    gmem_diag_t diag = {0};
    status =
        gmem_memories_read(text, strlen(text), &allocator, &memories, &diag);
    CHECK(status ==
          (heap.calls >= heap.fail_at ? GMEM_ERR_OUT_OF_MEMORY : GMEM_OK));
    gmem_memories_free(&memories, &allocator);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
  }
  CHECK(status == GMEM_OK && heap.fail_at > 1);
}

int main(void) {
  reads_every_key();
  skips_blanks_and_comments();
  says_where_it_is_wrong();
  takes_names_of_some_length();
  checks_what_comes_from_elsewhere();
  every_allocation_fails_once();
  return CHECK_RESULT();
}
