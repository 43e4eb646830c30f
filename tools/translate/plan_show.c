// plan_show.c - shows a plan as a picture, a trace or a page (docs/show.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "formats.h"
#include "mlir_files.h"
#include "op_texts.h"
#include "page_report.h"
#include "show.h"

typedef gmem_status_t (*show_fn)(const gmem_shown_plan_t *plan,
                                 gmem_write_fn write, void *user,
                                 gmem_diag_t *diag);

static bool is_called(const gmem_planned_t *planned, const char *function) {
  for (size_t i = 0; i < gmem_planned_function_count(planned); ++i) {
    const gmem_planned_function_t *found = gmem_planned_function(planned, i);
    if (strcmp(found->name, function) == 0)
      return !found->is_entry;
  }
  return false;
}

static gmem_shown_kind_t kind_of(const gmem_planned_t *planned,
                                 const gmem_planned_buffer_t *buffer) {
  unsigned flags = buffer->flags;
  if (gmem_planned_pool(planned, buffer->pool)->constant)
    return GMEM_SHOWN_CONSTANT;
  if (flags & GMEM_PLANNED_WORKBUFFER)
    return GMEM_SHOWN_WORKBUFFER;
  if (flags & GMEM_PLANNED_STATE)
    return GMEM_SHOWN_STATE;
  if (flags & GMEM_PLANNED_INPUT)
    return GMEM_SHOWN_INPUT;
  return flags & GMEM_PLANNED_OUTPUT ? GMEM_SHOWN_OUTPUT : GMEM_SHOWN_TENSOR;
}

static void fill_pools(const gmem_planned_t *planned, gmem_shown_plan_t *plan) {
  for (uint32_t i = 0; i < plan->pool_count; ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
    plan->pools[i] = (gmem_shown_pool_t){.name = pool->name,
                                         .constant = pool->constant,
                                         .size = pool->size,
                                         .lower_bound = pool->lower_bound,
                                         .capacity = pool->capacity};
  }
}

static void put_list(FILE *stream, const char *name, const int64_t *list,
                     uint32_t rank) {
  fprintf(stream, "%s[", name);
  for (uint32_t i = 0; i < rank; ++i)
    fprintf(stream, "%s%" PRId64, i ? ", " : "", list[i]);
  fputc(']', stream);
}

// Equal texts are of equal layouts. NULL if there is no memory.
static char *layout_text(const gmem_planned_layout_t *layout) {
  static const char *const borders[] = {"undefined", "constant", "replicate"};
  char *text = NULL;
  size_t length = 0;
  uint32_t rank = layout->rank;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  put_list(stream, "", layout->sizes, rank);
  fprintf(stream, " of %" PRIu64 " bytes", layout->element);
  put_list(stream, ", strides ", layout->strides, rank);
  put_list(stream, ", padding ", layout->before, rank);
  put_list(stream, " before, ", layout->after, rank);
  fprintf(stream, " after (%s)", borders[layout->border]);
  put_list(stream, ", valid ", layout->valid_begin, rank);
  put_list(stream, " to ", layout->valid_end, rank);
  if (fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}

static gmem_status_t fill_layouts(const gmem_planned_t *planned,
                                  gmem_shown_plan_t *plan, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < plan->buffer_count; ++i) {
    const gmem_planned_layout_t *layout =
        gmem_planned_buffer(planned, i)->layout;
    plan->buffers[i].layout = layout ? layout_text(layout) : NULL;
    if (layout && !plan->buffers[i].layout)
      return gmem_out_of_memory(diag);
  }
  return GMEM_OK;
}

static void fill_buffers(const gmem_planned_t *planned,
                         gmem_shown_plan_t *plan) {
  for (uint32_t i = 0; i < plan->buffer_count; ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    plan->buffers[i] =
        (gmem_shown_buffer_t){.name = buffer->name,
                              .op = buffer->op,
                              .function = buffer->function,
                              .location = buffer->location,
                              .kind = kind_of(planned, buffer),
                              .pool = buffer->pool,
                              .alias_of = buffer->alias_of,
                              .offset = buffer->offset,
                              .size = buffer->size,
                              .payload_offset = buffer->payload_offset,
                              .payload_size = buffer->payload_size,
                              .ranges = buffer->ranges,
                              .range_count = buffer->range_count,
                              .owned = buffer->owned,
                              .owned_count = buffer->owned_count};
  }
}

// A buffer that lies in another one has the kind of the sharing, unless it has
// a role of its own.
static void fill_aliases(const gmem_planned_t *planned,
                         gmem_shown_plan_t *plan) {
  for (size_t i = 0; i < plan->alias_count; ++i) {
    const gmem_planned_alias_t *alias = gmem_planned_alias(planned, i);
    gmem_shown_kind_t *kind = &plan->buffers[alias->child].kind;
    plan->aliases[i] = (gmem_shown_alias_t){alias->child, alias->parent,
                                            gmem_sharing_name(alias->kind)};
    if (*kind == GMEM_SHOWN_TENSOR)
      *kind =
          alias->kind == GMEM_SHARE_SLICE || alias->kind == GMEM_SHARE_CONCAT
              ? GMEM_SHOWN_VIEW
              : GMEM_SHOWN_IN_PLACE;
  }
  for (uint32_t i = 0; i < plan->buffer_count; ++i)
    if (plan->buffers[i].kind == GMEM_SHOWN_TENSOR &&
        is_called(planned, plan->buffers[i].function))
      plan->buffers[i].kind = GMEM_SHOWN_CALLEE;
}

static void fill_ops(const gmem_planned_t *planned, gmem_shown_plan_t *plan) {
  for (size_t i = 0; i < plan->op_count; ++i) {
    const gmem_planned_span_t *span = gmem_planned_span(planned, i);
    plan->ops[i] = (gmem_shown_op_t){.name = span->name,
                                     .op = span->op,
                                     .location = span->location,
                                     .begin = span->begin,
                                     .end = span->end};
  }
}

// The name of the file without folders and ending. The caller frees it.
static char *title_of(const char *path) {
  const char *slash = strrchr(path, '/');
  char *title = strdup(strcmp(path, "-") == 0 ? "plan"
                       : slash                ? slash + 1
                                              : path);
  char *ending = title ? strstr(title, ".mlir") : NULL;
  if (ending)
    *ending = 0;
  return title;
}

static gmem_status_t fill(const gmem_planned_t *planned,
                          gmem_shown_plan_t *plan, gmem_diag_t *diag) {
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  GMEM_TRY(gmem_shown_plan_allocate(plan, gmem_planned_pool_count(planned),
                                    gmem_planned_buffer_count(planned),
                                    gmem_planned_alias_count(planned),
                                    gmem_planned_span_count(planned), diag));
  plan->algorithm = figures->algorithm;
  plan->peak = figures->peak;
  plan->lower_bound = figures->lower_bound;
  plan->optimal = figures->optimal;
  plan->end = figures->step_count;
  fill_pools(planned, plan);
  fill_buffers(planned, plan);
  fill_aliases(planned, plan);
  fill_ops(planned, plan);
  return fill_layouts(planned, plan, diag);
}

// Shows the plan, and |older| before it if it is not NULL.
static gmem_status_t show_page(gmem_translation_t *translation,
                               gmem_shown_plan_t *plan,
                               const gmem_shown_plan_t *older,
                               gmem_diag_t *diag) {
  const gmem_shown_plan_t *plans[2] = {older ? older : plan, plan};
  const char *path = translation->options->report;
  gmem_op_texts_t texts = {0};
  char *report = NULL;
  gmem_status_t status =
      path ? gmem_page_report_read(path, plan, &report, diag) : GMEM_OK;
  if (status == GMEM_OK)
    status = gmem_op_texts_fill(translation->planned, plan, &texts, diag);
  if (status == GMEM_OK)
    status = gmem_show_page(plans, older ? 2 : 1, report, gmem_output_write,
                            gmem_output_files_last(&translation->files), diag);
  gmem_op_texts_free(&texts);
  free(report);
  return status;
}

static gmem_status_t write_shown(gmem_translation_t *translation, show_fn show,
                                 const gmem_shown_plan_t *older,
                                 gmem_diag_t *diag) {
  const gmem_translate_options_t *options = translation->options;
  gmem_output_t *output = gmem_output_files_last(&translation->files);
  char *name = title_of(options->input);
  gmem_shown_plan_t plan = {.title = options->title ? options->title : name};
  gmem_status_t status =
      name ? fill(translation->planned, &plan, diag) : gmem_out_of_memory(diag);
  if (status == GMEM_OK)
    status = show ? show(&plan, gmem_output_write, output, diag)
                  : show_page(translation, &plan, older, diag);
  gmem_shown_plan_free(&plan);
  free(name);
  return status;
}

gmem_status_t gmem_write_svg(gmem_translation_t *translation,
                             gmem_diag_t *diag) {
  return write_shown(translation, gmem_show_svg, NULL, diag);
}

gmem_status_t gmem_write_trace(gmem_translation_t *translation,
                               gmem_diag_t *diag) {
  return write_shown(translation, gmem_show_trace, NULL, diag);
}

//===--- the page ---------------------------------------------------------===//

static gmem_status_t write_comparison(gmem_translation_t *translation,
                                      const gmem_planned_t *older,
                                      gmem_diag_t *diag) {
  char *title = title_of(translation->options->against);
  gmem_shown_plan_t plan = {.title = title};
  gmem_status_t status =
      title ? fill(older, &plan, diag) : gmem_out_of_memory(diag);
  if (status == GMEM_OK)
    status = write_shown(translation, NULL, &plan, diag);
  gmem_shown_plan_free(&plan);
  free(title);
  return status;
}

// The parser and the reader of plans report their own errors.
gmem_status_t gmem_write_page(gmem_translation_t *translation,
                              gmem_diag_t *diag) {
  const char *path = translation->options->against;
  if (!path)
    return write_shown(translation, NULL, NULL, diag);
  MlirModule module = gmem_module_parse(translation->context, path);
  if (mlirModuleIsNull(module))
    return GMEM_ERR_PARSE;
  gmem_planned_t *older = NULL;
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), NULL, &older, NULL);
  if (status == GMEM_OK)
    status = write_comparison(translation, older, diag);
  gmem_planned_destroy(older);
  mlirModuleDestroy(module);
  return status;
}
