// firmware.c - runs the network twice, and prints what comes out. All memory is
// in network.c: no heap, no file, nothing of gmem but the plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdbool.h>
#include <stddef.h>

#include "board.h"
#include "network.h"

static void print_hex(const unsigned char *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < size; ++i) {
    const char pair[] = {digits[bytes[i] >> 4], digits[bytes[i] & 15], '\0'};
    board_print(pair);
  }
  board_print("\n");
}

// FNV-1a; enough to notice that two results differ.
static unsigned long hash_of_outputs(void) {
  unsigned long hash = 2166136261u;
  for (size_t i = 0; i != NETWORK_OUTPUT_COUNT; ++i)
    for (size_t at = 0; at < network_outputs[i].size; ++at)
      hash = ((hash ^ network_outputs[i].bytes[at]) * 16777619u) & 0xffffffffu;
  return hash;
}

// One request. What is in the workspace before, and in the outputs, is |rest|:
// the plan says that the network does not read it.
static void run(unsigned char rest) {
  for (size_t i = 0; i != NETWORK_OUTPUT_COUNT; ++i)
    for (size_t at = 0; at < network_outputs[i].size; ++at)
      network_outputs[i].bytes[at] = rest;
  for (size_t i = 0; i != NETWORK_WORKSPACE_COUNT; ++i)
    for (size_t at = 0; at < network_workspaces[i].size; ++at)
      network_workspaces[i].bytes[at] = rest;
  for (size_t i = 0; i != NETWORK_INPUT_COUNT; ++i)
    for (size_t at = 0; at < network_inputs[i].size; ++at)
      network_inputs[i].bytes[at] = network_samples[i][at];
  network_run();
}

int main(void) {
  run(0xa5);
  unsigned long first = hash_of_outputs();
  run(0x5a);
  for (size_t i = 0; i != NETWORK_OUTPUT_COUNT; ++i) {
    board_print(network_outputs[i].name);
    board_print(" ");
    print_hex(network_outputs[i].bytes, network_outputs[i].size);
  }
  bool is_same = hash_of_outputs() == first;
  board_print(is_same ? "two runs are equal\n" : "two runs differ\n");
  return is_same ? 0 : 1;
}
