// planner_csv_test.c - CSV: what is read, what is refused and where, what is
// written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_csv_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

static const gmem_pool_spec_t pool = {
    .name = "memory", .capacity = GMEM_UNLIMITED, .alignment = 1};

static gmem_problem_t *read_text(const char *text, gmem_placement_t **plan) {
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_csv_read(text, strlen(text), &pool, 1, NULL, &problem, plan, &diag);
  if (status != GMEM_OK)
    fprintf(stderr, "line %" PRIu64 ": %s\n", diag.line, diag.text);
  CHECK(status == GMEM_OK);
  return problem;
}

static void reads_columns_in_any_order(void) {
  gmem_placement_t *plan = NULL;
  gmem_problem_t *problem = read_text("size,hint,upper,id,offset,lower,"
                                      "alignment\n"
                                      "10,,5,first,64,-3,16\n"
                                      "0,9,7,second,128,6,1\n",
                                      &plan);
  CHECK(gmem_problem_buffer_count(problem) == 2);
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, 0);
  CHECK(strcmp(spec->name, "first") == 0);
  CHECK(spec->size == 10 && spec->alignment == 16 && spec->range_count == 1);
  CHECK(spec->ranges[0].begin == -3 && spec->ranges[0].end == 5);
  CHECK(plan && plan[0].offset == 64 && plan[1].offset == 128);
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
}

static void reads_any_line_ends_and_skips_blank_lines(void) {
  gmem_placement_t *plan = (gmem_placement_t *)&pool; // to be overwritten
  gmem_problem_t *problem =
      read_text("\xEF\xBB\xBF\r\n\nid,lower,upper,size\r\n\r\na,0,1,2\r\n\n"
                "b,0,1,3",
                &plan);
  CHECK(gmem_problem_buffer_count(problem) == 2);
  CHECK(gmem_problem_buffer(problem, 1)->size == 3);
  CHECK(!plan);
  gmem_problem_destroy(problem);
}

static void reads_gaps(void) {
  gmem_problem_t *problem = read_text("id,lower,upper,size,gaps\n"
                                      "a,0,20,1,9-12  5-7 \n"
                                      "b,0,20,1,\n"
                                      "c,-9,9,1,-8--5 -5-0 7-8\n",
                                      NULL);
  const gmem_buffer_spec_t *a = gmem_problem_buffer(problem, 0);
  CHECK(a->range_count == 3);
  CHECK(a->ranges[0].begin == 0 && a->ranges[0].end == 5);
  CHECK(a->ranges[1].begin == 7 && a->ranges[1].end == 9);
  CHECK(a->ranges[2].begin == 12 && a->ranges[2].end == 20);
  CHECK(gmem_problem_buffer(problem, 1)->range_count == 1);
  const gmem_buffer_spec_t *c = gmem_problem_buffer(problem, 2);
  CHECK(c->range_count == 3);
  CHECK(c->ranges[0].begin == -9 && c->ranges[0].end == -8);
  CHECK(c->ranges[1].begin == 0 && c->ranges[1].end == 7);
  CHECK(c->ranges[2].begin == 8 && c->ranges[2].end == 9);
  gmem_problem_destroy(problem);
}

static void reads_the_largest_numbers(void) {
  gmem_problem_t *problem =
      read_text("id,lower,upper,size\n"
                "a,-9223372036854775808,9223372036854775807,"
                "9223372036854775807\n",
                NULL);
  const gmem_buffer_spec_t *a = gmem_problem_buffer(problem, 0);
  CHECK(a->size == GMEM_MAX_ADDRESS);
  CHECK(a->ranges[0].begin == INT64_MIN && a->ranges[0].end == INT64_MAX);
  gmem_problem_destroy(problem);
}

// minimalloc's own reader counts the times of `end`, and those of the gaps
// then, as the last ones of a life.
static void reads_the_other_names_of_columns(void) {
  gmem_problem_t *problem =
      read_text("start,end,buffer,size,gaps\n0,9,a,1,3-4 6-6\n", NULL);
  const gmem_buffer_spec_t *a = gmem_problem_buffer(problem, 0);
  CHECK(a->range_count == 3);
  CHECK(a->ranges[0].begin == 0 && a->ranges[0].end == 3);
  CHECK(a->ranges[1].begin == 5 && a->ranges[1].end == 6);
  CHECK(a->ranges[2].begin == 7 && a->ranges[2].end == 10);
  gmem_problem_destroy(problem);
  problem =
      read_text("buffer_id,begin,upper,size,kind\na,4,5,1,weights\n", NULL);
  CHECK(gmem_problem_buffer(problem, 0)->ranges[0].end == 5);
  gmem_problem_destroy(problem);
}

static void reads_quoted_fields(void) {
  gmem_problem_t *problem =
      read_text("\"id\",\"lower\",upper,size,gaps\r\n"
                "\"a,\"\"b\"\"\",\"0\",\"9\",\"12\",\"2-3 5-6\"\r\n"
                "\"\"\"\",0,9,1,\"\"\n",
                NULL);
  CHECK(strcmp(gmem_problem_buffer(problem, 0)->name, "a,\"b\"") == 0);
  CHECK(gmem_problem_buffer(problem, 0)->size == 12);
  CHECK(gmem_problem_buffer(problem, 0)->range_count == 3);
  CHECK(strcmp(gmem_problem_buffer(problem, 1)->name, "\"") == 0);
  gmem_problem_destroy(problem);
}

// OmniMalloc leaves out the offsets of buffers without a place.
static void needs_offsets_only_for_a_plan(void) {
  const char *text = "id,lower,upper,size,offset\na,0,1,2,\nb,0,1,2,7\n";
  gmem_problem_t *problem = read_text(text, NULL);
  CHECK(gmem_problem_buffer_count(problem) == 2);
  gmem_problem_destroy(problem);
}

//===--- several pools ----------------------------------------------------===//

static const gmem_pool_spec_t three_pools[] = {
    {.name = "fast", .capacity = 100, .alignment = 1},
    {.name = "with \"quotes\"", .capacity = 1000, .alignment = 1},
    {.name = "slow,er", .capacity = GMEM_UNLIMITED, .alignment = 1}};

static gmem_status_t read_with_pools(const char *text, size_t pool_count,
                                     gmem_problem_t **problem,
                                     gmem_placement_t **plan,
                                     gmem_diag_t *diag) {
  return gmem_csv_read(text, strlen(text), three_pools, pool_count, NULL,
                       problem, plan, diag);
}

static void reads_pools_fixed_and_uses(void) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan = NULL;
  CHECK(
      read_with_pools("id,lower,upper,size,uses,pools,fixed,offset,pool\n"
                      "a,0,1,8,,,,0,\"slow,er\"\n"
                      "b,0,1,8,18446744073709551615,\"slow,er  fast\",,0,fast\n"
                      "c,0,1,8,3, fast ,64,64,fast\n"
                      "d,0,1,8,0,fast,,8,\"with \"\"quotes\"\"\"\n",
                      3, &problem, &plan, NULL) == GMEM_OK);
  const gmem_buffer_spec_t *a = gmem_problem_buffer(problem, 0);
  CHECK(a->pool_count == 3 && a->uses == 0 && !a->has_fixed_offset);
  const gmem_buffer_spec_t *b = gmem_problem_buffer(problem, 1);
  CHECK(b->pool_count == 2 && b->pools[0] == 2 && b->pools[1] == 0);
  CHECK(b->uses == UINT64_MAX);
  const gmem_buffer_spec_t *c = gmem_problem_buffer(problem, 2);
  CHECK(c->pool_count == 1 && c->pools[0] == 0 && c->uses == 3);
  CHECK(c->has_fixed_offset && c->fixed_offset == 64);
  CHECK(plan[0].pool == 2 && plan[1].pool == 0 && plan[3].pool == 1);
  CHECK(plan[2].offset == 64 && plan[3].offset == 8);
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
}

static void refuse_with_pools(const char *text, uint64_t line,
                              const char *message) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan = NULL;
  gmem_diag_t diag = {0};
  CHECK(read_with_pools(text, 3, &problem, &plan, &diag) == GMEM_ERR_PARSE);
  CHECK(!problem && !plan && diag.line == line);
  CHECK(strcmp(diag.text, message) == 0);
  if (strcmp(diag.text, message) != 0)
    fprintf(stderr, "  said: %s\n", diag.text);
}

#define POOLS "id,lower,upper,size,pools,fixed,uses,offset,pool\n"

static void refuses_bad_pools(void) {
  refuse_with_pools(POOLS "a,0,1,8,fast quick,,,0,fast\n", 2,
                    "pool 'quick' is unknown");
  refuse_with_pools(POOLS "a,0,1,8,fast fast,,,0,fast\n", 2,
                    "buffer 'a': a candidate pool is listed twice");
  refuse_with_pools(POOLS "a,0,1,8,,,,0,quick\n", 2, "pool 'quick' is unknown");
  refuse_with_pools(POOLS "a,0,1,8,,,,0,\n", 2, "pool '' is empty");
  refuse_with_pools(POOLS "a,0,1,8,,,,,fast\n", 2, "offset '' is empty");
  refuse_with_pools(POOLS "a,0,1,8,,-1,,0,fast\n", 2, "fixed '-1' is negative");
  refuse_with_pools(POOLS "a,0,1,8,,,many,0,fast\n", 2,
                    "uses 'many' is not a number");
  refuse_with_pools("id,lower,upper,size,offset\na,0,1,8,0\n", 1,
                    "column 'pool' is missing: with several pools, offsets "
                    "require it");
  refuse_with_pools("id,lower,upper,size,pool\na,0,1,8,fast\n", 1,
                    "column 'pool' requires a column 'offset' (candidate "
                    "pools are in the column 'pools')");
  gmem_problem_t *problem = NULL;
  CHECK(read_with_pools("id,lower,upper,size\n", 0, &problem, NULL, NULL) ==
        GMEM_OK); // no pools, no buffers
  gmem_problem_destroy(problem);
  CHECK(read_with_pools("id,lower,upper,size\na,0,1,8\n", 0, &problem, NULL,
                        NULL) == GMEM_ERR_PARSE);
}

//===--- what is refused --------------------------------------------------===//

static void refuse_bytes(const char *text, size_t length, gmem_status_t status,
                         uint64_t line, const char *message) {
  gmem_problem_t *problem = (gmem_problem_t *)&pool; // to be overwritten
  gmem_placement_t *plan = (gmem_placement_t *)&pool;
  gmem_diag_t diag = {0};
  CHECK(gmem_csv_read(text, length, &pool, 1, NULL, &problem, &plan, &diag) ==
        status);
  CHECK(!problem && !plan);
  CHECK(diag.status == status && diag.line == line);
  CHECK(strcmp(diag.text, message) == 0);
  if (strcmp(diag.text, message) != 0)
    fprintf(stderr, "  said: %s\n", diag.text);
  // Nobody has to ask for the details.
  CHECK(gmem_csv_read(text, length, &pool, 1, NULL, &problem, NULL, NULL) ==
        status);
}

static void refuse(const char *text, gmem_status_t status, uint64_t line,
                   const char *message) {
  refuse_bytes(text, strlen(text), status, line, message);
}

static void refuses_bad_headers(void) {
  refuse("", GMEM_ERR_PARSE, 1, "missing header line with the column names");
  refuse("\n\n\n", GMEM_ERR_PARSE, 3,
         "missing header line with the column names");
  refuse("id,lower,upper\n", GMEM_ERR_PARSE, 1, "column 'size' is missing");
  refuse("\nid,lower,upper,size,size\n", GMEM_ERR_PARSE, 2,
         "column 'size' is duplicated");
  refuse("id,lower,upper,size,colour\n", GMEM_ERR_PARSE, 1,
         "column 'colour' is unknown (known: id, lower, upper, size, "
         "alignment, gaps, pools, fixed, uses, offset, pool)");
  refuse("id,lower,upper,size,\n", GMEM_ERR_PARSE, 1,
         "column '' is unknown (known: id, lower, upper, size, alignment, "
         "gaps, pools, fixed, uses, offset, pool)");
  refuse_bytes("id,lower,upper,size\na,0,1\0,2\n", 30, GMEM_ERR_PARSE, 2,
               "unexpected NUL byte");
}

#define HEAD "id,lower,upper,size,alignment,offset\n"

static void refuses_bad_rows(void) {
  refuse(HEAD "a,0,1,2,1\n", GMEM_ERR_PARSE, 2,
         "the row has fewer fields than the header");
  refuse(HEAD "a,0,1,2,1,0\n\nb,0,1,2,1,0,\n", GMEM_ERR_PARSE, 4,
         "the row has more fields than the header");
  refuse(HEAD ",0,1,2,1,0\n", GMEM_ERR_PARSE, 2, "id '' is empty");
  refuse(HEAD "a,,1,2,1,0\n", GMEM_ERR_PARSE, 2, "lower '' is empty");
  refuse(HEAD "a\"b,0,1,2,1,0\n", GMEM_ERR_PARSE, 2,
         "id 'a\"b' has a quote or a control character");
  refuse(HEAD "\"a\tb\",0,1,2,1,0\n", GMEM_ERR_PARSE, 2,
         "id 'a?b' has a quote or a control character");
  refuse(HEAD "\"a\nb\",0,1,2,1,0\n", GMEM_ERR_PARSE, 2,
         "unterminated quoted field");
  refuse(HEAD "\"a\"\"\n", GMEM_ERR_PARSE, 2, "unterminated quoted field");
  refuse(HEAD "\"a\"b,0,1,2,1,0\n", GMEM_ERR_PARSE, 2,
         "unexpected text after a quoted field");
  refuse(HEAD "\"\",0,1,2,1,0\n", GMEM_ERR_PARSE, 2, "id '' is empty");
  refuse(HEAD "a,x,1,2,1,0\n", GMEM_ERR_PARSE, 2, "lower 'x' is not a number");
  refuse(HEAD "a,0,1 ,2,1,0\n", GMEM_ERR_PARSE, 2,
         "upper '1 ' is not a number");
  refuse(HEAD "a,0,1,2.5,1,0\n", GMEM_ERR_PARSE, 2,
         "size '2.5' is not a number");
  refuse(HEAD "a,0,1,-2,1,0\n", GMEM_ERR_PARSE, 2, "size '-2' is negative");
  refuse(HEAD "a,0,1,9223372036854775808,1,0\n", GMEM_ERR_OUT_OF_RANGE, 2,
         "size '9223372036854775808' is too large");
  refuse(HEAD "a,-9223372036854775809,1,2,1,0\n", GMEM_ERR_OUT_OF_RANGE, 2,
         "lower '-9223372036854775809' is out of range");
  refuse(HEAD "a,0,9223372036854775808,2,1,0\n", GMEM_ERR_OUT_OF_RANGE, 2,
         "upper '9223372036854775808' is too large");
  refuse(HEAD "a,1,1,2,1,0\n", GMEM_ERR_PARSE, 2,
         "lower '1' is not below upper");
  refuse(HEAD "a,0,1,2,3,0\n", GMEM_ERR_PARSE, 2,
         "buffer 'a': the alignment 3 is not a power of two");
  refuse(HEAD "a,0,1,2,0,0\n", GMEM_ERR_PARSE, 2,
         "buffer 'a': the alignment 0 is not a power of two");
  refuse(HEAD "a,0,1,2,2199023255552,0\n", GMEM_ERR_OUT_OF_RANGE, 2,
         "buffer 'a': the alignment 2199023255552 is above 1099511627776");
  refuse(HEAD "a,0,1,2,1,zero\n", GMEM_ERR_PARSE, 2,
         "offset 'zero' is not a number");
  refuse(HEAD "a,0,1,aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd\x1b"
              "eeeeeeeeee,1,0\n",
         GMEM_ERR_PARSE, 2,
         "size 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd?eee...' is not a "
         "number");
}

static void refuses_ends_behind_all_times(void) {
  refuse("id,start,end,size\na,0,9223372036854775807,1\n",
         GMEM_ERR_OUT_OF_RANGE, 2, "end '9223372036854775807' is too large");
  refuse("id,start,end,size\na,1,0,1\n", GMEM_ERR_PARSE, 2,
         "start '1' is above end");
  refuse("id,start,end,upper,size\n", GMEM_ERR_PARSE, 1,
         "column 'upper' is duplicated");
}

static void refuse_gaps(const char *gaps, gmem_status_t status,
                        const char *message) {
  char text[256];
  snprintf(text, sizeof text, "id,lower,upper,size,gaps\na,0,20,1,%s\n", gaps);
  refuse(text, status, 2, message);
}

static void refuses_bad_gaps(void) {
  refuse_gaps("5", GMEM_ERR_PARSE, "gap '5' is not LOWER-UPPER");
  refuse_gaps("1-2 5-x", GMEM_ERR_PARSE, "gap '5-x' is not LOWER-UPPER");
  refuse_gaps("5-6@7:9", GMEM_ERR_PARSE,
              "gap '5-6@7:9' has byte ranges, which are not supported: a gap "
              "applies to the whole buffer");
  refuse_gaps("5-6+7", GMEM_ERR_PARSE, "gap '5-6+7' is not LOWER-UPPER");
  refuse_gaps("5-5", GMEM_ERR_PARSE, "gap '5-5' is empty");
  refuse_gaps("18-21", GMEM_ERR_PARSE,
              "gap '18-21' is not inside [lower, upper)");
  refuse_gaps("-1-2", GMEM_ERR_PARSE,
              "gap '-1-2' is not inside [lower, upper)");
  refuse_gaps("5-9 8-10", GMEM_ERR_PARSE, "gaps '5-9 8-10' overlap");
  // The written file had another lower and upper than the one read.
  refuse_gaps(
      "5-6 0-4", GMEM_ERR_PARSE,
      "gap '0-4' touches lower or upper, at which the buffer must be live");
  refuse_gaps(
      "5-20", GMEM_ERR_PARSE,
      "gap '5-20' touches lower or upper, at which the buffer must be live");
  refuse_gaps("-99999999999999999999-2", GMEM_ERR_OUT_OF_RANGE,
              "gap '-99999999999999999999-2' is out of range");
  refuse_gaps("1-99999999999999999999", GMEM_ERR_OUT_OF_RANGE,
              "gap '1-99999999999999999999' is too large");
}

//===--- what is written --------------------------------------------------===//

typedef struct text_s {
  char bytes[1 << 16];
  size_t length;
  size_t limit; // fails when there would be more bytes
} text_t;

static gmem_status_t append(void *user, const char *bytes, size_t length) {
  text_t *text = user;
  if (length > text->limit - text->length)
    return GMEM_ERR_IO;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  return GMEM_OK;
}

static void expect_written(const gmem_problem_t *problem,
                           const gmem_placement_t *plan, const char *expected) {
  static text_t text;
  text = (text_t){.limit = sizeof text.bytes};
  CHECK(gmem_csv_write(problem, plan, 0, append, &text, NULL) == GMEM_OK);
  CHECK(text.length == strlen(expected) &&
        memcmp(text.bytes, expected, text.length) == 0);
}

static void writes_what_it_reads(void) {
  const char *const texts[] = {
      "id,lower,upper,size\na,0,1,2\n", "id,lower,upper,size\n",
      "id,lower,upper,size,alignment,gaps\na,-2,10,2,64,-1-2 3-4\nb,0,1,0,1,\n",
      "id,lower,upper,size,offset\na,0,1,2,100\nb,0,1,2,"
      "9223372036854775807\n",
      "id,lower,upper,size\n"
      "a,-9223372036854775808,9223372036854775807,9223372036854775807\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    gmem_placement_t *plan = NULL;
    gmem_problem_t *problem = read_text(texts[i], &plan);
    expect_written(problem, plan, texts[i]);
    gmem_plan_free(problem, plan);
    gmem_problem_destroy(problem);
  }
}

static void writes_the_buffers_of_one_pool(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t other;
  gmem_pool_spec_t second = pool;
  second.name = "second";
  add_buffer(problem, 0, 1, 8, 1);
  CHECK(gmem_problem_add_pool(problem, &second, &other, NULL) == GMEM_OK);
  add_buffer(problem, 0, 1, 9, 1); // has a choice
  gmem_placement_t plan[] = {{0, 0}, {16, other}};
  // A buffer without a name is called by its index.
  expect_written(problem, plan, "id,lower,upper,size,offset\n0,0,1,8,0\n");
  expect_written(problem, NULL, "id,lower,upper,size\n0,0,1,8\n1,0,1,9\n");
  gmem_problem_destroy(problem);
}

static void writes_all_pools(void) {
  const char *const texts[] = {
      "id,lower,upper,size,pools,fixed,uses,pool,offset\n"
      "a,0,1,8,,,0,\"slow,er\",0\n"
      "\"b,\"\"c\"\"\",0,1,8,\"slow,er fast\",,18446744073709551615,fast,0\n"
      "c,0,1,8,fast,64,1,fast,64\n",
      "id,lower,upper,size,pool,offset\na,0,1,8,fast,0\n",
      "id,lower,upper,size,pools\na,0,1,8,\nb,0,1,8,fast\n"};
  static text_t text;
  static const gmem_pool_spec_t pools[] = {
      {.name = "fast", .capacity = GMEM_UNLIMITED, .alignment = 1},
      {.name = "slow,er", .capacity = GMEM_UNLIMITED, .alignment = 1}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    gmem_problem_t *problem = NULL;
    gmem_placement_t *plan = NULL;
    text = (text_t){.limit = sizeof text.bytes};
    CHECK(gmem_csv_read(texts[i], strlen(texts[i]), pools, 2, NULL, &problem,
                        &plan, NULL) == GMEM_OK);
    CHECK(gmem_csv_write(problem, plan, GMEM_ALL_POOLS, append, &text, NULL) ==
          GMEM_OK);
    CHECK(text.length == strlen(texts[i]) &&
          memcmp(text.bytes, texts[i], text.length) == 0);
    gmem_plan_free(problem, plan);
    gmem_problem_destroy(problem);
  }
}

// A fixed offset is one in the first candidate: the buffer is no row of the
// others, although it lists them.
static void writes_a_fixed_buffer_for_its_pool_alone(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t other;
  gmem_pool_spec_t second = pool;
  second.name = "second pool";
  CHECK(gmem_problem_add_pool(problem, &second, &other, NULL) == GMEM_OK);
  add_fixed(problem, 0, 1, 8, 24);
  expect_written(problem, NULL, "id,lower,upper,size,fixed\n0,0,1,8,24\n");
  static text_t text;
  text = (text_t){.limit = sizeof text.bytes};
  CHECK(gmem_csv_write(problem, NULL, other, append, &text, NULL) == GMEM_OK);
  CHECK(text.length == strlen("id,lower,upper,size\n"));
  gmem_problem_destroy(problem);
}

static void refuses_pools_that_no_list_can_name(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t index;
  gmem_pool_spec_t second = pool;
  second.name = "second pool";
  add_buffer(problem, 0, 1, 8, 1); // the list is that of the first pool alone
  CHECK(gmem_problem_add_pool(problem, &second, &index, NULL) == GMEM_OK);
  static text_t text;
  text = (text_t){.limit = sizeof text.bytes};
  CHECK(gmem_csv_write(problem, NULL, GMEM_ALL_POOLS, append, &text, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(text.length == 0);
  gmem_problem_destroy(problem);
}

static void writes_no_gap_between_ranges_that_touch(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t ranges[] = {{0, 2}, {2, 4}, {5, 6}};
  gmem_buffer_spec_t spec = {
      .size = 8, .alignment = 1, .ranges = ranges, .range_count = 2};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  expect_written(problem, NULL, "id,lower,upper,size\n0,0,4,8\n");
  spec.range_count = 3;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  expect_written(problem, NULL,
                 "id,lower,upper,size,gaps\n0,0,4,8,\n1,0,6,8,4-5\n");
  gmem_problem_destroy(problem);
}

static void refuses_names_with_control_characters(void) {
  const char *const names[] = {"a\nb", "a\tb", "\r"};
  for (size_t i = 0; i < 3; ++i) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    gmem_live_range_t range = {0, 1};
    gmem_buffer_spec_t spec = {.name = names[i],
                               .size = 1,
                               .alignment = 1,
                               .ranges = &range,
                               .range_count = 1};
    uint32_t index;
    static text_t text;
    text = (text_t){.limit = sizeof text.bytes};
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
    CHECK(gmem_csv_write(problem, NULL, 0, append, &text, NULL) ==
          GMEM_ERR_INVALID_ARGUMENT);
    CHECK(text.length == 0);
    gmem_problem_destroy(problem);
  }
}

// They were lost, and the file read back was an easier problem.
static void refuses_what_has_no_column(void) {
  static text_t text;
  gmem_diag_t diag = {0};
  for (int kind = 0; kind < 4; ++kind) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    gmem_live_range_t range = {0, 1};
    gmem_branch_t branch = {0, 1};
    uint32_t both[] = {0, 1}, index;
    gmem_buffer_spec_t spec = {.name = "c",
                               .size = 1,
                               .alignment = 1,
                               .ranges = &range,
                               .range_count = 1,
                               .branches = &branch,
                               .branch_count = kind == 0};
    add_buffer(problem, 0, 1, 8, 1);
    add_buffer(problem, 2, 3, 8, 1);
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
    if (kind == 1)
      CHECK(gmem_problem_add_conflict(problem, 0, 1, NULL) == GMEM_OK);
    if (kind == 2)
      CHECK(gmem_problem_add_alias(
                problem, &(gmem_alias_spec_t){.child = 0, .parent = 1}, NULL) ==
            GMEM_OK);
    if (kind == 3)
      CHECK(gmem_problem_add_block(problem, &(gmem_block_spec_t){both, 2},
                                   NULL) == GMEM_OK);
    text = (text_t){.limit = sizeof text.bytes};
    CHECK(gmem_csv_write(problem, NULL, 0, append, &text, &diag) ==
          GMEM_ERR_INVALID_ARGUMENT);
    CHECK(text.length == 0);
    CHECK(strstr(diag.text, "CSV has no column for the ") == diag.text);
    gmem_problem_destroy(problem);
  }
}

static void stops_when_writing_fails(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 2000; ++i)
    add_buffer(problem, 0, 1, 8, 1);
  static text_t text;
  text = (text_t){.limit = 10000};
  CHECK(gmem_csv_write(problem, NULL, 0, append, &text, NULL) == GMEM_ERR_IO);
  CHECK(text.length <= 10000);
  gmem_problem_destroy(problem);
}

int main(void) {
  reads_columns_in_any_order();
  reads_any_line_ends_and_skips_blank_lines();
  reads_gaps();
  reads_the_largest_numbers();
  reads_the_other_names_of_columns();
  reads_quoted_fields();
  needs_offsets_only_for_a_plan();
  reads_pools_fixed_and_uses();
  refuses_bad_pools();
  refuses_bad_headers();
  refuses_bad_rows();
  refuses_ends_behind_all_times();
  refuses_bad_gaps();
  writes_what_it_reads();
  writes_the_buffers_of_one_pool();
  writes_all_pools();
  writes_a_fixed_buffer_for_its_pool_alone();
  refuses_pools_that_no_list_can_name();
  writes_no_gap_between_ranges_that_touch();
  refuses_names_with_control_characters();
  refuses_what_has_no_column();
  stops_when_writing_fails();
  return CHECK_RESULT();
}
