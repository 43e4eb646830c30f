// run_modes.h - the parsed command line of gmem-run, and what it can run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_MODES_H_
#define GMEM_TOOLS_RUN_MODES_H_

#include "command_line.h"
#include "mapped_plan.h"

enum { GMEM_RUN_ARGUMENTS = 1024, GMEM_RUN_LIBRARIES = 16 };

// --check, in the order of the names in gmem-run.c.
enum {
  GMEM_RUN_CHECK_LIFE = 1u << 0,
  GMEM_RUN_CHECK_UNSHARED = 1u << 1,
  GMEM_RUN_CHECK_ZERO = 1u << 2,
  GMEM_RUN_CHECK_WEIGHTS = 1u << 3,
  GMEM_RUN_CHECK_BROKEN_KERNEL = 1u << 4,
  GMEM_RUN_CHECK_BROKEN_PLAN = 1u << 5,
};

// Sources of arenas, in the order of gmem_arena_mode_t.
enum { GMEM_RUN_ARENA_ALLOC, GMEM_RUN_ARENA_ARG, GMEM_RUN_ARENA_GLOBAL };

#define GMEM_RUN_NO_TIMEOUT UINT64_MAX

// Options for plan images.
typedef struct gmem_run_image_options_s {
  const char *find;         // name of the buffer to print, or NULL
  const char *group;        // name of the group to print, or NULL
  uint64_t limit;           // lines of the table
  bool digest;              // print the plan's digest only
  bool ops;                 // print the ops and their steps only
  bool host;                // print addresses of this process
  uint32_t max_slots;       // 0: no growth
  uint64_t timeout_ms;      // limit of waiting for a slot
  gmem_text_list_t imports; // names of buffers, or "all"
} gmem_run_image_options_t;

// --input or --shape: values or shapes of arguments of the function.
typedef struct gmem_run_arguments_s {
  struct {
    uint32_t number;
    const char *text;
  } at[GMEM_RUN_ARGUMENTS];
  uint32_t count;
} gmem_run_arguments_t;

// Options for modules.
typedef struct gmem_run_program_options_s {
  const char *entry;        // name of the function to run, or NULL
  const char *image;        // plan image with constants, or NULL
  const char *weight_store; // socket at which constants are shared, or NULL
  uint32_t repeats;         // runs per request; 0: default
  bool compare;             // also run the unplanned program
  bool unplanned;           // run the program without a plan
  bool same_inputs;         // same for all requests
  gmem_seed_t weights;      // --random-weights
  uint32_t level;           // optimisation level
  const char *pipeline;     // lowering passes
  const char *plan_options; // of gmem-plan
  int arena_mode;           // GMEM_RUN_ARENA_*
  int weight_image;         // whether gmem-run maps constants
  const char *save;         // path prefix of .npy files, or NULL
  const char *high_water;   // file for the written bytes, or NULL
  const char *mpi;          // MPI library, "auto", or NULL: none
  const char *mpiexec;      // program that starts ranks
  uint32_t ranks;           // to start; 0: this process is all there is
  double tolerance;         // of results on several ranks, relative
  gmem_text_list_t libraries;
  gmem_run_arguments_t inputs, shapes;
} gmem_run_program_options_t;

typedef struct gmem_run_options_s {
  const char *path;                 // plan image; with an entry, module
  const char *of_image, *of_module; // last option that applies to images or
                                    // modules only, or NULL
  bool simulates;                   // run requests to the plan image
  uint32_t threads;                 // at least 1
  uint32_t requests;                // at least 1
  uint32_t pool_slots;              // 0: as many as threads
  uint32_t checks;                  // GMEM_RUN_CHECK_*
  uint64_t seed;                    // of the inputs
  bool hold;                        // wait until standard input ends
  bool json;                        // print JSON
  bool quiet;                       // print results only
  gmem_run_image_options_t image;
  gmem_run_program_options_t program;
} gmem_run_options_t;

static inline uint32_t gmem_run_slots(const gmem_run_options_t *options) {
  return options->pool_slots ? options->pool_slots : options->threads;
}

// Each prints a message on failure.

// Prints the table, the ops or the digest of a plan image, or simulates
// requests.
gmem_status_t gmem_run_image(const gmem_run_options_t *options);

// Waits until standard input ends.
void gmem_run_hold(void);

// Runs simulated requests to |mapped->plan|, whose model it maps, and the
// checks.
gmem_status_t gmem_run_simulated(const gmem_run_options_t *options,
                                 gmem_mapped_plan_t *mapped);

// Plans, materializes, compiles and runs a module.
gmem_status_t gmem_run_module(const gmem_run_options_t *options);

#endif // GMEM_TOOLS_RUN_MODES_H_
