// show_svg.c - writes a plan as a picture: per pool the live bytes and a map,
// time across, address up; constants as a bar, address across.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "show_text.h"

// Lengths in pixels, of a picture as wide as a page of documentation.
enum {
  WIDTH = 1200,
  LEFT = 84, // of the plots: room for addresses
  RIGHT = 1172,
  TITLE = 62,   // height of the title
  LEGEND = 22,  // of a line of the legend
  HEADING = 46, // of the two lines above a pool
  CURVE = 70,
  GAP = 10, // between the curve and the map
  MAP = 320,
  SMALL_MAP = 200, // of each of several pools
  BAR = 44,        // of constants
  AXIS = 40,       // below a map or bar
};

// Widths of characters, estimated: no font is known here. Wide enough for
// common sans-serif fonts.
static const double LABEL_CHARACTER = 6.1, TEXT_CHARACTER = 7.4;

typedef struct svg_s {
  gmem_text_out_t out;
  const gmem_shown_plan_t *plan;
  const gmem_shown_pool_t *pool; // that is drawn
  uint32_t pool_index;
  double top, height;        // of its map
  uint64_t span;             // bytes from the bottom to the top of the map
  gmem_live_range_t *labels; // by buffer: the steps at which its name may stand
} svg_t;

#define PRINT(svg, ...) gmem_show_print(&(svg)->out, __VA_ARGS__)

static void put_style(svg_t *svg) {
  static const char style[] =
      "<style>\n"
      "svg{background:#fff}\n"
      "text{font:12px system-ui,'Segoe UI','DejaVu Sans',sans-serif;"
      "fill:#1f2328}\n"
      ".title{font-size:20px;font-weight:600}.name{font-weight:600}\n"
      ".quiet{fill:#59636e}.axis{font-size:11px;fill:#59636e}\n"
      ".label{font-size:10px;fill:#000}\n"
      ".page{fill:#fff}.free{fill:#eef0f3}.grid{stroke:#d1d9e0}\n"
      ".live{fill:#8c959f}\n"
      ".size{stroke:#1f2328;stroke-width:1.5;fill:none}\n"
      ".bound{stroke:#0072b2;stroke-width:1.5;stroke-dasharray:5 4;fill:none}\n"
      ".capacity{stroke:#c4320a;stroke-width:1.5;stroke-dasharray:9 3 2 3;"
      "fill:none}\n"
      ".mark{fill:#c4320a}\n"
      ".b{stroke:#fff;stroke-width:.5}\n"
      ".shared{fill:url(#shared);stroke:#000;stroke-width:.5;"
      "stroke-dasharray:2 2}\n"
      ".padding{fill:url(#padding)}\n"
      ".constant{fill:#b8bec5}.workbuffer{fill:#e69f00}.state{fill:#a598f2}\n"
      ".input{fill:#12a87f}.output{fill:#e5702a}.inplace{fill:#d68fb4}\n"
      ".view{fill:#f0e442}.callee{fill:#5e97c9}.tensor{fill:#7cc5f0}\n"
      "@media (prefers-color-scheme:dark){svg{background:#0d1117}"
      ".page{fill:#0d1117}text{fill:#e6edf3}.quiet,.axis{fill:#9198a1}"
      ".label{fill:#000}.free{fill:#1b222b}.grid{stroke:#3d444d}"
      ".live{fill:#656c76}.size{stroke:#e6edf3}.bound{stroke:#58a6ff}"
      ".capacity{stroke:#ff8a65}.mark{fill:#ff8a65}.b{stroke:#0d1117}}\n"
      "</style>\n";
  static const char patterns[] =
      "<defs>\n"
      "<pattern id=\"shared\" width=\"6\" height=\"6\" "
      "patternUnits=\"userSpaceOnUse\"><path d=\"M0 6L6 0M-1 1L1-1M5 7L7 5\" "
      "stroke=\"#000\" stroke-opacity=\".45\"/></pattern>\n"
      "<pattern id=\"padding\" width=\"4\" height=\"4\" "
      "patternUnits=\"userSpaceOnUse\"><path d=\"M0 0L4 4\" stroke=\"#000\" "
      "stroke-opacity=\".6\"/></pattern>\n"
      "</defs>\n";
  gmem_put_text(&svg->out, style);
  gmem_put_text(&svg->out, patterns);
}

static const char *class_of(gmem_shown_kind_t kind) {
  return kind == GMEM_SHOWN_IN_PLACE ? "inplace"
         : kind == GMEM_SHOWN_CALLEE ? "callee"
                                     : gmem_shown_kind_name(kind);
}

// A line of text; |text| needs no escapes.
static void put_line(svg_t *svg, double x, double y, const char *class,
                     const char *text) {
  PRINT(svg, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
  gmem_put_text(&svg->out, text);
  PRINT(svg, "</text>\n");
}

static double width_of(const char *text) {
  return TEXT_CHARACTER * (double)gmem_show_length(text);
}

//===--- title and legend -------------------------------------------------===//

static void put_title(svg_t *svg) {
  const gmem_shown_plan_t *plan = svg->plan;
  char peak[GMEM_SHOW_BYTES], bound[GMEM_SHOW_BYTES], text[256];
  PRINT(svg, "<text x=\"20\" y=\"30\" class=\"title\">");
  gmem_show_escape(&svg->out, plan->title);
  PRINT(svg, "</text>\n");
  gmem_show_bytes(peak, plan->peak);
  gmem_show_bytes(bound, plan->lower_bound);
  int used = snprintf(text, sizeof text, "needs %s, ", peak);
  if (plan->optimal)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "the least possible for these live ranges");
  else
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "at least %s for these live ranges", bound);
  snprintf(text + used, sizeof text - (size_t)used,
           "  ·  %" PRIu32 " buffers  ·  %" PRId64 " steps", plan->buffer_count,
           plan->end - plan->begin);
  put_line(svg, 20, 50, "quiet", text);
}

typedef struct entry_s {
  const char *class, *text;
} entry_t;

// The kinds that the plan has, and other marks of the map.
static int list_legend(const gmem_shown_plan_t *plan,
                       entry_t out[GMEM_SHOWN_KINDS + 3]) {
  bool has[GMEM_SHOWN_KINDS] = {false}, has_shared = false, has_padding = false;
  int count = 0;
  for (uint32_t i = 0; i < plan->buffer_count; ++i) {
    const gmem_shown_buffer_t *buffer = &plan->buffers[i];
    has[buffer->kind] |= buffer->alias_of == GMEM_NO_BUFFER && buffer->size > 0;
    has_padding |= buffer->payload_size < buffer->size;
  }
  has_shared = plan->alias_count > 0;
  for (int i = GMEM_SHOWN_KINDS; i-- > 0;)
    if (has[i])
      out[count++] = (entry_t){class_of((gmem_shown_kind_t)i),
                               gmem_shown_kind_name((gmem_shown_kind_t)i)};
  if (has_shared)
    out[count++] = (entry_t){"shared", "shares these bytes"};
  if (has_padding)
    out[count++] = (entry_t){"padding", "padding"};
  out[count++] = (entry_t){"free", "free"};
  return count;
}

// Writes the legend from |y| on, or nothing if |is_dry|; returns its height.
static double put_legend(svg_t *svg, double y, bool is_dry) {
  entry_t entries[GMEM_SHOWN_KINDS + 3];
  int count = list_legend(svg->plan, entries);
  double x = 20, height = LEGEND;
  for (int i = 0; i < count; ++i) {
    double width = 20 + width_of(entries[i].text) + 14;
    if (x + width > RIGHT) {
      x = 20;
      height += LEGEND;
    }
    if (!is_dry) {
      PRINT(svg,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"12\" "
            "class=\"%s\"/>",
            x, y + height - LEGEND, entries[i].class);
      put_line(svg, x + 20, y + height - LEGEND + 10.5, "quiet",
               entries[i].text);
    }
    x += width;
  }
  return height;
}

//===--- axes -------------------------------------------------------------===//

static double x_of(const svg_t *svg, int64_t step) {
  const gmem_shown_plan_t *plan = svg->plan;
  double steps = (double)plan->end - (double)plan->begin;
  return LEFT + ((double)step - (double)plan->begin) / (steps > 0 ? steps : 1) *
                    (RIGHT - LEFT);
}

static double y_of(const svg_t *svg, uint64_t offset) {
  return svg->top + svg->height -
         (double)offset / (double)svg->span * svg->height;
}

// The least power of two that divides |span| into at most |most| parts.
static uint64_t binary_step(uint64_t span, unsigned most) {
  uint64_t step = 1;
  while (span / step > most && step < UINT64_C(1) << 62)
    step *= 2;
  return step;
}

// The least 1, 2 or 5 times a power of ten that divides |span| likewise.
static int64_t decimal_step(int64_t span, int64_t most) {
  int64_t step = 1;
  for (int i = 0; span / step > most; ++i)
    step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

static void put_address_axis(svg_t *svg) {
  uint64_t step = binary_step(svg->span, 5);
  char text[GMEM_SHOW_BYTES];
  for (uint64_t at = 0; at <= svg->span; at += step) {
    double y = y_of(svg, at);
    gmem_show_bytes(text, at);
    PRINT(svg,
          "<path d=\"M%d %.1fH%d\" class=\"grid\"/><text x=\"%d\" y=\"%.1f\" "
          "class=\"axis\" text-anchor=\"end\">%s</text>\n",
          LEFT - 4, y, LEFT, LEFT - 7, y + 4, at ? text : "0");
    if (at > UINT64_MAX - step)
      break;
  }
}

static void put_step_axis(svg_t *svg) {
  const gmem_shown_plan_t *plan = svg->plan;
  int64_t step = decimal_step(plan->end - plan->begin, 16);
  int64_t first = plan->begin / step * step;
  double y = svg->top + svg->height;
  for (int64_t at = first < plan->begin ? first + step : first; at <= plan->end;
       at += step) {
    double x = x_of(svg, at);
    PRINT(svg,
          "<path d=\"M%.1f %.1fv4\" class=\"grid\"/><text x=\"%.1f\" "
          "y=\"%.1f\" class=\"axis\" text-anchor=\"middle\">%" PRId64
          "</text>\n",
          x, y, x, y + 16, at);
  }
  PRINT(svg,
        "<text x=\"%d\" y=\"%.1f\" class=\"axis\" "
        "text-anchor=\"end\">step</text>\n",
        LEFT - 7, y + 16);
}

//===--- rectangles -------------------------------------------------------===//

typedef struct box_s {
  double x, y, width, height;
} box_t;

// What a browser shows when the pointer rests on the buffer.
static void put_tooltip(svg_t *svg, const gmem_shown_buffer_t *buffer) {
  char size[GMEM_SHOW_BYTES];
  gmem_show_exact(size, buffer->size);
  PRINT(svg, "<title>");
  gmem_show_escape(&svg->out, buffer->name);
  PRINT(svg, "\n%s bytes at %" PRIu64 ", steps %" PRId64 " to %" PRId64 "\n",
        size, buffer->offset, buffer->ranges[0].begin,
        buffer->ranges[buffer->range_count - 1].end - 1);
  gmem_show_escape(&svg->out, buffer->op);
  PRINT(svg, "</title>");
}

// An edge would hide a box that is as thin as the edge.
static void put_box(svg_t *svg, const box_t *box, const char *class,
                    const gmem_shown_buffer_t *buffer) {
  bool has_edge = box->width >= 3 && box->height >= 3;
  PRINT(svg,
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
        "class=\"%s%s\">",
        box->x, box->y, box->width, box->height, has_edge ? "b " : "", class);
  put_tooltip(svg, buffer);
  PRINT(svg, "</rect>\n");
}

// Writes text in the middle of a box. |start| is the name or its end.
static void put_text_in(svg_t *svg, const box_t *box, const char *start,
                        bool is_upright, const char *second) {
  double x = box->x + box->width / 2, y = box->y + box->height / 2;
  PRINT(svg, "<text class=\"label\" text-anchor=\"middle\" ");
  if (is_upright)
    PRINT(svg, "transform=\"translate(%.1f %.1f)rotate(-90)\">", x + 3.5, y);
  else
    PRINT(svg, "x=\"%.1f\" y=\"%.1f\">", x, y + (second ? -2.5 : 3.5));
  gmem_show_escape(&svg->out, start);
  if (second)
    PRINT(svg, "<tspan x=\"%.1f\" dy=\"12\">%s</tspan>", x, second);
  PRINT(svg, "</text>\n");
}

// Writes the name, else its end, and the size, where they fit.
static void put_label(svg_t *svg, const box_t *box,
                      const gmem_shown_buffer_t *buffer) {
  const char *slash = strrchr(buffer->name, '/');
  const char *texts[2] = {buffer->name, slash ? slash + 1 : buffer->name};
  char size[GMEM_SHOW_BYTES];
  gmem_show_bytes(size, buffer->size);
  for (int i = 0; i < 2; ++i) {
    double length = LABEL_CHARACTER * (double)gmem_show_length(texts[i]) + 6;
    double second = LABEL_CHARACTER * (double)gmem_show_length(size) + 6;
    bool has_second = box->height >= 27 && second <= box->width;
    if (box->height >= 12 && length <= box->width) {
      put_text_in(svg, box, texts[i], false, has_second ? size : NULL);
      return;
    }
    if (box->width >= 12 && length <= box->height) {
      put_text_in(svg, box, texts[i], true, NULL);
      return;
    }
  }
}

static box_t box_at(const svg_t *svg, const gmem_live_range_t *range,
                    uint64_t offset, uint64_t size) {
  double x = x_of(svg, range->begin), y = y_of(svg, offset + size);
  return (box_t){x, y, x_of(svg, range->end) - x, y_of(svg, offset) - y};
}

static void put_owned(svg_t *svg, const gmem_shown_buffer_t *buffer) {
  for (size_t i = 0; i < buffer->owned_count; ++i) {
    box_t box = box_at(svg, &buffer->owned[i], buffer->offset, buffer->size);
    put_box(svg, &box, class_of(buffer->kind), buffer);
    uint64_t end = buffer->payload_offset + buffer->payload_size;
    box = box_at(svg, &buffer->owned[i], end,
                 buffer->offset + buffer->size - end);
    if (buffer->payload_size > 0 && box.height >= 0.5)
      put_box(svg, &box, "padding", buffer);
  }
}

// Writes the steps of live ranges at which other buffers own the bytes.
static void put_shared(svg_t *svg, const gmem_shown_buffer_t *buffer) {
  size_t k = 0;
  for (size_t i = 0; i < buffer->range_count; ++i) {
    int64_t at = buffer->ranges[i].begin, end = buffer->ranges[i].end;
    while (at < end) {
      while (k < buffer->owned_count && buffer->owned[k].end <= at)
        ++k;
      int64_t owned = k < buffer->owned_count ? buffer->owned[k].begin : end;
      int64_t until = owned < end ? owned : end;
      if (at < until) {
        box_t box = box_at(svg, &(gmem_live_range_t){at, until}, buffer->offset,
                           buffer->size);
        put_box(svg, &box, "shared", buffer);
      }
      at = owned < end ? buffer->owned[k].end : end;
    }
  }
}

static void put_name(svg_t *svg, const gmem_shown_buffer_t *buffer) {
  const gmem_live_range_t *range = &svg->labels[buffer - svg->plan->buffers];
  box_t box = box_at(svg, range, buffer->offset, buffer->size);
  put_label(svg, &box, buffer);
}

// Calls |put| for the buffers of the pool that have memory of their own.
static void for_each_buffer(svg_t *svg,
                            void (*put)(svg_t *svg,
                                        const gmem_shown_buffer_t *buffer)) {
  const gmem_shown_plan_t *plan = svg->plan;
  for (uint32_t i = 0; i < plan->buffer_count; ++i)
    if (plan->buffers[i].pool == svg->pool_index && plan->buffers[i].size > 0 &&
        plan->buffers[i].alias_of == GMEM_NO_BUFFER)
      put(svg, &plan->buffers[i]);
}

static int64_t length_of(const gmem_live_range_t *range) {
  return range->end - range->begin;
}

// Keeps the longer part of a range that is not in the steps of |without|.
static void cut(gmem_live_range_t *range, const gmem_live_range_t *without) {
  gmem_live_range_t left = *range, right = *range;
  if (without->begin >= range->end || without->end <= range->begin)
    return;
  left.end = left.begin > without->begin ? left.begin : without->begin;
  right.begin = right.end < without->end ? right.end : without->end;
  *range = length_of(&left) >= length_of(&right) ? left : right;
}

// Finds where names may stand: in the longest time in which a buffer owns its
// bytes, but not where others that share them are drawn over it.
static void find_labels(svg_t *svg) {
  const gmem_shown_plan_t *plan = svg->plan;
  for (uint32_t i = 0; i < plan->buffer_count; ++i) {
    const gmem_shown_buffer_t *buffer = &plan->buffers[i];
    for (size_t k = 0; k < buffer->owned_count; ++k)
      if (length_of(&buffer->owned[k]) > length_of(&svg->labels[i]))
        svg->labels[i] = buffer->owned[k];
  }
  for (size_t i = 0; i < plan->alias_count; ++i) {
    const gmem_shown_alias_t *alias = &plan->aliases[i];
    const gmem_shown_buffer_t *child = &plan->buffers[alias->child];
    const gmem_shown_buffer_t *parent = &plan->buffers[alias->parent];
    for (size_t k = 0; k < parent->range_count; ++k)
      cut(&svg->labels[alias->child], &parent->ranges[k]);
    for (size_t k = 0; k < child->range_count; ++k)
      cut(&svg->labels[alias->parent], &child->ranges[k]);
  }
}

//===--- the curve --------------------------------------------------------===//

static void put_level(svg_t *svg, double bottom, uint64_t bytes, uint64_t most,
                      const char *class) {
  PRINT(svg, "<path d=\"M%d %.1fH%d\" class=\"%s\"/>\n", LEFT,
        bottom - (double)bytes / (double)most * CURVE, RIGHT, class);
}

// The capacity, where it is in reach of what is used.
static bool shows_capacity(const gmem_shown_pool_t *pool) {
  return pool->capacity != GMEM_UNLIMITED && pool->capacity / 2 <= pool->size;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void put_curve(svg_t *svg, const gmem_shown_curve_t *curve, double top) {
  const gmem_shown_pool_t *pool = svg->pool;
  uint64_t most = larger(pool->size, larger(curve->most, pool->lower_bound));
  if (shows_capacity(pool))
    most = larger(most, pool->capacity);
  double bottom = top + CURVE;
  char text[GMEM_SHOW_BYTES];
  PRINT(svg, "<path class=\"live\" d=\"M%d %.1f", LEFT, bottom);
  for (size_t i = 0; i < curve->count; ++i)
    PRINT(svg, "H%.2fV%.2f", x_of(svg, curve->points[i].step),
          bottom - (double)curve->points[i].bytes / (double)most * CURVE);
  PRINT(svg, "V%.1fz\"/>\n", bottom);
  PRINT(svg, "<path d=\"M%d %.1fH%d\" class=\"grid\"/>\n", LEFT, bottom, RIGHT);
  put_level(svg, bottom, pool->size, most, "size");
  if (pool->lower_bound > 0)
    put_level(svg, bottom, pool->lower_bound, most, "bound");
  if (shows_capacity(pool))
    put_level(svg, bottom, pool->capacity, most, "capacity");
  gmem_show_bytes(text, most);
  PRINT(svg,
        "<text x=\"%d\" y=\"%.1f\" class=\"axis\" "
        "text-anchor=\"end\">%s</text>\n"
        "<text x=\"%d\" y=\"%.1f\" class=\"axis\" "
        "text-anchor=\"end\">0</text>\n",
        LEFT - 7, top + 7, text, LEFT - 7, bottom + 4);
}

//===--- headings ---------------------------------------------------------===//

// Writes a sample of a mark and its meaning; returns where the next one begins.
static double put_key(svg_t *svg, double x, double y, const char *class,
                      const char *text) {
  if (strcmp(class, "live") == 0)
    PRINT(svg,
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"10\" "
          "class=\"live\"/>",
          x, y - 9);
  else if (strcmp(class, "mark") == 0)
    PRINT(svg, "<path d=\"M%.1f %.1fh8l-4 7z\" class=\"mark\"/>", x + 3, y - 8);
  else
    PRINT(svg, "<path d=\"M%.1f %.1fh22\" class=\"%s\"/>", x, y - 4, class);
  double width = strcmp(class, "live") && strcmp(class, "mark") ? 28 : 20;
  put_line(svg, x + width, y, "quiet", text);
  return x + width + width_of(text) + 12;
}

static void put_peak(svg_t *svg, const gmem_shown_curve_t *curve, double x,
                     double y, double top) {
  if (curve->most == 0)
    return;
  int64_t step = curve->points[curve->most_index].step;
  const gmem_shown_op_t *op = gmem_shown_op_at(svg->plan, step);
  double middle = (x_of(svg, step) + x_of(svg, step + 1)) / 2;
  PRINT(svg, "<path d=\"M%.1f %.1fh8l-4 7z\" class=\"mark\"/>\n", middle - 4,
        top - 8);
  PRINT(svg,
        "<path d=\"M%.1f %.1fh8l-4 7z\" class=\"mark\"/><text x=\"%.1f\" "
        "y=\"%.1f\" class=\"quiet\">most at step %" PRId64,
        x + 3, y - 8, x + 20, y, step);
  // A name that would leave the picture is left out.
  if (op && x + 20 + width_of(op->name) + 190 <= RIGHT) {
    PRINT(svg, ": ");
    gmem_show_escape(&svg->out, op->name);
  }
  PRINT(svg, "</text>\n");
}

static void put_pool_line(svg_t *svg, double y) {
  const gmem_shown_pool_t *pool = svg->pool;
  char size[GMEM_SHOW_BYTES], exact[GMEM_SHOW_BYTES],
      rest[GMEM_SHOW_BYTES + 32];
  gmem_show_bytes(size, pool->size);
  gmem_show_exact(exact, pool->size);
  PRINT(svg, "<text x=\"20\" y=\"%.1f\"><tspan class=\"name\">", y);
  gmem_show_escape(&svg->out, pool->name);
  *rest = 0;
  if (pool->size >= 1024)
    snprintf(rest, sizeof rest, " (%s bytes)", exact);
  PRINT(svg, "</tspan>  %s%s%s</text>\n", size, rest,
        pool->constant ? " of constants" : "");
}

static void put_keys(svg_t *svg, const gmem_shown_curve_t *curve, double y,
                     double top) {
  const gmem_shown_pool_t *pool = svg->pool;
  char bytes[GMEM_SHOW_BYTES], text[GMEM_SHOW_BYTES + 32];
  double x = put_key(svg, 20, y, "live", "live bytes");
  gmem_show_bytes(bytes, pool->size);
  snprintf(text, sizeof text, "size %s", bytes);
  x = put_key(svg, x, y, "size", text);
  gmem_show_bytes(bytes, pool->lower_bound);
  snprintf(text, sizeof text, "lower bound %s", bytes);
  if (pool->lower_bound > 0)
    x = put_key(svg, x, y, "bound", text);
  if (pool->capacity != GMEM_UNLIMITED) {
    gmem_show_bytes(bytes, pool->capacity);
    snprintf(text, sizeof text, "capacity %s", bytes);
    x = put_key(svg, x, y, "capacity", text);
  }
  put_peak(svg, curve, x, y, top);
}

//===--- pools ------------------------------------------------------------===//

static void put_constants(svg_t *svg, double y) {
  const gmem_shown_plan_t *plan = svg->plan;
  uint64_t step = binary_step(svg->span, 8);
  double scale = (double)(RIGHT - LEFT) / (double)svg->span;
  char text[GMEM_SHOW_BYTES];
  PRINT(svg,
        "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" "
        "class=\"free\"/>\n",
        LEFT, y, RIGHT - LEFT, BAR);
  for (uint32_t i = 0; i < plan->buffer_count; ++i) {
    const gmem_shown_buffer_t *buffer = &plan->buffers[i];
    if (buffer->pool != svg->pool_index || buffer->size == 0 ||
        buffer->alias_of != GMEM_NO_BUFFER)
      continue;
    box_t box = {LEFT + (double)buffer->offset * scale, y,
                 (double)buffer->size * scale, BAR};
    put_box(svg, &box, class_of(buffer->kind), buffer);
    put_label(svg, &box, buffer);
  }
  for (uint64_t at = 0; at <= svg->span && at <= UINT64_MAX - step;
       at += step) {
    double x = LEFT + (double)at * scale;
    gmem_show_bytes(text, at);
    PRINT(svg,
          "<path d=\"M%.1f %.1fv4\" class=\"grid\"/><text x=\"%.1f\" "
          "y=\"%.1f\" class=\"axis\" text-anchor=\"middle\">%s</text>\n",
          x, y + BAR, x, y + BAR + 16, at ? text : "0");
  }
}

static gmem_status_t put_map(svg_t *svg, double y, gmem_diag_t *diag) {
  gmem_shown_curve_t curve;
  GMEM_TRY(gmem_shown_curve_make(svg->plan, svg->pool_index, &curve, diag));
  put_keys(svg, &curve, y + 34, y + HEADING);
  put_curve(svg, &curve, y + HEADING);
  free(curve.points);
  svg->top = y + HEADING + CURVE + GAP;
  PRINT(svg,
        "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" "
        "class=\"free\"/>\n",
        LEFT, svg->top, RIGHT - LEFT, svg->height);
  put_address_axis(svg);
  put_step_axis(svg);
  for_each_buffer(svg, put_owned);
  for_each_buffer(svg, put_shared);
  for_each_buffer(svg, put_name);
  return GMEM_OK;
}

static double map_height(const gmem_shown_plan_t *plan) {
  int maps = 0;
  for (uint32_t i = 0; i < plan->pool_count; ++i)
    maps += !plan->pools[i].constant && plan->pools[i].size > 0;
  return maps > 1 ? SMALL_MAP : MAP;
}

static double pool_height(const gmem_shown_plan_t *plan, uint32_t pool) {
  if (plan->pools[pool].size == 0)
    return HEADING;
  return HEADING + AXIS +
         (plan->pools[pool].constant ? BAR - 16
                                     : CURVE + GAP + map_height(plan));
}

static gmem_status_t put_pool(svg_t *svg, uint32_t index, double y,
                              gmem_diag_t *diag) {
  svg->pool_index = index;
  svg->pool = &svg->plan->pools[index];
  svg->span = svg->pool->size;
  svg->height = map_height(svg->plan);
  put_pool_line(svg, y + 14);
  if (svg->span == 0)
    return GMEM_OK;
  if (!svg->pool->constant)
    return put_map(svg, y, diag);
  put_constants(svg, y + HEADING - 20);
  return GMEM_OK;
}

// First the pools that change with time, as they are what a plan is about.
static gmem_status_t put_pools(svg_t *svg, double y, gmem_diag_t *diag) {
  const gmem_shown_plan_t *plan = svg->plan;
  for (int constant = 0; constant < 2; ++constant)
    for (uint32_t i = 0; i < plan->pool_count; ++i)
      if (plan->pools[i].constant == (constant == 1)) {
        GMEM_TRY(put_pool(svg, i, y, diag));
        y += pool_height(plan, i);
      }
  return GMEM_OK;
}

static gmem_status_t put_picture(svg_t *svg, gmem_diag_t *diag) {
  const gmem_shown_plan_t *plan = svg->plan;
  double first = TITLE + put_legend(svg, TITLE, true) + 14, height = first;
  for (uint32_t i = 0; i < plan->pool_count; ++i)
    height += pool_height(plan, i);
  PRINT(svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
        "height=\"%.0f\" viewBox=\"0 0 %d %.0f\" role=\"img\">\n"
        "<title>Memory plan of ",
        WIDTH, height, WIDTH, height);
  gmem_show_escape(&svg->out, plan->title);
  PRINT(svg, "</title>\n");
  put_style(svg);
  PRINT(svg, "<rect width=\"%d\" height=\"%.0f\" class=\"page\"/>\n", WIDTH,
        height);
  put_title(svg);
  put_legend(svg, TITLE, false);
  GMEM_TRY(put_pools(svg, first, diag));
  PRINT(svg, "</svg>\n");
  return gmem_text_out_end(&svg->out, "the picture", diag);
}

gmem_status_t gmem_show_svg(const gmem_shown_plan_t *plan, gmem_write_fn write,
                            void *user, gmem_diag_t *diag) {
  svg_t svg = {.out = {.write = write, .user = user}, .plan = plan};
  svg.labels = calloc(plan->buffer_count + (size_t)1, sizeof *svg.labels);
  if (!svg.labels)
    return gmem_out_of_memory(diag);
  find_labels(&svg);
  gmem_status_t status = put_picture(&svg, diag);
  free(svg.labels);
  return status;
}
