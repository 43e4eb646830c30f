// serve_options.h - the command line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_OPTIONS_H_
#define SERVE_OPTIONS_H_

#include "load.h"

typedef struct serve_options_s {
  network_options_t network;
  load_options_t load;
  uint32_t workers, queue;
  uint64_t timeout_ns; // of a request; UINT64_MAX: none
  uint32_t rounds;     // of a comparison
  const char *save;    // NULL, or the beginning of names for files
  bool compare, json;
} serve_options_t;

// Reads the command line. Returns -1, or what the program is to end with: 0
// after --help, 2 after a message about what is wrong.
int serve_options_read(int count, char **words, serve_options_t *out_options);

#endif // SERVE_OPTIONS_H_
