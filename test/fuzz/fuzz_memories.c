// fuzz_memories.c - reads any bytes as descriptions of memories; what can be
// read is right, and is the same when it is written and read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_memories_replay %S/corpus/fuzz_memories

#include <inttypes.h>
#include <stdio.h>

#include "fuzz_text.h"
#include "gmem/memories.h"

enum { MOST_BYTES = 1 << 14 };

static void add(text_t *text, const char *what) {
  require(append(text, what, strlen(what)) == GMEM_OK);
}

static void add_number(text_t *text, const char *key, uint64_t number,
                       uint64_t missing) {
  char digits[64];
  if (number == missing)
    return;
  snprintf(digits, sizeof digits, ",%s=%" PRIu64, key, number);
  add(text, digits);
}

static void add_list(text_t *text, const char *key, const char *const *list,
                     size_t count) {
  for (size_t i = 0; i < count; ++i) {
    add(text, i ? "+" : ",");
    if (!i)
      add(text, key);
    add(text, list[i]);
  }
}

static void write_memory(const gmem_memory_t *memory, text_t *text) {
  add(text, memory->name);
  add(text, memory->is_constant ? ":kind=constant" : ":kind=workspace");
  add_number(text, "capacity", memory->capacity, GMEM_UNLIMITED);
  add_number(text, "size", memory->size, GMEM_UNLIMITED);
  add_number(text, "alignment", memory->alignment, 0);
  add_number(text, "base", memory->base, UINT64_MAX);
  add_number(text, "speed", memory->speed, 0);
  if (memory->after) {
    add(text, ",after=");
    add(text, memory->after);
  }
  add_list(text, "targets=", memory->targets, memory->target_count);
  add_list(text, "spaces=", memory->spaces, memory->space_count);
  add(text, "\n");
}

static text_t write_all(const gmem_memories_t *memories) {
  text_t text = {NULL, 0, 0};
  for (size_t i = 0; i < memories->count; ++i)
    write_memory(&memories->memories[i], &text);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_memories_t memories, again;
  gmem_diag_t diag = {.status = GMEM_OK};
  if (size > MOST_BYTES)
    return 0;
  gmem_status_t status =
      gmem_memories_read((const char *)data, size, NULL, &memories, &diag);
  if (status != GMEM_OK) {
    require(diag.status == status && diag.line > 0 && diag.text[0]);
    require(!memories.memories && !memories.count);
    return 0;
  }
  require(gmem_memories_check(memories.memories, memories.count, NULL) ==
          GMEM_OK);
  text_t first = write_all(&memories);
  require(gmem_memories_read(first.bytes, first.length, NULL, &again, NULL) ==
          GMEM_OK);
  text_t second = write_all(&again);
  require(same_text(&first, &second));
  gmem_memories_free(&memories, NULL);
  gmem_memories_free(&again, NULL);
  free(first.bytes);
  free(second.bytes);
  return 0;
}
