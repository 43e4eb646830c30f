// report_sums.h - the bytes of a plan by the ops that define the buffers, and
// what sharing saves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_SUMS_H_
#define GMEM_PASSES_REPORT_SUMS_H_

#include "report_facts.h"

// The buffers, but for views and constants, that ops of one name or dialect
// define. "argument" is a name of its own.
typedef struct gmem_report_sum_s {
  const char *name; // of |length| characters
  size_t length;
  size_t buffers;
  uint64_t bytes;   // of all
  uint64_t at_peak; // of those that own their bytes at the peak of their pool
} gmem_report_sum_t;

typedef struct gmem_report_sums_s {
  gmem_report_sum_t *at; // those with most bytes at the peak first
  size_t count;
} gmem_report_sums_t;

gmem_status_t gmem_report_sum_ops(const gmem_report_t *report, bool by_dialect,
                                  gmem_report_sums_t *out_sums,
                                  gmem_diag_t *diag);

// The bytes that the child of alias |index| would add to the live bytes at the
// peak of its pool if it had memory of its own: its size if both are live
// there.
uint64_t gmem_report_alias_saves(const gmem_report_t *report, uint32_t index);

#endif // GMEM_PASSES_REPORT_SUMS_H_
