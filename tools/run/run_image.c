// run_image.c - maps a plan image and prints a table of its buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/runtime.h"
#include "lost_file.h"
#include "run_messages.h"
#include "run_modes.h"
#include "run_simulated.h"

// A mapped plan; members are NULL until created.
typedef struct mapping_s {
  gmem_plan_t *plan;
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_lease_t *lease;
} mapping_t;

// One line of the table. Sorting by all members except |info| orders buffers by
// address, with aliases after their parent.
typedef struct line_s {
  uint32_t region;
  uint64_t parent_offset; // of |parent|
  gmem_buffer_t parent;   // the aliased buffer, or the buffer itself
  bool is_alias;
  uint64_t offset;
  gmem_buffer_t id;
  gmem_buffer_info_t info;
} line_t;

//===--- mapping ----------------------------------------------------------===//

static int report(const char *image, const char *text) {
  return gmem_run_error("%s: %s", image, text);
}

// Reports an error with its byte offset in the image, if it has one.
static int report_diag(const char *image, const gmem_diag_t *diag) {
  if (diag->status == GMEM_ERR_IO || diag->status == GMEM_ERR_OUT_OF_MEMORY)
    return report(image, diag->text);
  return gmem_run_error("%s: %s (byte %" PRIu64 ")", image, diag->text,
                        diag->offset);
}

static gmem_status_t open_mapping(mapping_t *mapping, gmem_diag_t *diag) {
  gmem_pool_options_t pool_options = {.struct_size = sizeof pool_options,
                                      .initial_slots = 1};
  GMEM_TRY(gmem_provider_mmap(NULL, NULL, &mapping->provider));
  GMEM_TRY(gmem_model_create(mapping->plan, &mapping->provider, NULL, NULL,
                             &mapping->model, diag));
  GMEM_TRY(gmem_pool_create(mapping->model, &mapping->provider, &pool_options,
                            NULL, &mapping->pool, diag));
  return gmem_lease_acquire(mapping->pool, GMEM_NONE, NULL, 0, &mapping->lease);
}

static void close_mapping(mapping_t *mapping) {
  gmem_lease_release(mapping->lease);
  gmem_pool_release(mapping->pool);
  gmem_model_release(mapping->model);
  gmem_provider_destroy(&mapping->provider);
  gmem_plan_release(mapping->plan);
}

// Whether |byte| is readable and, unless |read_only|, keeps a written value.
static bool touch_byte(volatile uint8_t *byte, bool read_only) {
  uint8_t before = *byte, flipped = before ^ 0xFF;
  if (read_only)
    return true;
  *byte = flipped;
  bool kept = *byte == flipped;
  *byte = before;
  return kept;
}

// Touches the first and last byte of every buffer. Returns the first buffer
// that failed, or GMEM_NONE.
static gmem_buffer_t touch_all(const mapping_t *mapping) {
  uint32_t count = gmem_plan_buffer_count(mapping->plan);
  for (gmem_buffer_t id = 0; id < count; ++id) {
    gmem_buffer_info_t info;
    void *host = NULL;
    if (gmem_plan_buffer(mapping->plan, id, &info) != GMEM_OK ||
        gmem_lease_host(mapping->lease, id, &host) != GMEM_OK ||
        (uintptr_t)host % info.align != 0)
      return id;
    bool read_only =
        info.space == GMEM_SPACE_WEIGHT || info.space == GMEM_SPACE_SHARED_WORK;
    uint8_t *bytes = host;
    if (info.size > 0 && (!touch_byte(bytes, read_only) ||
                          !touch_byte(bytes + info.size - 1, read_only)))
      return id;
  }
  return GMEM_NONE;
}

//===--- the table --------------------------------------------------------===//

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_lines(const void *a, const void *b) {
  const line_t *x = a, *y = b;
  int order = compare_numbers(x->region, y->region);
  if (order == 0)
    order = compare_numbers(x->parent_offset, y->parent_offset);
  if (order == 0)
    order = compare_numbers(x->parent, y->parent);
  if (order == 0)
    order = compare_numbers(x->is_alias, y->is_alias);
  if (order == 0)
    order = compare_numbers(x->offset, y->offset);
  return order ? order : compare_numbers(x->id, y->id);
}

static line_t make_line(const gmem_plan_t *plan, gmem_buffer_t id) {
  line_t line = {.id = id, .parent = id};
  gmem_buffer_info_t target;
  if (gmem_plan_buffer(plan, id, &line.info) != GMEM_OK)
    return line; // unreachable: |id| is valid
  line.region = line.info.region;
  line.offset = line.parent_offset = line.info.offset;
  if (gmem_plan_buffer(plan, line.info.parent, &target) == GMEM_OK) {
    line.is_alias = true;
    line.parent = line.info.parent;
    line.parent_offset = target.offset;
  }
  return line;
}

// Writes the steps at which a buffer is live, "[0,2) [5,6)", into |text|.
static void format_life(const gmem_buffer_info_t *info, char *text,
                        size_t size) {
  enum { SHOWN = 3 };
  if (info->space != GMEM_SPACE_ACTIVATION && info->space != GMEM_SPACE_IO) {
    snprintf(text, size, "always");
    return;
  }
  if (info->range_count == 0)
    snprintf(text, size, "view");
  size_t used = 0;
  for (uint32_t i = 0; i < info->range_count && i < SHOWN; ++i)
    used += (size_t)snprintf(text + used, size - used,
                             "%s[%" PRIu32 ",%" PRIu32 ")", i ? " " : "",
                             info->ranges[i].begin, info->ranges[i].end);
  if (info->range_count > SHOWN)
    snprintf(text + used, size - used, " +%" PRIu32 " more",
             info->range_count - SHOWN);
}

static void format_address(const mapping_t *mapping,
                           const gmem_run_options_t *options,
                           const line_t *line, const char *region, char *text,
                           size_t size) {
  void *host = NULL;
  if (!options->host)
    snprintf(text, size, "%s+0x%" PRIx64, region, line->offset);
  else if (gmem_lease_host(mapping->lease, line->id, &host) == GMEM_OK)
    snprintf(text, size, "0x%016" PRIxPTR, (uintptr_t)host);
}

static void print_line(const mapping_t *mapping,
                       const gmem_run_options_t *options, const line_t *line) {
  char life[128] = "", offset[24] = "";
  char address[GMEM_PLAN_MAX_NAME + 32] = "";
  gmem_region_info_t region;
  if (gmem_plan_region(mapping->plan, line->region, &region) != GMEM_OK)
    return; // unreachable: checked when the plan was opened
  format_life(&line->info, life, sizeof life);
  snprintf(offset, sizeof offset, "0x%" PRIx64, line->offset);
  format_address(mapping, options, line, region.name, address, sizeof address);
  printf("%-12s %12s %12" PRIu64 "  %-16s %-20s %s%s\n", region.name, offset,
         line->info.size, life, address, line->is_alias ? "  " : "",
         line->info.name);
}

static int print_table(const mapping_t *mapping,
                       const gmem_run_options_t *options) {
  uint32_t count = gmem_plan_buffer_count(mapping->plan);
  line_t *lines = malloc((count ? count : 1) * sizeof *lines);
  if (!lines)
    return report(options->path, "out of memory");
  for (uint32_t i = 0; i < count; ++i)
    lines[i] = make_line(mapping->plan, i);
  qsort(lines, count, sizeof *lines, compare_lines);
  printf("%-12s %12s %12s  %-16s %-20s %s\n", "REGION", "OFFSET", "SIZE",
         "LIFE", "ADDRESS", "NAME");
  uint32_t shown = options->limit < count ? (uint32_t)options->limit : count;
  for (uint32_t i = 0; i < shown; ++i)
    print_line(mapping, options, &lines[i]);
  if (shown < count)
    printf("(%" PRIu32 " more)\n", count - shown);
  printf("%" PRIu32 " buffers, %" PRIu32 " steps; %" PRIu64
         " bytes shared, %" PRIu64 " bytes per slot\n",
         count, gmem_plan_op_count(mapping->plan),
         gmem_plan_shared_size(mapping->plan),
         gmem_plan_slot_size(mapping->plan));
  free(lines);
  return 0;
}

static int print_one(const mapping_t *mapping,
                     const gmem_run_options_t *options) {
  gmem_buffer_t id = gmem_plan_find(mapping->plan, options->find);
  if (id == GMEM_NONE)
    return gmem_run_error("%s: unknown buffer '%s'", options->path,
                          options->find);
  line_t line = make_line(mapping->plan, id);
  print_line(mapping, options, &line);
  return 0;
}

static void print_digest(const gmem_plan_t *plan) {
  const uint8_t *digest = gmem_plan_digest(plan);
  for (int i = 0; i < GMEM_PLAN_DIGEST_SIZE; ++i)
    printf("%02x", digest[i]);
  printf("\n");
}

static int map_and_print(mapping_t *mapping,
                         const gmem_run_options_t *options) {
  gmem_diag_t diag = {0};
  gmem_status_t status = open_mapping(mapping, &diag);
  if (status != GMEM_OK)
    return report(options->path,
                  diag.text[0] ? diag.text : gmem_status_name(status));
  gmem_buffer_t bad = touch_all(mapping);
  if (bad != GMEM_NONE)
    return gmem_run_error("%s: the memory of buffer %" PRIu32
                          " is misaligned or not accessible",
                          options->path, bad);
  return options->find ? print_one(mapping, options)
                       : print_table(mapping, options);
}

int gmem_run_image(const gmem_run_options_t *options) {
  mapping_t mapping = {0};
  gmem_diag_t diag = {0};
  gmem_lost_file_catch(options->path);
  if (gmem_plan_load_file(options->path, 0, NULL, &mapping.plan, &diag) !=
      GMEM_OK)
    return report_diag(options->path, &diag);
  int result = 0;
  if (options->simulates)
    result = gmem_run_simulated(options, mapping.plan);
  else if (options->digest)
    print_digest(mapping.plan);
  else
    result = map_and_print(&mapping, options);
  close_mapping(&mapping);
  return result;
}
