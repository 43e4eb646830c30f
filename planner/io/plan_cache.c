// plan_cache.c - stores plans under the digests of their problems, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text (docs/plan-cache.md) is untrusted: an entry is valid when its
// checksum is, and used when its plan passes the checker.

#include <inttypes.h>
#include <string.h>

#include "benefit.h"
#include "csv_fields.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_digest.h"
#include "problem_store.h"
#include "sha256.h"
#include "sort.h"
#include "text_out.h"

enum { HEX_SIZE = 2 * GMEM_SHA256_SIZE };

static const char first_line[] = "gmem-plan 1";
static const char *const effort_names[] = {"normal", "fast", "exhaustive"};
enum { EFFORTS = sizeof effort_names / sizeof *effort_names };

// One entry of the text.
typedef struct entry_s {
  const char *begin, *end; // all its lines
  uint64_t line;           // number of the first
  bool has_digest;         // |digest| could be read
  uint8_t digest[GMEM_SHA256_SIZE];
  gmem_cached_plan_t about;
  uint32_t buffer_count;
  gmem_csv_lines_t placements; // in front of them
  const char *sum_end;         // the sum is over [begin, sum_end)
  uint8_t sum[GMEM_SHA256_SIZE];
} entry_t;

// A plan for the current problem, in the order of its buffers.
typedef struct candidate_s {
  gmem_cached_plan_t about;
  gmem_benefit_t benefit;
  gmem_placement_t *plan;
} candidate_t;

typedef struct cache_s {
  const gmem_problem_t *problem;
  const gmem_allocator_t *allocator;
  uint32_t count;  // buffers
  uint32_t *order; // canonical
  uint8_t digest[GMEM_SHA256_SIZE];
  gmem_placement_t *scratch;
  gmem_diag_t *diag;
} cache_t;

//===--- reading lines ----------------------------------------------------===//

// Reads a line "|key| VALUE"; false, without reading it, for any other line.
static bool take(gmem_csv_lines_t *lines, const char *key,
                 gmem_csv_span_t *value) {
  gmem_csv_lines_t after = *lines;
  size_t length = strlen(key);
  if (!gmem_csv_next_line(&after, value) ||
      (size_t)(value->end - value->begin) <= length ||
      memcmp(value->begin, key, length) != 0 || value->begin[length] != ' ')
    return false;
  value->begin += length + 1;
  *lines = after;
  return true;
}

static bool take_number(gmem_csv_lines_t *lines, const char *key,
                        uint64_t *out) {
  gmem_csv_span_t value;
  return take(lines, key, &value) &&
         gmem_csv_read_digits(&value, UINT64_MAX, out) == GMEM_DIGITS_NUMBER &&
         value.begin == value.end;
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_digest(gmem_csv_lines_t *lines, const char *key,
                        uint8_t digest[GMEM_SHA256_SIZE]) {
  gmem_csv_span_t value;
  if (!take(lines, key, &value) || value.end - value.begin != HEX_SIZE)
    return false;
  for (size_t i = 0; i < GMEM_SHA256_SIZE; ++i) {
    int high = hex_value(value.begin[2 * i]);
    int low = hex_value(value.begin[2 * i + 1]);
    if (high < 0 || low < 0)
      return false;
    digest[i] = (uint8_t)(16 * high + low);
  }
  return true;
}

static bool is_name(const char *name, size_t length) {
  if (length == 0 || length > GMEM_MAX_ALGORITHM_NAME)
    return false;
  for (size_t i = 0; i < length; ++i)
    if (name[i] <= ' ' || name[i] > '~')
      return false;
  return true;
}

static bool take_algorithm(gmem_csv_lines_t *lines, char *out) {
  gmem_csv_span_t value;
  if (!take(lines, "algorithm", &value))
    return false;
  size_t length = (size_t)(value.end - value.begin);
  if (!is_name(value.begin, length))
    return false;
  memcpy(out, value.begin, length);
  out[length] = '\0';
  return true;
}

static bool take_word(gmem_csv_lines_t *lines, const char *key,
                      const char *const *words, size_t count, size_t *out) {
  gmem_csv_span_t value;
  if (!take(lines, key, &value))
    return false;
  for (*out = 0; *out < count; ++*out)
    if (gmem_csv_span_is(value, words[*out]))
      return true;
  return false;
}

//===--- reading entries --------------------------------------------------===//

// Reads the lines before the placements.
static bool take_about(gmem_csv_lines_t *lines, entry_t *entry) {
  static const char *const answers[] = {"no", "yes"};
  gmem_plan_figures_t *figures = &entry->about.figures;
  size_t effort, optimal;
  uint64_t buffers;
  entry->has_digest = take_digest(lines, "problem", entry->digest);
  if (!entry->has_digest || !take_algorithm(lines, entry->about.algorithm) ||
      !take_word(lines, "effort", effort_names, EFFORTS, &effort) ||
      !take_number(lines, "peak", &figures->peak) ||
      !take_number(lines, "lower-bound", &figures->lower_bound) ||
      !take_number(lines, "steps", &figures->steps) ||
      !take_word(lines, "optimal", answers, 2, &optimal) ||
      !take_number(lines, "buffers", &buffers) || buffers > UINT32_MAX)
    return false;
  entry->about.effort = (gmem_effort_t)effort;
  figures->optimal = optimal == 1;
  entry->buffer_count = (uint32_t)buffers;
  entry->placements = *lines;
  return true;
}

static bool skip_placements(gmem_csv_lines_t *lines, uint32_t count) {
  gmem_csv_span_t line;
  for (uint32_t i = 0; i < count; ++i)
    if (!gmem_csv_next_line(lines, &line) || *line.begin < '0' ||
        *line.begin > '9')
      return false;
  return true;
}

// Whether the checksum of the entry is right.
static bool is_sound(const entry_t *entry) {
  uint8_t found[GMEM_SHA256_SIZE];
  gmem_sha256(entry->begin, (size_t)(entry->sum_end - entry->begin), found);
  return memcmp(entry->sum, found, sizeof found) == 0;
}

// Moves |lines| past an entry; false when the entry is malformed.
static bool read_entry(gmem_csv_lines_t *lines, entry_t *entry) {
  gmem_csv_lines_t rest = *lines;
  gmem_csv_span_t line;
  *entry = (entry_t){.begin = lines->cursor};
  (void)gmem_csv_next_line(&rest, &line); // read by the caller already
  entry->begin = line.begin;
  entry->line = rest.line;
  if (!take_about(&rest, entry) || !skip_placements(&rest, entry->buffer_count))
    return false;
  entry->sum_end = rest.cursor;
  if (!take_digest(&rest, "sum", entry->sum))
    return false;
  entry->end = rest.cursor;
  *lines = rest;
  return true;
}

typedef enum found_e { FOUND_ENTRY, FOUND_BROKEN, FOUND_END } found_t;

// The next entry of the text. After a malformed one, continues after its first
// line.
static found_t next_entry(gmem_csv_lines_t *lines, entry_t *entry) {
  for (;;) {
    gmem_csv_lines_t before = *lines;
    gmem_csv_span_t line;
    if (!gmem_csv_next_line(lines, &line))
      return FOUND_END;
    if (!gmem_csv_span_is(line, first_line))
      continue;
    gmem_csv_lines_t behind = before;
    if (!read_entry(&behind, entry))
      return FOUND_BROKEN;
    *lines = behind;
    return FOUND_ENTRY;
  }
}

static bool read_placement(gmem_csv_lines_t *lines, gmem_placement_t *out) {
  gmem_csv_span_t line;
  uint64_t pool;
  if (!gmem_csv_next_line(lines, &line) ||
      gmem_csv_read_digits(&line, UINT32_MAX, &pool) != GMEM_DIGITS_NUMBER ||
      line.begin == line.end || *line.begin++ != ' ' ||
      gmem_csv_read_digits(&line, GMEM_MAX_ADDRESS, &out->offset) !=
          GMEM_DIGITS_NUMBER ||
      line.begin != line.end)
    return false;
  out->pool = (uint32_t)pool;
  return true;
}

//===--- comparison of plans ----------------------------------------------===//

// Compares by benefit, then peak, then proof of optimality.
static bool is_better(const candidate_t *a, const candidate_t *b) {
  if (a->benefit != b->benefit)
    return a->benefit > b->benefit;
  if (a->about.figures.peak != b->about.figures.peak)
    return a->about.figures.peak < b->about.figures.peak;
  return a->about.figures.optimal && !b->about.figures.optimal;
}

//===--- verification of an entry -----------------------------------------===//

static gmem_status_t fail_entry(cache_t *cache, const entry_t *entry,
                                const char *complaint) {
  gmem_planner_fail(cache->diag, GMEM_ERR_CORRUPT, GMEM_NO_BUFFER,
                    "the cached plan %s", complaint);
  if (cache->diag)
    cache->diag->line = entry->line;
  return GMEM_ERR_CORRUPT;
}

// Reads the plan of an entry into |candidate|. Fails with CORRUPT when it is
// not a valid plan of the problem, or with OUT_OF_MEMORY.
static gmem_status_t verify_entry(cache_t *cache, const entry_t *entry,
                                  candidate_t *candidate) {
  if (entry->buffer_count != cache->count)
    return fail_entry(cache, entry, "has a different number of buffers");
  gmem_csv_lines_t lines = entry->placements;
  for (uint32_t i = 0; i < cache->count; ++i)
    if (!read_placement(&lines, &candidate->plan[cache->order[i]]))
      return fail_entry(cache, entry, "has an invalid placement");
  gmem_status_t status =
      gmem_check(cache->problem, candidate->plan, NULL, cache->diag);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status != GMEM_OK)
    return fail_entry(cache, entry, "is not valid for this problem");
  candidate->about = entry->about;
  const gmem_plan_figures_t *figures = &entry->about.figures;
  if (gmem_plan_peak(cache->problem, candidate->plan) != figures->peak ||
      figures->lower_bound > figures->peak)
    return fail_entry(cache, entry, "has a peak other than stated");
  candidate->benefit = gmem_plan_worth(cache->problem, candidate->plan);
  return GMEM_OK;
}

static bool is_this_problem(const cache_t *cache, const entry_t *entry) {
  return entry->has_digest &&
         memcmp(entry->digest, cache->digest, sizeof cache->digest) == 0;
}

static void keep_better(cache_t *cache, candidate_t *best, candidate_t *other,
                        bool has_best) {
  if (has_best && !is_better(other, best))
    return;
  gmem_placement_t *plan = best->plan;
  *best = *other;
  best->plan = plan;
  if (cache->count)
    memcpy(plan, other->plan, cache->count * sizeof *plan);
}

// Finds the best plan of the text for the problem. Fails with NOT_FOUND,
// CORRUPT or OUT_OF_MEMORY.
static gmem_status_t find_best(cache_t *cache, gmem_csv_lines_t lines,
                               candidate_t *best) {
  gmem_status_t result = GMEM_ERR_NOT_FOUND;
  entry_t entry;
  for (found_t found; (found = next_entry(&lines, &entry)) != FOUND_END;) {
    if (!is_this_problem(cache, &entry))
      continue;
    candidate_t other = {.plan = cache->scratch};
    bool is_broken = found == FOUND_BROKEN || !is_sound(&entry);
    gmem_status_t status = is_broken ? fail_entry(cache, &entry, "is damaged")
                                     : verify_entry(cache, &entry, &other);
    if (status == GMEM_ERR_OUT_OF_MEMORY)
      return status;
    if (status == GMEM_OK)
      keep_better(cache, best, &other, result == GMEM_OK);
    if (result != GMEM_OK)
      result = status;
  }
  if (result == GMEM_ERR_NOT_FOUND)
    gmem_planner_fail(cache->diag, result, GMEM_NO_BUFFER,
                      "no cached plan for this problem");
  return result;
}

//===--- set-up -----------------------------------------------------------===//

static gmem_status_t open_cache(cache_t *cache, const gmem_problem_t *problem,
                                gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  uint32_t count = gmem_problem_buffer_count(problem);
  *cache = (cache_t){
      .problem = problem, .allocator = allocator, .count = count, .diag = diag};
  cache->order = gmem_planner_alloc(allocator, count, sizeof *cache->order);
  cache->scratch = gmem_planner_alloc(allocator, count, sizeof *cache->scratch);
  if (!cache->order || !cache->scratch)
    return gmem_planner_out_of_memory(diag);
  return gmem_problem_canonical(problem, cache->order, cache->digest, diag);
}

static void close_cache(cache_t *cache) {
  gmem_planner_free(cache->allocator, cache->order, cache->count,
                    sizeof *cache->order);
  gmem_planner_free(cache->allocator, cache->scratch, cache->count,
                    sizeof *cache->scratch);
}

static gmem_csv_lines_t lines_of(const char *text, size_t length) {
  const char *begin = length ? text : "";
  return (gmem_csv_lines_t){.cursor = begin, .end = begin + length};
}

gmem_status_t gmem_plan_cache_find(const gmem_problem_t *problem,
                                   const char *text, size_t length,
                                   gmem_placement_t *plan,
                                   gmem_cached_plan_t *out_about,
                                   gmem_diag_t *diag) {
  cache_t cache;
  candidate_t best = {.plan = plan};
  uint64_t bound = 0;
  gmem_status_t status = open_cache(&cache, problem, diag);
  if (status == GMEM_OK)
    status = find_best(&cache, lines_of(text, length), &best);
  if (status == GMEM_OK)
    status = gmem_lower_bound(problem, &bound, diag);
  close_cache(&cache);
  if (status != GMEM_OK)
    return status;
  // The run that made the plan may have computed another bound.
  gmem_plan_figures_t *figures = &best.about.figures;
  if (bound > figures->lower_bound)
    figures->lower_bound = bound;
  figures->optimal = figures->optimal || figures->lower_bound == figures->peak;
  if (out_about)
    *out_about = best.about;
  return GMEM_OK;
}

//===--- writing ----------------------------------------------------------===//

// Adds output to the checksum of its entry and passes it on.
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

static void put_digest(gmem_text_out_t *out, const char *key,
                       const uint8_t digest[GMEM_SHA256_SIZE]) {
  static const char digits[] = "0123456789abcdef";
  char hex[HEX_SIZE + 1];
  for (size_t i = 0; i < GMEM_SHA256_SIZE; ++i) {
    hex[2 * i] = digits[digest[i] >> 4];
    hex[2 * i + 1] = digits[digest[i] & 15];
  }
  hex[HEX_SIZE] = '\n';
  gmem_put_text(out, key);
  gmem_put_text(out, " ");
  gmem_put_bytes(out, hex, sizeof hex);
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
  put_digest(out, "problem", cache->digest);
  put_word(out, "algorithm", about->algorithm);
  put_word(out, "effort", effort_names[about->effort]);
  put_number(out, "peak", about->figures.peak);
  put_number(out, "lower-bound", about->figures.lower_bound);
  put_number(out, "steps", about->figures.steps);
  put_word(out, "optimal", about->figures.optimal ? "yes" : "no");
  put_number(out, "buffers", cache->count);
}

static void put_plan(gmem_text_out_t *out, const cache_t *cache,
                     const candidate_t *candidate) {
  summed_t summed = {.out = out};
  gmem_text_out_t inner = {.write = write_summed, .user = &summed};
  uint8_t sum[GMEM_SHA256_SIZE];
  gmem_sha256_begin(&summed.sha);
  put_about(&inner, cache, &candidate->about);
  for (uint32_t i = 0; i < cache->count; ++i) {
    const gmem_placement_t *placement = &candidate->plan[cache->order[i]];
    gmem_put_unsigned(&inner, placement->pool);
    gmem_put_text(&inner, " ");
    gmem_put_unsigned(&inner, placement->offset);
    gmem_put_text(&inner, "\n");
  }
  (void)gmem_text_out_end(&inner, "the entry",
                          NULL); // |out| records the failure
  gmem_sha256_end(&summed.sha, sum);
  put_digest(out, "sum", sum);
}

static void put_entry(gmem_text_out_t *out, const entry_t *entry) {
  gmem_put_bytes(out, entry->begin, (size_t)(entry->end - entry->begin));
  if (entry->end[-1] != '\n')
    gmem_put_text(out, "\n");
}

//===--- the other entries ------------------------------------------------===//

// The valid entries of a text for other problems.
typedef struct others_s {
  entry_t *entries;
  size_t count, capacity;
  gmem_order_t *order; // by digest, then by place in the text
  size_t order_capacity;
} others_t;

static gmem_status_t list_others(cache_t *cache, gmem_csv_lines_t lines,
                                 others_t *others) {
  entry_t entry;
  for (found_t found; (found = next_entry(&lines, &entry)) != FOUND_END;) {
    if (found == FOUND_BROKEN || is_this_problem(cache, &entry) ||
        !is_sound(&entry))
      continue;
    if (others->count == UINT32_MAX ||
        !gmem_planner_grow(cache->allocator, (void **)&others->entries,
                           others->count, &others->capacity, sizeof entry))
      return gmem_planner_out_of_memory(cache->diag);
    others->entries[others->count++] = entry;
  }
  return GMEM_OK;
}

// Bytes [8 * word, 8 * word + 8) of a digest, as a number.
static uint64_t digest_word(const uint8_t *digest, int word) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i)
    value = value << 8 | digest[8 * word + i];
  return value;
}

static gmem_status_t sort_others(cache_t *cache, others_t *others) {
  others->order_capacity = 2 * others->count;
  others->order = gmem_planner_alloc(cache->allocator, others->order_capacity,
                                     sizeof *others->order);
  if (!others->order)
    return gmem_planner_out_of_memory(cache->diag);
  for (size_t i = 0; i < others->count; ++i)
    others->order[i].index = (uint32_t)i;
  for (int word = GMEM_SHA256_SIZE / 8; word-- > 0;) {
    for (size_t i = 0; i < others->count; ++i)
      others->order[i].key =
          digest_word(others->entries[others->order[i].index].digest, word);
    gmem_sort_order(others->order, others->order + others->count,
                    others->count);
  }
  return GMEM_OK;
}

static const entry_t *other_at(const others_t *others, size_t i) {
  return &others->entries[others->order[i].index];
}

static int compare_digests(const entry_t *entry, const uint8_t *digest) {
  return memcmp(entry->digest, digest, GMEM_SHA256_SIZE);
}

// Of several entries for one problem, which cannot be checked here, selects the
// one with the best stated figures; on ties the first.
static const entry_t *best_of(const others_t *others, size_t first,
                              size_t last) {
  const entry_t *best = other_at(others, first);
  for (size_t i = first + 1; i < last; ++i) {
    const gmem_plan_figures_t *figures = &other_at(others, i)->about.figures;
    const gmem_plan_figures_t *least = &best->about.figures;
    if (figures->peak < least->peak ||
        (figures->peak == least->peak && figures->optimal && !least->optimal))
      best = other_at(others, i);
  }
  return best;
}

// Writes all entries in the order of their digests, one per digest.
static void put_all(gmem_text_out_t *out, const cache_t *cache,
                    const others_t *others, const candidate_t *candidate) {
  bool is_put = false;
  for (size_t first = 0, last; first < others->count; first = last) {
    const entry_t *entry = other_at(others, first);
    for (last = first + 1;
         last < others->count &&
         compare_digests(other_at(others, last), entry->digest) == 0;)
      ++last;
    if (!is_put && compare_digests(entry, cache->digest) > 0) {
      put_plan(out, cache, candidate);
      is_put = true;
    }
    put_entry(out, best_of(others, first, last));
  }
  if (!is_put)
    put_plan(out, cache, candidate);
}

static void free_others(const cache_t *cache, others_t *others) {
  gmem_planner_free(cache->allocator, others->entries, others->capacity,
                    sizeof *others->entries);
  gmem_planner_free(cache->allocator, others->order, others->order_capacity,
                    sizeof *others->order);
}

static gmem_status_t write_all(cache_t *cache, gmem_csv_lines_t lines,
                               const candidate_t *candidate,
                               gmem_write_fn write, void *user) {
  others_t others = {.count = 0};
  gmem_status_t status = list_others(cache, lines, &others);
  if (status == GMEM_OK)
    status = sort_others(cache, &others);
  if (status == GMEM_OK) {
    gmem_text_out_t out = {.write = write, .user = user};
    put_all(&out, cache, &others, candidate);
    status = gmem_text_out_end(&out, "the plan cache", cache->diag);
  }
  free_others(cache, &others);
  return status;
}

// Writes the better of |plan| and the plan in the text to |best|.
static gmem_status_t choose_plan(cache_t *cache, const gmem_placement_t *plan,
                                 const gmem_cached_plan_t *about,
                                 gmem_csv_lines_t lines, candidate_t *best) {
  gmem_diag_t *diag = cache->diag;
  cache->diag = NULL; // an invalid entry is not a failure of this call
  gmem_status_t found = find_best(cache, lines, best);
  cache->diag = diag;
  if (found == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_planner_out_of_memory(diag);
  candidate_t given = {.about = *about, .plan = cache->scratch};
  if (cache->count)
    memcpy(given.plan, plan, cache->count * sizeof *plan);
  given.about.figures.peak = gmem_plan_peak(cache->problem, plan);
  given.benefit = gmem_plan_worth(cache->problem, given.plan);
  keep_better(cache, best, &given, found == GMEM_OK);
  return GMEM_OK;
}

static gmem_status_t check_given(const gmem_problem_t *problem,
                                 const gmem_placement_t *plan,
                                 const gmem_cached_plan_t *about,
                                 gmem_diag_t *diag) {
  const char *end = memchr(about->algorithm, '\0', sizeof about->algorithm);
  if (!end || !is_name(about->algorithm, (size_t)(end - about->algorithm)))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "the algorithm's name is not 1 to %d printable "
                             "characters without a space",
                             GMEM_MAX_ALGORITHM_NAME);
  if ((unsigned)about->effort >= EFFORTS)
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
  gmem_status_t status = check_given(problem, plan, about, diag);
  if (status != GMEM_OK)
    return status;
  cache_t cache;
  status = open_cache(&cache, problem, diag);
  candidate_t best = {.plan = gmem_planner_alloc(cache.allocator, cache.count,
                                                 sizeof *best.plan)};
  if (status == GMEM_OK && !best.plan)
    status = gmem_planner_out_of_memory(diag);
  gmem_csv_lines_t lines = lines_of(text, length);
  if (status == GMEM_OK)
    status = choose_plan(&cache, plan, about, lines, &best);
  if (status == GMEM_OK)
    status = write_all(&cache, lines, &best, write, user);
  gmem_planner_free(cache.allocator, best.plan, cache.count, sizeof *best.plan);
  close_cache(&cache);
  return status;
}
