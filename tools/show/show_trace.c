// show_trace.c - writes a plan as trace events ("Trace Event Format", by the
// Chromium project), which Perfetto and chrome://tracing show.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>

#include "diag.h"
#include "json_writer.h"
#include "show.h"

// A row ("thread") of a process, whose last event ends at |end|.
typedef struct row_s {
  int64_t end;
  uint32_t id;
} row_t;

typedef struct trace_s {
  gmem_json_t json;
  const gmem_shown_plan_t *plan;
  row_t *rows;     // of the process: a heap, the first is free the earliest
  uint32_t count;  // of |rows|
  uint32_t row_id; // the last one of all processes: ids are unique
} trace_t;

// Processes: the ops, then the pools.
enum { OPS = 1, FIRST_POOL = 2 };

static void open_event(trace_t *trace, const char *phase, const char *name,
                       uint32_t process) {
  gmem_json_line(&trace->json, 0);
  gmem_json_open(&trace->json, NULL, '{');
  gmem_json_text(&trace->json, "ph", phase);
  gmem_json_text(&trace->json, "name", name);
  gmem_json_number(&trace->json, "pid", process);
}

static void close_event(trace_t *trace) {
  gmem_json_close(&trace->json); // "args"
  gmem_json_close(&trace->json);
}

static void begin_process(trace_t *trace, uint32_t process, const char *name) {
  trace->count = 0;
  open_event(trace, "M", "process_name", process);
  gmem_json_open(&trace->json, "args", '{');
  gmem_json_text(&trace->json, "name", name);
  close_event(trace);
  open_event(trace, "M", "process_sort_index", process);
  gmem_json_open(&trace->json, "args", '{');
  gmem_json_number(&trace->json, "sort_index", process);
  close_event(trace);
}

static bool is_earlier(const row_t *a, const row_t *b) {
  return a->end != b->end ? a->end < b->end : a->id < b->id;
}

static void swap(row_t *a, row_t *b) {
  row_t row = *a;
  *a = *b;
  *b = row;
}

// Moves a row whose end has grown away from the front of the heap.
static void sink(row_t *rows, uint32_t count, uint32_t at) {
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && is_earlier(&rows[child + 1], &rows[child]))
      ++child;
    if (is_earlier(&rows[at], &rows[child]))
      return;
    swap(&rows[at], &rows[child]);
  }
}

static void rise(row_t *rows, uint32_t at) {
  for (; at > 0 && is_earlier(&rows[at], &rows[(at - 1) / 2]);
       at = (at - 1) / 2)
    swap(&rows[at], &rows[(at - 1) / 2]);
}

// A row for an event; events come by ascending begin. Those of a row must not
// overlap, unless one contains the other.
static uint32_t take_row(trace_t *trace, int64_t begin, int64_t end) {
  if (trace->count > 0 && trace->rows[0].end <= begin) {
    uint32_t id = trace->rows[0].id;
    trace->rows[0].end = end;
    sink(trace->rows, trace->count, 0);
    return id;
  }
  trace->rows[trace->count] = (row_t){end, ++trace->row_id};
  rise(trace->rows, trace->count++);
  return trace->row_id;
}

// A complete event, until "args", which are open. One step is a microsecond.
static void open_slice(trace_t *trace, uint32_t process, const char *name,
                       const char *category, int64_t begin, int64_t end) {
  open_event(trace, "X", name, process);
  gmem_json_number(&trace->json, "tid", take_row(trace, begin, end));
  gmem_json_text(&trace->json, "cat", category);
  gmem_json_signed(&trace->json, "ts", begin);
  gmem_json_signed(&trace->json, "dur", end - begin);
  gmem_json_open(&trace->json, "args", '{');
}

//===--- ops --------------------------------------------------------------===//

static void put_ops(trace_t *trace) {
  const gmem_shown_plan_t *plan = trace->plan;
  begin_process(trace, OPS, "ops");
  for (size_t i = 0; i < plan->op_count; ++i) {
    const gmem_shown_op_t *op = &plan->ops[i];
    open_slice(trace, OPS, op->name, op->op, op->begin, op->end);
    gmem_json_text(&trace->json, "location", op->location);
    close_event(trace);
  }
}

//===--- pools ------------------------------------------------------------===//

// A buffer during one of its live ranges.
typedef struct life_s {
  int64_t begin, end;
  uint32_t buffer;
} life_t;

static int compare_lives(const void *a, const void *b) {
  const life_t *left = a, *right = b;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->buffer > right->buffer) - (left->buffer < right->buffer);
}

static void put_life(trace_t *trace, const life_t *life) {
  const gmem_shown_plan_t *plan = trace->plan;
  const gmem_shown_buffer_t *buffer = &plan->buffers[life->buffer];
  gmem_json_t *json = &trace->json;
  open_slice(trace, FIRST_POOL + buffer->pool, buffer->name,
             gmem_shown_kind_name(buffer->kind), life->begin, life->end);
  gmem_json_number(json, "offset", buffer->offset);
  gmem_json_number(json, "size", buffer->size);
  gmem_json_text(json, "op", buffer->op);
  gmem_json_text(json, "location", buffer->location);
  gmem_json_text(json, "alias_of",
                 buffer->alias_of == GMEM_NO_BUFFER
                     ? NULL
                     : plan->buffers[buffer->alias_of].name);
  close_event(trace);
}

static gmem_status_t put_curve(trace_t *trace, uint32_t pool,
                               gmem_diag_t *diag) {
  gmem_shown_curve_t curve;
  GMEM_TRY(gmem_shown_curve_make(trace->plan, pool, &curve, diag));
  for (size_t i = 0; i < curve.count; ++i) {
    open_event(trace, "C", "live bytes", FIRST_POOL + pool);
    gmem_json_signed(&trace->json, "ts", curve.points[i].step);
    gmem_json_open(&trace->json, "args", '{');
    gmem_json_number(&trace->json, "bytes", curve.points[i].bytes);
    close_event(trace);
  }
  free(curve.points);
  return GMEM_OK;
}

// |lives| has room for the live ranges of all buffers.
static gmem_status_t put_pool(trace_t *trace, uint32_t pool, life_t *lives,
                              gmem_diag_t *diag) {
  const gmem_shown_plan_t *plan = trace->plan;
  size_t count = 0;
  begin_process(trace, FIRST_POOL + pool, plan->pools[pool].name);
  for (uint32_t i = 0; i < plan->buffer_count; ++i)
    if (plan->buffers[i].pool == pool)
      for (size_t k = 0; k < plan->buffers[i].range_count; ++k)
        lives[count++] = (life_t){plan->buffers[i].ranges[k].begin,
                                  plan->buffers[i].ranges[k].end, i};
  qsort(lives, count, sizeof *lives, compare_lives);
  for (size_t i = 0; i < count; ++i)
    put_life(trace, &lives[i]);
  return put_curve(trace, pool, diag);
}

static void put_figures(gmem_json_t *json, const gmem_shown_plan_t *plan) {
  gmem_json_text(json, "displayTimeUnit", "ns");
  gmem_json_open(json, "otherData", '{');
  gmem_json_text(json, "title", plan->title);
  gmem_json_text(json, "unit of time", "a step is shown as a microsecond");
  gmem_json_number(json, "peak", plan->peak);
  gmem_json_number(json, "lower_bound", plan->lower_bound);
  gmem_json_close(json);
}

static gmem_status_t put_events(trace_t *trace, life_t *lives,
                                gmem_diag_t *diag) {
  const gmem_shown_plan_t *plan = trace->plan;
  gmem_status_t status = GMEM_OK;
  gmem_json_open(&trace->json, "traceEvents", '[');
  put_ops(trace);
  for (uint32_t i = 0; i < plan->pool_count && status == GMEM_OK; ++i)
    status = put_pool(trace, i, lives, diag);
  gmem_json_close(&trace->json);
  return status;
}

gmem_status_t gmem_show_trace(const gmem_shown_plan_t *plan,
                              gmem_write_fn write, void *user,
                              gmem_diag_t *diag) {
  size_t ranges = 1, most = plan->op_count + 1;
  for (uint32_t i = 0; i < plan->buffer_count; ++i)
    ranges += plan->buffers[i].range_count;
  life_t *lives = calloc(ranges, sizeof *lives);
  trace_t trace = {.plan = plan};
  trace.rows = calloc(ranges > most ? ranges : most, sizeof *trace.rows);
  gmem_status_t status = GMEM_OK;
  if (lives && trace.rows) {
    gmem_json_start(&trace.json, write, user);
    gmem_json_open(&trace.json, NULL, '{');
    put_figures(&trace.json, plan);
    status = put_events(&trace, lives, diag);
    gmem_json_close(&trace.json);
    if (status == GMEM_OK)
      status = gmem_json_end(&trace.json, "the trace", diag);
  } else {
    status = gmem_out_of_memory(diag);
  }
  free(trace.rows);
  free(lives);
  return status;
}
