// set_constraints.c - see set_constraints.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "set_constraints.h"

#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"

enum { MOST_CONSTRAINTS = 1 << 22 };

// An entry of gmem.constraints.
typedef struct entry_s {
  uint32_t kind; // gmem_constraint_kind_t
  MlirStringRef first, second, pool;
  uint64_t bytes, banks, penalty;
} entry_t;

// An alias set with a tag; a set has one for each of its tags.
typedef struct tagged_s {
  MlirStringRef tag;
  uint32_t set;
} tagged_t;

// The sets of one tag, in |tags|.
typedef struct range_s {
  size_t begin, end;
} range_t;

typedef struct finder_s {
  const gmem_liveness_t *liveness;
  const gmem_candidate_pools_t *pools;
  gmem_bump_t *arena;
  gmem_set_constraints_t *out;
  GMEM_LIST(tagged_t) tags; // sorted by tag, then set
  bool has_tags;            // |tags| has been filled
  gmem_diag_t *diag;
} finder_t;

//===--- tags -------------------------------------------------------------===//

static MlirAttribute tags_of(const gmem_program_t *program, uint32_t value) {
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  const gmem_value_t *entry = &program->values[value];
  if (op)
    return gmem_op_annotation(op->op, GMEM_ATTR_TAG);
  if (entry->op != GMEM_NO_INDEX || !gmem_is_entry_block(program, entry->block))
    return mlirAttributeGetNull();
  return gmem_argument_annotation(
      program->functions[gmem_value_function(program, value)].op, entry->number,
      GMEM_ATTR_TAG);
}

static int compare_texts(MlirStringRef a, MlirStringRef b) {
  size_t length = a.length < b.length ? a.length : b.length;
  int order = length ? memcmp(a.data, b.data, length) : 0;
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_tagged(const void *left, const void *right) {
  const tagged_t *a = left, *b = right;
  int order = compare_texts(a->tag, b->tag);
  return order ? order : (a->set > b->set) - (a->set < b->set);
}

// The form of the tags was checked with the other input attributes.
static void read_tags(finder_t *finder, uint32_t value) {
  uint32_t set = finder->liveness->set_of[value];
  MlirAttribute tags = tags_of(finder->liveness->program, value);
  MlirStringRef tag;
  if (mlirAttributeIsNull(tags) || set == GMEM_NO_INDEX)
    return;
  if (gmem_string_get(tags, &tag)) {
    GMEM_APPEND(finder->arena, &finder->tags, (tagged_t){tag, set});
    return;
  }
  intptr_t count =
      gmem_is_string_list(tags, -1) ? mlirArrayAttrGetNumElements(tags) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    tag = mlirStringAttrGetValue(mlirArrayAttrGetElement(tags, i));
    GMEM_APPEND(finder->arena, &finder->tags, (tagged_t){tag, set});
  }
}

// Several values of one alias set may have the same tag: it counts once.
static gmem_status_t read_all_tags(finder_t *finder) {
  size_t kept = 0;
  finder->has_tags = true;
  for (uint32_t i = 0; i < finder->liveness->program->value_count; ++i)
    read_tags(finder, i);
  GMEM_TRY(gmem_bump_status(finder->arena, finder->diag));
  tagged_t *at = finder->tags.at;
  if (finder->tags.count)
    qsort(at, finder->tags.count, sizeof *at, compare_tagged);
  for (size_t i = 0; i < finder->tags.count; ++i)
    if (kept == 0 || compare_tagged(&at[kept - 1], &at[i]) != 0)
      at[kept++] = at[i];
  finder->tags.count = kept;
  return GMEM_OK;
}

// The first entry that is not below |key|.
static size_t find_tagged(const finder_t *finder, tagged_t key) {
  size_t low = 0, high = finder->tags.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_tagged(&finder->tags.at[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool has_tag(const finder_t *finder, MlirStringRef tag, uint32_t set) {
  tagged_t key = {tag, set};
  size_t at = find_tagged(finder, key);
  return at < finder->tags.count &&
         compare_tagged(&finder->tags.at[at], &key) == 0;
}

static range_t sets_of(const finder_t *finder, MlirStringRef tag) {
  range_t range = {find_tagged(finder, (tagged_t){tag, 0}),
                   find_tagged(finder, (tagged_t){tag, GMEM_NO_INDEX})};
  return range;
}

//===--- entries ----------------------------------------------------------===//

static const char *const kinds[] = {"apart", "banks", "boundary",
                                    "near",  "at",    NULL};
static const gmem_field_t fields[] = {
    {GMEM_FIELD("kind", entry_t, kind, WORD, REQUIRED), .words = kinds,
     .problem = "must be apart, banks, boundary, near or at"},
    {GMEM_FIELD("first", entry_t, first, STRING, REQUIRED), .least = 1,
     .problem = "must be a tag"},
    {GMEM_FIELD("second", entry_t, second, STRING, OPTIONAL), .least = 1,
     .problem = "must be a tag"},
    {GMEM_FIELD("pool", entry_t, pool, STRING, OPTIONAL), .least = 1,
     .problem = "must be the name of a pool"},
    {GMEM_FIELD("bytes", entry_t, bytes, NUMBER, OPTIONAL),
     .absent = GMEM_UNLIMITED, .problem = "must be an i64 of at least 0"},
    {GMEM_FIELD("banks", entry_t, banks, NUMBER, OPTIONAL), .least = 2,
     .most = UINT32_MAX, .problem = "must be an i64 from 2 to 4294967295"},
    {GMEM_FIELD("penalty", entry_t, penalty, NUMBER, OPTIONAL), .least = 1,
     .absent = GMEM_HARD, .problem = "must be an i64 of at least 1"}};
static const gmem_schema_t schema = {
    .fields = fields,
    .count = sizeof fields / sizeof *fields,
    .size = sizeof(entry_t),
    .unknown = "is unknown: expected kind, first, second, pool, bytes, banks "
               "or penalty",
    .incomplete = "needs a kind and a first tag",
    .no_dictionary = "must be a dictionary"};

static gmem_status_t reject_entry(const finder_t *finder, MlirOperation op,
                                  size_t index, MlirStringRef word,
                                  const char *problem) {
  return gmem_reject(
      finder->diag, op, "gmem.constraints: entry #%zu: %s%.*s%s%s", index,
      word.length ? "'" : "", (int)word.length, word.length ? word.data : "",
      word.length ? "' " : "", problem);
}

// Returns why the keys of an entry do not fit its kind, or NULL.
static const char *problem_of(const entry_t *entry) {
  gmem_constraint_kind_t kind = (gmem_constraint_kind_t)entry->kind;
  bool is_single = kind == GMEM_BOUNDARY || kind == GMEM_AT;
  if ((entry->second.length == 0) != is_single)
    return is_single ? "this kind has no second tag" : "there is no second tag";
  if ((entry->pool.length != 0) != (kind == GMEM_AT))
    return kind == GMEM_AT ? "there is no pool" : "this kind has no pool";
  if ((entry->bytes == GMEM_UNLIMITED) != (kind == GMEM_APART))
    return kind == GMEM_APART ? "this kind has no bytes" : "there are no bytes";
  if ((entry->banks != 0) != (kind == GMEM_BANKS))
    return kind == GMEM_BANKS ? "there are no banks" : "this kind has no banks";
  if ((kind == GMEM_BANKS || kind == GMEM_BOUNDARY) && entry->bytes == 0)
    return "there are no bytes";
  return NULL;
}

static gmem_status_t add_pair(finder_t *finder, MlirOperation op, size_t index,
                              gmem_constraint_t constraint) {
  gmem_set_constraints_t *out = finder->out;
  if (out->count == MOST_CONSTRAINTS)
    return reject_entry(finder, op, index, (MlirStringRef){NULL, 0},
                        "there are more than 4194304 pairs in all");
  GMEM_APPEND(finder->arena, out, constraint);
  return gmem_bump_status(finder->arena, finder->diag);
}

// Adds the constraint of |first| with each of the |seconds|; of two sets with
// both tags, once.
static gmem_status_t add_pairs(finder_t *finder, MlirOperation op, size_t index,
                               const entry_t *entry, range_t seconds,
                               gmem_constraint_t constraint) {
  bool has_both = has_tag(finder, entry->second, constraint.first);
  for (size_t i = seconds.begin; i < seconds.end; ++i) {
    uint32_t set = finder->tags.at[i].set;
    if (set == constraint.first || (has_both && set < constraint.first &&
                                    has_tag(finder, entry->first, set)))
      continue;
    constraint.second = set;
    GMEM_TRY(add_pair(finder, op, index, constraint));
  }
  return GMEM_OK;
}

static gmem_status_t find_pool(const finder_t *finder, MlirOperation op,
                               size_t index, MlirStringRef name,
                               uint32_t *out_pool) {
  for (uint32_t i = 0; i < finder->pools->count; ++i)
    if (gmem_string_is(name, finder->pools->all[i].name))
      return *out_pool = i, GMEM_OK;
  return reject_entry(finder, op, index, name, "is not the name of a pool");
}

static gmem_status_t add_entry(finder_t *finder, MlirOperation op, size_t index,
                               const entry_t *entry) {
  const MlirStringRef none = {NULL, 0};
  const char *problem = problem_of(entry);
  gmem_constraint_t constraint = {.kind = (gmem_constraint_kind_t)entry->kind,
                                  .bytes = entry->bytes,
                                  .banks = (uint32_t)entry->banks,
                                  .penalty = entry->penalty};
  if (problem)
    return reject_entry(finder, op, index, none, problem);
  if (entry->pool.length)
    GMEM_TRY(find_pool(finder, op, index, entry->pool, &constraint.pool));
  range_t firsts = sets_of(finder, entry->first);
  range_t seconds = sets_of(finder, entry->second);
  bool has_second = entry->second.length != 0;
  if (firsts.begin == firsts.end ||
      (has_second && seconds.begin == seconds.end))
    return reject_entry(finder, op, index,
                        firsts.begin == firsts.end ? entry->first
                                                   : entry->second,
                        "is the gmem.tag of no value with planned memory");
  size_t before = finder->out->count;
  for (size_t i = firsts.begin; i < firsts.end; ++i) {
    constraint.first = finder->tags.at[i].set;
    GMEM_TRY(has_second
                 ? add_pairs(finder, op, index, entry, seconds, constraint)
                 : add_pair(finder, op, index, constraint));
  }
  if (finder->out->count == before && finder->out->idle_count++ == 0) {
    finder->out->idle = index;
    finder->out->idle_op = op;
  }
  return GMEM_OK;
}

static gmem_status_t read_op(finder_t *finder, MlirOperation op) {
  MlirAttribute stated = gmem_op_annotation(op, GMEM_ATTR_CONSTRAINTS);
  gmem_malformed_t problem;
  entry_t *entries;
  size_t count;
  if (mlirAttributeIsNull(stated))
    return GMEM_OK;
  gmem_status_t status = gmem_dictionaries_read(&schema, stated, finder->arena,
                                                &entries, &count, &problem);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(finder->diag);
  if (status != GMEM_OK && problem.index == GMEM_NO_ENTRY)
    return gmem_bad_annotation(mlirOperationGetLocation(op),
                               GMEM_ATTR_CONSTRAINTS,
                               "an array of dictionaries", finder->diag);
  if (status != GMEM_OK)
    return reject_entry(finder, op, problem.index, problem.word, problem.text);
  if (!finder->has_tags)
    GMEM_TRY(read_all_tags(finder));
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(add_entry(finder, op, i, &entries[i]));
  return GMEM_OK;
}

gmem_status_t gmem_set_constraints_find(const gmem_liveness_t *liveness,
                                        const gmem_candidate_pools_t *pools,
                                        gmem_bump_t *arena,
                                        gmem_set_constraints_t *out_constraints,
                                        gmem_diag_t *diag) {
  const gmem_program_t *program = liveness->program;
  finder_t finder = {.liveness = liveness,
                     .pools = pools,
                     .arena = arena,
                     .out = out_constraints,
                     .diag = diag};
  *out_constraints = (gmem_set_constraints_t){.at = NULL};
  GMEM_TRY(read_op(&finder, program->scope));
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(read_op(&finder, program->functions[i].op));
  return GMEM_OK;
}
