// run_modes.h - what gmem-run can do, and what it is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_MODES_H_
#define GMEM_TOOLS_RUN_MODES_H_

#include <stdbool.h>
#include <stdint.h>

enum { GMEM_RUN_GIVENS = 1024, GMEM_RUN_LIBRARIES = 16 };

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
  const char *find; // name of the one buffer to show, or NULL
  uint64_t limit;   // lines of the table
  bool digest;      // print the plan's digest only
  bool host;        // show addresses as they are in this process

  // A module.
  const char *entry;                // name of the function to run, or NULL
  uint32_t threads;                 // at least 1
  uint32_t requests;                // at least 1
  uint32_t repeats;                 // of each request; 0: not said
  bool compare;                     // run the unplanned program, too
  bool check_broken;                // see that a wrong plan is noticed
  bool unplanned;                   // run the program as it is
  bool same_inputs;                 // for all requests
  bool randomize;                   // constants
  bool json;                        // print JSON
  bool quiet;                       // print the outputs only
  uint64_t seed;                    // of the inputs
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

// Each does its job and returns the exit code; messages have been printed.
int gmem_run_image(const gmem_run_options_t *options);
int gmem_run_module(const gmem_run_options_t *options);

#endif // GMEM_TOOLS_RUN_MODES_H_
