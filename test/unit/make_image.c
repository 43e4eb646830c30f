// make_image.c - writes a plan image from a description on standard input, for
// the tests of gmem-run and the fuzzer's corpus:
//   make_image IMAGE < TEXT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One statement per line; lines that start with // or # are ignored.
//   ops COUNT [NAME...]
//   region NAME SPACE BASE SIZE ALIGN
//   buffer NAME REGION OFFSET SIZE ALIGN SPACE [KEY=VALUE...]
// SPACE is weight, work, activation, io or state; REGION is an index. Keys:
// live=0-2,5-6 (half-open), parent=INDEX, payload=, threads=, flags=.
// Exits with 1 and the library's message when there is no such image.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/plan.h"

enum { MAX_ENTRIES = 256, MAX_RANGES = 16, LINE_SIZE = 4096 };

typedef struct description_s {
  gmem_plan_desc_t desc;
  gmem_region_info_t regions[MAX_ENTRIES];
  gmem_buffer_info_t buffers[MAX_ENTRIES];
  gmem_op_range_t ranges[MAX_ENTRIES][MAX_RANGES];
  const char *op_names[MAX_ENTRIES];
  char text[MAX_ENTRIES * 4][LINE_SIZE]; // the lines: names point into them
} description_t;

static const char *const space_names[] = {"weight", "work", "activation", "io",
                                          "state"};

static void fail(const char *message, const char *detail) {
  fprintf(stderr, "make_image: error: %s%s\n", message, detail);
  exit(1);
}

// The next word of the line that strtok works on.
static const char *word(void) {
  const char *next = strtok(NULL, " \t\n");
  if (!next)
    fail("a line is too short", "");
  return next;
}

static uint64_t number(const char *text) { return strtoull(text, NULL, 0); }

static gmem_space_t space(const char *name) {
  for (int i = 0; i < 5; ++i)
    if (strcmp(name, space_names[i]) == 0)
      return (gmem_space_t)i;
  fail("unknown space ", name);
  return GMEM_SPACE_IO;
}

static void read_ops(description_t *it) {
  it->desc.op_count = (uint32_t)number(word());
  it->desc.op_names = it->op_names;
  if (it->desc.op_count > MAX_ENTRIES)
    it->desc.op_names = NULL;
  const char *name;
  for (uint32_t i = 0; i < MAX_ENTRIES && (name = strtok(NULL, " \t\n")); ++i)
    it->op_names[i] = name;
}

static void read_region(description_t *it) {
  if (it->desc.region_count == MAX_ENTRIES)
    fail("too many regions", "");
  gmem_region_info_t *region = &it->regions[it->desc.region_count++];
  region->name = word();
  region->space = space(word());
  region->base = number(word());
  region->size = number(word());
  region->align = number(word());
}

static uint32_t read_ranges(const char *text, gmem_op_range_t *ranges) {
  uint32_t count = 0;
  while (*text && count < MAX_RANGES) {
    char *end;
    ranges[count].begin = (uint32_t)strtoul(text, &end, 0);
    ranges[count++].end = *end ? (uint32_t)strtoul(end + 1, &end, 0) : 0;
    text = *end ? end + 1 : end;
  }
  return count;
}

static void read_key(gmem_buffer_info_t *buffer, gmem_op_range_t *ranges,
                     const char *pair) {
  const char *value = strchr(pair, '=');
  if (!value)
    fail("not KEY=VALUE: ", pair);
  ++value;
  if (strncmp(pair, "live=", 5) == 0)
    buffer->range_count = read_ranges(value, ranges);
  else if (strncmp(pair, "parent=", 7) == 0)
    buffer->parent = (uint32_t)number(value);
  else if (strncmp(pair, "payload=", 8) == 0)
    buffer->payload = number(value);
  else if (strncmp(pair, "threads=", 8) == 0)
    buffer->threads = (uint32_t)number(value);
  else if (strncmp(pair, "flags=", 6) == 0)
    buffer->flags = (uint32_t)number(value);
  else
    fail("unknown key: ", pair);
}

static void read_buffer(description_t *it) {
  if (it->desc.buffer_count == MAX_ENTRIES)
    fail("too many buffers", "");
  gmem_op_range_t *ranges = it->ranges[it->desc.buffer_count];
  gmem_buffer_info_t *buffer = &it->buffers[it->desc.buffer_count++];
  buffer->name = word();
  buffer->region = (uint32_t)number(word());
  buffer->offset = number(word());
  buffer->size = buffer->payload = number(word());
  buffer->align = number(word());
  buffer->space = space(word());
  buffer->parent = GMEM_NONE;
  buffer->threads = 1;
  buffer->ranges = ranges;
  const char *pair;
  while ((pair = strtok(NULL, " \t\n")))
    read_key(buffer, ranges, pair);
}

static void read_line(description_t *it, char *line) {
  if (line[0] == '#' || strncmp(line, "//", 2) == 0)
    return;
  const char *first = strtok(line, " \t\n");
  if (!first)
    return;
  if (strcmp(first, "ops") == 0)
    read_ops(it);
  else if (strcmp(first, "region") == 0)
    read_region(it);
  else if (strcmp(first, "buffer") == 0)
    read_buffer(it);
  else
    fail("unknown statement: ", first);
}

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    fail("cannot write ", path);
}

int main(int argc, char **argv) {
  static description_t it;
  if (argc != 2)
    fail("usage: make_image IMAGE < TEXT", "");
  it.desc.regions = it.regions;
  it.desc.buffers = it.buffers;
  for (int i = 0; i < MAX_ENTRIES * 4 && fgets(it.text[i], LINE_SIZE, stdin);
       ++i)
    read_line(&it, it.text[i]);
  void *data = NULL;
  size_t size = 0;
  gmem_diag_t diag;
  if (gmem_plan_write(&it.desc, NULL, &data, &size, &diag) != GMEM_OK)
    fail(diag.text, "");
  write_file(argv[1], data, size);
  gmem_plan_data_free(NULL, data, size);
  return 0;
}
