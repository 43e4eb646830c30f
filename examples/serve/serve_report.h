// serve_report.h - what serve prints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_REPORT_H_
#define SERVE_REPORT_H_

#include "serve_options.h"

// What one run of the server has found out. Plain bytes: may be sent through a
// pipe.
typedef struct serve_figures_s {
  load_result_t load;
  gmem_pool_stats_t pool;
  uint64_t shared_bytes, slot_bytes; // by the plan
  uint64_t array_bytes;              // inputs and outputs, of cases and workers
  uint64_t resident_before;          // before the network was opened
  uint64_t resident, resident_peak;  // at the end
  bool was_interrupted;
} serve_figures_t;

// Whether all answers were right, and there were any.
bool serve_figures_are_good(const serve_figures_t *figures);

void serve_report(const serve_options_t *options,
                  const serve_figures_t *figures);

// The medians of |options->rounds| runs of each kind of memory, and their
// ratios to the pool's: |figures| has MEMORY_KINDS for each round.
void serve_report_comparison(const serve_options_t *options,
                             const serve_figures_t *figures);

#endif // SERVE_REPORT_H_
