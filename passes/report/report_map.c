// report_map.c - a pool as a picture of characters: live bytes over time, and
// what lies where. At most 100 columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_map.h"

#include <inttypes.h>
#include <string.h>

enum {
  COLUMNS = 88,
  CURVE_ROWS = 4,
  MAP_ROWS = 12,
  EIGHTHS = 8,  // of a row that a bar may fill
  FULL = 65536, // what covers a cell as a whole
};

static const char *const bars[EIGHTHS + 1] = {" ", "▁", "▂", "▃", "▄",
                                              "▅", "▆", "▇", "█"};
static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
enum { SHADES = sizeof shades / sizeof *shades };

typedef struct picture_s {
  const gmem_report_t *report;
  uint32_t pool;
  int64_t steps;
  uint64_t size;
  uint32_t columns;
  uint64_t live[COLUMNS]; // bytes, the most in a column
} picture_t;

// The begin of part |i| of |parts| of [0, whole).
static uint64_t part_begin(uint64_t whole, uint64_t i, uint64_t parts) {
  return whole / parts * i + whole % parts * i / parts;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// How many 256ths of [begin, end) are in [from, to).
static uint32_t covered(uint64_t begin, uint64_t end, uint64_t from,
                        uint64_t to) {
  uint64_t first = begin > from ? begin : from, last = least(end, to);
  if (first >= last || begin == end)
    return 0;
  unsigned shift = 0;
  while ((end - begin) >> shift > UINT64_MAX / 256)
    ++shift;
  return (uint32_t)(((last - first) >> shift) * 256 / ((end - begin) >> shift));
}

//===--- colours ----------------------------------------------------------===//

enum { PLAIN, PEAK, OVER, COLOURS };

// Of terminals: the default, yellow, red.
static const char *const escapes[COLOURS] = {"\033[0m", "\033[33m", "\033[31m"};

// Whether a column exceeds the budget or the capacity, or has the peak.
static int colour_of(const picture_t *picture, uint32_t column) {
  const gmem_report_pool_t *figures = &picture->report->pools[picture->pool];
  uint64_t live = picture->live[column];
  if (live > least(picture->report->budget, figures->capacity))
    return OVER;
  return live == figures->peak_live ? PEAK : PLAIN;
}

// Appends the cells of a row, coloured on terminals.
static void print_cells(const picture_t *picture, const char *const *cells,
                        gmem_text_t *text) {
  int colour = PLAIN;
  gmem_text_print(text, "    |");
  for (uint32_t c = 0; c < picture->columns; ++c) {
    int next = picture->report->has_colours ? colour_of(picture, c) : PLAIN;
    gmem_text_print(text, "%s%s", next != colour ? escapes[next] : "",
                    cells[c]);
    colour = next;
  }
  gmem_text_print(text, "%s|\n", colour != PLAIN ? escapes[PLAIN] : "");
}

//===--- live bytes -------------------------------------------------------===//

static uint64_t most_live(const picture_t *picture, uint32_t column) {
  const gmem_report_pool_t *figures = &picture->report->pools[picture->pool];
  uint64_t steps = (uint64_t)picture->steps, most = 0;
  int64_t begin = (int64_t)part_begin(steps, column, picture->columns);
  int64_t end = (int64_t)part_begin(steps, column + 1, picture->columns);
  for (size_t i = 0; i < figures->segment_count; ++i) {
    const gmem_report_segment_t *segment = &figures->segments[i];
    if (segment->begin < end && begin < segment->end && segment->bytes > most)
      most = segment->bytes;
  }
  return most;
}

static void draw_curve(const picture_t *picture, gmem_text_t *text) {
  uint64_t top = picture->report->pools[picture->pool].peak_live;
  uint32_t heights[COLUMNS];
  for (uint32_t c = 0; c < picture->columns; ++c) {
    uint64_t live = picture->live[c], unit = top / (CURVE_ROWS * EIGHTHS);
    uint64_t height = unit ? live / unit : live * CURVE_ROWS * EIGHTHS / top;
    heights[c] = (uint32_t)least(height ? height : live > 0,
                                 (uint64_t)CURVE_ROWS * EIGHTHS);
  }
  for (uint32_t row = CURVE_ROWS; row-- > 0;) {
    const char *line[COLUMNS];
    for (uint32_t c = 0; c < picture->columns; ++c) {
      uint32_t below = row * EIGHTHS;
      uint32_t filled = heights[c] > below ? heights[c] - below : 0;
      line[c] = bars[filled < EIGHTHS ? filled : EIGHTHS];
    }
    print_cells(picture, line, text);
  }
}

//===--- addresses --------------------------------------------------------===//

static void shade(const picture_t *picture, const gmem_planned_buffer_t *buffer,
                  const gmem_live_range_t *range, uint32_t *cells) {
  uint64_t end = buffer->offset + buffer->size;
  for (uint32_t row = 0; row < MAP_ROWS; ++row) {
    uint32_t high = covered(part_begin(picture->size, row, MAP_ROWS),
                            part_begin(picture->size, row + 1, MAP_ROWS),
                            buffer->offset, end);
    for (uint32_t c = 0; high && c < picture->columns; ++c) {
      uint64_t steps = (uint64_t)picture->steps;
      cells[row * COLUMNS + c] +=
          high * covered(part_begin(steps, c, picture->columns),
                         part_begin(steps, c + 1, picture->columns),
                         (uint64_t)range->begin, (uint64_t)range->end);
    }
  }
}

static void draw_map(const picture_t *picture, uint32_t *cells,
                     gmem_text_t *text) {
  for (uint32_t i = 0; i < picture->report->locations.count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(picture->report->planned, i);
    for (size_t k = 0; k < buffer->owned_count; ++k)
      if (gmem_report_is_listed(buffer, picture->pool))
        shade(picture, buffer, &buffer->owned[k], cells);
  }
  for (uint32_t row = MAP_ROWS; row-- > 0;) {
    const char *line[COLUMNS];
    for (uint32_t c = 0; c < picture->columns; ++c) {
      uint64_t cell = least(cells[row * COLUMNS + c], FULL);
      uint64_t level = (cell * (SHADES - 1) + FULL / 2) / FULL;
      line[c] = shades[level ? level : cell > 0];
    }
    print_cells(picture, line, text);
  }
}

void gmem_report_map(const gmem_report_t *report, uint32_t pool,
                     gmem_text_t *text) {
  picture_t picture = {.report = report,
                       .pool = pool,
                       .steps =
                           gmem_planned_figures(report->planned)->step_count,
                       .size = gmem_planned_pool(report->planned, pool)->size};
  picture.columns = (uint32_t)least((uint64_t)picture.steps, COLUMNS);
  uint32_t *cells =
      gmem_bump_alloc(report->arena, MAP_ROWS * COLUMNS, sizeof *cells);
  if (!cells || !picture.columns || !report->pools[pool].peak_live)
    return;
  for (uint32_t c = 0; c < picture.columns; ++c)
    picture.live[c] = most_live(&picture, c);
  gmem_text_print(text, "  live bytes of steps 0 to %" PRId64 ", at most ",
                  picture.steps - 1);
  gmem_text_number(text, report->pools[pool].peak_live);
  gmem_text_print(text, "\n");
  draw_curve(&picture, text);
  gmem_text_print(text, "  offsets 0 to ");
  gmem_text_number(text, picture.size - 1);
  gmem_text_print(text, ", bottom to top\n");
  draw_map(&picture, cells, text);
}
