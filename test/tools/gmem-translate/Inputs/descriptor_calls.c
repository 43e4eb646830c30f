// descriptor_calls.c - calls of net_model with arrays that are missing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include "net.h"
#include "operators.h"

OPERATORS(net)

int main(void) {
  static uint8_t byte;
  uint8_t *one[] = {&byte};
  const uint8_t *two[] = {&byte, &byte};
  const gmem_model_call_t all = {two, one, one, two, one, two, NULL};
  gmem_model_call_t call[4] = {all, all, all, all};
  int refused = net_model.run(NULL) == GMEM_MODEL_NULL;
  call[0].inputs = NULL;
  call[1].outputs = NULL;
  call[2].workspaces = NULL;
  call[3].parameters = NULL;
  for (int i = 0; i < 4; ++i)
    refused += net_model.run(&call[i]) == GMEM_MODEL_NULL;
  call[0].init_workspaces = NULL;
  refused += net_model.init(&call[0]) == GMEM_MODEL_NULL;
  printf("%d refused\n", refused);
  return net_model.map != NULL || net_model.struct_size != sizeof net_model;
}
