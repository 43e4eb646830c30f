// gmem-diff.c - what has changed between two plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "diff_plan.h"
#include "gmem/passes.h"
#include "json_writer.h"
#include "messages.h"
#include "mlir_files.h"
#include "standard_streams.h"

// The exit status, as that of diff.
enum { SAME = 0, DIFFERENT = 1, TROUBLE = 2 };

typedef struct options_s {
  const char *paths[2];
  int count;
  bool json, fails_on_growth, quiet;
  uint64_t growth; // bytes that a pool may grow by
  uint64_t limit;  // lines of buffers
} options_t;

//===--- differences ------------------------------------------------------===//

typedef enum kind_e { GONE, NEW, GROWN, SHRUNK, LAYOUT, MOVED, KINDS } kind_t;

static const char *const kind_names[KINDS] = {"gone",   "new",    "grown",
                                              "shrunk", "layout", "moved"};

// A buffer of either plan, or of both.
typedef struct change_s {
  kind_t kind;
  const gmem_diff_buffer_t *before, *after; // NULL: not in that plan
} change_t;

typedef struct diff_s {
  gmem_diff_plan_t plans[2];
  change_t *changes; // by name
  size_t count;
  size_t of_kind[KINDS];
} diff_t;

static bool has_moved(const gmem_diff_buffer_t *a,
                      const gmem_diff_buffer_t *b) {
  return a->offset != b->offset || strcmp(a->pool, b->pool) != 0;
}

static bool same_layout(const gmem_diff_buffer_t *a,
                        const gmem_diff_buffer_t *b) {
  return a->layout == b->layout || json_equal(a->layout, b->layout);
}

static void add_change(diff_t *diff, kind_t kind,
                       const gmem_diff_buffer_t *before,
                       const gmem_diff_buffer_t *after) {
  diff->changes[diff->count++] = (change_t){kind, before, after};
  ++diff->of_kind[kind];
}

// Merges the buffers of the plans, which are sorted by name.
static void find_changes(diff_t *diff) {
  const gmem_diff_plan_t *old = &diff->plans[0], *new = &diff->plans[1];
  diff->changes = gmem_need(
      calloc(old->buffer_count + new->buffer_count + 1, sizeof *diff->changes));
  for (size_t i = 0, k = 0; i < old->buffer_count || k < new->buffer_count;) {
    const gmem_diff_buffer_t *a = &old->buffers[i], *b = &new->buffers[k];
    int order = i == old->buffer_count   ? 1
                : k == new->buffer_count ? -1
                                         : strcmp(a->name, b->name);
    if (order < 0)
      add_change(diff, GONE, a, NULL);
    else if (order > 0)
      add_change(diff, NEW, NULL, b);
    else if (a->size != b->size)
      add_change(diff, a->size < b->size ? GROWN : SHRUNK, a, b);
    else if (!same_layout(a, b))
      add_change(diff, LAYOUT, a, b);
    else if (has_moved(a, b))
      add_change(diff, MOVED, a, b);
    i += order <= 0;
    k += order >= 0;
  }
}

static bool pools_differ(const diff_t *diff) {
  const gmem_diff_plan_t *old = &diff->plans[0], *new = &diff->plans[1];
  bool differ = old->peak != new->peak ||
                old->lower_bound != new->lower_bound ||
                old->pool_count != new->pool_count;
  for (size_t i = 0; i < old->pool_count && !differ; ++i) {
    const gmem_diff_pool_t *a = &old->pools[i];
    const gmem_diff_pool_t *b = gmem_diff_pool_find(new, a->name);
    differ = !b || a->size != b->size || a->lower_bound != b->lower_bound ||
             a->constant != b->constant;
  }
  return differ;
}

// Whether the workspace, or a pool, has grown by more than |limit| bytes.
static bool has_grown(const diff_t *diff, uint64_t limit) {
  const gmem_diff_plan_t *old = &diff->plans[0], *new = &diff->plans[1];
  bool grown = new->peak > old->peak &&new->peak - old->peak > limit;
  for (size_t i = 0; i < new->pool_count && !grown; ++i) {
    const gmem_diff_pool_t *before =
        gmem_diff_pool_find(old, new->pools[i].name);
    uint64_t size = before ? before->size : 0;
    grown = new->pools[i].size > size &&new->pools[i].size - size > limit;
  }
  return grown;
}

//===--- text -------------------------------------------------------------===//

static void print_size(const char *what, const char *name, uint64_t old,
                       uint64_t new) {
  if (old == new)
    printf("%s%s: %" PRIu64 " bytes\n", what, name, new);
  else
    printf("%s%s: %" PRIu64 " -> %" PRIu64 " bytes (%c%" PRIu64 ")\n", what,
           name, old, new, new > old ? '+' : '-',
           new > old ? new - old : old - new);
}

static void print_place(const gmem_diff_buffer_t *buffer) {
  printf("%s+%" PRIu64, buffer->pool, buffer->offset);
}

static void print_change(const change_t *change) {
  const gmem_diff_buffer_t *any =
      change->after ? change->after : change->before;
  printf("%-6s  %s  ", kind_names[change->kind], any->name);
  if (change->before && change->after && change->before->size != any->size)
    printf("%" PRIu64 " -> %" PRIu64 " bytes  ", change->before->size,
           any->size);
  else
    printf("%" PRIu64 " bytes  ", any->size);
  print_place(change->before ? change->before : any);
  if (change->before && change->after &&
      has_moved(change->before, change->after)) {
    printf(" -> ");
    print_place(change->after);
  }
  printf("\n");
}

static void print_text(const diff_t *diff, const options_t *options) {
  const gmem_diff_plan_t *old = &diff->plans[0], *new = &diff->plans[1];
  print_size("workspace", "", old->peak, new->peak);
  print_size("lower bound", "", old->lower_bound, new->lower_bound);
  for (size_t i = 0; i < old->pool_count; ++i) {
    const gmem_diff_pool_t *after =
        gmem_diff_pool_find(new, old->pools[i].name);
    print_size("pool ", old->pools[i].name, old->pools[i].size,
               after ? after->size : 0);
  }
  for (size_t i = 0; i < new->pool_count; ++i)
    if (!gmem_diff_pool_find(old, new->pools[i].name))
      print_size("pool ", new->pools[i].name, 0, new->pools[i].size);
  printf("buffers: %zu gone, %zu new, %zu grown, %zu shrunk, %zu moved, "
         "%zu with another layout, of %zu and %zu\n",
         diff->of_kind[GONE], diff->of_kind[NEW], diff->of_kind[GROWN],
         diff->of_kind[SHRUNK], diff->of_kind[MOVED], diff->of_kind[LAYOUT],
         old->buffer_count, new->buffer_count);
  for (size_t i = 0; i < diff->count && i < options->limit; ++i)
    print_change(&diff->changes[i]);
  if (diff->count > options->limit)
    printf("... %" PRIu64 " more (--limit)\n", diff->count - options->limit);
}

//===--- JSON -------------------------------------------------------------===//

static void put_place(gmem_json_t *json, const char *key,
                      const gmem_diff_buffer_t *buffer) {
  if (!buffer) {
    gmem_json_null(json, key);
    return;
  }
  gmem_json_open(json, key, '{');
  gmem_json_text(json, "pool", buffer->pool);
  gmem_json_number(json, "offset", buffer->offset);
  gmem_json_number(json, "size", buffer->size);
  gmem_json_close(json);
}

static void put_pool(gmem_json_t *json, const char *name,
                     const gmem_diff_pool_t *old, const gmem_diff_pool_t *new) {
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", name);
  gmem_json_number_or_null(json, "old", old ? old->size : UINT64_MAX,
                           UINT64_MAX);
  gmem_json_number_or_null(json, "new", new ? new->size : UINT64_MAX,
                           UINT64_MAX);
  gmem_json_close(json);
}

static gmem_status_t print_json(const diff_t *diff) {
  const gmem_diff_plan_t *old = &diff->plans[0], *new = &diff->plans[1];
  gmem_json_t json;
  gmem_json_start(&json, gmem_write_to_stream, stdout);
  json.is_indented = true;
  gmem_json_open(&json, NULL, '{');
  gmem_json_number(&json, "version", 1);
  gmem_json_bool(&json, "equal", diff->count == 0 && !pools_differ(diff));
  gmem_json_number(&json, "old_peak", old->peak);
  gmem_json_number(&json, "new_peak", new->peak);
  gmem_json_number(&json, "old_lower_bound", old->lower_bound);
  gmem_json_number(&json, "new_lower_bound", new->lower_bound);
  gmem_json_open(&json, "pools", '[');
  for (size_t i = 0; i < old->pool_count; ++i)
    put_pool(&json, old->pools[i].name, &old->pools[i],
             gmem_diff_pool_find(new, old->pools[i].name));
  for (size_t i = 0; i < new->pool_count; ++i)
    if (!gmem_diff_pool_find(old, new->pools[i].name))
      put_pool(&json, new->pools[i].name, NULL, &new->pools[i]);
  gmem_json_close(&json);
  gmem_json_open(&json, "buffers", '[');
  for (size_t i = 0; i < diff->count; ++i) {
    const change_t *change = &diff->changes[i];
    gmem_json_open(&json, NULL, '{');
    gmem_json_text(&json, "name",
                   (change->after ? change->after : change->before)->name);
    gmem_json_text(&json, "change", kind_names[change->kind]);
    put_place(&json, "old", change->before);
    put_place(&json, "new", change->after);
    gmem_json_close(&json);
  }
  gmem_json_close(&json);
  gmem_json_close(&json);
  gmem_diag_t diag = {.text = ""};
  return gmem_tool_check(gmem_json_end(&json, "the differences", &diag), &diag,
                         "standard output");
}

//===--- the command line -------------------------------------------------===//

static void parse_growth(const gmem_option_t *option, void *target,
                         const char *text, struct argp_state *state) {
  options_t *options = target;
  options->fails_on_growth = true;
  if (text)
    options->growth = gmem_option_bytes(option, text, state);
}

#define AT(member) .offset = offsetof(options_t, member)
static const gmem_option_t option_table[] = {
    {"json", 0, NULL, "print the differences as JSON", 0,
     .kind = GMEM_OPTION_FLAG, AT(json)},
    {"limit", 'n', "LINES", "print at most LINES buffers (default: 40)", 0,
     .kind = GMEM_OPTION_UINT64, .most = UINT64_MAX, AT(limit),
     .expected = "a number of lines"},
    {"quiet", 'q', NULL, "print nothing", 0, .kind = GMEM_OPTION_FLAG,
     AT(quiet)},
    {"fail-on-growth", 0, "BYTES",
     "exit with status 1 only if the workspace or a pool has grown, or has "
     "grown by more than BYTES",
     0, .kind = GMEM_OPTION_OTHER, .parse = parse_growth, .is_optional = true},
    {0}};

static const char documentation[] =
    "Prints what has changed from the plan OLD to the plan NEW: planned MLIR "
    "modules, or plans in JSON by gmem-translate --gmem-to-json. Buffers are "
    "the same if they have the same name."
    "\v"
    "  $ gmem-diff old.mlir new.mlir\n"
    "  $ gmem-diff --fail-on-growth=4096 --quiet released.json new.mlir\n\n"
    "Exit status: 0 if the plans are equal, 1 if they differ, 2 on any error.";

static void add_argument(void *target, char *argument,
                         struct argp_state *state) {
  options_t *options = target;
  if (options->count == 2)
    argp_error(state, "expected two files");
  options->paths[options->count++] = argument;
}

static void finish(void *target, struct argp_state *state) {
  const options_t *options = target;
  if (options->count < 2)
    argp_error(state, "expected two files");
  if (strcmp(options->paths[0], "-") == 0 &&
      strcmp(options->paths[1], "-") == 0)
    argp_error(state, "'-' (standard input) can be one of the files only");
  if (options->json && options->quiet)
    argp_error(state, "--json and --quiet cannot be combined");
}

//===--- main -------------------------------------------------------------===//

static gmem_status_t read_plans(const options_t *options, diff_t *diff) {
  MlirContext context = gmem_context_create();
  gmem_status_t status = GMEM_OK;
  for (int i = 0; i < 2 && status == GMEM_OK; ++i)
    status = gmem_diff_plan_read(context, options->paths[i], &diff->plans[i]);
  mlirContextDestroy(context);
  return status;
}

static gmem_status_t compare(const options_t *options, diff_t *diff) {
  GMEM_TRY(read_plans(options, diff));
  find_changes(diff);
  if (options->json)
    return print_json(diff);
  if (!options->quiet)
    print_text(diff, options);
  return GMEM_OK;
}

int main(int argc, char **argv) {
  static const gmem_command_line_t line = {
      option_table, "OLD NEW", documentation,    add_argument,
      NULL,         finish,    GMEM_MLIR_VERSION};
  gmem_tool_begin();
  options_t options = {.limit = 40};
  diff_t diff = {.count = 0};
  if (!gmem_command_line_parse(&line, argc, argv, &options))
    return TROUBLE;
  gmem_status_t status = compare(&options, &diff);
  bool differs = options.fails_on_growth
                     ? has_grown(&diff, options.growth)
                     : diff.count != 0 || pools_differ(&diff);
  free(diff.changes);
  gmem_diff_plan_free(&diff.plans[0]);
  gmem_diff_plan_free(&diff.plans[1]);
  bool is_good = gmem_tool_flush() == GMEM_OK && status == GMEM_OK;
  clearerr(stdout); // reported: the exit status is not that of other tools
  return !is_good ? TROUBLE : differs ? DIFFERENT : SAME;
}
