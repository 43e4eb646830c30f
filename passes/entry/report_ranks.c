// report_ranks.c - gmem-report with ranks=.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: with ranks=, a program of tensors with shardings (MLIR's shard
//           dialect), before MLIR's shard-partition.
// produces: no change to the IR. For one rank and for each number of ranks, a
//           copy is partitioned and planned by gmem-shard-and-plan, and what
//           the program of a rank needs is reported as text or JSON: arguments,
//           constants, workspace with its lower bound, the workspace without
//           reuse of memory, and the bytes of its messages.
// fails:    when a grid cannot have so many ranks, when MLIR cannot partition
//           the program, and as gmem-report.

#include "report_ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "annotations.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "json_writer.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir_seam.h"
#include "pass_options.h"
#include "report.h"
#include "set_ranks.h"
#include "text.h"
#include "type_size.h"

enum { FORMAT_VERSION = 1, MAX_PASSES = 8192 };

// What the program of a rank needs. All in bytes.
typedef struct rank_needs_s {
  uint32_t ranks;
  uint64_t arguments; // of public functions: inputs, outputs, caches, weights
  uint64_t constants, workspace, lower_bound;
  uint64_t unshared; // the workspace if no two buffers shared memory
  uint64_t messages; // of the ops of the mpi dialect, each once
  uint64_t message_count;
} rank_needs_t;

typedef struct ranks_report_s {
  MlirOperation top;
  const gmem_plan_options_t *options;
  const gmem_allocator_t *allocator;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  struct {
    rank_needs_t *at;
    size_t count, room;
  } rows;
} ranks_report_t;

const char *const gmem_report_ranks_dialects[] = {
    "affine", "arith",  "bufferization", "cf",     "func", "index", "linalg",
    "math",   "memref", "mpi",           "tensor", "scf",  "shard", "tosa",
    "ub",     NULL};

//===--- figures ----------------------------------------------------------===//

static uint64_t bytes_of(MlirValue value) {
  uint64_t bytes = 0;
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) &&
                 gmem_memref_size(type, NULL, &bytes) == GMEM_TYPE_SIZED
             ? bytes
             : 0;
}

static void add_arguments(MlirOperation function, rank_needs_t *needs) {
  MlirRegion body = mlirOperationGetRegion(function, 0);
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  if (mlirBlockIsNull(entry) ||
      !mlirAttributeIsNull(gmem_op_attribute(function, "sym_visibility")) ||
      !mlirAttributeIsNull(gmem_op_annotation(function, GMEM_ATTR_INIT)))
    return;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    needs->arguments += bytes_of(mlirBlockGetArgument(entry, i));
}

static gmem_status_t visit_op(MlirOperation op, void *user) {
  rank_needs_t *needs = user;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (gmem_op_is(op, "func.func"))
    add_arguments(op, needs);
  if (name.length < 4 || memcmp(name.data, "mpi.", 4) != 0)
    return GMEM_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsAMemRef(mlirValueGetType(operand)))
      continue;
    ++needs->message_count;
    needs->messages += bytes_of(operand);
    break; // an allreduce has two of one size
  }
  return GMEM_OK;
}

static void add_plan(const gmem_planned_t *planned, rank_needs_t *needs) {
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  needs->workspace = figures->peak;
  needs->lower_bound = figures->lower_bound;
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i)
    if (gmem_planned_pool(planned, i)->constant)
      needs->constants += gmem_planned_pool(planned, i)->size;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    if (!gmem_planned_pool(planned, buffer->pool)->constant &&
        buffer->alias_of == GMEM_NO_BUFFER)
      needs->unshared += buffer->size;
  }
}

//===--- programs ---------------------------------------------------------===//

// Remarks would be those of each number of ranks again; errors are passed on.
static MlirLogicalResult drop_remarks(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  return mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError
             ? mlirLogicalResultFailure()
             : mlirLogicalResultSuccess();
}

static gmem_status_t run_passes(ranks_report_t *report, MlirOperation copy,
                                uint32_t ranks, const char *passes) {
  char text[256];
  gmem_printed_t printed = {text, sizeof text, 0, false};
  MlirContext context = mlirOperationGetContext(copy);
  MlirPassManager manager = mlirPassManagerCreate(context);
  gmem_status_t status = GMEM_OK;
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(
          mlirPassManagerGetAsOpPassManager(manager), gmem_string(passes),
          gmem_print_into, &printed)))
    status = gmem_op_error(report->diag, GMEM_ERR_STATE, report->top,
                           "ranks: %s", text);
  else {
    MlirDiagnosticHandlerID handler =
        mlirContextAttachDiagnosticHandler(context, drop_remarks, NULL, NULL);
    bool is_planned =
        mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, copy));
    mlirContextDetachDiagnosticHandler(context, handler);
    if (!is_planned)
      status =
          gmem_op_error(report->diag, GMEM_ERR_INVALID_ARGUMENT, report->top,
                        "no plan for ranks=%" PRIu32 ": see above", ranks);
  }
  mlirPassManagerDestroy(manager);
  return status;
}

// Plans |copy| for so many ranks.
static gmem_status_t plan(ranks_report_t *report, MlirOperation copy,
                          rank_needs_t *needs) {
  char passes[MAX_PASSES];
  const char *stated = report->options->stated ? report->options->stated : "";
  int length = snprintf(
      passes, sizeof passes,
      "builtin.module(gmem-constants-to-arguments,%s{out-params=true %s})",
      needs->ranks == 1 ? "gmem-remove-sharding,gmem-bufferize-and-plan"
                        : "gmem-shard-and-plan",
      stated);
  if (length >= MAX_PASSES)
    return gmem_op_error(report->diag, GMEM_ERR_OUT_OF_RANGE, report->top,
                         "ranks: the options are too long");
  if (needs->ranks > 1)
    GMEM_TRY(gmem_set_ranks(copy, needs->ranks, report->diag));
  return run_passes(report, copy, needs->ranks, passes);
}

static gmem_status_t add_row(ranks_report_t *report, uint32_t ranks) {
  rank_needs_t needs = {.ranks = ranks};
  gmem_planned_t *planned = NULL;
  MlirOperation copy = mlirOperationClone(report->top);
  gmem_status_t status = plan(report, copy, &needs);
  if (status == GMEM_OK)
    status = gmem_planned_read_verified(copy, report->allocator, &planned,
                                        report->diag);
  if (status == GMEM_OK) {
    add_plan(planned, &needs);
    status = gmem_walk(copy, visit_op, &needs);
    GMEM_APPEND(report->arena, &report->rows, needs);
  }
  gmem_planned_destroy(planned);
  mlirOperationDestroy(copy);
  return status;
}

static gmem_status_t add_rows(ranks_report_t *report) {
  uint32_t ranks;
  const char *at = report->options->ranks;
  GMEM_TRY(add_row(report, 1));
  while (*at && gmem_ranks_next(&at, &ranks))
    if (ranks != 1)
      GMEM_TRY(add_row(report, ranks));
  return gmem_bump_status(report->arena, report->diag);
}

//===--- writing ----------------------------------------------------------===//

static gmem_status_t write_json(const ranks_report_t *report,
                                gmem_write_fn write, void *user) {
  gmem_json_t json;
  gmem_json_start(&json, write, user);
  gmem_json_open(&json, NULL, '{');
  gmem_json_number(&json, "version", FORMAT_VERSION);
  gmem_json_open(&json, "ranks", '[');
  for (size_t i = 0; i < report->rows.count; ++i) {
    const rank_needs_t *row = &report->rows.at[i];
    gmem_json_open(&json, NULL, '{');
    gmem_json_number(&json, "ranks", row->ranks);
    gmem_json_number(&json, "arguments", row->arguments);
    gmem_json_number(&json, "constants", row->constants);
    gmem_json_number(&json, "workspace", row->workspace);
    gmem_json_number(&json, "lower_bound", row->lower_bound);
    gmem_json_number(&json, "without_reuse", row->unshared);
    gmem_json_number(&json, "messages", row->message_count);
    gmem_json_number(&json, "message_bytes", row->messages);
    gmem_json_close(&json);
  }
  gmem_json_close(&json);
  gmem_json_close(&json);
  return gmem_json_end(&json, "the report", report->diag);
}

static void put_cell(gmem_text_t *line, gmem_bump_t *arena, uint64_t number,
                     size_t width) {
  gmem_text_t digits = {.arena = arena};
  gmem_text_number(&digits, number);
  const char *text = gmem_text_get(&digits);
  gmem_text_print(line, " %*s", (int)width, text ? text : "");
}

static gmem_status_t write_text(const ranks_report_t *report,
                                gmem_write_fn write, void *user) {
  enum { WIDTH = 15 };
  static const char *const heads[] = {
      "arguments",     "constants", "workspace",    "lower bound",
      "without reuse", "messages",  "message bytes"};
  gmem_text_t text = {.arena = report->arena};
  gmem_text_print(&text, "what each rank needs, in bytes\n%6s", "ranks");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; ++i)
    gmem_text_print(&text, " %*s", WIDTH, heads[i]);
  gmem_text_print(&text, "\n");
  for (size_t i = 0; i < report->rows.count; ++i) {
    const rank_needs_t *row = &report->rows.at[i];
    const uint64_t cells[] = {
        row->arguments, row->constants,     row->workspace, row->lower_bound,
        row->unshared,  row->message_count, row->messages};
    gmem_text_print(&text, "%6" PRIu32, row->ranks);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k)
      put_cell(&text, report->arena, cells[k], WIDTH);
    gmem_text_print(&text, "\n");
  }
  GMEM_TRY(gmem_bump_status(report->arena, report->diag));
  return write(user, gmem_text_get(&text), text.length);
}

static gmem_status_t report_ranks(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  gmem_write_fn write, void *user,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  ranks_report_t report = {.top = top,
                           .options = options,
                           .allocator = allocator,
                           .arena = &arena,
                           .diag = diag};
  gmem_status_t status = add_rows(&report);
  if (status == GMEM_OK)
    status = options->report_format == GMEM_REPORT_JSON
                 ? write_json(&report, write, user)
                 : write_text(&report, write, user);
  gmem_bump_destroy(&arena);
  return status;
}

gmem_status_t gmem_report_all(MlirOperation top,
                              const gmem_plan_options_t *options,
                              const gmem_allocator_t *allocator,
                              gmem_diag_t *diag) {
  gmem_diag_t own;
  diag = diag ? diag : &own;
  if (!options->ranks[0])
    return gmem_report(top, options, allocator, diag);
  if (options->report_format == GMEM_REPORT_REMARKS)
    return gmem_op_error(diag, GMEM_ERR_INVALID_ARGUMENT, top,
                         "ranks='%s' makes a table: format=remarks has none",
                         options->ranks);
  return gmem_report_write(top, options, report_ranks, allocator, diag);
}
