// ranks.h - runs a network that is split over ranks, and compares it with the
// same network on one rank.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RANKS_H_
#define GMEM_TOOLS_RANKS_H_

#include "run_modes.h"

// Plans the module of |options|, which has shardings, for one rank and for
// options->program.ranks; runs both, the latter under mpiexec, on the same
// inputs, of which each rank has its part; and compares what the ranks compute
// with what one rank does. Prints a message on failure, also if the results
// differ by more than the tolerance.
gmem_status_t gmem_run_ranks(const gmem_run_options_t *options);

#endif // GMEM_TOOLS_RANKS_H_
