// report_facts.h - the contents of a report, collected from an analysis and its
// plan, and its output formats.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_FACTS_H_
#define GMEM_PASSES_REPORT_FACTS_H_

#include "bump.h"
#include "gmem/passes.h"
#include "input_review.h"
#include "text.h"
#include "what_if.h"

// Steps [begin, end) with so many live bytes in a pool.
typedef struct gmem_report_segment_s {
  int64_t begin, end;
  uint64_t bytes;
} gmem_report_segment_t;

// Statistics of the buffers of a pool.
typedef struct gmem_report_pool_s {
  size_t buffers, views; // leaders of must-alias sets; other members
  uint64_t sum;          // bytes of |buffers|
  uint64_t peak_live;    // peak liveness: most bytes live at one step
  int64_t peak_step;     // first step of that peak; -1: nothing is ever live
  int64_t peak_steps;    // number of steps at the peak
  uint64_t capacity;     // the smallest that was stated, or GMEM_UNLIMITED
  uint64_t over;         // bytes by which the size exceeds |capacity|
  gmem_report_segment_t *segments; // from the first live step to the last
  size_t segment_count;
} gmem_report_pool_t;

// A value that is not planned.
typedef struct gmem_report_unplanned_s {
  const char *value;    // "result #0 of 'memref.alloc'"
  const char *function; // symbol name
  const char *reason;
  const char *help; // what would help, or NULL
  MlirLocation location;
  MlirOperation cause; // op responsible for the reason; null if not a single op
} gmem_report_unplanned_t;

// Bytes that a run has written (gmem-run --high-water).
typedef struct gmem_report_measured_pool_s {
  bool is_known;
  uint64_t written;    // bytes
  uint64_t high_water; // bytes from the start of the pool to the last of them
} gmem_report_measured_pool_t;

typedef struct gmem_report_measured_s {
  gmem_report_measured_pool_t *pools; // by pool
  uint64_t *written; // by buffer: bytes, or GMEM_UNLIMITED: not known
} gmem_report_measured_t;

typedef struct gmem_report_s {
  gmem_bump_t *arena;
  MlirLocation location; // of the op that is reported on
  gmem_planned_t *planned;
  gmem_report_pool_t *pools;                    // by pool
  GMEM_LIST(MlirOperation) ops;                 // by step
  GMEM_LIST(MlirLocation) locations;            // by buffer: its definition
  GMEM_LIST(MlirValue) values;                  // by buffer; workbuffers: null
  GMEM_LIST(MlirOperation) plain;               // gmem_op_is_plain
  GMEM_LIST(gmem_report_unplanned_t) unplanned; // values, in IR order
  GMEM_LIST(gmem_unmodelled_t) unmodelled;      // by name, scope by scope
  uint64_t budget; // of live bytes in a pool, or GMEM_UNLIMITED
  bool has_details;
  bool has_colours;  // the text goes to a terminal
  bool has_measured; // a run was measured
  gmem_report_measured_t measured;
  bool has_what_ifs; // they were asked for
  gmem_what_ifs_t what_ifs;
} gmem_report_t;

// The bounds [begin, end) of the steps at which a buffer is live.
int64_t gmem_report_begin(const gmem_planned_buffer_t *buffer);

int64_t gmem_report_end(const gmem_planned_buffer_t *buffer);

// Whether |buffer| counts for |pool|: views do not.
bool gmem_report_is_listed(const gmem_planned_buffer_t *buffer, uint32_t pool);

// Whether |buffer| owns its bytes at |step| (gmem_planned_buffer_t.owned).
bool gmem_report_owns_at(const gmem_planned_buffer_t *buffer, int64_t step);

// What the alignment of |pool| costs: the bytes by which every plan exceeds the
// most bytes that are live at one step. 0 for constants.
static inline uint64_t gmem_report_padding(const gmem_planned_pool_t *pool,
                                           const gmem_report_pool_t *figures) {
  return pool->constant || pool->lower_bound <= figures->peak_live
             ? 0
             : pool->lower_bound - figures->peak_live;
}

// Appends "tosa.add (n.mlir:3:5)".
void gmem_report_op(gmem_text_t *text, MlirOperation op);

//===--- output formats ---------------------------------------------------===//

// Appends human-readable tables to |text|, in the arena of the report. Failures
// to allocate are seen by gmem_bump_status.
void gmem_report_to_text(const gmem_report_t *report, gmem_text_t *text);

// Writes JSON (docs/report.md). Fails with the status of |write| or
// OUT_OF_MEMORY.
gmem_status_t gmem_report_to_json(const gmem_report_t *report,
                                  gmem_write_fn write, void *user,
                                  gmem_diag_t *diag);

// Emits one remark per pool, buffer and unplanned value, at the ops that define
// them.
void gmem_report_to_remarks(const gmem_report_t *report);
// Remarks on the changes with which a plan that exceeds a capacity fits.
void gmem_report_advise(const gmem_report_t *report);

#endif // GMEM_PASSES_REPORT_FACTS_H_
