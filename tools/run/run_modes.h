// run_modes.h - the parsed command line of gmem-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_MODES_H_
#define GMEM_TOOLS_RUN_MODES_H_

#include <stdbool.h>
#include <stdint.h>

#include "gmem/plan.h"

enum {
  GMEM_RUN_ARGUMENTS = 1024,
  GMEM_RUN_LIBRARIES = 16,
  GMEM_RUN_IMPORTS = 64
};

// --check, in the order of the names in gmem-run.c.
enum {
  GMEM_RUN_CHECK_LIFE = 1u << 0,
  GMEM_RUN_CHECK_UNSHARED = 1u << 1,
  GMEM_RUN_CHECK_ZERO = 1u << 2,
  GMEM_RUN_CHECK_WEIGHTS = 1u << 3,
  GMEM_RUN_CHECK_BROKEN_KERNEL = 1u << 4,
  GMEM_RUN_CHECK_BROKEN_PLAN = 1u << 5,
};

// --input or --shape: a value or shape of an argument of the function.
typedef struct gmem_run_argument_s {
  uint32_t argument;
  const char *text;
} gmem_run_argument_t;

typedef struct gmem_run_options_s {
  const char *path;                 // plan image; with |entry|, module
  const char *of_image, *of_module; // last option that applies to images or
                                    // modules only, or NULL

  // Plan images.
  const char *find;   // name of the buffer to print, or NULL
  uint64_t limit;     // lines of the table
  bool digest;        // print the plan's digest only
  bool host;          // print addresses of this process
  bool simulates;     // run requests
  bool hold;          // wait until standard input ends
  uint32_t max_slots; // 0: no growth
  int64_t timeout_ns; // limit of waiting for a slot; INT64_MAX: none
  const char *imports[GMEM_RUN_IMPORTS]; // names of buffers, or "all"
  uint32_t import_count;

  // Both.
  uint32_t threads;    // at least 1
  uint32_t requests;   // at least 1
  uint32_t pool_slots; // 0: as many as threads
  uint32_t checks;     // GMEM_RUN_CHECK_*
  uint64_t seed;       // of the inputs
  bool json;           // print JSON
  bool quiet;          // print results only

  // Modules.
  const char *entry;                // name of the function to run, or NULL
  const char *image;                // plan image with constants, or NULL
  uint32_t repeats;                 // runs per request; 0: default
  bool compare;                     // also run the unplanned program
  bool unplanned;                   // run the program without a plan
  bool same_inputs;                 // same for all requests
  bool randomize;                   // --random-weights
  uint64_t weight_seed;             // for |randomize|
  int level;                        // optimisation level
  const char *pipeline;             // lowering passes, or NULL
  const char *plan_options;         // options of gmem-plan
  const char *arena_mode, *weights; // options of gmem-materialize
  const char *save;                 // path prefix of .npy files, or NULL
  const char *libraries[GMEM_RUN_LIBRARIES];
  int libraries_count;
  gmem_run_argument_t inputs[GMEM_RUN_ARGUMENTS], shapes[GMEM_RUN_ARGUMENTS];
  uint32_t input_count, shape_count;
} gmem_run_options_t;

#endif // GMEM_TOOLS_RUN_MODES_H_
