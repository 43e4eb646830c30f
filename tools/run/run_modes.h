// run_modes.h - what gmem-run can do, and what it is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_MODES_H_
#define GMEM_TOOLS_RUN_MODES_H_

#include <stdbool.h>
#include <stdint.h>

#include "gmem/plan.h"

enum { GMEM_RUN_GIVENS = 1024, GMEM_RUN_LIBRARIES = 16, GMEM_RUN_IMPORTS = 64 };

// --check, in the order of their names there.
enum {
  GMEM_RUN_CHECK_LIFE = 1u << 0,
  GMEM_RUN_CHECK_UNSHARED = 1u << 1,
  GMEM_RUN_CHECK_ZERO = 1u << 2,
  GMEM_RUN_CHECK_WEIGHTS = 1u << 3,
  GMEM_RUN_CHECK_BROKEN_KERNEL = 1u << 4,
  GMEM_RUN_CHECK_BROKEN_PLAN = 1u << 5,
};

// --input or --shape: what is said of an argument of the function.
typedef struct gmem_run_given_s {
  uint32_t argument;
  const char *text;
} gmem_run_given_t;

typedef struct gmem_run_options_s {
  const char *path; // of a plan image, or, with |entry|, of a module
  const char *of_image, *of_module; // last option given that is for such, or
                                    //   NULL

  // An image.
  const char *find;   // name of the one buffer to show, or NULL
  uint64_t limit;     // lines of the table
  bool digest;        // print the plan's digest only
  bool host;          // show addresses as they are in this process
  bool simulates;     // runs requests
  bool hold;          // stays until standard input ends
  uint32_t max_slots; // 0: as many as there are at the start
  int64_t timeout_ns; // of waiting for a slot; INT64_MAX: none
  const char *imports[GMEM_RUN_IMPORTS]; // names of buffers, or "all"
  uint32_t import_count;

  // Either.
  uint32_t threads;    // at least 1
  uint32_t requests;   // at least 1
  uint32_t pool_slots; // 0: as many as threads
  uint32_t checks;     // GMEM_RUN_CHECK_*
  uint64_t seed;       // of the inputs
  bool json;           // print JSON
  bool quiet;          // print what comes out only

  // A module.
  const char *entry;                // name of the function to run, or NULL
  const char *image;                // where its constants are, or NULL
  uint32_t repeats;                 // of each request; 0: not said
  bool compare;                     // run the unplanned program, too
  bool unplanned;                   // run the program as it is
  bool same_inputs;                 // for all requests
  bool randomize;                   // constants
  uint64_t weight_seed;             // for |randomize|
  int level;                        // of optimisation
  const char *pipeline;             // the lowering, or NULL
  const char *plan_options;         // of gmem-plan
  const char *arena_mode, *weights; // of gmem-materialize
  const char *save; // beginning of the names of .npy files, or NULL
  const char *libraries[GMEM_RUN_LIBRARIES];
  int libraries_count;
  gmem_run_given_t inputs[GMEM_RUN_GIVENS], shapes[GMEM_RUN_GIVENS];
  uint32_t input_count, shape_count;
} gmem_run_options_t;

#endif // GMEM_TOOLS_RUN_MODES_H_
