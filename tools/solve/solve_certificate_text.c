// solve_certificate_text.c - certificates as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_certificate.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "files.h"
#include "solve_messages.h"

// Longer names exceed their column; at most MOST_RANGES live ranges are
// printed.
enum { WIDEST_NAME = 32, MOST_RANGES = 8 };

//===--- a table of buffers -----------------------------------------------===//

typedef struct columns_s {
  int offset, size, name; // widths
} columns_t;

static int digits_of(uint64_t number) {
  return snprintf(NULL, 0, "%" PRIu64, number);
}

static void widen(int *width, int other) {
  if (other > *width)
    *width = other;
}

// Returns the name, or for a nameless buffer its index, formatted into |text|
// (32 bytes).
static const char *name_of(const gmem_problem_t *problem, uint32_t buffer,
                           char *text) {
  const char *name = gmem_problem_buffer(problem, buffer)->name;
  if (*name)
    return name;
  snprintf(text, 32, "(buffer %" PRIu32 ")", buffer);
  return text;
}

// |plan| may be NULL.
static columns_t measure(const gmem_problem_t *problem,
                         const gmem_placement_t *plan, const uint32_t *buffers,
                         size_t count) {
  columns_t columns = {(int)strlen("offset"), (int)strlen("size"),
                       (int)strlen("buffer")};
  char text[32];
  for (size_t i = 0; i < count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffers[i]);
    size_t length = strlen(name_of(problem, buffers[i], text));
    widen(&columns.name, length < WIDEST_NAME ? (int)length : WIDEST_NAME);
    widen(&columns.size, digits_of(spec->size));
    if (plan)
      widen(&columns.offset, digits_of(plan[buffers[i]].offset));
  }
  return columns;
}

static void print_name(FILE *output, const char *name, int width) {
  gmem_print_tamed(output, name);
  for (int length = (int)strnlen(name, WIDEST_NAME); length < width; ++length)
    fputc(' ', output);
}

static void print_lives(FILE *output, const gmem_buffer_spec_t *spec) {
  for (size_t i = 0; i < spec->range_count; ++i) {
    if (i == MOST_RANGES) {
      fprintf(output, " and %zu more", spec->range_count - i);
      return;
    }
    fprintf(output, "%s[%" PRId64 ", %" PRId64 ")", i ? " " : "",
            spec->ranges[i].begin, spec->ranges[i].end);
  }
}

static void print_buffer(FILE *output, const gmem_problem_t *problem,
                         uint32_t buffer, const columns_t *columns) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  char text[32];
  fprintf(output, "%*" PRIu64 "  ", columns->size, spec->size);
  print_name(output, name_of(problem, buffer, text), columns->name);
  fputs("  ", output);
  print_lives(output, spec);
  fputc('\n', output);
}

static void print_quoted(FILE *output, const char *name) {
  fputc('\'', output);
  gmem_print_tamed(output, name);
  fputc('\'', output);
}

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

//===--- optimality -------------------------------------------------------===//

static void print_live(const gmem_certificate_t *certificate,
                       const gmem_pool_certificate_t *pool, FILE *output) {
  columns_t columns = measure(certificate->problem, certificate->plan,
                              pool->live, pool->peak.count);
  widen(&columns.size, digits_of(pool->size - pool->peak.bytes));
  fprintf(output, "  %*s  %*s  %-*s  live\n", columns.offset, "offset",
          columns.size, "size", columns.name, "buffer");
  uint64_t top = 0;
  for (size_t i = 0; i < pool->peak.count; ++i) {
    uint32_t buffer = pool->live[i];
    uint64_t offset = certificate->plan[buffer].offset;
    uint64_t end =
        offset + gmem_problem_buffer(certificate->problem, buffer)->size;
    if (offset > top)
      fprintf(output, "  %*" PRIu64 "  %*" PRIu64 "  (gap)\n", columns.offset,
              top, columns.size, offset - top);
    fprintf(output, "  %*" PRIu64 "  ", columns.offset, offset);
    print_buffer(output, certificate->problem, buffer, &columns);
    top = end > top ? end : top;
  }
}

static void print_proof(const gmem_pool_certificate_t *pool, FILE *output) {
  static const char *const texts[] = {
      [GMEM_PROOF_NONE] = "  not proved optimal: a smaller plan may exist\n",
      [GMEM_PROOF_LOAD] =
          ("  proved optimal: the buffers live at one time need "
           "that many bytes, including alignment\n"),
      [GMEM_PROOF_FIXED] =
          "  proved optimal: a buffer with a fixed offset ends there\n"};
  if (pool->proof == GMEM_PROOF_SEARCH)
    fprintf(output,
            "  proved optimal by exhaustive search, although at most %" PRIu64
            " bytes are live at one time\n",
            pool->load_bound);
  else if (pool->proof == GMEM_PROOF_LOAD && pool->peak.bytes == pool->size)
    fprintf(output,
            "  proved optimal: buffers of that many bytes are live at time "
            "%" PRId64 "\n",
            pool->peak.time);
  else
    fputs(texts[pool->proof], output);
}

static void print_pool(const gmem_certificate_t *certificate, uint32_t index,
                       FILE *output) {
  const gmem_pool_certificate_t *pool = &certificate->pools[index];
  const gmem_peak_t *peak = &pool->peak;
  fputs("pool ", output);
  print_quoted(output, gmem_problem_pool(certificate->problem, index)->name);
  fprintf(output, ": peak %" PRIu64 ", lower bound %" PRIu64 "\n", pool->size,
          pool->lower_bound);
  if (peak->count == 0)
    return;
  // With several pools, a pool without its own proof may trade size with
  // another.
  if (pool->proof || gmem_problem_pool_count(certificate->problem) == 1)
    print_proof(pool, output);
  fprintf(output,
          "  maximum use at time %" PRId64 ": %" PRIu64
          " bytes in use, %" PRIu64
          " in gaps, %zu buffer%s live (sum of sizes %" PRIu64 ")\n",
          peak->time, peak->bytes, pool->size - peak->bytes, peak->count,
          plural(peak->count),
          gmem_sum_of_sizes(certificate->problem, pool->live, peak->count));
  print_live(certificate, pool, output);
}

static void print_whole(const gmem_certificate_t *certificate, FILE *output) {
  static const char *const words[] = {
      [GMEM_PROOF_NONE] = "not proved optimal: a smaller plan may exist",
      [GMEM_PROOF_LOAD] = "proved optimal by the load",
      [GMEM_PROOF_FIXED] = "proved optimal by the load",
      [GMEM_PROOF_SEARCH] = "proved optimal by exhaustive search"};
  fprintf(output,
          "all pools: peak %" PRIu64 ", lower bound %" PRIu64 "\n  %s\n",
          certificate->figures.peak, certificate->figures.lower_bound,
          words[certificate->proof]);
}

// What the constraints cost and buy.
static void print_penalties(const gmem_certificate_t *certificate,
                            FILE *output) {
  const gmem_penalty_figures_t *paid = certificate->penalties;
  fprintf(output, "penalty %" PRIu64 ", lower bound %" PRIu64 ", %s\n",
          paid->penalty, paid->lower_bound,
          paid->optimal ? "proved least" : "not proved least");
  fprintf(output,
          "  without constraints: peak %" PRIu64 ", penalty %" PRIu64
          ", hard constraints broken %" PRIu32 "; with them: peak %" PRIu64
          "\n",
          paid->peak_before, paid->penalty_before, paid->broken_before,
          certificate->figures.peak);
}

static void print_certificate(const gmem_certificate_t *certificate,
                              FILE *output) {
  uint32_t count = gmem_problem_pool_count(certificate->problem);
  if (count > 1)
    print_whole(certificate, output);
  for (uint32_t i = 0; i < count; ++i)
    print_pool(certificate, i, output);
  if (certificate->penalties)
    print_penalties(certificate, output);
}

//===--- infeasibility ----------------------------------------------------===//

// "pool 'a'", "pools 'a', 'b' and 'c'"
static void print_pool_names(const gmem_shortage_t *shortage, FILE *output) {
  size_t count = shortage->found.pool_count;
  fprintf(output, "pool%s ", plural(count));
  for (size_t i = 0; i < count; ++i) {
    fputs(i == 0 ? "" : i + 1 == count ? " and " : ", ", output);
    print_quoted(
        output, gmem_problem_pool(shortage->problem, shortage->pools[i])->name);
  }
}

// The sizes of views and of buffers on branches do not add up, since they share
// bytes.
static void print_reason(const gmem_shortage_t *shortage, FILE *output) {
  bool is_one = shortage->found.pool_count == 1;
  if (!is_one && shortage->found.count == 1) {
    fprintf(output,
            "its size of %" PRIu64
            " bytes exceeds the capacity of each of these pools\n",
            shortage->sum);
    return;
  }
  bool by_load = shortage->found.by_load;
  if (!by_load)
    fputs("proved by exhaustive search: no assignment of offsets exists; ",
          output);
  if (!shortage->is_plain)
    fprintf(output, "the sum of sizes is %" PRIu64, shortage->sum);
  else
    fprintf(output, "%s%" PRIu64 " bytes are live at time %" PRId64,
            by_load ? "" : "at most ", shortage->load, shortage->time);
  fprintf(output, ", and the %s ",
          is_one ? "capacity is" : "capacities sum to");
  if (shortage->capacity == GMEM_UNLIMITED)
    fputs("unlimited", output);
  else
    fprintf(output, "%" PRIu64, shortage->capacity);
  if (by_load && (!shortage->is_plain || shortage->load <= shortage->capacity))
    fprintf(output, ": insufficient for the buffers live at one time%s",
            shortage->is_plain ? ", given their alignments and fixed offsets"
                               : "");
  fputc('\n', output);
}

static void print_set(const gmem_shortage_t *shortage, size_t most,
                      const char *prefix, FILE *output) {
  size_t count = shortage->found.count, shown = count < most ? count : most;
  columns_t columns =
      measure(shortage->problem, NULL, shortage->buffers, shown);
  fprintf(output, "%s  %*s  %-*s  live\n", prefix, columns.size, "size",
          columns.name, "buffer");
  for (size_t i = 0; i < shown; ++i) {
    fprintf(output, "%s  ", prefix);
    print_buffer(output, shortage->problem, shortage->buffers[i], &columns);
  }
  if (shown < count)
    fprintf(output, "%s  and %zu more (--certificate lists all)\n", prefix,
            count - shown);
}

static void print_found(const gmem_shortage_t *shortage, size_t most,
                        const char *prefix, FILE *output) {
  size_t count = shortage->found.count;
  fputs(prefix, output);
  if (count == 1)
    fputs("one buffer does not fit in ", output);
  else
    fprintf(output, "%zu buffers do not fit together in ", count);
  print_pool_names(shortage, output);
  if (count > 1)
    fputs(shortage->found.irreducible ? "; any proper subset fits"
                                      : "; a proper subset may not fit either",
          output);
  fprintf(output, "\n%s", prefix);
  print_reason(shortage, output);
  print_set(shortage, most, prefix, output);
}

void gmem_shortage_print(const gmem_shortage_t *shortage, size_t most,
                         const char *prefix, FILE *output) {
  if (shortage->found.count) {
    print_found(shortage, most, prefix, output);
    return;
  }
  bool has_one = gmem_problem_pool_count(shortage->problem) == 1;
  fputs(prefix, output);
  if (gmem_shortage_is_proved(shortage))
    fprintf(output,
            "infeasible: at least %" PRIu64
            " bytes are needed, and the capacities of all pools sum to %" PRIu64
            "\n",
            shortage->needed, shortage->available);
  else if (shortage->found.fits && has_one)
    fputs("a plan that fits exists, but this search did not find it: try "
          "--algorithm=auto or a higher --effort\n",
          output);
  else
    fputs("feasibility is unknown\n", output);
}

//===--- files ------------------------------------------------------------===//

static gmem_status_t write_file(const char *path, const char *text,
                                size_t length, gmem_diag_t *diag) {
  gmem_output_t *output = NULL;
  fflush(stdout); // |path| may name the same file
  GMEM_TRY(gmem_output_open(path, &output, diag));
  gmem_output_write(output, text, length); // the commit reports errors
  return gmem_output_commit(output, diag);
}

gmem_status_t gmem_proof_write(const gmem_certificate_t *certificate,
                               const gmem_shortage_t *shortage,
                               const char *path, FILE *output,
                               gmem_diag_t *diag) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = path ? open_memstream(&text, &length) : output;
  if (!stream)
    return gmem_out_of_memory(diag);
  if (certificate)
    print_certificate(certificate, stream);
  else
    gmem_shortage_print(shortage, SIZE_MAX, "", stream);
  if (!path)
    return GMEM_OK;
  gmem_status_t status = fclose(stream) == 0
                             ? write_file(path, text, length, diag)
                             : gmem_out_of_memory(diag);
  free(text);
  return status;
}
