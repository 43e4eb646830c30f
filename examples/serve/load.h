// load.h - senders of requests: clients, each of which waits for its answer
// and sends the next (a closed loop), or a stream of requests that does not
// wait for any (an open loop).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_LOAD_H_
#define SERVE_LOAD_H_

#include "server.h"

typedef struct load_options_s {
  uint32_t clients;  // of a closed loop
  double rate;       // of an open loop, requests per second; 0: closed
  uint64_t requests; // so many are measured, at most,
  double seconds;    // or for so long
  uint64_t warm_up;  // requests before, which are not
  uint64_t seed;     // of the gaps in an open loop
} load_options_t;

typedef struct load_result_s {
  tally_t tally;
  double seconds;       // until the last answer
  double cpu_seconds;   // of the process, meanwhile
  uint64_t page_faults; // likewise
} load_result_t;

// Sends requests to |server| until it has sent all, or is stopped, and all are
// answered. False when there are no threads to send them.
bool load_run(server_t *server, const load_options_t *options,
              load_result_t *out_result);

#endif // SERVE_LOAD_H_
