// c_compiled.c INPUT OUTPUT - runs the compiled network twice, on its own
// memory, or on what is given here (GIVEN); its inputs and outputs are copied,
// or in the workspace (MAPPED).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"

static void check(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "wrong: %s\n", what);
  exit(1);
}

static _Alignas(16) uint8_t image[DIGITS_INPUT0_SIZE + 16];
static _Alignas(16) uint8_t scores[DIGITS_OUTPUT0_SIZE + 16];

#ifdef GIVEN
static _Alignas(DIGITS_MEMORY_WORKSPACE_ALIGNMENT)
    uint8_t workspace[DIGITS_MEMORY_WORKSPACE_SIZE];
static const digits_workspaces workspaces = {workspace};
static const digits_parameters parameters = {digits_weights_data};
#define MEMORY &workspaces, &parameters
#define RUN(in, out) digits_run(in, out, MEMORY)
#else
#define MEMORY
#define RUN(in, out) digits_run(in, out)
#endif

#ifdef MAPPED

// A run may overwrite the input, so that each has its own.
static void run_twice(void) {
  digits_inputs inputs = digits_map_inputs(MEMORY);
  digits_outputs outputs = digits_map_outputs(MEMORY);
  for (int i = 0; i < 2; ++i) {
    memcpy(inputs.input0, image, DIGITS_INPUT0_SIZE);
    check(digits_run(MEMORY) == DIGITS_OK, "a run");
  }
  memcpy(scores, outputs.output0, DIGITS_OUTPUT0_SIZE);
}

#else

static void run_twice(void) {
  const digits_inputs inputs = {image};
  const digits_outputs outputs = {scores};
  const digits_inputs odd = {image + 1}, none = {NULL};
  const digits_outputs inside = {image + 16};
  check(RUN(&odd, &outputs) == DIGITS_MISALIGNED, "an odd address");
  check(RUN(&none, &outputs) == DIGITS_NULL, "no address");
  check(RUN(&inputs, &inside) == DIGITS_OVERLAP, "an output in an input");
  for (int i = 0; i < 2; ++i)
    check(RUN(&inputs, &outputs) == DIGITS_OK, "a run");
}

#endif

int main(int argc, char **argv) {
  check(argc == 3, "the command line");
  FILE *file = fopen(argv[1], "rb");
  check(file && fread(image, 1, DIGITS_INPUT0_SIZE, file) == DIGITS_INPUT0_SIZE,
        "the input");
  fclose(file);
  run_twice();
  file = fopen(argv[2], "wb");
  check(file &&
            fwrite(scores, 1, DIGITS_OUTPUT0_SIZE, file) == DIGITS_OUTPUT0_SIZE,
        "the output");
  return fclose(file);
}
