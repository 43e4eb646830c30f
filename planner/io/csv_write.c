// csv_write.c - writes a problem, and a plan if present, as CSV text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "planner_memory.h"
#include "text_out.h"

//===--- rows and columns -------------------------------------------------===//

// The data to write, and the columns with non-default values.
typedef struct table_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan; // or NULL
  uint32_t pool;                // or GMEM_ALL_POOLS
  bool alignment, gaps, pools, fixed, uses, placed_pool;
} table_t;

// A fixed offset applies to the first candidate.
static size_t candidate_count(const gmem_buffer_spec_t *spec) {
  return spec->has_fixed_offset ? 1 : spec->pool_count;
}

static bool belongs(const table_t *table, uint32_t buffer) {
  if (table->pool == GMEM_ALL_POOLS)
    return true;
  if (table->plan)
    return table->plan[buffer].pool == table->pool;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(table->problem, buffer);
  for (size_t i = 0; i < candidate_count(spec); ++i)
    if (spec->pools[i] == table->pool)
      return true;
  return false;
}

static bool has_gap(const gmem_buffer_spec_t *spec) {
  for (size_t i = 1; i < spec->range_count; ++i)
    if (spec->ranges[i - 1].end < spec->ranges[i].begin)
      return true;
  return false;
}

// Whether the candidates are those of a buffer added without any.
static bool may_go_anywhere(const table_t *table,
                            const gmem_buffer_spec_t *spec) {
  for (size_t i = 0; i < spec->pool_count; ++i)
    if (spec->pools[i] != i)
      return false;
  return spec->pool_count == gmem_problem_pool_count(table->problem);
}

static bool is_fixed_here(const table_t *table,
                          const gmem_buffer_spec_t *spec) {
  return spec->has_fixed_offset &&
         (table->pool == GMEM_ALL_POOLS || spec->pools[0] == table->pool);
}

static void note_columns(table_t *table, const gmem_buffer_spec_t *spec) {
  table->alignment = table->alignment || spec->alignment > 1;
  table->gaps = table->gaps || has_gap(spec);
  table->fixed = table->fixed || is_fixed_here(table, spec);
  table->uses = table->uses || spec->uses > 1;
  if (table->pool == GMEM_ALL_POOLS)
    table->pools = table->pools || !may_go_anywhere(table, spec);
}

static bool has_control(const char *text) {
  for (; *text; ++text)
    if ((unsigned char)*text < ' ')
      return true;
  return false;
}

// Dropping relations would describe a less constrained problem.
static gmem_status_t refuse_relations(uint32_t buffer, const char *what,
                                      gmem_diag_t *diag) {
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, buffer,
                           "CSV has no column for the %s of this problem",
                           what);
}

static gmem_status_t choose_columns(table_t *table, gmem_diag_t *diag) {
  const gmem_problem_t *problem = table->problem;
  table->placed_pool = table->plan && table->pool == GMEM_ALL_POOLS &&
                       gmem_problem_pool_count(problem) > 1;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (!belongs(table, i))
      continue;
    if (has_control(spec->name))
      return gmem_planner_fail(
          diag, GMEM_ERR_INVALID_ARGUMENT, i,
          "the name of buffer %" PRIu32 " contains a control character", i);
    if (spec->branch_count)
      return refuse_relations(i, "branches", diag);
    note_columns(table, spec);
  }
  if (gmem_problem_conflict_count(problem))
    return refuse_relations(GMEM_NO_BUFFER, "conflicts", diag);
  if (gmem_problem_constraint_count(problem))
    return refuse_relations(GMEM_NO_BUFFER, "constraints", diag);
  if (gmem_problem_alias_count(problem) || gmem_problem_block_count(problem))
    return refuse_relations(GMEM_NO_BUFFER, "aliases and blocks", diag);
  return GMEM_OK;
}

// Lists of pools are separated by spaces.
static gmem_status_t check_pool_names(const table_t *table, gmem_diag_t *diag) {
  if (!table->pools && !table->placed_pool)
    return GMEM_OK;
  for (uint32_t i = 0; i < gmem_problem_pool_count(table->problem); ++i) {
    const char *name = gmem_problem_pool(table->problem, i)->name;
    if (has_control(name) || (table->pools && strchr(name, ' ')))
      return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, i,
                               "the name of pool %" PRIu32
                               " contains a space or a control character",
                               i);
  }
  return GMEM_OK;
}

//===--- rows -------------------------------------------------------------===//

static void put_header(gmem_text_out_t *out, const table_t *table) {
  const struct {
    bool is_there;
    const char *name;
  } columns[] = {
      {true, "id,lower,upper,size"}, {table->alignment, ",alignment"},
      {table->gaps, ",gaps"},        {table->pools, ",pools"},
      {table->fixed, ",fixed"},      {table->uses, ",uses"},
      {table->placed_pool, ",pool"}, {table->plan, ",offset"}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i)
    if (columns[i].is_there)
      gmem_put_text(out, columns[i].name);
  gmem_put_text(out, "\n");
}

// Writes |text| as quoted, with doubled quotes.
static void put_inside_quotes(gmem_text_out_t *out, const char *text) {
  for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
    gmem_put_bytes(out, text, (size_t)(quote - text) + 1);
    gmem_put_text(out, "\"");
  }
  gmem_put_text(out, text);
}

static void put_field(gmem_text_out_t *out, const char *text) {
  bool needs_quotes = strpbrk(text, ",\"");
  gmem_put_bytes(out, "\"", needs_quotes);
  put_inside_quotes(out, text);
  gmem_put_bytes(out, "\"", needs_quotes);
}

static void put_gaps(gmem_text_out_t *out, const gmem_buffer_spec_t *spec) {
  const char *separator = "";
  for (size_t i = 1; i < spec->range_count; ++i) {
    assert(spec->ranges[i - 1].end <= spec->ranges[i].begin);
    if (spec->ranges[i - 1].end == spec->ranges[i].begin)
      continue;
    gmem_put_text(out, separator);
    gmem_put_signed(out, spec->ranges[i - 1].end);
    gmem_put_text(out, "-");
    gmem_put_signed(out, spec->ranges[i].begin);
    separator = " ";
  }
}

static void put_pools(gmem_text_out_t *out, const table_t *table,
                      const gmem_buffer_spec_t *spec) {
  if (may_go_anywhere(table, spec))
    return;
  bool needs_quotes = false;
  for (size_t i = 0; i < spec->pool_count; ++i) {
    const char *name = gmem_problem_pool(table->problem, spec->pools[i])->name;
    needs_quotes = needs_quotes || strpbrk(name, ",\"");
  }
  const char *quotes = needs_quotes ? "\"" : "";
  gmem_put_text(out, quotes);
  for (size_t i = 0; i < spec->pool_count; ++i) {
    gmem_put_text(out, i ? " " : "");
    put_inside_quotes(out,
                      gmem_problem_pool(table->problem, spec->pools[i])->name);
  }
  gmem_put_text(out, quotes);
}

// Begins the next field if the column |is_there|, and returns whether it is.
static bool put_comma(gmem_text_out_t *out, bool is_there) {
  if (is_there)
    gmem_put_text(out, ",");
  return is_there;
}

// The columns of minimalloc, then the others, with the offset at the end.
static void put_row(gmem_text_out_t *out, const table_t *table,
                    uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(table->problem, buffer);
  if (*spec->name)
    put_field(out, spec->name);
  else
    gmem_put_unsigned(out, buffer);
  gmem_put_text(out, ",");
  gmem_put_signed(out, spec->ranges[0].begin);
  gmem_put_text(out, ",");
  gmem_put_signed(out, spec->ranges[spec->range_count - 1].end);
  gmem_put_text(out, ",");
  gmem_put_unsigned(out, spec->size);
  if (put_comma(out, table->alignment))
    gmem_put_unsigned(out, spec->alignment);
  if (put_comma(out, table->gaps))
    put_gaps(out, spec);
  if (put_comma(out, table->pools))
    put_pools(out, table, spec);
  if (put_comma(out, table->fixed) && is_fixed_here(table, spec))
    gmem_put_unsigned(out, spec->fixed_offset);
  if (put_comma(out, table->uses))
    gmem_put_unsigned(out, spec->uses);
  if (put_comma(out, table->placed_pool))
    put_field(
        out, gmem_problem_pool(table->problem, table->plan[buffer].pool)->name);
  if (put_comma(out, table->plan))
    gmem_put_unsigned(out, table->plan[buffer].offset);
  gmem_put_text(out, "\n");
}

gmem_status_t gmem_csv_write(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool,
                             gmem_write_fn write, void *user,
                             gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && write, diag);
  table_t table = {.problem = problem, .plan = plan, .pool = pool};
  GMEM_TRY(choose_columns(&table, diag));
  GMEM_TRY(check_pool_names(&table, diag));
  gmem_text_out_t out = {.write = write, .user = user};
  put_header(&out, &table);
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < count && out.status == GMEM_OK; ++i)
    if (belongs(&table, i))
      put_row(&out, &table, i);
  return gmem_text_out_end(&out, "the CSV text", diag);
}
