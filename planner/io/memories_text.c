// memories_text.c - reads descriptions of memories from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text is copied once and split in place: every string of the result points
// into that copy. Lists are allocated from an array with an entry for every +
// and = of the text.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gmem/memories.h"
#include "planner_memory.h"

typedef struct reader_s {
  const char *text; // the input
  size_t length;
  char *copy; // a copy without comments, split in place
  const char **lists;
  gmem_memories_t *out;
  gmem_diag_t *diag;
} reader_t;

//===--- errors -----------------------------------------------------------===//

static gmem_status_t fail_at(const reader_t *reader, const char *at,
                             gmem_status_t status, const char *what,
                             const char *word) {
  size_t offset = (size_t)(at - reader->copy);
  uint64_t line = 1, column = 1;
  for (size_t i = 0; i < offset; ++i) {
    column = reader->text[i] == '\n' ? 1 : column + 1;
    line += reader->text[i] == '\n';
  }
  gmem_planner_fail(reader->diag, status, GMEM_NO_BUFFER,
                    "%" PRIu64 ":%" PRIu64 ": %s%.100s%s", line, column, what,
                    word ? word : "", word ? "'" : "");
  if (reader->diag)
    reader->diag->line = line;
  return status;
}

static gmem_status_t parse_error(const reader_t *reader, const char *at,
                                 const char *what, const char *word) {
  return fail_at(reader, at, GMEM_ERR_PARSE, what, word);
}

//===--- one key ----------------------------------------------------------===//

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Trims blanks at both ends.
static char *trim(char *text) {
  while (is_blank(*text))
    ++text;
  size_t length = strlen(text);
  while (length && is_blank(text[length - 1]))
    text[--length] = '\0';
  return text;
}

// Splits |text| at its first |separator|; returns the part after it, or NULL
// when there is none.
static char *cut(char *text, char separator) {
  char *at = strchr(text, separator);
  if (at)
    *at++ = '\0';
  return at;
}

static gmem_status_t set_bytes(const reader_t *reader, const char *value,
                               uint64_t *field) {
  return gmem_parse_bytes(value, field)
             ? GMEM_OK
             : parse_error(reader, value, "expected a number of bytes, not '",
                           value);
}

static gmem_status_t set_speed(const reader_t *reader, const char *value,
                               uint64_t *field) {
  return gmem_parse_bytes(value, field)
             ? GMEM_OK
             : parse_error(reader, value, "expected a number, not '", value);
}

static gmem_status_t set_alignment(const reader_t *reader, const char *value,
                                   uint64_t *field) {
  gmem_status_t status = set_bytes(reader, value, field);
  return status == GMEM_OK && *field == 0
             ? parse_error(reader, value, "expected a power of two, not '",
                           value)
             : status;
}

static gmem_status_t set_kind(const reader_t *reader, const char *value,
                              bool *is_constant) {
  *is_constant = strcmp(value, "constant") == 0;
  return *is_constant || strcmp(value, "workspace") == 0
             ? GMEM_OK
             : parse_error(reader, value,
                           "expected kind workspace or constant, not '", value);
}

static void set_list(reader_t *reader, char *value,
                     const char *const **out_list, size_t *out_count) {
  *out_list = reader->lists;
  *out_count = 0;
  for (char *next; value; value = next, ++*out_count) {
    next = cut(value, '+');
    *reader->lists++ = trim(value);
  }
}

static gmem_status_t set_key(reader_t *reader, gmem_memory_t *memory, char *key,
                             char *value) {
  if (strcmp(key, "kind") == 0)
    return set_kind(reader, value, &memory->is_constant);
  if (strcmp(key, "capacity") == 0)
    return set_bytes(reader, value, &memory->capacity);
  if (strcmp(key, "size") == 0)
    return set_bytes(reader, value, &memory->size);
  if (strcmp(key, "alignment") == 0)
    return set_alignment(reader, value, &memory->alignment);
  if (strcmp(key, "base") == 0)
    return set_bytes(reader, value, &memory->base);
  if (strcmp(key, "speed") == 0)
    return set_speed(reader, value, &memory->speed);
  if (strcmp(key, "after") == 0)
    return memory->after = value, GMEM_OK;
  if (strcmp(key, "targets") == 0)
    return set_list(reader, value, &memory->targets, &memory->target_count),
           GMEM_OK;
  if (strcmp(key, "spaces") == 0)
    return set_list(reader, value, &memory->spaces, &memory->space_count),
           GMEM_OK;
  return parse_error(
      reader, key,
      "expected one of the keys kind, capacity, size, alignment, "
      "base, after, speed, targets and spaces, not '",
      key);
}

// Keys read so far, to reject duplicates.
typedef struct seen_s {
  const char *keys[16];
  size_t count;
} seen_t;

static bool is_seen(seen_t *seen, const char *key) {
  for (size_t i = 0; i < seen->count; ++i)
    if (strcmp(seen->keys[i], key) == 0)
      return true;
  seen->keys[seen->count++] = key; // there are fewer keys than entries
  return false;
}

//===--- one memory -------------------------------------------------------===//

static gmem_status_t read_keys(reader_t *reader, gmem_memory_t *memory,
                               char *text) {
  seen_t seen = {.count = 0};
  for (char *next; text; text = next) {
    next = cut(text, ',');
    char *key = trim(text), *value = cut(key, '=');
    if (!value)
      return parse_error(reader, key, "expected KEY=VALUE, not '", key);
    key = trim(key);
    value = trim(value);
    if (is_seen(&seen, key))
      return parse_error(reader, key, "duplicate key '", key);
    GMEM_TRY(set_key(reader, memory, key, value));
  }
  return GMEM_OK;
}

static gmem_status_t read_memory(reader_t *reader, char *text) {
  gmem_memories_t *out = reader->out;
  if (out->count == GMEM_MAX_MEMORIES)
    return parse_error(reader, text, "too many memories", NULL);
  gmem_memory_t *memory = &out->memories[out->count++];
  *memory = (gmem_memory_t){
      .capacity = GMEM_UNLIMITED, .size = GMEM_UNLIMITED, .base = UINT64_MAX};
  char *keys = cut(text, ':');
  memory->name = trim(text);
  return read_keys(reader, memory, keys);
}

//===--- the whole text ---------------------------------------------------===//

// Copies the text with NULs in place of separators and without comments.
static void copy_text(const reader_t *reader) {
  bool is_comment = false;
  for (size_t i = 0; i < reader->length; ++i) {
    char c = reader->text[i];
    is_comment = c != '\n' && (is_comment || c == '#');
    reader->copy[i] = is_comment ? ' ' : c == ';' || c == '\n' ? '\0' : c;
  }
  reader->copy[reader->length] = '\0';
}

static gmem_status_t read_all(reader_t *reader) {
  gmem_status_t status = GMEM_OK;
  const char *zero =
      reader->length ? memchr(reader->text, '\0', reader->length) : NULL;
  if (zero)
    return parse_error(reader, reader->copy + (zero - reader->text),
                       "unexpected NUL byte", NULL);
  copy_text(reader);
  for (size_t at = 0, next; at < reader->length && status == GMEM_OK;
       at = next) {
    next = at + strlen(reader->copy + at) + 1;
    char *text = trim(reader->copy + at);
    if (*text)
      status = read_memory(reader, text);
  }
  if (status != GMEM_OK)
    return status;
  gmem_diag_t found = {0};
  status =
      gmem_memories_check(reader->out->memories, reader->out->count, &found);
  return status == GMEM_OK
             ? status
             : fail_at(reader, reader->out->memories[found.object].name, status,
                       found.text, NULL);
}

static gmem_status_t allocate(reader_t *reader,
                              const gmem_allocator_t *allocator) {
  gmem_memories_t *out = reader->out;
  size_t entries = 0;
  for (size_t i = 0; i < reader->length; ++i)
    entries += reader->text[i] == '+' || reader->text[i] == '=';
  // Both are bounded by the length of a text in memory.
  out->storage_size = entries * sizeof *reader->lists + reader->length + 1;
  out->storage = gmem_planner_alloc(allocator, out->storage_size, 1);
  out->memories =
      gmem_planner_alloc(allocator, GMEM_MAX_MEMORIES, sizeof *out->memories);
  if (!out->storage || !out->memories)
    return gmem_planner_out_of_memory(reader->diag);
  reader->lists = out->storage;
  reader->copy = (char *)out->storage + entries * sizeof *reader->lists;
  return GMEM_OK;
}

gmem_status_t gmem_memories_read(const char *text, size_t length,
                                 const gmem_allocator_t *allocator,
                                 gmem_memories_t *out_memories,
                                 gmem_diag_t *diag) {
  gmem_allocator_t source = gmem_planner_allocator(allocator);
  *out_memories = (gmem_memories_t){0};
  reader_t reader = {
      .text = text, .length = length, .out = out_memories, .diag = diag};
  gmem_status_t status = length <= SIZE_MAX / 16
                             ? allocate(&reader, &source)
                             : gmem_planner_out_of_memory(diag);
  if (status == GMEM_OK)
    status = read_all(&reader);
  if (status != GMEM_OK)
    gmem_memories_free(out_memories, allocator);
  return status;
}

void gmem_memories_free(gmem_memories_t *memories,
                        const gmem_allocator_t *allocator) {
  gmem_allocator_t source = gmem_planner_allocator(allocator);
  if (memories->storage)
    gmem_planner_free(&source, memories->storage, memories->storage_size, 1);
  if (memories->memories)
    gmem_planner_free(&source, memories->memories, GMEM_MAX_MEMORIES,
                      sizeof *memories->memories);
  *memories = (gmem_memories_t){0};
}
