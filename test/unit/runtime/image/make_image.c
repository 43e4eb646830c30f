// make_image.c - writes a plan image from a description on standard input, for
// the tests of gmem-run and the fuzzer's corpus:
//   make_image IMAGE < TEXT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One statement per line; lines that start with // or # are ignored.
//   ops COUNT [NAME...]
//   region NAME SPACE BASE SIZE ALIGN
//   buffer NAME REGION OFFSET SIZE ALIGN SPACE [KEY=VALUE...]
//   group NAME [BUFFER...]
//   workbuffer OP BUFFER
//   weight BUFFER SEED [TRANSFORM SOURCE_SIZE]
//   content REGION
//   reloc STREAM WHERE KIND BUFFER ADDEND
// SPACE is weight, work, activation, io or state; KIND is abs64, lo32 or hi32;
// REGION and BUFFER are indices. Keys: live=0-2,5-6 (half-open), parent=INDEX,
// payload=, threads=, flags=. The source of a weight are the bytes
// (SEED + 7 * i + i / 256) % 256 for i = 0, 1, ...; its digest follows. Without
// a transform they are its payload, and in the content of its region.
// Exits with 1 and the library's message when there is no such image.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/plan.h"
#include "hash/sha256.h"

enum { MAX_ENTRIES = 256, MAX_RANGES = 16, LINE_SIZE = 4096 };

typedef struct description_s {
  gmem_plan_desc_t desc;
  gmem_region_info_t regions[MAX_ENTRIES];
  gmem_buffer_info_t buffers[MAX_ENTRIES];
  gmem_op_range_t ranges[MAX_ENTRIES][MAX_RANGES];
  const char *op_names[MAX_ENTRIES];
  gmem_group_info_t groups[MAX_ENTRIES];
  gmem_buffer_t members[MAX_ENTRIES][MAX_ENTRIES];
  gmem_workbuffer_t work[MAX_ENTRIES];
  gmem_weight_info_t weights[MAX_ENTRIES];
  uint8_t seeds[MAX_ENTRIES]; // of the weights
  gmem_content_t contents[MAX_ENTRIES];
  gmem_reloc_t relocs[MAX_ENTRIES];
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

// The index of a new entry of a list.
static uint32_t next_entry(uint32_t *count) {
  if (*count == MAX_ENTRIES)
    fail("too many entries of one kind", "");
  return (*count)++;
}

static void read_region(description_t *it) {
  gmem_region_info_t *region = &it->regions[next_entry(&it->desc.region_count)];
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
  else if (strncmp(pair, "payload_offset=", 15) == 0)
    buffer->payload_offset = number(value);
  else if (strncmp(pair, "threads=", 8) == 0)
    buffer->threads = (uint32_t)number(value);
  else if (strncmp(pair, "flags=", 6) == 0)
    buffer->flags = (uint32_t)number(value);
  else
    fail("unknown key: ", pair);
}

static void read_buffer(description_t *it) {
  uint32_t id = next_entry(&it->desc.buffer_count);
  gmem_op_range_t *ranges = it->ranges[id];
  gmem_buffer_info_t *buffer = &it->buffers[id];
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

static void read_group(description_t *it) {
  uint32_t id = next_entry(&it->desc.group_count);
  gmem_group_info_t *group = &it->groups[id];
  group->name = word();
  group->members = it->members[id];
  const char *member;
  while ((member = strtok(NULL, " \t\n")))
    it->members[id][next_entry(&group->member_count)] =
        (gmem_buffer_t)number(member);
}

static void read_workbuffer(description_t *it) {
  gmem_workbuffer_t *work = &it->work[next_entry(&it->desc.workbuffer_count)];
  work->op = (gmem_op_t)number(word());
  work->buffer = (gmem_buffer_t)number(word());
}

static void read_weight(description_t *it) {
  uint32_t id = next_entry(&it->desc.weight_count);
  gmem_weight_info_t *weight = &it->weights[id];
  weight->buffer = (gmem_buffer_t)number(word());
  it->seeds[id] = (uint8_t)number(word());
  const char *transform = strtok(NULL, " \t\n");
  if (!transform)
    return; // the payload of the buffer, which may come later
  weight->transform = number(transform);
  weight->source_size = number(word());
}

static void read_reloc(description_t *it) {
  static const char *const kinds[] = {"abs64", "lo32", "hi32"};
  gmem_reloc_t *reloc = &it->relocs[next_entry(&it->desc.reloc_count)];
  reloc->stream = (uint16_t)number(word());
  reloc->where = number(word());
  const char *kind = word();
  for (reloc->kind = 0; strcmp(kind, kinds[reloc->kind]) != 0; ++reloc->kind)
    if (reloc->kind == GMEM_RELOC_HI32)
      fail("unknown kind ", kind);
  reloc->buffer = (gmem_buffer_t)number(word());
  reloc->addend = number(word());
}

static void read_statement(description_t *it, const char *first) {
  if (strcmp(first, "ops") == 0)
    read_ops(it);
  else if (strcmp(first, "region") == 0)
    read_region(it);
  else if (strcmp(first, "buffer") == 0)
    read_buffer(it);
  else if (strcmp(first, "group") == 0)
    read_group(it);
  else if (strcmp(first, "workbuffer") == 0)
    read_workbuffer(it);
  else if (strcmp(first, "weight") == 0)
    read_weight(it);
  else if (strcmp(first, "content") == 0)
    it->contents[next_entry(&it->desc.content_count)].region =
        (gmem_region_t)number(word());
  else if (strcmp(first, "reloc") == 0)
    read_reloc(it);
  else
    fail("unknown statement: ", first);
}

static void read_line(description_t *it, char *line) {
  if (line[0] == '#' || strncmp(line, "//", 2) == 0)
    return;
  const char *first = strtok(line, " \t\n");
  if (first)
    read_statement(it, first);
}

static uint8_t *allocate(uint64_t size) {
  uint8_t *bytes = calloc(size ? size : 1, 1);
  if (!bytes)
    fail("out of memory", "");
  return bytes;
}

// Makes the bytes of a weight, its digest of them, and puts them into the
// content of its region.
static void make_weight(description_t *it, uint32_t id) {
  gmem_weight_info_t *weight = &it->weights[id];
  if (weight->buffer >= it->desc.buffer_count)
    return; // the library says so
  const gmem_buffer_info_t *buffer = &it->buffers[weight->buffer];
  if (weight->transform == 0)
    weight->source_size = buffer->payload;
  uint8_t *source = allocate(weight->source_size);
  for (uint64_t i = 0; i < weight->source_size; ++i)
    source[i] = (uint8_t)(it->seeds[id] + 7 * i + i / 256);
  gmem_sha256(source, weight->source_size, weight->digest);
  for (uint32_t i = 0; i < it->desc.content_count; ++i) {
    const gmem_content_t *content = &it->contents[i];
    if (content->region == buffer->region && content->bytes &&
        weight->transform == 0 &&
        buffer->offset + buffer->payload <= it->regions[buffer->region].size)
      memcpy((uint8_t *)content->bytes + buffer->offset, source,
             buffer->payload);
  }
  free(source);
}

static void make_contents(description_t *it) {
  for (uint32_t i = 0; i < it->desc.content_count; ++i) {
    gmem_content_t *content = &it->contents[i];
    if (content->region < it->desc.region_count)
      content->bytes = allocate(it->regions[content->region].size);
  }
  for (uint32_t i = 0; i < it->desc.weight_count; ++i)
    make_weight(it, i);
}

static gmem_status_t write_bytes(void *user, const void *bytes, size_t size,
                                 gmem_diag_t *diag) {
  (void)diag;
  return fwrite(bytes, 1, size, user) == size ? GMEM_OK : GMEM_ERR_IO;
}

static void write_image(const gmem_plan_desc_t *desc, const char *path) {
  gmem_diag_t diag = {.text = "cannot write"};
  FILE *file = fopen(path, "wb");
  if (!file)
    fail("cannot write ", path);
  gmem_status_t status =
      gmem_plan_write_to(desc, NULL, write_bytes, file, &diag);
  if (fclose(file) != 0 || status != GMEM_OK) {
    remove(path); // no half-written image
    fail(diag.text, "");
  }
}

int main(int argc, char **argv) {
  static description_t it;
  if (argc != 2)
    fail("usage: make_image IMAGE < TEXT", "");
  it.desc.regions = it.regions;
  it.desc.buffers = it.buffers;
  it.desc.groups = it.groups;
  it.desc.workbuffers = it.work;
  it.desc.weights = it.weights;
  it.desc.contents = it.contents;
  it.desc.relocs = it.relocs;
  for (int i = 0; i < MAX_ENTRIES * 4 && fgets(it.text[i], LINE_SIZE, stdin);
       ++i)
    read_line(&it, it.text[i]);
  make_contents(&it);
  write_image(&it.desc, argv[1]);
  for (uint32_t i = 0; i < it.desc.content_count; ++i)
    free((void *)it.contents[i].bytes);
  return 0;
}
