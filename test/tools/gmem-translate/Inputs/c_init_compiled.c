// c_init_compiled.c INPUT OUTPUT - runs a compiled network that computes
// constants once, on its own memory, or on what is given here (GIVEN).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>

#include "net.h"

static void check(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "wrong: %s\n", what);
  exit(1);
}

static _Alignas(16) uint8_t input[NET_INPUT0_SIZE];
static _Alignas(16) uint8_t output[NET_OUTPUT0_SIZE];

#ifdef GIVEN
static _Alignas(NET_MEMORY_WORKSPACE_ALIGNMENT)
    uint8_t workspace[NET_MEMORY_WORKSPACE_SIZE];
static const net_workspaces workspaces = {workspace};
#define INIT() net_init(&parameters)
#define RUN() net_run(&inputs, &outputs, &workspaces, &parameters)
#else
#define INIT() net_init()
#define RUN() net_run(&inputs, &outputs)
#endif

int main(int argc, char **argv) {
  check(argc == 3, "the command line");
  FILE *file = fopen(argv[1], "rb");
  check(file && fread(input, 1, sizeof input, file) == sizeof input,
        "the input");
  fclose(file);
  const net_inputs inputs = {input};
  const net_outputs outputs = {output};
#ifdef GIVEN
  const net_parameters parameters = {net_weights_data};
#else
  check(RUN() == NET_UNINITIALISED, "a run without constants");
#endif
  check(INIT() == NET_OK, "init");
  for (int i = 0; i < 2; ++i)
    check(RUN() == NET_OK, "a run");
  file = fopen(argv[2], "wb");
  check(file && fwrite(output, 1, sizeof output, file) == sizeof output,
        "the output");
  return fclose(file);
}
