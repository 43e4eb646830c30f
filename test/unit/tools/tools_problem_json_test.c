// tools_problem_json_test.c - problems as JSON: what is read, what is refused
// and how it is named, what is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/tools_problem_json_test

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "planner_reference.h"
#include "problem_json.h"

typedef struct text_s {
  char bytes[1 << 16];
  size_t length;
  size_t limit;
} text_t;

static gmem_status_t append(void *user, const char *bytes, size_t length) {
  text_t *text = user;
  if (length > text->limit - text->length)
    return GMEM_ERR_IO;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  return GMEM_OK;
}

static gmem_problem_t *read_text(const char *text, gmem_placement_t **plan) {
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_problem_json_read(text, strlen(text), NULL, &problem, plan, &diag);
  if (status != GMEM_OK)
    fprintf(stderr, "line %" PRIu64 ": %s\n", diag.line, diag.text);
  CHECK(status == GMEM_OK);
  return problem;
}

// The example of docs/problem-json.md: everything is in it.
static const char whole[] =
    "{\n"
    "\"format\": \"gmem-problem\",\n"
    "\"version\": 1,\n"
    "\"pools\": [\n"
    "  {\"name\": \"sram\", \"capacity\": 4096, \"alignment\": 64, \"base\": "
    "65536, \"speed\": 8},\n"
    "  {\"name\": \"ddr\", \"capacity\": null, \"alignment\": 1, \"base\": 0}\n"
    "],\n"
    "\"buffers\": [\n"
    "  {\"name\": \"image\", \"size\": 1024, \"alignment\": 1, \"lives\": [[0, "
    "3]], \"fixed\": 0},\n"
    "  {\"name\": \"sum\", \"size\": 1024, \"alignment\": 1, \"lives\": [[3, "
    "5]], \"pools\": [\"sram\"], \"uses\": 2},\n"
    "  {\"name\": \"left\", \"size\": 512, \"alignment\": 128, \"lives\": [[5, "
    "7]], \"branches\": [[0, 0]]},\n"
    "  {\"name\": \"right\", \"size\": 512, \"alignment\": 128, \"lives\": "
    "[[5, "
    "7]], \"branches\": [[0, 1]]},\n"
    "  {\"name\": \"half\", \"size\": 512, \"alignment\": 1, \"lives\": [[4, "
    "6], [8, 9]]},\n"
    "  {\"name\": \"table\", \"size\": 9007199254740993, \"alignment\": 1, "
    "\"lives\": [[-9223372036854775808, 9223372036854775807]], \"pools\": "
    "[\"ddr\"]},\n"
    "  {\"size\": 100, \"alignment\": 1, \"lives\": [[20, 21]], \"pools\": "
    "[\"ddr\"]}\n"
    "],\n"
    "\"conflicts\": [\n"
    "  [0, 2],\n"
    "  [0, 3]\n"
    "],\n"
    "\"aliases\": [\n"
    "  {\"child\": 4, \"parent\": 1, \"offset\": 512},\n"
    "  {\"child\": 1, \"parent\": 0, \"offset\": 0, \"optional\": true, "
    "\"kind\": 3}\n"
    "],\n"
    "\"blocks\": [\n"
    "  [5, 6]\n"
    "],\n"
    "\"plan\": {\n"
    "\"figures\": {\"peak\": 9007199254742629, \"lower_bound\": "
    "9007199254742629, \"steps\": 12, \"optimal\": true, \"cancelled\": "
    "false},\n"
    "\"placements\": [\n"
    "  {\"pool\": \"sram\", \"offset\": 0},\n"
    "  {\"pool\": \"sram\", \"offset\": 0},\n"
    "  {\"pool\": \"sram\", \"offset\": 1024},\n"
    "  {\"pool\": \"sram\", \"offset\": 1024},\n"
    "  {\"pool\": \"sram\", \"offset\": 512},\n"
    "  {\"pool\": \"ddr\", \"offset\": 0},\n"
    "  {\"pool\": \"ddr\", \"offset\": 9007199254740993}\n"
    "]\n"
    "}\n"
    "}\n";

static void reads_everything(void) {
  gmem_placement_t *plan = NULL;
  gmem_problem_t *problem = read_text(whole, &plan);
  if (!problem)
    return;
  const gmem_pool_spec_t *sram = gmem_problem_pool(problem, 0);
  CHECK(sram->capacity == 4096 && sram->alignment == 64);
  CHECK(sram->base == 65536);
  CHECK(sram->speed == 8 && gmem_problem_pool(problem, 1)->speed == 0);
  CHECK(gmem_problem_pool(problem, 1)->capacity == GMEM_UNLIMITED);
  CHECK(gmem_problem_buffer_count(problem) == 7);
  const gmem_buffer_spec_t *sum = gmem_problem_buffer(problem, 1);
  CHECK(sum->pool_count == 1 && sum->pools[0] == 0 && sum->uses == 2);
  CHECK(gmem_problem_buffer(problem, 0)->has_fixed_offset);
  CHECK(!sum->has_fixed_offset);
  CHECK(gmem_problem_buffer(problem, 3)->branches[0].arm == 1);
  CHECK(gmem_problem_buffer(problem, 4)->range_count == 2);
  const gmem_buffer_spec_t *table = gmem_problem_buffer(problem, 5);
  CHECK(table->size == UINT64_C(9007199254740993)); // 2^53 + 1
  CHECK(table->ranges[0].begin == INT64_MIN);
  CHECK(gmem_problem_conflict_count(problem) == 2);
  CHECK(gmem_problem_alias_count(problem) == 2);
  CHECK(gmem_problem_alias(problem, 0)->offset == 512);
  CHECK(!gmem_problem_alias(problem, 0)->is_optional);
  CHECK(gmem_problem_alias(problem, 1)->is_optional);
  CHECK(gmem_problem_alias(problem, 0)->kind == 0);
  CHECK(gmem_problem_alias(problem, 1)->kind == 3);
  CHECK(gmem_problem_block_count(problem) == 1);
  CHECK(plan && plan[3].offset == 1024 && plan[5].pool == 1);
  CHECK(gmem_check(problem, plan, NULL, NULL) == GMEM_OK);
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
}

static void writes_what_it_reads(void) {
  static text_t text;
  text = (text_t){.limit = sizeof text.bytes};
  gmem_placement_t *plan = NULL;
  gmem_problem_t *problem = read_text(whole, &plan);
  gmem_plan_figures_t figures = {.peak = UINT64_C(9007199254742629),
                                 .lower_bound = UINT64_C(9007199254742629),
                                 .steps = 12,
                                 .optimal = true};
  if (!problem)
    return;
  CHECK(gmem_problem_json_write(problem, plan, &figures, append, &text, NULL) ==
        GMEM_OK);
  bool same = text.length == sizeof whole - 1 &&
              memcmp(text.bytes, whole, text.length) == 0;
  CHECK(same);
  if (!same)
    fprintf(stderr, "%.*s", (int)text.length, text.bytes);
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
}

#define HEAD "{\"format\": \"gmem-problem\", \"version\": 1, "
#define POOLS "\"pools\": [{\"name\": \"p\"}], "
#define ABC                                                                    \
  HEAD POOLS "\"buffers\": [{\"name\": \"a\", \"size\": 4, \"lives\": "        \
             "[[0, 1]]}, {\"name\": \"b\", \"size\": 4, \"lives\": [[0, "      \
             "1]]}, {\"name\": \"b\", \"size\": 4, \"lives\": [[2, 3]]}]"

static void reads_what_is_left_out(void) {
  gmem_placement_t *plan = NULL;
  gmem_problem_t *problem = read_text(ABC "}", &plan);
  CHECK(!plan);
  const gmem_buffer_spec_t *a = gmem_problem_buffer(problem, 0);
  CHECK(a->alignment == 1 && a->uses == 0 && a->pool_count == 1);
  CHECK(gmem_problem_pool(problem, 0)->capacity == GMEM_UNLIMITED);
  gmem_problem_destroy(problem);
  problem = read_text(HEAD "\"pools\": [], \"buffers\": []}", NULL);
  CHECK(gmem_problem_buffer_count(problem) == 0);
  gmem_problem_destroy(problem);
}

static void finds_buffers_by_name(void) {
  gmem_problem_t *problem =
      read_text(ABC ", \"conflicts\": [[\"a\", 2]]}", NULL);
  uint32_t first = 9, second = 9;
  CHECK(gmem_problem_conflict_count(problem) == 1);
  gmem_problem_conflict(problem, 0, &first, &second);
  CHECK(first == 0 && second == 2);
  gmem_problem_destroy(problem);
}

//===--- what is refused --------------------------------------------------===//

static void refuse_as(const char *text, gmem_status_t status, uint64_t line,
                      const char *message) {
  gmem_problem_t *problem = (gmem_problem_t *)&status; // to be overwritten
  gmem_placement_t *plan = (gmem_placement_t *)&status;
  gmem_diag_t diag = {0};
  gmem_status_t found =
      gmem_problem_json_read(text, strlen(text), NULL, &problem, &plan, &diag);
  CHECK(found == status && diag.status == status && diag.line == line);
  CHECK(!problem && !plan);
  CHECK(strcmp(diag.text, message) == 0);
  if (found != status || strcmp(diag.text, message) != 0)
    fprintf(stderr, "  %s\n  said: %d, %s\n", text, found, diag.text);
  CHECK(gmem_problem_json_read(text, strlen(text), NULL, &problem, NULL,
                               NULL) == status);
}

static void refuse(const char *text, const char *message) {
  refuse_as(text, GMEM_ERR_PARSE, 0, message);
}

static void refuses_what_is_no_problem(void) {
  refuse_as("", GMEM_ERR_PARSE, 1, "'[' or '{' expected near end of file");
  refuse_as("{\n\"format\": 1,\n}", GMEM_ERR_PARSE, 3,
            "string or '}' expected near '}'");
  refuse_as("{\"format\": 1, \"format\": 2}", GMEM_ERR_PARSE, 1,
            "duplicate object key near '\"format\"'");
  refuse_as("{\n\"version\": 9223372036854775808}", GMEM_ERR_OUT_OF_RANGE, 2,
            "too big integer near '9223372036854775808'");
  refuse("[]", "the document is not an object");
  refuse("{}", "format is missing");
  refuse("{\"format\": \"gmem-plan\"}", "format is not 'gmem-problem'");
  refuse("{\"format\": \"gmem-problem\"}", "version is missing");
  refuse_as("{\"format\": \"gmem-problem\", \"version\": 2, \"new\": 0}",
            GMEM_ERR_VERSION, 0, "unsupported version 2 (supported: 1)");
  refuse(HEAD "\"new\": 0}", "new is unknown");
  refuse(HEAD "\"buffers\": []}", "pools is missing");
  refuse(HEAD "\"pools\": {}, \"buffers\": []}", "pools is not an array");
}

static void refuses_bad_pools(void) {
  refuse(HEAD "\"pools\": [1]}", "pools[0] is not an object");
  refuse(HEAD "\"pools\": [{}]}", "pools[0].name is missing");
  refuse(HEAD "\"pools\": [{\"name\": 1}]}", "pools[0].name is not a string");
  refuse(HEAD "\"pools\": [{\"name\": \"p\", \"size\": 1}]}",
         "pools[0].size is unknown");
  refuse(HEAD "\"pools\": [{\"name\": \"p\", \"capacity\": -1}]}",
         "pools[0].capacity is negative");
  refuse(HEAD "\"pools\": [{\"name\": \"p\", \"alignment\": 1.0}]}",
         "pools[0].alignment is not an integer");
  refuse(HEAD "\"pools\": [{\"name\": \"p\", \"speed\": 4294967296}]}",
         "pools[0].speed is greater than 4294967295");
  refuse(HEAD "\"pools\": [{\"name\": \"p\"}, {\"name\": \"p\"}]}",
         "pools[1]: duplicate pool name 'p'");
}

static void refuse_buffer(const char *members, const char *message) {
  char text[512];
  snprintf(text, sizeof text, HEAD POOLS "\"buffers\": [{%s}]}", members);
  refuse(text, message);
}

static void refuses_bad_buffers(void) {
  refuse_buffer("\"name\": \"a\"", "buffers[0].size is missing (buffer 'a')");
  refuse_buffer("\"size\": 1", "buffers[0].lives is missing");
  refuse_buffer("\"size\": 1, \"lives\": [], \"align\": 2, \"name\": \"a\"",
                "buffers[0].align is unknown (buffer 'a')");
  refuse_buffer("\"size\": 1, \"lives\": []",
                "buffers[0]: buffer '': it has no live range");
  refuse_buffer("\"size\": 1, \"lives\": [1, 2]",
                "buffers[0].lives is not a list of pairs");
  refuse_buffer("\"size\": 1, \"lives\": [[1, 2, 3]]",
                "buffers[0].lives is not a list of pairs");
  refuse_buffer("\"size\": 1, \"lives\": [[1, \"2\"]]",
                "buffers[0].lives is not an integer");
  refuse_buffer("\"size\": 1, \"lives\": [[1, 2]], \"pools\": [\"q\"]",
                "buffers[0].pools names a pool that does not exist");
  refuse_buffer("\"size\": 1, \"lives\": [[1, 2]], \"pools\": []",
                "buffers[0]: buffer '': it has no candidate pool");
  refuse_buffer("\"size\": 1, \"lives\": [[1, 2]], \"branches\": [[0, -1]]",
                "buffers[0].branches is negative");
  refuse_buffer(
      "\"size\": 1, \"lives\": [[1, 2]], \"branches\": [[0, 4294967296]]",
      "buffers[0].branches contains a number greater than 4294967295");
}

static void refuses_bad_relations(void) {
  refuse(ABC ", \"conflicts\": [[0]]}",
         "conflicts[0] is not a pair of buffers");
  refuse(ABC ", \"conflicts\": [[0, 3]]}", "conflicts[0] is not a valid buffer "
                                           "index");
  refuse(ABC ", \"conflicts\": [[0, 1], [0, \"c\"]]}",
         "conflicts[1] names a buffer that does not exist");
  refuse(ABC ", \"conflicts\": [[0, \"b\"]]}",
         "conflicts[0] is the name of several buffers: use an index");
  refuse(ABC ", \"aliases\": [{\"child\": 1}]}",
         "aliases[0].parent is missing");
  refuse(ABC ", \"aliases\": [{\"child\": 1, \"parent\": 0, \"optional\": 1}]}",
         "aliases[0].optional is not a boolean");
  refuse(ABC ", \"aliases\": [{\"child\": 1, \"parent\": 0, \"kind\": "
             "4294967296}]}",
         "aliases[0].kind is greater than 4294967295");
  refuse(ABC ", \"blocks\": [{}]}", "blocks[0] is not a list of buffers");
  refuse(ABC ", \"blocks\": [[0, -1]]}", "blocks[0] is negative");
}

static void refuses_bad_plans(void) {
  refuse(ABC ", \"plan\": []}", "plan is not an object");
  refuse(ABC ", \"plan\": {}}", "plan.placements is missing");
  refuse(ABC ", \"plan\": {\"placements\": []}}",
         "plan.placements does not have one element per buffer");
  refuse(ABC ", \"plan\": {\"figures\": {\"top\": 1}, \"placements\": [0, 0, "
             "0]}}",
         "plan.figures.top is unknown");
  refuse(ABC ", \"plan\": {\"placements\": [{\"pool\": \"p\", \"offset\": 0}, "
             "{\"pool\": \"q\", \"offset\": 0}, {}]}}",
         "plan.placements[1].pool names a pool that does not exist (buffer "
         "'b')");
  refuse(ABC ", \"plan\": {\"placements\": [{\"pool\": \"p\"}, 0, 0]}}",
         "plan.placements[0].offset is missing (buffer 'a')");
}

static void refuses_to_write_what_is_no_json(void) {
  static text_t text;
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t range = {0, 1};
  gmem_buffer_spec_t spec = {.name = "\xFF",
                             .size = 1,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1};
  uint32_t index;
  gmem_diag_t diag = {0};
  text = (text_t){.limit = sizeof text.bytes};
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  CHECK(gmem_problem_json_write(problem, NULL, NULL, append, &text, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strcmp(diag.text, "buffer 0 has a name that is not UTF-8") == 0);
  gmem_problem_destroy(problem);
  problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  spec.name = "a";
  spec.uses = UINT64_MAX;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  CHECK(gmem_problem_json_write(problem, NULL, NULL, append, &text, &diag) ==
        GMEM_ERR_OUT_OF_RANGE);
  text = (text_t){.limit = 10};
  CHECK(gmem_problem_json_write(problem, NULL, NULL, append, &text, &diag) ==
        GMEM_ERR_OUT_OF_RANGE); // found before the first bytes went out
  gmem_problem_destroy(problem);
  problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  CHECK(gmem_problem_json_write(problem, NULL, NULL, append, &text, &diag) ==
        GMEM_ERR_IO);
  CHECK(strcmp(diag.text, "cannot write the JSON text") == 0);
  gmem_problem_destroy(problem);
}

//===--- no memory --------------------------------------------------------===//

static heap_t json_heap; // jansson's functions have no user pointer

typedef struct block_s {
  size_t size;
  max_align_t data[];
} block_t;

static void *json_alloc(size_t size) {
  block_t *block = heap_alloc(&json_heap, sizeof *block + size, 0);
  if (!block)
    return NULL;
  block->size = sizeof *block + size;
  return block->data;
}

static void json_release(void *memory) {
  if (!memory)
    return;
  block_t *block = (block_t *)((char *)memory - offsetof(block_t, data));
  heap_free(&json_heap, block, block->size, 0);
}

static gmem_status_t use_json(const gmem_allocator_t *allocator) {
  static text_t text;
  text = (text_t){.limit = sizeof text.bytes};
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan = NULL;
  gmem_plan_figures_t figures = {.peak = 1};
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_problem_json_read(
      whole, sizeof whole - 1, allocator, &problem, &plan, &diag);
  if (status == GMEM_OK)
    status =
        gmem_problem_json_write(problem, plan, &figures, append, &text, &diag);
  CHECK(status == GMEM_OK || diag.status == status);
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
  return status;
}

static void fails_each_allocation_once(void) {
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  size_t fail_at = 0;
  while (status == GMEM_ERR_OUT_OF_MEMORY && fail_at < 1000) {
    heap_t heap = {.fail_at = ++fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    status = use_json(&allocator);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK((status == GMEM_OK) == (heap.calls < heap.fail_at));
  }
  CHECK(status == GMEM_OK && fail_at > 10);
}

// Where jansson has no memory for a token, it calls the token invalid; some of
// its allocations it can do without.
static void fails_each_allocation_of_the_tree_once(void) {
  size_t fail_at = 0, invalid = 0, did_without = 0;
  json_set_alloc_funcs(json_alloc, json_release);
  do {
    json_heap = (heap_t){.fail_at = ++fail_at};
    gmem_status_t status = use_json(NULL);
    CHECK(json_heap.live_blocks == 0);
    bool failed = json_heap.calls >= fail_at;
    CHECK(status == GMEM_OK || failed);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY ||
          status == GMEM_ERR_PARSE);
    invalid += status == GMEM_ERR_PARSE;
    did_without += status == GMEM_OK && failed;
  } while (json_heap.calls >= fail_at && fail_at < 10000);
  CHECK(fail_at > 200 && fail_at < 10000);
  CHECK(invalid < fail_at / 2 && did_without < 5);
  json_set_alloc_funcs(malloc, free);
}

int main(void) {
  reads_everything();
  writes_what_it_reads();
  reads_what_is_left_out();
  finds_buffers_by_name();
  refuses_what_is_no_problem();
  refuses_bad_pools();
  refuses_bad_buffers();
  refuses_bad_relations();
  refuses_bad_plans();
  refuses_to_write_what_is_no_json();
  fails_each_allocation_once();
  fails_each_allocation_of_the_tree_once();
  return CHECK_RESULT();
}
