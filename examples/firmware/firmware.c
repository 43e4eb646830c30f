// firmware.c - runs the network twice, and prints what comes out. All memory is
// in request.c and network.c: no heap, no file, nothing of gmem but the plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdbool.h>
#include <stddef.h>

#include "board.h"
#include "request.h"

static void print_hex(const unsigned char *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < size; ++i) {
    const char pair[] = {digits[bytes[i] >> 4], digits[bytes[i] & 15], '\0'};
    board_print(pair);
  }
  board_print("\n");
}

// FNV-1a; enough to notice that two results differ.
static uint32_t hash_of_outputs(void) {
  uint32_t hash = 2166136261u;
  for (const request_memory_t *output = request_outputs; output->name; ++output)
    for (size_t at = 0; at < output->size; ++at)
      hash = (hash ^ output->bytes[at]) * 16777619u;
  return hash;
}

static void fill(const request_memory_t *memories, unsigned char byte) {
  for (; memories->name; ++memories)
    for (size_t at = 0; at < memories->size; ++at)
      memories->bytes[at] = byte;
}

// One request. What is in the workspace before, and in the outputs, is |rest|:
// the plan says that the network does not read it.
static bool run(unsigned char rest) {
  fill(request_outputs, rest);
  fill(request_workspaces, rest);
  for (size_t i = 0; request_inputs[i].name; ++i)
    for (size_t at = 0; at < request_inputs[i].size; ++at)
      request_inputs[i].bytes[at] = request_samples[i][at];
  return request_run() == 0;
}

int main(void) {
  bool is_run = run(0xa5);
  uint32_t first = hash_of_outputs();
  if (!is_run || !run(0x5a)) {
    board_print("the network refuses its memory\n");
    return 1;
  }
  for (const request_memory_t *output = request_outputs; output->name;
       ++output) {
    board_print(output->name);
    board_print(" ");
    print_hex(output->bytes, output->size);
  }
  bool is_same = hash_of_outputs() == first;
  board_print(is_same ? "two runs are equal\n" : "two runs differ\n");
  return is_same ? 0 : 1;
}
