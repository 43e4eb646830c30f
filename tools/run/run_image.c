// run_image.c - maps a plan image and prints a table of its buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gmem/layouts.h"
#include "lost_file.h"
#include "messages.h"
#include "run_modes.h"
#include "standard_image.h"

enum { KEYS = 6 };

// One line of the table.
typedef struct line_s {
  gmem_buffer_t id;
  gmem_buffer_info_t info;
  // Region, offset of the aliased buffer (or of the buffer itself), its id,
  // whether it is an alias, offset, id: orders buffers by address, with aliases
  // after their parent.
  uint64_t keys[KEYS];
} line_t;

//===--- access -----------------------------------------------------------===//

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
static gmem_buffer_t touch_all(const gmem_plan_t *plan,
                               const gmem_lease_t *lease) {
  for (gmem_buffer_t id = 0; id < gmem_plan_buffer_count(plan); ++id) {
    gmem_buffer_info_t info = gmem_plan_buffer_at(plan, id);
    void *host = NULL;
    if (gmem_lease_host(lease, id, &host) != GMEM_OK ||
        (uintptr_t)host % info.align != 0)
      return id;
    bool read_only = gmem_buffer_is_shared(&info);
    uint8_t *bytes = host;
    if (info.size > 0 && (!touch_byte(bytes, read_only) ||
                          !touch_byte(bytes + info.size - 1, read_only)))
      return id;
  }
  return GMEM_NONE;
}

//===--- the table --------------------------------------------------------===//

static int compare_lines(const void *a, const void *b) {
  const uint64_t *x = ((const line_t *)a)->keys;
  const uint64_t *y = ((const line_t *)b)->keys;
  int i = 0;
  while (i < KEYS - 1 && x[i] == y[i])
    ++i;
  return (x[i] > y[i]) - (x[i] < y[i]);
}

static line_t make_line(const gmem_plan_t *plan, gmem_buffer_t id) {
  gmem_buffer_info_t info = gmem_plan_buffer_at(plan, id);
  bool is_alias = info.parent != GMEM_NONE;
  gmem_buffer_t parent = is_alias ? info.parent : id;
  assert(!is_alias || parent != id);
  return (line_t){id,
                  info,
                  {info.region, gmem_plan_buffer_at(plan, parent).offset,
                   parent, is_alias, info.offset, id}};
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

static void print_valid(const gmem_buffer_layout_t *layout) {
  bool is_part = false;
  for (uint32_t i = 0; i < layout->rank; ++i)
    is_part |=
        layout->valid_begin[i] != 0 || layout->valid_end[i] != layout->sizes[i];
  for (uint32_t i = 0; is_part && i < layout->rank; ++i)
    printf("%s[%" PRIu64 ",%" PRIu64 ")", i ? " x " : ", valid ",
           layout->valid_begin[i], layout->valid_end[i]);
}

// The rest of the line of a buffer whose elements are not contiguous, or not
// all valid: sizes and strides, the border around it, and the valid region.
static void print_layout(const gmem_plan_t *plan, gmem_buffer_t buffer) {
  static const char *const borders[] = {"undefined", "constant", "replicate"};
  gmem_buffer_layout_t layout;
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_layouts_read(plan, buffer, &layout, &diag);
  if (status != GMEM_OK && status != GMEM_ERR_NOT_FOUND)
    printf("  layout: %s", diag.text);
  if (status != GMEM_OK)
    return;
  bool has_border = false;
  printf("  layout:");
  for (uint32_t i = 0; i < layout.rank; ++i) {
    has_border |= layout.before[i] || layout.after[i];
    printf(" %" PRIu64 " by %" PRIu64, layout.sizes[i], layout.strides[i]);
  }
  if (has_border)
    printf(", border %s", borders[layout.border]);
  for (uint32_t i = 0; has_border && i < layout.rank; ++i)
    printf(" %" PRIu64 "+%" PRIu64, layout.before[i], layout.after[i]);
  print_valid(&layout);
}

static void print_line(const gmem_plan_t *plan, const gmem_lease_t *lease,
                       bool is_host, const line_t *line) {
  char life[128] = "", offset[24] = "";
  char address[GMEM_PLAN_MAX_NAME + 32] = "";
  gmem_region_info_t region;
  void *host = NULL;
  if (gmem_plan_region(plan, line->info.region, &region) != GMEM_OK)
    return; // unreachable: checked when the plan was opened
  format_life(&line->info, life, sizeof life);
  snprintf(offset, sizeof offset, "0x%" PRIx64, line->info.offset);
  if (!is_host)
    snprintf(address, sizeof address, "%s+%s", region.name, offset);
  else if (gmem_lease_host(lease, line->id, &host) == GMEM_OK)
    snprintf(address, sizeof address, "0x%016" PRIxPTR, (uintptr_t)host);
  printf("%-12s %12s %12" PRIu64 "  %-16s %-20s %s%s", region.name, offset,
         line->info.size, life, address,
         line->info.parent != GMEM_NONE ? "  " : "", line->info.name);
  print_layout(plan, line->id);
  putchar('\n');
}

static gmem_status_t print_table(const gmem_run_options_t *options,
                                 const gmem_plan_t *plan,
                                 const gmem_lease_t *lease) {
  uint32_t count = gmem_plan_buffer_count(plan);
  uint64_t limit = options->image.limit;
  const gmem_buffer_t *members = NULL;
  const char *name = options->image.group;
  gmem_group_info_t group;
  if (name && gmem_plan_group(plan, gmem_plan_find_group(plan, name), &group) !=
                  GMEM_OK)
    return gmem_tool_error("%s: unknown group '%s'", options->path, name);
  if (name) {
    members = group.members;
    count = group.member_count;
  }
  line_t *lines = malloc((count ? count : 1) * sizeof *lines);
  if (!lines)
    return gmem_tool_error("%s: out of memory", options->path);
  for (uint32_t i = 0; i < count; ++i)
    lines[i] = make_line(plan, members ? members[i] : i);
  qsort(lines, count, sizeof *lines, compare_lines);
  printf("%-12s %12s %12s  %-16s %-20s %s\n", "REGION", "OFFSET", "SIZE",
         "LIFE", "ADDRESS", "NAME");
  uint32_t shown = limit < count ? (uint32_t)limit : count;
  for (uint32_t i = 0; i < shown; ++i)
    print_line(plan, lease, options->image.host, &lines[i]);
  if (shown < count)
    printf("(%" PRIu32 " more)\n", count - shown);
  printf("%" PRIu32 " buffers, %" PRIu32 " steps; %" PRIu64
         " bytes shared, %" PRIu64 " bytes per slot\n",
         count, gmem_plan_op_count(plan), gmem_plan_shared_size(plan),
         gmem_plan_slot_size(plan));
  free(lines);
  return GMEM_OK;
}

static gmem_status_t print_buffers(const gmem_run_options_t *options,
                                   const gmem_plan_t *plan,
                                   const gmem_lease_t *lease) {
  const char *name = options->image.find;
  gmem_buffer_t bad = touch_all(plan, lease);
  if (bad != GMEM_NONE)
    return gmem_tool_error("%s: the memory of buffer %" PRIu32
                           " is misaligned or not accessible",
                           options->path, bad);
  if (!name)
    return print_table(options, plan, lease);
  gmem_buffer_t id;
  GMEM_TRY(gmem_plan_buffer_named(plan, options->path, name, &id));
  line_t line = make_line(plan, id);
  print_line(plan, lease, options->image.host, &line);
  return GMEM_OK;
}

//===--- ops --------------------------------------------------------------===//

// Prints the op |name| alone, or all ops if it is NULL.
static gmem_status_t print_ops(const gmem_run_options_t *options,
                               const gmem_plan_t *plan) {
  const char *name = options->image.find;
  uint32_t count = gmem_plan_span_count(plan), shown = 0;
  if (name && gmem_plan_find_op(plan, name) == GMEM_NONE)
    return gmem_tool_error("%s: unknown op '%s'", options->path, name);
  if (!name)
    printf("%10s %10s  %s\n", "BEGIN", "END", "NAME");
  for (uint32_t i = 0; i < count; ++i) {
    gmem_op_span_t span;
    if (gmem_plan_span(plan, i, &span) != GMEM_OK || // unreachable
        (name ? strcmp(name, span.name) != 0 : i >= options->image.limit))
      continue;
    ++shown;
    printf("%10" PRIu32 " %10" PRIu32 "  %s\n", span.begin, span.end,
           span.name);
  }
  if (!name && shown < count)
    printf("(%" PRIu32 " more)\n", count - shown);
  if (!name)
    printf("%" PRIu32 " ops, %" PRIu32 " steps\n", count,
           gmem_plan_op_count(plan));
  return GMEM_OK;
}

//===--- the image --------------------------------------------------------===//

static void print_digest(const gmem_plan_t *plan) {
  const uint8_t *digest = gmem_plan_digest(plan);
  for (int i = 0; i < GMEM_PLAN_DIGEST_SIZE; ++i)
    printf("%02x", digest[i]);
  printf("\n");
}

static gmem_status_t lease_slot(gmem_mapped_plan_t *mapped,
                                gmem_lease_t **out_lease, gmem_diag_t *diag) {
  GMEM_TRY(gmem_mapped_plan_model(mapped, NULL, NULL, diag));
  GMEM_TRY(gmem_mapped_plan_pool(mapped, 1, 0, 0, &mapped->pool, diag));
  return gmem_lease_acquire(mapped->pool, GMEM_NONE, NULL, 0, out_lease);
}

static gmem_status_t load(const char *path, gmem_plan_t **out_plan,
                          gmem_diag_t *diag) {
  char copy[GMEM_STANDARD_IMAGE_PATH];
  int file;
  if (strcmp(path, "-") != 0)
    return gmem_plan_load_file(path, 0, NULL, out_plan, diag);
  GMEM_TRY(gmem_standard_image(copy, &file));
  gmem_status_t status = gmem_plan_load_file(copy, 0, NULL, out_plan, diag);
  close(file);
  return status;
}

static gmem_status_t run(const gmem_run_options_t *options,
                         gmem_mapped_plan_t *mapped) {
  gmem_diag_t diag = {0};
  gmem_lease_t *lease = NULL;
  gmem_status_t status = load(options->path, &mapped->plan, &diag);
  if (status == GMEM_TOLD)
    return status;
  if (status == GMEM_ERR_IO || status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_tool_check(status, &diag, "%s", options->path);
  if (status != GMEM_OK) // concerns a byte of the image
    return gmem_tool_error("%s: %s (byte %" PRIu64 ")", options->path,
                           diag.text, diag.offset);
  if (options->simulates)
    return gmem_run_simulated(options, mapped);
  if (options->image.digest) {
    print_digest(mapped->plan);
    return GMEM_OK;
  }
  if (options->image.ops)
    return print_ops(options, mapped->plan);
  GMEM_TRY(gmem_tool_check(lease_slot(mapped, &lease, &diag), &diag, "%s",
                           options->path));
  status = print_buffers(options, mapped->plan, lease);
  gmem_lease_release(lease);
  return status;
}

gmem_status_t gmem_run_image(const gmem_run_options_t *options) {
  gmem_mapped_plan_t mapped = {0};
  gmem_lost_file_catch(options->path);
  gmem_status_t status = run(options, &mapped);
  gmem_mapped_plan_close(&mapped);
  return status;
}
