// c_padding.c - kernels that use the strides of generated C: one writes an
// image and its border, one sums each element and its neighbours without a
// branch. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include "net.h"

enum { ROWS = 5, COLUMNS = 6 };

static const int strides[] = NET_PADDED_STRIDES;
static const int before[] = NET_PADDED_BEFORE, after[] = NET_PADDED_AFTER;

static int nearest(int index, int size) {
  return index < 0 ? 0 : index >= size ? size - 1 : index;
}

int32_t net_op_t_pad(const net_call *call, void *user) {
  const int32_t *image = (const int32_t *)(const void *)call->inputs[0].data;
  int32_t *padded = (int32_t *)(void *)call->outputs[0].data;
  (void)user;
  for (int r = -before[0]; r < ROWS + after[0]; ++r)
    for (int c = -before[1]; c < COLUMNS + after[1]; ++c)
      padded[r * strides[0] + c * strides[1]] =
          image[nearest(r, ROWS) * COLUMNS + nearest(c, COLUMNS)];
  return 0;
}

int32_t net_op_t_box(const net_call *call, void *user) {
  const int32_t *padded = (const int32_t *)(const void *)call->inputs[0].data;
  int32_t *sum = (int32_t *)(void *)call->outputs[0].data;
  (void)user;
  for (int r = 0; r < ROWS; ++r)
    for (int c = 0; c < COLUMNS; ++c) {
      int32_t all = 0;
      for (int i = -1; i <= 1; ++i)
        for (int k = -1; k <= 1; ++k)
          all += padded[(r + i) * strides[0] + (c + k) * strides[1]];
      sum[r * COLUMNS + c] = all;
    }
  return 0;
}

int main(void) {
  int32_t image[ROWS * COLUMNS], sum[ROWS * COLUMNS];
  int equal = 0;
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    image[i] = i * i % 17;
  const net_inputs inputs = {(const uint8_t *)image};
  const net_outputs outputs = {(uint8_t *)sum};
  if (net_run(&inputs, &outputs, NULL) != NET_OK)
    return 1;
  for (int r = 0; r < ROWS; ++r)
    for (int c = 0; c < COLUMNS; ++c) {
      int32_t all = 0;
      for (int i = -1; i <= 1; ++i)
        for (int k = -1; k <= 1; ++k)
          all +=
              image[nearest(r + i, ROWS) * COLUMNS + nearest(c + k, COLUMNS)];
      equal += all == sum[r * COLUMNS + c];
    }
  printf("%d of %d sums as expected, rows %d apart\n", equal, ROWS * COLUMNS,
         strides[0]);
  return 0;
}
