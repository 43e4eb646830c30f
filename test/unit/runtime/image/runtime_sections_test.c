// runtime_sections_test.c - what format 1.1 adds to a plan image: groups,
// workbuffers, weights, contents, relocations. Every query, every rule, every
// limit.
// RUN: %unit/runtime_sections_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "image_open.h"
#include "image_tools.h"
#include "plan_checker.h"
#include "runtime_tools.h"

// The number of the chain of the sample, as docs/plan-image.md computes it.
#define SAMPLE_CHAIN UINT64_C(5244671964093839027)

static full_sample_t parts;

// Writes |desc|, and proves that a failure leaves nothing behind.
static gmem_status_t write_status(const gmem_plan_desc_t *desc,
                                  gmem_diag_t *diag) {
  void *data = &data;
  size_t size = 1;
  gmem_status_t status = gmem_plan_write(desc, NULL, &data, &size, diag);
  CHECK((status == GMEM_OK) == (data != NULL));
  CHECK((status == GMEM_OK) == (size != 0));
  gmem_plan_data_free(NULL, data, size);
  return status;
}

// Whether |desc| is refused with |status| and a message that has |text|.
static bool refused(const gmem_plan_desc_t *desc, gmem_status_t status,
                    const char *text) {
  gmem_diag_t diag = {0};
  gmem_status_t got = write_status(desc, &diag);
  if (got == status && strstr(diag.text, text))
    return true;
  fprintf(stderr, "%s: %s\n", gmem_status_name(got), diag.text);
  return false;
}

//===--- what a plan says -------------------------------------------------===//

static void test_groups(const gmem_plan_t *plan) {
  gmem_group_info_t group = {0};
  CHECK(gmem_plan_group_count(plan) == 3);
  CHECK(gmem_plan_group(plan, 0, &group) == GMEM_OK);
  CHECK(strcmp(group.name, "first") == 0 && group.member_count == 3);
  CHECK(group.members[0] == 3 && group.members[2] == 6);
  CHECK(gmem_plan_group(plan, 1, &group) == GMEM_OK && group.member_count == 0);
  CHECK(gmem_plan_group(plan, 2, &group) == GMEM_OK && group.members[1] == 8);
  CHECK(gmem_plan_group(plan, 3, &group) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(group.members[1] == 8); // untouched
  CHECK(gmem_plan_group(plan, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_find_group(plan, "a second") == 2);
  CHECK(gmem_plan_find_group(plan, "a") == GMEM_NONE);
  CHECK(gmem_plan_find_group(plan, NULL) == GMEM_NONE);
}

static void test_workbuffers(const gmem_plan_t *plan) {
  const gmem_workbuffer_t *work = NULL;
  CHECK(gmem_plan_workbuffers(plan, 0, &work) == 0 && work == NULL);
  CHECK(gmem_plan_workbuffers(plan, 1, &work) == 2);
  // In the order of the description, not of the ids.
  CHECK(work[0].buffer == 4 && work[1].buffer == 2 && work[1].op == 1);
  CHECK(gmem_plan_workbuffers(plan, 2, NULL) == 2);
  CHECK(gmem_plan_workbuffers(plan, 3, &work) == 0);
  CHECK(gmem_plan_workbuffers(plan, 4, &work) == 0);
  CHECK(gmem_plan_workbuffers(plan, GMEM_NONE, &work) == 0);
}

static void test_weights(const gmem_plan_t *plan) {
  gmem_weight_info_t weight = {0};
  CHECK(gmem_plan_weight(plan, 0, &weight) == GMEM_OK);
  CHECK(weight.buffer == 0 && weight.source_size == 1000);
  CHECK(weight.transform == 0);
  CHECK(memcmp(weight.digest, parts.weights[0].digest, 32) == 0);
  CHECK(gmem_plan_weight(plan, 2, &weight) == GMEM_ERR_NOT_FOUND);
  CHECK(weight.buffer == 0); // untouched
  CHECK(gmem_plan_weight(plan, GMEM_NONE, &weight) == GMEM_ERR_NOT_FOUND);
  CHECK(gmem_plan_weight(plan, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_weight(plan, 1, &weight) == GMEM_OK);
  CHECK(weight.transform == SAMPLE_CHAIN && weight.source_size == 17);
}

static void test_contents(const gmem_plan_t *plan) {
  gmem_stored_content_t content;
  CHECK(gmem_plan_has_content(plan, 0) && !gmem_plan_has_content(plan, 1));
  CHECK(!gmem_plan_has_content(plan, GMEM_NONE));
  CHECK(gmem_plan_stored_content(plan, 0, &content));
  CHECK(content.size == 4096 && content.file == -1);
  CHECK(memcmp(content.bytes, parts.content, 4096) == 0);
}

static void test_relocs(const gmem_plan_t *plan) {
  const gmem_reloc_t *relocs = NULL;
  CHECK(gmem_plan_relocs(plan, 0, &relocs) == 3);
  CHECK(relocs[1].where == 8 && relocs[1].buffer == 4);
  CHECK(relocs[2].kind == GMEM_RELOC_HI32 && relocs[2].addend == 256);
  CHECK(gmem_plan_relocs(plan, 7, &relocs) == 1 && relocs[0].stream == 7);
  CHECK(gmem_plan_relocs(plan, 1, NULL) == 0);
  CHECK(gmem_plan_relocs(plan, UINT16_MAX, &relocs) == 0);
}

static void test_copies(const gmem_plan_t *plan) {
  const gmem_plan_copy_t *copies = NULL;
  CHECK(gmem_plan_copies(plan, 0, &copies) == 0 && copies == NULL);
  CHECK(gmem_plan_copies(plan, 1, &copies) == 2);
  CHECK(copies[0].from == 3 && copies[0].to == 4 && copies[0].size == 16);
  CHECK(copies[1].edge == GMEM_COPY_NEXT && copies[1].flags == GMEM_COPY_CYCLE);
  CHECK(gmem_plan_copies(plan, 2, &copies) == 3);
  CHECK(copies[0].edge == GMEM_COPY_CALLEE && copies[0].from == 0);
  CHECK(copies[2].number == 1 && copies[2].to == SAMPLE_PADDED);
  CHECK(gmem_plan_copies(plan, 2, NULL) == 3);
  CHECK(gmem_plan_copies(plan, 3, NULL) == 0);
  CHECK(gmem_plan_copies(plan, 4, NULL) == 0);
  CHECK(gmem_plan_copies(plan, GMEM_NONE, &copies) == 0);
}

static void test_spans(const gmem_plan_t *plan) {
  gmem_op_span_t span = {.begin = 9};
  CHECK(gmem_plan_span_count(plan) == 4);
  CHECK(gmem_plan_span(plan, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_span(plan, 4, &span) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(span.begin == 9); // untouched
  CHECK(gmem_plan_span(plan, 3, &span) == GMEM_OK);
  CHECK(strcmp(span.name, "a in group") == 0);
  CHECK(span.begin == 2 && span.end == 4);
  CHECK(gmem_plan_find_op(plan, "main") == 0);
  CHECK(gmem_plan_find_op(plan, "load") == 1);
  CHECK(gmem_plan_find_op(plan, "a in group") == 2);
  CHECK(gmem_plan_find_op(plan, "group") == 2);
  CHECK(gmem_plan_find_op(plan, "a") == GMEM_NONE);
  CHECK(gmem_plan_find_op(plan, "x") == GMEM_NONE);
  CHECK(gmem_plan_find_op(plan, NULL) == GMEM_NONE);
  CHECK(gmem_plan_op_end(plan, 0) == 4 && gmem_plan_op_end(plan, 1) == 2);
  CHECK(gmem_plan_op_end(plan, 2) == 4);
  CHECK(gmem_plan_op_end(plan, 3) == GMEM_NONE);
  CHECK(gmem_plan_op_end(plan, 4) == GMEM_NONE);
  CHECK(gmem_plan_op_end(plan, GMEM_NONE) == GMEM_NONE);
  // The name of a step is the one that it was given, else that of its op.
  CHECK(strcmp(gmem_plan_op_name(plan, 1), "conv") == 0);
  CHECK(strcmp(gmem_plan_op_name(plan, 2), "group") == 0);
}

static void test_transforms(const gmem_plan_t *plan) {
  gmem_plan_transform_t step = {.size = 9};
  CHECK(gmem_plan_transform(plan, 1, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_transform(plan, 1, 2, &step) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_plan_transform(plan, 0, 0, &step) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_plan_transform(plan, 2, 0, &step) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_plan_transform(plan, UINT32_MAX, 0, &step) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(step.size == 9); // untouched
  CHECK(gmem_plan_transform(plan, 1, 0, &step) == GMEM_OK);
  CHECK(strcmp(step.name, "unpack") == 0);
  CHECK(step.buffer == 1 && step.size == 33);
  CHECK(gmem_plan_transform(plan, 1, 1, &step) == GMEM_OK);
  CHECK(strcmp(step.name, "\xC3\xA9largir") == 0 && step.size == SAMPLE_W1);
}

// A step in front of the first op with a name.
static void test_step_without_a_name(void) {
  static const gmem_op_span_t late = {"late", 3, 4};
  gmem_plan_desc_t desc = full_desc(&parts);
  desc.spans = &late;
  desc.span_count = 1;
  gmem_plan_t *plan = plan_of(&desc);
  CHECK(strcmp(gmem_plan_op_name(plan, 2), "") == 0);
  gmem_plan_release(plan);
}

// An image without the new sections has none of what they say.
static void test_plain_plan(void) {
  gmem_plan_desc_t desc = sample_desc();
  gmem_plan_t *plan = plan_of(&desc);
  gmem_weight_info_t weight;
  gmem_plan_transform_t step;
  CHECK(gmem_plan_group_count(plan) == 0);
  CHECK(gmem_plan_find_group(plan, "first") == GMEM_NONE);
  CHECK(gmem_plan_workbuffers(plan, 1, NULL) == 0);
  CHECK(gmem_plan_copies(plan, 1, NULL) == 0);
  CHECK(gmem_plan_span_count(plan) == 0);
  CHECK(gmem_plan_find_op(plan, "main") == GMEM_NONE);
  CHECK(gmem_plan_op_end(plan, 0) == GMEM_NONE);
  CHECK(strcmp(gmem_plan_op_name(plan, 2), "") == 0);
  CHECK(gmem_plan_weight(plan, 0, &weight) == GMEM_ERR_NOT_FOUND);
  CHECK(!gmem_plan_has_content(plan, 0));
  CHECK(gmem_plan_transform(plan, 1, 0, &step) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_plan_relocs(plan, 0, NULL) == 0);
  gmem_plan_release(plan);
}

// A buffer before the first one with a weight.
static void test_weight_behind_others(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  gmem_weight_info_t weight;
  ++desc.weights;
  --desc.weight_count;
  desc.content_count = 0; // those of its weight need its digest
  gmem_plan_t *plan = plan_of(&desc);
  CHECK(gmem_plan_weight(plan, 0, &weight) == GMEM_ERR_NOT_FOUND);
  CHECK(gmem_plan_weight(plan, 1, &weight) == GMEM_OK);
  gmem_plan_release(plan);
}

// Writer, loader, writer: the same bytes.
static void test_round_trip(const gmem_plan_t *plan) {
  gmem_plan_desc_t desc = full_desc(&parts);
  gmem_group_info_t groups[3];
  gmem_weight_info_t weights[2];
  gmem_stored_content_t content;
  gmem_op_span_t spans[4];
  gmem_plan_transform_t transforms[2];
  for (uint32_t i = 0; i < 2; ++i)
    CHECK(gmem_plan_transform(plan, 1, i, &transforms[i]) == GMEM_OK);
  for (uint32_t i = 0; i < 4; ++i)
    CHECK(gmem_plan_span(plan, i, &spans[i]) == GMEM_OK);
  for (uint32_t i = 0; i < 3; ++i)
    CHECK(gmem_plan_group(plan, i, &groups[i]) == GMEM_OK);
  for (uint32_t i = 0; i < 2; ++i)
    CHECK(gmem_plan_weight(plan, i, &weights[i]) == GMEM_OK);
  CHECK(gmem_plan_stored_content(plan, 0, &content));
  gmem_content_t contents[] = {{0, content.bytes}};
  desc.groups = groups;
  desc.weights = weights;
  desc.contents = contents;
  desc.workbuffers = plan->workbuffers;
  desc.relocs = plan->relocs;
  desc.copies = plan->copies;
  desc.spans = spans;
  desc.transforms = transforms;
  gmem_plan_t *again = plan_of(&desc);
  CHECK(again &&
        memcmp(gmem_plan_digest(plan), gmem_plan_digest(again), 32) == 0);
  CHECK(again && again->view.size == plan->view.size &&
        memcmp(again->view.data, plan->view.data, plan->view.size) == 0);
  gmem_plan_release(again);
}

// The digest of a plan covers the digests of its weights.
static void test_digest_covers_weights(const gmem_plan_t *plan) {
  gmem_plan_desc_t desc = full_desc(&parts);
  parts.content[999] ^= 1;
  gmem_sha256(parts.content, 1000, parts.weights[0].digest);
  gmem_plan_t *other = plan_of(&desc);
  CHECK(other &&
        memcmp(gmem_plan_digest(plan), gmem_plan_digest(other), 32) != 0);
  gmem_plan_release(other);
}

static void test_versions(void) {
  gmem_plan_desc_t desc = full_desc(&parts), plain = sample_desc();
  gmem_plan_t *full = plan_of(&desc), *old = plan_of(&plain);
  CHECK(gmem_image_header_at(full->view.data).minor == 6);
  CHECK(gmem_image_header_at(full->view.data).section_count == 21);
  gmem_plan_release(full);
  desc.dimension_count = 0;
  full = plan_of(&desc);
  CHECK(gmem_image_header_at(full->view.data).minor == 5);
  CHECK(gmem_image_header_at(full->view.data).section_count == 20);
  gmem_plan_release(full);
  parts.weights[1].transform = 5; // a number of the program's own
  desc.transform_count = 0;
  full = plan_of(&desc);
  CHECK(gmem_image_header_at(full->view.data).minor == 4);
  CHECK(gmem_image_header_at(full->view.data).section_count == 18);
  gmem_plan_release(full);
  desc.span_count = 0;
  full = plan_of(&desc);
  CHECK(gmem_image_header_at(full->view.data).minor == 3);
  CHECK(gmem_image_header_at(full->view.data).section_count == 16);
  gmem_plan_release(full);
  desc.copy_count = 0;
  full = plan_of(&desc);
  CHECK(gmem_image_header_at(full->view.data).minor == 2);
  CHECK(gmem_image_header_at(full->view.data).section_count == 15);
  gmem_plan_release(full);
  desc.buffers = sample_buffers; // payloads begin where buffers do
  full = plan_of(&desc);
  CHECK(gmem_image_header_at(full->view.data).minor == 1);
  CHECK(gmem_image_header_at(full->view.data).section_count == 14);
  CHECK(gmem_image_header_at(old->view.data).minor == 0);
  CHECK(gmem_image_header_at(old->view.data).section_count == 6);
  gmem_plan_release(old);
  gmem_plan_release(full);
}

//===--- each section alone -----------------------------------------------===//

// Every subset of the sections is an image, if it has weights to its contents.
static void test_every_subset(void) {
  for (unsigned set = 0; set < 256; ++set) {
    gmem_plan_desc_t desc = full_desc(&parts);
    desc.group_count = set & 1 ? desc.group_count : 0;
    desc.workbuffer_count = set & 2 ? desc.workbuffer_count : 0;
    desc.weight_count = set & 4 ? desc.weight_count : 0;
    desc.transform_count = set & 4 ? desc.transform_count : 0;
    desc.content_count = set & 8 ? desc.content_count : 0;
    desc.reloc_count = set & 16 ? desc.reloc_count : 0;
    desc.buffers = set & 32 ? desc.buffers : sample_buffers;
    desc.dimension_count = set & 32 ? desc.dimension_count : 0;
    desc.copy_count = set & 64 ? desc.copy_count : 0;
    desc.span_count = set & 128 ? desc.span_count : 0;
    if ((set & 8) && !(set & 4)) {
      CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "without a digest"));
      continue;
    }
    gmem_plan_t *plan = plan_of(&desc);
    CHECK(plan && plan_is_true(plan));
    gmem_plan_release(plan);
  }
}

//===--- groups -----------------------------------------------------------===//

// The message for the sample with other groups; NULL text: they are fine.
static bool groups_refused(const gmem_group_info_t *groups, uint32_t count,
                           gmem_status_t status, const char *text) {
  gmem_plan_desc_t desc = sample_desc();
  desc.groups = groups;
  desc.group_count = count;
  return text ? refused(&desc, status, text)
              : write_status(&desc, NULL) == GMEM_OK;
}

static void test_group_rules(void) {
  static const gmem_buffer_t twice[] = {1, 1}, falling[] = {2, 1}, last[] = {9},
                             past[] = {0, 10};
  char name[300];
  memset(name, 'n', sizeof name);
  name[256] = '\0';
  gmem_group_info_t same[] = {{"b", NULL, 0}, {"a", NULL, 0}, {"b", NULL, 0}};
  gmem_group_info_t one = {"g", last, 1};
  CHECK(groups_refused(&one, 1, GMEM_OK, NULL));
  one.members = past, one.member_count = 2;
  CHECK(groups_refused(&one, 1, GMEM_ERR_OUT_OF_RANGE, "does not exist"));
  one.members = twice;
  CHECK(
      groups_refused(&one, 1, GMEM_ERR_OUT_OF_RANGE, "not in ascending order"));
  one.members = falling;
  CHECK(
      groups_refused(&one, 1, GMEM_ERR_OUT_OF_RANGE, "not in ascending order"));
  one.members = NULL;
  CHECK(groups_refused(&one, 1, GMEM_ERR_INVALID_ARGUMENT, "NULL"));
  one.member_count = GMEM_PLAN_MAX_MEMBERS + 1; // refused without a look
  CHECK(groups_refused(&one, 1, GMEM_ERR_OUT_OF_RANGE, "more than 67108864"));
  one.member_count = 0;
  CHECK(groups_refused(&one, 1, GMEM_OK, NULL));
  one.name = "";
  CHECK(groups_refused(&one, 1, GMEM_ERR_INVALID_ARGUMENT, "is empty"));
  one.name = NULL;
  CHECK(groups_refused(&one, 1, GMEM_ERR_INVALID_ARGUMENT, "group 0"));
  one.name = "a\nb";
  CHECK(groups_refused(&one, 1, GMEM_ERR_INVALID_ARGUMENT, "control"));
  one.name = name;
  CHECK(groups_refused(&one, 1, GMEM_ERR_INVALID_ARGUMENT, "255"));
  name[255] = '\0';
  CHECK(groups_refused(&one, 1, GMEM_OK, NULL));
  CHECK(groups_refused(same, 2, GMEM_OK, NULL));
  CHECK(groups_refused(same, 3, GMEM_ERR_INVALID_ARGUMENT,
                       "groups 0 and 2 are both named 'b'"));
  CHECK(groups_refused(NULL, 1, GMEM_ERR_INVALID_ARGUMENT, "NULL"));
}

// A message shows 48 bytes of a name, or less: never half a character.
static void test_long_names_are_cut(void) {
  char name[] = "123456789 123456789 123456789 123456789 1234567\xC3\xA9 end";
  gmem_group_info_t same[] = {{name, NULL, 0}, {name, NULL, 0}};
  CHECK(groups_refused(same, 2, GMEM_ERR_INVALID_ARGUMENT, "1234567'"));
  name[46] = 'x'; // and the character fits when there is one byte less
  memmove(name + 46, name + 47, sizeof name - 47);
  CHECK(groups_refused(same, 2, GMEM_ERR_INVALID_ARGUMENT, "\xC3\xA9'"));
}

static void test_regions_together(void) {
  gmem_region_info_t regions[] = {
      {"a", GMEM_SPACE_WEIGHT, 0, GMEM_PLAN_MAX_ADDRESS - 1, 1},
      {"b", GMEM_SPACE_IO, 0, 1, 1}};
  gmem_plan_desc_t desc = {.regions = regions, .region_count = 2};
  CHECK(write_status(&desc, NULL) == GMEM_OK);
  regions[1].size = 2;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "exceed the largest"));
  regions[1].size = 1;
  regions[1].name = "a";
  CHECK(refused(&desc, GMEM_ERR_INVALID_ARGUMENT, "both named 'a'"));
}

static void test_group_limit(void) {
  gmem_group_info_t *groups = calloc(GMEM_PLAN_MAX_GROUPS + 1, sizeof *groups);
  char(*names)[8] = calloc(GMEM_PLAN_MAX_GROUPS + 1, sizeof *names);
  if (!groups || !names)
    exit(1);
  for (uint32_t i = 0; i <= GMEM_PLAN_MAX_GROUPS; ++i) {
    snprintf(names[i], sizeof names[i], "%u", (unsigned)i);
    groups[i].name = names[i];
  }
  CHECK(groups_refused(groups, GMEM_PLAN_MAX_GROUPS, GMEM_OK, NULL));
  CHECK(groups_refused(groups, GMEM_PLAN_MAX_GROUPS + 1, GMEM_ERR_OUT_OF_RANGE,
                       "more than 65536 groups"));
  free(names);
  free(groups);
}

//===--- workbuffers ------------------------------------------------------===//

static bool work_refused(const gmem_workbuffer_t *work, uint32_t count,
                         const char *text) {
  gmem_plan_desc_t desc = sample_desc();
  desc.workbuffers = work;
  desc.workbuffer_count = count;
  return text ? refused(&desc, GMEM_ERR_OUT_OF_RANGE, text)
              : write_status(&desc, NULL) == GMEM_OK;
}

static void test_workbuffer_rules(void) {
  gmem_workbuffer_t one = {3, 8}; // state: live at every step
  CHECK(work_refused(&one, 1, NULL));
  one = (gmem_workbuffer_t){4, 8};
  CHECK(work_refused(&one, 1, "a step that does not exist"));
  one = (gmem_workbuffer_t){0, 10};
  CHECK(work_refused(&one, 1, "a buffer that does not exist"));
  one = (gmem_workbuffer_t){0, 0}; // a weight
  CHECK(work_refused(&one, 1, "cannot hold workbuffers"));
  one = (gmem_workbuffer_t){0, 3}; // what the request brings
  CHECK(work_refused(&one, 1, "cannot hold workbuffers"));
  one = (gmem_workbuffer_t){3, 2}; // shared work
  CHECK(work_refused(&one, 1, NULL));
  // "two" lives in [0, 1) and [2, 3).
  static const bool live[] = {true, false, true, false};
  for (uint32_t op = 0; op < 4; ++op) {
    one = (gmem_workbuffer_t){op, 7};
    CHECK(work_refused(&one, 1, live[op] ? NULL : "not live at its step"));
  }
  gmem_workbuffer_t pair[] = {{2, 8}, {2, 8}};
  CHECK(work_refused(pair, 2, "repeats a buffer"));
  gmem_workbuffer_t apart[] = {{2, 8}, {2, 7}, {2, 8}};
  CHECK(work_refused(apart, 3, "repeats a buffer"));
  pair[1].op = 3;
  CHECK(work_refused(pair, 2, NULL));
  pair[0].op = 3, pair[1].op = 2;
  CHECK(work_refused(pair, 2, "ascending order of steps"));
  CHECK(work_refused(pair, GMEM_PLAN_MAX_WORKBUFFERS + 1, "more than"));
}

//===--- copies -----------------------------------------------------------===//

static bool copies_refused(const gmem_plan_copy_t *copies, uint32_t count,
                           const char *text) {
  gmem_plan_desc_t desc = full_desc(&parts);
  desc.copies = copies;
  desc.copy_count = count;
  return text ? refused(&desc, GMEM_ERR_OUT_OF_RANGE, text)
              : write_status(&desc, NULL) == GMEM_OK;
}

// Each member of a copy at its limits. Buffer 3 has a payload of 64 bytes,
// buffer 4 of 250; 0 is a weight, 2 shared work; 6 is at the place of 3.
static void test_copy_rules(void) {
  static const struct {
    gmem_plan_copy_t copy;
    const char *text; // NULL: it is right
  } rules[] = {
      {{3, 3, 4, UINT32_MAX, 64, GMEM_COPY_RESULTS, 1, 0}, NULL},
      {{4, 3, 4, 0, 64, 0, 0, 0}, "a step that does not exist"},
      {{3, 3, 4, 0, 64, GMEM_COPY_EDGES, 0, 0}, "unknown edge"},
      {{3, 3, 4, 0, 64, UINT16_MAX, 0, 0}, "unknown edge"},
      {{3, 3, 4, 0, 64, 0, 2, 0}, "unknown edge or flag"},
      {{3, 3, 4, 0, 64, 0, 0, 1}, "a reserved field"},
      {{3, 10, 4, 0, 64, 0, 0, 0}, "a buffer that does not exist"},
      {{3, 3, 10, 0, 64, 0, 0, 0}, "a buffer that does not exist"},
      {{3, 3, GMEM_NONE, 0, 64, 0, 0, 0}, "a buffer that does not exist"},
      {{3, 3, 4, 0, 0, 0, 0, 0}, "is empty"},
      {{3, 3, 4, 0, 65, 0, 0, 0}, "larger than a payload"},
      {{3, 4, 3, 0, 65, 0, 0, 0}, "larger than a payload"},
      {{3, 4, SAMPLE_PADDED, 0, 40, 0, 0, 0}, NULL},
      {{3, 4, SAMPLE_PADDED, 0, 41, 0, 0, 0}, "larger than a payload"},
      {{3, 3, 4, 0, UINT64_MAX, 0, 0, 0}, "larger than a payload"},
      {{3, 3, 0, 0, 8, 0, 0, 0}, "shared by all requests"},
      {{3, 3, 2, 0, 8, 0, 0, 0}, "shared by all requests"},
      {{3, 0, 4, 0, 8, 0, 0, 0}, NULL},
      {{3, 3, 3, 0, 8, 0, 0, 0}, "to its own place"},
      {{3, 3, 6, 0, 8, 0, 0, 0}, "to its own place"}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    CHECK(copies_refused(&rules[i].copy, 1, rules[i].text));
  CHECK(copies_refused(&rules[0].copy, GMEM_PLAN_MAX_COPIES + 1, "more than"));
}

// By step, then by edge, then by number; any order of those that go together.
static void test_copy_order(void) {
  gmem_plan_copy_t two[] = {{2, 3, 4, 5, 8, GMEM_COPY_NEXT, 0, 0},
                            {2, 4, 3, 5, 8, GMEM_COPY_NEXT, 0, 0}};
  CHECK(copies_refused(two, 2, NULL));
  two[1].number = 4;
  CHECK(copies_refused(two, 2, "not in ascending order"));
  two[1].edge = GMEM_COPY_PARENT;
  CHECK(copies_refused(two, 2, NULL));
  two[1].edge = GMEM_COPY_SUCCESSOR;
  two[1].number = 6;
  CHECK(copies_refused(two, 2, "not in ascending order"));
  two[1].op = 3;
  CHECK(copies_refused(two, 2, NULL));
  two[1].op = 1;
  two[1].edge = GMEM_COPY_RESULTS;
  CHECK(copies_refused(two, 2, "not in ascending order"));
}

//===--- spans ------------------------------------------------------------===//

static bool spans_refused(const gmem_op_span_t *spans, uint32_t count,
                          gmem_status_t status, const char *text) {
  gmem_plan_desc_t desc = full_desc(&parts);
  desc.spans = spans;
  desc.span_count = count;
  return text ? refused(&desc, status, text)
              : write_status(&desc, NULL) == GMEM_OK;
}

static void test_span_rules(void) {
  const gmem_status_t range = GMEM_ERR_OUT_OF_RANGE;
  const gmem_status_t name = GMEM_ERR_INVALID_ARGUMENT;
  gmem_op_span_t two[] = {{"b", 1, 4}, {"a", 1, 2}};
  CHECK(spans_refused(two, 2, GMEM_OK, NULL));
  CHECK(spans_refused(NULL, 2, name, "the spans are NULL"));
  CHECK(spans_refused(two, GMEM_PLAN_MAX_SPANS + 1, range, "more than"));
  two[1].begin = 0;
  CHECK(spans_refused(two, 2, range, "not in ascending order of steps"));
  two[1].begin = 2;
  CHECK(spans_refused(two, 2, range, "is empty"));
  two[1].begin = 3;
  CHECK(spans_refused(two, 2, range, "is empty"));
  two[1].end = 5;
  CHECK(spans_refused(two, 2, range, "a step that does not exist"));
  two[1].end = 4;
  two[1].name = "b";
  CHECK(spans_refused(two, 2, name, "two spans are named 'b'"));
  two[1].name = "";
  CHECK(spans_refused(two, 2, name, "the name of span 1 is empty"));
  two[1].name = NULL;
  CHECK(spans_refused(two, 2, name, "the name of span 1 is NULL"));
  two[1].name = "\n";
  CHECK(spans_refused(two, 2, name, "control characters"));
}

//===--- transforms -------------------------------------------------------===//

static bool chain_refused(const gmem_plan_transform_t *steps, uint32_t count,
                          gmem_status_t status, const char *text) {
  gmem_plan_desc_t desc = full_desc(&parts);
  desc.transforms = steps;
  desc.transform_count = count;
  parts.weights[1].transform = 5; // that of a chain is computed
  return text ? refused(&desc, status, text)
              : write_status(&desc, NULL) == GMEM_OK;
}

static void test_transform_rules(void) {
  const gmem_status_t range = GMEM_ERR_OUT_OF_RANGE;
  const gmem_status_t name = GMEM_ERR_INVALID_ARGUMENT;
  gmem_plan_transform_t two[] = {{"a", 1, 5}, {"a", 1, SAMPLE_W1}};
  CHECK(chain_refused(two, 2, GMEM_OK, NULL));
  CHECK(chain_refused(two, 0, GMEM_OK, NULL));
  CHECK(chain_refused(NULL, 2, name, "the transforms are NULL"));
  CHECK(chain_refused(two, GMEM_PLAN_MAX_TRANSFORMS + 1, range, "more than"));
  CHECK(chain_refused(two, 1, range, "not as large as its weight"));
  two[0].size = 0;
  CHECK(chain_refused(two, 2, range, "is empty or too large"));
  two[0].size = (uint64_t)INT64_MAX + 1;
  CHECK(chain_refused(two, 2, range, "is empty or too large"));
  two[0].size = INT64_MAX;
  CHECK(chain_refused(two, 2, GMEM_OK, NULL));
  two[0].buffer = two[1].buffer = 3;
  CHECK(chain_refused(two, 2, range, "a weight with a digest"));
  two[0] = (gmem_plan_transform_t){"a", 1, SAMPLE_W1};
  two[1].buffer = 0;
  CHECK(chain_refused(two, 2, range, "breaks the ascending order of buffers"));
  two[1].buffer = UINT32_MAX;
  CHECK(chain_refused(two, 2, range, "a weight with a digest"));
  two[1] = (gmem_plan_transform_t){"", 1, SAMPLE_W1};
  CHECK(chain_refused(two, 2, name, "the name of transform 1 is empty"));
  two[1].name = NULL;
  CHECK(chain_refused(two, 2, name, "the name of transform 1 is NULL"));
  two[1].name = "\n";
  CHECK(chain_refused(two, 2, name, "control characters"));
  two[0].name = "\xC2\x9F"; // the last one of C1
  CHECK(chain_refused(two, 1, name, "control characters"));
  // A weight without a digest, in front of one with a digest.
  const gmem_plan_transform_t chain = {"a", 0, 1000};
  gmem_plan_desc_t desc = full_desc(&parts);
  parts.weights[1].source_size = SAMPLE_W1;
  ++desc.weights;
  --desc.weight_count;
  desc.content_count = 0;
  desc.transforms = &chain;
  desc.transform_count = 1;
  CHECK(refused(&desc, range, "not a weight with a digest"));
}

//===--- payloads ---------------------------------------------------------===//

static void test_payloads(const gmem_plan_t *plan) {
  gmem_buffer_info_t info;
  for (gmem_buffer_t i = 0; i < SAMPLE_BUFFERS; ++i) {
    CHECK(gmem_plan_buffer(plan, i, &info) == GMEM_OK);
    CHECK(info.payload_offset == (i == SAMPLE_PADDED ? 16 : 0));
  }
}

// What a writer refuses: the payload ends in its buffer, and is of no weight.
static void test_payload_rules(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  gmem_buffer_info_t *padded = &parts.buffers[SAMPLE_PADDED];
  desc.dimension_count = 0;
  padded->payload_offset = 24;
  CHECK(write_status(&desc, NULL) == GMEM_OK);
  padded->payload_offset = 25;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "not inside of its buffer"));
  padded->payload_offset = UINT64_MAX;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "not inside of its buffer"));
  padded->payload_offset = 0;
  CHECK(write_status(&desc, NULL) == GMEM_OK);
  parts.buffers[1].payload_offset = 4; // "w1" has 60 of 64 bytes
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "refers to a weight"));
}

// What no writer writes: two payloads, then the second with other fields.
static void test_hostile_payloads(void) {
  static const struct {
    size_t at;
    uint8_t byte;
    const char *text;
  } wrong[] = {{16, SAMPLE_BUFFERS, "does not exist"},
               {16, SAMPLE_PADDED - 1, "not in ascending order"},
               {20, 1, "reserved"},
               {24, 0, "not inside"},
               {31, 0x80, "not inside"}};
  gmem_plan_desc_t desc = full_desc(&parts);
  parts.buffers[SAMPLE_PADDED - 1].payload = 8;
  parts.buffers[SAMPLE_PADDED - 1].payload_offset = 16;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    void *data = NULL;
    size_t size = 0;
    gmem_image_view_t view;
    gmem_plan_t *plan = NULL;
    gmem_diag_t diag = {.status = GMEM_OK};
    CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
    CHECK(gmem_image_open(data, size, &view, NULL) == GMEM_OK);
    uint8_t *bytes = data;
    bytes[view.section[GMEM_IMAGE_PAYLOADS].offset + wrong[i].at] =
        wrong[i].byte;
    fix_sums(bytes, size);
    CHECK(gmem_plan_load_memory(data, size, 0, NULL, &plan, &diag) ==
          GMEM_ERR_OUT_OF_RANGE);
    CHECK(strstr(diag.text, wrong[i].text) != NULL);
    gmem_plan_data_free(NULL, data, size);
  }
}

//===--- weights and contents ---------------------------------------------===//

static bool weight_refused(gmem_weight_info_t weight, const char *text) {
  gmem_plan_desc_t desc = sample_desc();
  desc.weights = &weight;
  desc.weight_count = 1;
  return text ? refused(&desc, GMEM_ERR_OUT_OF_RANGE, text)
              : write_status(&desc, NULL) == GMEM_OK;
}

static void test_weight_rules(void) {
  gmem_weight_info_t weight = {.buffer = 1, .source_size = 60};
  CHECK(weight_refused(weight, NULL)); // 60 is the payload, 64 the size
  weight.source_size = 64;
  CHECK(weight_refused(weight, "wrong source size"));
  weight.transform = 1;
  CHECK(weight_refused(weight, NULL));
  weight.source_size = GMEM_PLAN_MAX_ADDRESS;
  CHECK(weight_refused(weight, NULL));
  weight.source_size = GMEM_PLAN_MAX_ADDRESS + 1;
  CHECK(weight_refused(weight, "wrong source size"));
  weight.source_size = 128;
  weight.buffer = 2; // shared work: known by what computes it
  CHECK(weight_refused(weight, NULL));
  weight.transform = 0;
  CHECK(weight_refused(weight, "not a weight"));
  weight.buffer = 10;
  CHECK(weight_refused(weight, "does not exist"));
  gmem_plan_desc_t desc = full_desc(&parts);
  parts.weights[1].buffer = 0;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "not in ascending order"));
  desc.weight_count = 1; // "w1" is in the region too
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE,
                "entry 1 of the buffers is a weight with content but without"));
  desc.weight_count = GMEM_PLAN_MAX_BUFFERS + 1;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "more than 16777216 weights"));
}

// Aliases and empty weights have no bytes of their own.
static void test_weights_without_bytes(void) {
  gmem_buffer_info_t buffers[SAMPLE_BUFFERS];
  memcpy(buffers, sample_buffers, sizeof buffers);
  gmem_plan_desc_t desc = full_desc(&parts);
  desc.buffers = buffers;
  desc.weight_count = 1;
  desc.transform_count = 0;
  desc.reloc_count = 0;
  desc.dimension_count = 0;
  buffers[1].offset = 0;
  buffers[1].parent = 0; // now an alias, which needs no digest
  CHECK(write_status(&desc, NULL) == GMEM_OK);
  desc.weight_count = 2; // and can have none
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "an alias"));
  buffers[1].parent = GMEM_NONE;
  buffers[1].size = buffers[1].payload = 0;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "or is empty"));
  desc.weight_count = 1;
  CHECK(write_status(&desc, NULL) == GMEM_OK);
}

static void test_content_rules(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  parts.contents[0].region = 1;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "empty or not shared"));
  parts.contents[0].region = 2;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "does not exist"));
  parts.contents[0] = (gmem_content_t){0, NULL};
  CHECK(refused(&desc, GMEM_ERR_INVALID_ARGUMENT, "NULL"));
  gmem_content_t twice[] = {{0, parts.content}, {0, parts.content}};
  desc.contents = twice;
  desc.content_count = 2;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "not in ascending order"));
  desc.content_count = 65;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "more than 64 contents"));
  gmem_region_info_t regions[2] = {sample_regions[0], sample_regions[1]};
  desc = full_desc(&parts);
  desc.regions = regions;
  // More than a file can have. Refused before a byte is read.
  regions[0].size = GMEM_PLAN_MAX_FILE;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "larger than 2^40"));
  regions[0].size = GMEM_PLAN_MAX_FILE + 1;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "too large"));
  regions[0].size = UINT64_MAX;
  CHECK(refused(&desc, GMEM_ERR_OUT_OF_RANGE, "too large"));
}

// Every byte of a content is under a digest, or zero.
static void test_content_is_under_digests(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  static const size_t weight[] = {0, 500, 999}; // of w0
  // Behind w0, its neighbour w1, which is made later, "table", the very end.
  static const size_t zero[] = {1000, 1023, 1024, 1087, 2048, 4095};
  for (size_t i = 0; i < sizeof weight / sizeof weight[0]; ++i) {
    parts.content[weight[i]] ^= 0x80;
    CHECK(refused(&desc, GMEM_ERR_CORRUPT, "weight 0 do not match its digest"));
    parts.content[weight[i]] ^= 0x80;
  }
  for (size_t i = 0; i < sizeof zero / sizeof zero[0]; ++i) {
    parts.content[zero[i]] = 1;
    CHECK(refused(&desc, GMEM_ERR_CORRUPT, "region 0 has 1 nonzero"));
    parts.content[zero[i]] = 0;
  }
  CHECK(write_status(&desc, NULL) == GMEM_OK);
  // A zero byte of the weight moved out of it: as many as before.
  parts.content[0] = 1, parts.content[1000] = 1;
  gmem_sha256(parts.content, 1000, parts.weights[0].digest);
  CHECK(refused(&desc, GMEM_ERR_CORRUPT, "region 0 has 1 nonzero"));
}

// Contents of several regions, of sizes around that of a page.
static void test_page_sizes(void) {
  static const uint64_t sizes[] = {1, 4095, 4096, 4097, 8192, 12289};
  enum { COUNT = sizeof sizes / sizeof sizes[0] };
  static uint8_t bytes[COUNT][16384];
  gmem_region_info_t regions[COUNT];
  gmem_buffer_info_t buffers[COUNT] = {0};
  gmem_weight_info_t weights[COUNT] = {0};
  gmem_content_t contents[COUNT];
  static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
  for (uint32_t i = 0; i < COUNT; ++i) {
    regions[i] =
        (gmem_region_info_t){names[i], GMEM_SPACE_WEIGHT, 0, sizes[i], 1};
    buffers[i] = (gmem_buffer_info_t){.name = names[i],
                                      .size = sizes[i],
                                      .payload = sizes[i],
                                      .align = 1,
                                      .region = i,
                                      .space = GMEM_SPACE_WEIGHT,
                                      .parent = GMEM_NONE,
                                      .threads = 1};
    memset(bytes[i], (int)i + 1, sizes[i]);
    weights[i].buffer = i;
    weights[i].source_size = sizes[i];
    gmem_sha256(bytes[i], sizes[i], weights[i].digest);
    contents[i] = (gmem_content_t){i, bytes[i]};
  }
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = COUNT,
                           .buffers = buffers,
                           .buffer_count = COUNT,
                           .weights = weights,
                           .weight_count = COUNT,
                           .contents = contents,
                           .content_count = COUNT};
  gmem_plan_t *plan = plan_of(&desc);
  CHECK(plan && plan_is_true(plan));
  for (uint32_t i = 0; plan && i < COUNT; ++i) {
    gmem_stored_content_t content;
    CHECK(gmem_plan_stored_content(plan, i, &content));
    // The bytes, and zeros up to the end of the page.
    CHECK(content.size == (sizes[i] + 4095) / 4096 * 4096);
    CHECK(memcmp(content.bytes, bytes[i], content.size) == 0);
  }
  gmem_plan_release(plan);
}

//===--- relocations ------------------------------------------------------===//

static bool relocs_refused(const gmem_reloc_t *relocs, uint32_t count,
                           const char *text) {
  gmem_plan_desc_t desc = sample_desc();
  desc.relocs = relocs;
  desc.reloc_count = count;
  return text ? refused(&desc, GMEM_ERR_OUT_OF_RANGE, text)
              : write_status(&desc, NULL) == GMEM_OK;
}

static void test_reloc_rules(void) {
  gmem_reloc_t one = {.addend = 64, .buffer = 3};
  CHECK(relocs_refused(&one, 1, NULL)); // the end of a buffer of 64 bytes
  one.addend = 65;
  CHECK(relocs_refused(&one, 1, "exceeds its size"));
  one = (gmem_reloc_t){.buffer = 10};
  CHECK(relocs_refused(&one, 1, "does not exist"));
  one = (gmem_reloc_t){.kind = 2, .where = GMEM_PLAN_MAX_ADDRESS - 4};
  CHECK(relocs_refused(&one, 1, NULL));
  one.where += 1;
  CHECK(relocs_refused(&one, 1, "past the end of any stream"));
  one = (gmem_reloc_t){.where = GMEM_PLAN_MAX_ADDRESS - 8};
  CHECK(relocs_refused(&one, 1, NULL));
  one.where = UINT64_MAX;
  CHECK(relocs_refused(&one, 1, "past the end of any stream"));
  one = (gmem_reloc_t){.kind = 3};
  CHECK(relocs_refused(&one, 1, "unknown kind"));
  gmem_reloc_t pair[2] = {{.where = 3}, {.where = 11}};
  CHECK(relocs_refused(pair, 2, NULL));
  pair[1].where = 10; // the last byte of the first
  CHECK(relocs_refused(pair, 2, "overlaps or precedes"));
  pair[0].kind = GMEM_RELOC_LO32;
  pair[1].where = 7;
  CHECK(relocs_refused(pair, 2, NULL));
  pair[1].where = 6;
  CHECK(relocs_refused(pair, 2, "overlaps or precedes"));
  pair[1].where = 3; // the same place twice
  CHECK(relocs_refused(pair, 2, "overlaps or precedes"));
  pair[1].stream = 1; // in another stream
  CHECK(relocs_refused(pair, 2, NULL));
  pair[0].stream = UINT16_MAX;
  CHECK(relocs_refused(pair, 2, "overlaps or precedes"));
  CHECK(relocs_refused(pair, GMEM_PLAN_MAX_RELOCS + 1, "more than"));
}

//===--- bytes ------------------------------------------------------------===//

typedef struct pieces_s {
  uint8_t bytes[16384];
  size_t size;
  unsigned calls, fail_at;
} pieces_t;

static gmem_status_t collect(void *user, const void *bytes, size_t size,
                             gmem_diag_t *diag) {
  pieces_t *pieces = user;
  (void)diag;
  if (++pieces->calls == pieces->fail_at)
    return GMEM_ERR_IO;
  CHECK(pieces->size + size <= sizeof pieces->bytes);
  memcpy(pieces->bytes + pieces->size, bytes, size);
  pieces->size += size;
  return GMEM_OK;
}

// The pieces together are what is written at once, and a sink that fails ends
// it where it failed.
static void test_write_in_pieces(void) {
  full_sample_t full;
  gmem_plan_desc_t descs[] = {full_desc(&full), sample_desc()};
  gmem_region_info_t regions[2] = {sample_regions[0], sample_regions[1]};
  regions[0].size = 3000; // so that there is padding
  descs[0].regions = regions;
  for (int i = 0; i < 2; ++i) {
    static pieces_t pieces;
    void *data = NULL;
    size_t size = 0;
    pieces = (pieces_t){0};
    CHECK(gmem_plan_write(&descs[i], NULL, &data, &size, NULL) == GMEM_OK);
    CHECK(gmem_plan_write_to(&descs[i], NULL, collect, &pieces, NULL) ==
          GMEM_OK);
    CHECK(pieces.size == size && memcmp(pieces.bytes, data, size) == 0);
    unsigned calls = pieces.calls;
    CHECK(i == 1 ? calls == 1 : calls > 2);
    for (unsigned k = 1; k <= calls; ++k) {
      pieces = (pieces_t){.fail_at = k};
      CHECK(gmem_plan_write_to(&descs[i], NULL, collect, &pieces, NULL) ==
            GMEM_ERR_IO);
      CHECK(pieces.calls == k);
    }
    gmem_plan_data_free(NULL, data, size);
  }
  static pieces_t none;
  full.content[3] ^= 1; // found before the first piece
  CHECK(gmem_plan_write_to(&descs[0], NULL, collect, &none, NULL) ==
        GMEM_ERR_CORRUPT);
  CHECK(none.calls == 0);
  CHECK(gmem_plan_write_to(NULL, NULL, collect, &none, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_write_to(&descs[1], NULL, NULL, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
}

// Each allocation fails once: nothing is left, nothing is leaked.
static void test_allocation_failures(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  bool done = false;
  for (size_t fail_at = 1; !done; ++fail_at) {
    heap_t heap = {.fail_at = fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    static pieces_t pieces;
    pieces = (pieces_t){0};
    void *data = &data;
    size_t size = 1;
    gmem_plan_t *plan = NULL;
    gmem_status_t status =
        gmem_plan_write(&desc, &allocator, &data, &size, NULL);
    CHECK(status == GMEM_OK || (data == NULL && size == 0));
    if (status == GMEM_OK)
      status = gmem_plan_write_to(&desc, &allocator, collect, &pieces, NULL);
    if (status == GMEM_OK)
      status = gmem_plan_load_memory(data, size, 0, &allocator, &plan, NULL);
    CHECK((status == GMEM_OK) == (plan != NULL));
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    gmem_plan_release(plan);
    gmem_plan_data_free(&allocator, data, size);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    done = status == GMEM_OK;
    CHECK(!done || fail_at > 30);
  }
}

int main(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  gmem_plan_t *plan = plan_of(&desc);
  CHECK(plan && plan_is_true(plan));
  if (!plan)
    return CHECK_RESULT();
  test_groups(plan);
  test_workbuffers(plan);
  test_weights(plan);
  test_contents(plan);
  test_relocs(plan);
  test_payloads(plan);
  test_copies(plan);
  test_spans(plan);
  test_transforms(plan);
  test_round_trip(plan);
  test_digest_covers_weights(plan);
  gmem_plan_release(plan);
  test_step_without_a_name();
  test_plain_plan();
  test_weight_behind_others();
  test_versions();
  test_every_subset();
  test_group_rules();
  test_long_names_are_cut();
  test_regions_together();
  test_group_limit();
  test_workbuffer_rules();
  test_copy_rules();
  test_copy_order();
  test_span_rules();
  test_transform_rules();
  test_payload_rules();
  test_hostile_payloads();
  test_weight_rules();
  test_weights_without_bytes();
  test_content_rules();
  test_content_is_under_digests();
  test_page_sizes();
  test_reloc_rules();
  test_write_in_pieces();
  test_allocation_failures();
  return CHECK_RESULT();
}
