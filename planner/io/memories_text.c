// memories_text.c - reads descriptions of memories from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text is copied once and split in place: every string of the result points
// into that copy. Lists are allocated from an array with an entry for every +
// and = of the text.

#include <assert.h>
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
  assert(offset <= reader->length);
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

static const char *const key_names[] = {"capacity", "size",    "alignment",
                                        "base",     "speed",   "kind",
                                        "after",    "targets", "spaces"};
// Indices of |key_names|; the numbers come first.
enum { ALIGNMENT = 2, SPEED = 4, KIND, AFTER, TARGETS, SPACES, KEYS };

static void set_list(reader_t *reader, char *value,
                     const char *const **out_list, size_t *out_count) {
  *out_list = reader->lists;
  *out_count = 0;
  for (char *next; value; value = next, ++*out_count) {
    next = cut(value, '+');
    assert((char *)reader->lists < reader->copy);
    *reader->lists++ = trim(value);
  }
}

static gmem_status_t set_number(reader_t *reader, gmem_memory_t *memory,
                                unsigned key, const char *value) {
  uint64_t *const fields[] = {&memory->capacity, &memory->size,
                              &memory->alignment, &memory->base,
                              &memory->speed};
  if (!gmem_parse_bytes(value, fields[key]))
    return parse_error(reader, value,
                       key == SPEED ? "expected a number, not '"
                                    : "expected a number of bytes, not '",
                       value);
  return key == ALIGNMENT && memory->alignment == 0
             ? parse_error(reader, value, "expected a power of two, not '",
                           value)
             : GMEM_OK;
}

static gmem_status_t set_key(reader_t *reader, gmem_memory_t *memory,
                             unsigned key, char *value) {
  if (key <= SPEED)
    return set_number(reader, memory, key, value);
  if (key == AFTER)
    memory->after = value;
  else if (key == TARGETS)
    set_list(reader, value, &memory->targets, &memory->target_count);
  else if (key == SPACES)
    set_list(reader, value, &memory->spaces, &memory->space_count);
  else
    memory->is_constant = strcmp(value, "constant") == 0;
  return key != KIND || memory->is_constant || strcmp(value, "workspace") == 0
             ? GMEM_OK
             : parse_error(reader, value,
                           "expected kind workspace or constant, not '", value);
}

//===--- one memory -------------------------------------------------------===//

static gmem_status_t read_keys(reader_t *reader, gmem_memory_t *memory,
                               char *text) {
  unsigned seen = 0; // bits of keys
  for (char *next; text; text = next) {
    next = cut(text, ',');
    char *name = trim(text), *value = cut(name, '=');
    unsigned key = 0;
    if (!value)
      return parse_error(reader, name, "expected KEY=VALUE, not '", name);
    name = trim(name);
    while (key < KEYS && strcmp(name, key_names[key]) != 0)
      ++key;
    if (key == KEYS)
      return parse_error(
          reader, name,
          "expected one of the keys kind, capacity, size, alignment, "
          "base, after, speed, targets and spaces, not '",
          name);
    if (seen >> key & 1)
      return parse_error(reader, name, "duplicate key '", name);
    seen |= 1u << key;
    GMEM_TRY(set_key(reader, memory, key, trim(value)));
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
  const char *zero =
      reader->length ? memchr(reader->text, '\0', reader->length) : NULL;
  if (zero)
    return parse_error(reader, reader->copy + (zero - reader->text),
                       "unexpected NUL byte", NULL);
  copy_text(reader);
  for (size_t at = 0, next; at < reader->length; at = next) {
    next = at + strlen(reader->copy + at) + 1;
    char *text = trim(reader->copy + at);
    if (*text)
      GMEM_TRY(read_memory(reader, text));
  }
  gmem_diag_t found = {0};
  gmem_status_t status =
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
  if (reader->length > SIZE_MAX / 16)
    return gmem_planner_out_of_memory(reader->diag);
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
  GMEM_PLANNER_NEED((text || length == 0) && out_memories, diag);
  gmem_allocator_t source = gmem_planner_allocator(allocator);
  *out_memories = (gmem_memories_t){0};
  reader_t reader = {
      .text = text, .length = length, .out = out_memories, .diag = diag};
  gmem_status_t status = allocate(&reader, &source);
  if (status == GMEM_OK)
    status = read_all(&reader);
  if (status != GMEM_OK)
    gmem_memories_free(out_memories, allocator);
  return status;
}

void gmem_memories_free(gmem_memories_t *memories,
                        const gmem_allocator_t *allocator) {
  if (!memories)
    return;
  gmem_allocator_t source = gmem_planner_allocator(allocator);
  if (memories->storage)
    gmem_planner_free(&source, memories->storage, memories->storage_size, 1);
  if (memories->memories)
    gmem_planner_free(&source, memories->memories, GMEM_MAX_MEMORIES,
                      sizeof *memories->memories);
  *memories = (gmem_memories_t){0};
}
