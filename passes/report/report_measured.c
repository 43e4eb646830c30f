// report_measured.c - see report_measured.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_measured.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "files.h"

// The file while it is read.
typedef struct reader_s {
  gmem_report_t *report;
  const char *path;
  const char *at; // the rest of the text, which ends with a NUL
  unsigned line;
  uint32_t pool, buffer; // the next ones that a line may name
  gmem_diag_t *diag;
} reader_t;

static gmem_status_t refuse(const reader_t *reader, gmem_status_t status,
                            const char *problem) {
  return gmem_error(reader->diag, status, reader->report->location, NULL, 0,
                    "measured: %s:%u: %s", reader->path, reader->line, problem);
}

// Takes |word| and a space off the line.
static bool take_word(reader_t *reader, const char *word) {
  size_t length = strlen(word);
  if (strncmp(reader->at, word, length) != 0 || reader->at[length] != ' ')
    return false;
  reader->at += length + 1;
  return true;
}

// Takes a number and a space off the line.
static bool take_number(reader_t *reader, uint64_t *out_number) {
  uint64_t number = 0;
  const char *at = reader->at;
  for (; *at >= '0' && *at <= '9'; ++at)
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
      return false;
  if (at == reader->at || *at != ' ')
    return false;
  reader->at = at + 1;
  *out_number = number;
  return true;
}

// Takes the rest of the line, which must be |name|.
static bool take_name(reader_t *reader, const char *name) {
  size_t length = strlen(name);
  if (strncmp(reader->at, name, length) != 0 || reader->at[length] != '\n')
    return false;
  reader->at += length + 1;
  ++reader->line;
  return true;
}

static gmem_status_t not_of_plan(const reader_t *reader) {
  return refuse(reader, GMEM_ERR_INVALID_ARGUMENT,
                "it was measured with another plan");
}

static gmem_status_t read_pool(reader_t *reader) {
  const gmem_planned_t *planned = reader->report->planned;
  gmem_report_measured_t *measured = &reader->report->measured;
  uint64_t size, written, high_water;
  if (!take_number(reader, &size) || !take_number(reader, &written) ||
      !take_number(reader, &high_water) || written > high_water ||
      high_water > size)
    return refuse(reader, GMEM_ERR_PARSE,
                  "not 'pool SIZE WRITTEN HIGH-WATER NAME'");
  for (; reader->pool < gmem_planned_pool_count(planned); ++reader->pool) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, reader->pool);
    if (pool->size == size && take_name(reader, pool->name)) {
      measured->pools[reader->pool++] =
          (gmem_report_measured_pool_t){true, written, high_water};
      return GMEM_OK;
    }
  }
  return not_of_plan(reader);
}

// Buffers are in the order of the plan, so one pass finds them all.
static gmem_status_t read_buffer(reader_t *reader) {
  const gmem_planned_t *planned = reader->report->planned;
  uint64_t size, written;
  if (!take_number(reader, &size) || !take_number(reader, &written) ||
      written > size)
    return refuse(reader, GMEM_ERR_PARSE, "not 'buffer SIZE WRITTEN NAME'");
  for (; reader->buffer < gmem_planned_buffer_count(planned);
       ++reader->buffer) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(planned, reader->buffer);
    if (buffer->size == size && take_name(reader, buffer->name)) {
      reader->report->measured.written[reader->buffer++] = written;
      return GMEM_OK;
    }
  }
  return not_of_plan(reader);
}

static gmem_status_t read_lines(reader_t *reader) {
  static const char head[] = "gmem-run high-water 1\n";
  if (strncmp(reader->at, head, sizeof head - 1) != 0)
    return refuse(reader, GMEM_ERR_PARSE,
                  "not written by gmem-run --high-water");
  reader->at += sizeof head - 1;
  ++reader->line;
  while (*reader->at)
    if (take_word(reader, "pool"))
      GMEM_TRY(read_pool(reader));
    else if (take_word(reader, "buffer"))
      GMEM_TRY(read_buffer(reader));
    else
      return refuse(reader, GMEM_ERR_PARSE, "neither a pool nor a buffer");
  return GMEM_OK;
}

gmem_status_t gmem_report_read_measured(gmem_report_t *report, const char *path,
                                        gmem_diag_t *diag) {
  gmem_report_measured_t *measured = &report->measured;
  uint32_t buffers = gmem_planned_buffer_count(report->planned);
  gmem_diag_t own;
  char *text = NULL;
  size_t size;
  GMEM_TRY_ALLOC(measured->pools, report->arena,
                 gmem_planned_pool_count(report->planned), diag);
  GMEM_TRY_ALLOC(measured->written, report->arena, buffers, diag);
  for (uint32_t i = 0; i < buffers; ++i)
    measured->written[i] = GMEM_UNLIMITED;
  gmem_status_t status = gmem_read_file(path, &text, &size, &own);
  if (status != GMEM_OK)
    return gmem_error(diag, status, report->location, NULL, 0,
                      "measured: %s: %s", path, own.text);
  reader_t reader = {
      .report = report, .path = path, .at = text, .line = 1, .diag = diag};
  status = read_lines(&reader);
  free(text);
  report->has_measured = status == GMEM_OK;
  return status;
}
