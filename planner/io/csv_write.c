// csv_write.c - writes a problem, and a plan if present, as CSV text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
static gmem_status_t refuse_relations(const table_t *table, uint32_t buffer,
                                      bool has_any, gmem_diag_t *diag) {
  if (!has_any)
    return GMEM_OK;
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, buffer,
                           "CSV has no column for the %s of this problem",
                           buffer != GMEM_NO_BUFFER ? "branches"
                           : gmem_problem_conflict_count(table->problem)
                               ? "conflicts"
                               : "aliases and blocks");
}

static gmem_status_t choose_columns(table_t *table, gmem_diag_t *diag) {
  uint32_t pools = gmem_problem_pool_count(table->problem);
  table->placed_pool =
      table->plan && table->pool == GMEM_ALL_POOLS && pools > 1;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(table->problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(table->problem, i);
    if (!belongs(table, i))
      continue;
    if (has_control(spec->name))
      return gmem_planner_fail(
          diag, GMEM_ERR_INVALID_ARGUMENT, i,
          "the name of buffer %" PRIu32 " contains a control character", i);
    GMEM_TRY(refuse_relations(table, i, spec->branch_count > 0, diag));
    note_columns(table, spec);
  }
  bool has_any = gmem_problem_conflict_count(table->problem) ||
                 gmem_problem_alias_count(table->problem) ||
                 gmem_problem_block_count(table->problem);
  return refuse_relations(table, GMEM_NO_BUFFER, has_any, diag);
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
  if (!strpbrk(text, ",\"")) {
    gmem_put_text(out, text);
    return;
  }
  gmem_put_text(out, "\"");
  put_inside_quotes(out, text);
  gmem_put_text(out, "\"");
}

static void put_gaps(gmem_text_out_t *out, const gmem_buffer_spec_t *spec) {
  const char *separator = "";
  for (size_t i = 1; i < spec->range_count; ++i) {
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

// The columns of minimalloc, except for the offset at the end.
static void put_buffer(gmem_text_out_t *out, const table_t *table,
                       const gmem_buffer_spec_t *spec, uint32_t buffer) {
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
  if (table->alignment) {
    gmem_put_text(out, ",");
    gmem_put_unsigned(out, spec->alignment);
  }
  if (table->gaps) {
    gmem_put_text(out, ",");
    put_gaps(out, spec);
  }
}

// The candidate pools, and the placement.
static void put_place(gmem_text_out_t *out, const table_t *table,
                      const gmem_buffer_spec_t *spec, uint32_t buffer) {
  if (table->pools) {
    gmem_put_text(out, ",");
    put_pools(out, table, spec);
  }
  if (table->fixed) {
    gmem_put_text(out, ",");
    if (is_fixed_here(table, spec))
      gmem_put_unsigned(out, spec->fixed_offset);
  }
  if (table->uses) {
    gmem_put_text(out, ",");
    gmem_put_unsigned(out, spec->uses);
  }
  if (table->placed_pool) {
    gmem_put_text(out, ",");
    uint32_t pool = table->plan[buffer].pool;
    put_field(out, gmem_problem_pool(table->problem, pool)->name);
  }
  if (table->plan) {
    gmem_put_text(out, ",");
    gmem_put_unsigned(out, table->plan[buffer].offset);
  }
}

static void put_row(gmem_text_out_t *out, const table_t *table,
                    uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(table->problem, buffer);
  put_buffer(out, table, spec, buffer);
  put_place(out, table, spec, buffer);
  gmem_put_text(out, "\n");
}

gmem_status_t gmem_csv_write(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool,
                             gmem_write_fn write, void *user,
                             gmem_diag_t *diag) {
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
