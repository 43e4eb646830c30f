// plan_cache.c - stores the plan of a problem, with the problem's digest, as
// text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text (docs/plan-cache.md) is untrusted: an entry is valid when its
// checksum is, and used when its plan passes the checker.

#include <assert.h>
#include <string.h>

#include "benefit.h"
#include "csv_fields.h"
#include "planner_memory.h"
#include "problem_digest.h"
#include "problem_store.h"
#include "scratch.h"
#include "sha256.h"
#include "text_out.h"

static const char first_line[] = "gmem-plan 1";

typedef struct cache_s {
  const gmem_problem_t *problem;
  gmem_scratch_t memory; // of the arrays below; and the diagnostic
  const char *text;
  gmem_csv_lines_t lines; // of |text|
  uint32_t count;         // buffers
  uint32_t *order;        // canonical
  char digest[GMEM_SHA256_TEXT];
} cache_t;

static gmem_status_t fail_entry(const cache_t *cache, const char *complaint) {
  gmem_diag_t *diag = cache->memory.diag;
  gmem_planner_fail(diag, GMEM_ERR_CORRUPT, GMEM_NO_BUFFER,
                    "the cached plan %s", complaint);
  if (diag)
    diag->line = cache->lines.line ? cache->lines.line : 1;
  return GMEM_ERR_CORRUPT;
}

//===--- reading lines ----------------------------------------------------===//

static bool is_printable(const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (text[i] <= ' ' || text[i] > '~')
      return false;
  return length > 0;
}

// Reads the line "|key| VALUE".
static bool take(cache_t *cache, const char *key, gmem_csv_span_t *value) {
  size_t length = strlen(key);
  if (!gmem_csv_next_line(&cache->lines, value) ||
      (size_t)(value->end - value->begin) <= length ||
      memcmp(value->begin, key, length) != 0 || value->begin[length] != ' ')
    return false;
  value->begin += length + 1;
  return true;
}

static bool take_number(cache_t *cache, const char *key, uint64_t *out) {
  gmem_csv_span_t value;
  return take(cache, key, &value) &&
         gmem_csv_read_digits(&value, UINT64_MAX, out) == GMEM_DIGITS_NUMBER &&
         value.begin == value.end;
}

// |out|: room for |size| characters with the NUL.
static bool take_word(cache_t *cache, const char *key, char *out, size_t size) {
  gmem_csv_span_t value;
  if (!take(cache, key, &value))
    return false;
  size_t length = (size_t)(value.end - value.begin);
  if (length >= size || !is_printable(value.begin, length))
    return false;
  memcpy(out, value.begin, length);
  out[length] = '\0';
  return true;
}

static bool take_placement(cache_t *cache, gmem_placement_t *out) {
  gmem_csv_span_t line;
  uint64_t pool;
  if (!gmem_csv_next_line(&cache->lines, &line) ||
      gmem_csv_read_digits(&line, UINT32_MAX, &pool) != GMEM_DIGITS_NUMBER ||
      line.begin == line.end || *line.begin++ != ' ' ||
      gmem_csv_read_digits(&line, GMEM_MAX_ADDRESS, &out->offset) !=
          GMEM_DIGITS_NUMBER ||
      line.begin != line.end)
    return false;
  out->pool = (uint32_t)pool;
  return true;
}

//===--- reading an entry -------------------------------------------------===//

// Reads the lines between the digest and the placements.
static gmem_status_t read_about(cache_t *cache, gmem_cached_plan_t *about) {
  gmem_plan_figures_t *figures = &about->figures;
  char effort[GMEM_SHA256_TEXT], optimal[sizeof "yes"];
  uint64_t buffers;
  if (!take_word(cache, "algorithm", about->algorithm,
                 sizeof about->algorithm) ||
      !take_word(cache, "effort", effort, sizeof effort) ||
      !gmem_effort_find(effort, &about->effort) ||
      !take_number(cache, "peak", &figures->peak) ||
      !take_number(cache, "lower-bound", &figures->lower_bound) ||
      !take_number(cache, "steps", &figures->steps) ||
      !take_word(cache, "optimal", optimal, sizeof optimal) ||
      (strcmp(optimal, "yes") != 0 && strcmp(optimal, "no") != 0) ||
      !take_number(cache, "buffers", &buffers))
    return fail_entry(cache, "is damaged");
  figures->optimal = optimal[0] == 'y';
  return buffers == cache->count
             ? GMEM_OK
             : fail_entry(cache, "has a different number of buffers");
}

// Reads the last line, the checksum of all before it.
static gmem_status_t check_sum(cache_t *cache) {
  uint8_t digest[GMEM_SHA256_SIZE];
  char expected[GMEM_SHA256_TEXT], sum[GMEM_SHA256_TEXT];
  gmem_sha256(cache->text, (size_t)(cache->lines.cursor - cache->text), digest);
  gmem_sha256_text(digest, expected);
  return take_word(cache, "sum", sum, sizeof sum) &&
                 strcmp(sum, expected) == 0 &&
                 cache->lines.cursor == cache->lines.end
             ? GMEM_OK
             : fail_entry(cache, "is damaged");
}

static gmem_status_t verify(const cache_t *cache,
                            const gmem_plan_figures_t *figures,
                            const gmem_placement_t *plan) {
  gmem_status_t status =
      gmem_check(cache->problem, plan, NULL, cache->memory.diag);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status != GMEM_OK)
    return fail_entry(cache, "is not valid for this problem");
  return gmem_plan_peak(cache->problem, plan) == figures->peak &&
                 figures->lower_bound <= figures->peak
             ? GMEM_OK
             : fail_entry(cache, "has a peak other than stated");
}

// Reads and verifies the entry; the plan is in the order of the buffers of the
// problem. Fails with NOT_FOUND when there is none or it is of another problem,
// CORRUPT or OUT_OF_MEMORY.
static gmem_status_t read_entry(cache_t *cache, gmem_cached_plan_t *about,
                                gmem_placement_t *plan) {
  gmem_csv_span_t line;
  char digest[GMEM_SHA256_TEXT];
  bool has_any = gmem_csv_next_line(&cache->lines, &line);
  if (has_any && (!gmem_csv_span_is(line, first_line) ||
                  !take_word(cache, "problem", digest, sizeof digest)))
    return fail_entry(cache, "is damaged");
  if (!has_any || strcmp(digest, cache->digest) != 0)
    return gmem_planner_fail(cache->memory.diag, GMEM_ERR_NOT_FOUND,
                             GMEM_NO_BUFFER, "no cached plan for this problem");
  GMEM_TRY(read_about(cache, about));
  for (uint32_t i = 0; i < cache->count; ++i)
    if (!take_placement(cache, &plan[cache->order[i]]))
      return fail_entry(cache, "has an invalid placement");
  GMEM_TRY(check_sum(cache));
  return verify(cache, &about->figures, plan);
}

//===--- set-up -----------------------------------------------------------===//

static cache_t cache_of(const gmem_problem_t *problem, const char *text,
                        size_t length, gmem_diag_t *diag) {
  text = length ? text : "";
  return (cache_t){
      .problem = problem,
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag},
      .text = text,
      .lines = {.cursor = text, .end = text + length},
      .count = gmem_problem_buffer_count(problem)};
}

static gmem_status_t find_order(cache_t *cache) {
  uint8_t digest[GMEM_SHA256_SIZE];
  GMEM_TRY_NEW(cache->order, &cache->memory, cache->count);
  GMEM_TRY(gmem_problem_canonical(cache->problem, cache->order, digest,
                                  cache->memory.diag));
  gmem_sha256_text(digest, cache->digest);
  return GMEM_OK;
}

static gmem_status_t find(cache_t *cache, gmem_cached_plan_t *about,
                          gmem_placement_t *plan) {
  gmem_plan_figures_t *figures = &about->figures;
  uint64_t bound = 0;
  GMEM_TRY(find_order(cache));
  GMEM_TRY(read_entry(cache, about, plan));
  GMEM_TRY(gmem_lower_bound(cache->problem, &bound, cache->memory.diag));
  // The run that made the plan may have computed another bound.
  if (bound > figures->lower_bound)
    figures->lower_bound = bound;
  assert(figures->lower_bound <= figures->peak);
  figures->optimal = figures->optimal || figures->lower_bound == figures->peak;
  return GMEM_OK;
}

gmem_status_t gmem_plan_cache_find(const gmem_problem_t *problem,
                                   const char *text, size_t length,
                                   gmem_placement_t *plan,
                                   gmem_cached_plan_t *out_about,
                                   gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && (text || length == 0), diag);
  cache_t cache = cache_of(problem, text, length, diag);
  gmem_cached_plan_t about = {0};
  gmem_status_t status = find(&cache, &about, plan);
  gmem_scratch_free(&cache.memory);
  if (status == GMEM_OK && out_about)
    *out_about = about;
  return status;
}

//===--- writing ----------------------------------------------------------===//

// Adds output to the checksum of the entry and passes it on.
typedef struct summed_s {
  gmem_text_out_t *out;
  gmem_sha256_t sha;
} summed_t;

static gmem_status_t write_summed(void *user, const char *bytes,
                                  size_t length) {
  summed_t *summed = user;
  gmem_sha256_add(&summed->sha, bytes, length);
  gmem_put_bytes(summed->out, bytes, length);
  return summed->out->status;
}

static void put_word(gmem_text_out_t *out, const char *key, const char *word) {
  gmem_put_text(out, key);
  gmem_put_text(out, " ");
  gmem_put_text(out, word);
  gmem_put_text(out, "\n");
}

static void put_number(gmem_text_out_t *out, const char *key, uint64_t number) {
  gmem_put_text(out, key);
  gmem_put_text(out, " ");
  gmem_put_unsigned(out, number);
  gmem_put_text(out, "\n");
}

static void put_about(gmem_text_out_t *out, const cache_t *cache,
                      const gmem_cached_plan_t *about) {
  gmem_put_text(out, first_line);
  gmem_put_text(out, "\n");
  put_word(out, "problem", cache->digest);
  put_word(out, "algorithm", about->algorithm);
  put_word(out, "effort", gmem_effort_name(about->effort));
  put_number(out, "peak", about->figures.peak);
  put_number(out, "lower-bound", about->figures.lower_bound);
  put_number(out, "steps", about->figures.steps);
  put_word(out, "optimal", about->figures.optimal ? "yes" : "no");
  put_number(out, "buffers", cache->count);
}

static void put_entry(gmem_text_out_t *out, const cache_t *cache,
                      const gmem_cached_plan_t *about,
                      const gmem_placement_t *plan) {
  summed_t summed = {.out = out};
  gmem_text_out_t inner = {.write = write_summed, .user = &summed};
  uint8_t digest[GMEM_SHA256_SIZE];
  char sum[GMEM_SHA256_TEXT];
  gmem_sha256_begin(&summed.sha);
  put_about(&inner, cache, about);
  for (uint32_t i = 0; i < cache->count; ++i) {
    const gmem_placement_t *placement = &plan[cache->order[i]];
    gmem_put_unsigned(&inner, placement->pool);
    put_number(&inner, "", placement->offset);
  }
  (void)gmem_text_out_end(&inner, "the entry",
                          NULL); // |out| records the failure
  gmem_sha256_end(&summed.sha, digest);
  gmem_sha256_text(digest, sum);
  put_word(out, "sum", sum);
}

// Writes the better of the given plan and that of the text: by benefit, then
// peak, then proof of optimality.
static gmem_status_t write_better(cache_t *cache,
                                  const gmem_cached_plan_t *about,
                                  const gmem_placement_t *plan,
                                  gmem_write_fn write, void *user) {
  gmem_text_out_t out = {.write = write, .user = user};
  gmem_diag_t *diag = cache->memory.diag;
  gmem_cached_plan_t kept = {0};
  gmem_placement_t *kept_plan;
  GMEM_TRY_NEW(kept_plan, &cache->memory, cache->count);
  GMEM_TRY(find_order(cache));
  cache->memory.diag = NULL; // an invalid entry is not a failure of this call
  gmem_status_t found = read_entry(cache, &kept, kept_plan);
  if (found == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_planner_out_of_memory(diag);
  bool is_kept = found == GMEM_OK;
  if (is_kept) {
    gmem_benefit_t given = gmem_plan_worth(cache->problem, plan);
    gmem_benefit_t old = gmem_plan_worth(cache->problem, kept_plan);
    uint64_t paid = gmem_plan_penalty(cache->problem, plan);
    uint64_t kept_paid = gmem_plan_penalty(cache->problem, kept_plan);
    const gmem_plan_figures_t *a = &about->figures, *b = &kept.figures;
    is_kept = given != old         ? given < old
              : a->peak != b->peak ? a->peak > b->peak
              : paid != kept_paid  ? paid > kept_paid
                                   : !a->optimal || b->optimal;
  }
  put_entry(&out, cache, is_kept ? &kept : about, is_kept ? kept_plan : plan);
  return gmem_text_out_end(&out, "the plan cache", diag);
}

static gmem_status_t check_given(const gmem_problem_t *problem,
                                 const gmem_placement_t *plan,
                                 const gmem_cached_plan_t *about,
                                 gmem_diag_t *diag) {
  const char *end = memchr(about->algorithm, '\0', sizeof about->algorithm);
  if (!end || !is_printable(about->algorithm, (size_t)(end - about->algorithm)))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "the algorithm's name is not 1 to %d printable "
                             "characters without a space",
                             GMEM_MAX_ALGORITHM_NAME);
  if (!gmem_effort_name(about->effort))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "unknown effort");
  GMEM_TRY(gmem_check(problem, plan, NULL, diag));
  if (about->figures.lower_bound > gmem_plan_peak(problem, plan))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "the lower bound is above the peak of the plan");
  return GMEM_OK;
}

gmem_status_t gmem_plan_cache_add(const gmem_problem_t *problem,
                                  const gmem_placement_t *plan,
                                  const gmem_cached_plan_t *about,
                                  const char *text, size_t length,
                                  gmem_write_fn write, void *user,
                                  gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(
      problem && (plan || gmem_problem_buffer_count(problem) == 0) && write,
      diag);
  GMEM_TRY(check_given(problem, plan, about, diag));
  cache_t cache = cache_of(problem, text, length, diag);
  gmem_cached_plan_t given = *about;
  given.figures.peak = gmem_plan_peak(problem, plan);
  gmem_status_t status = write_better(&cache, &given, plan, write, user);
  gmem_scratch_free(&cache.memory);
  return status;
}
