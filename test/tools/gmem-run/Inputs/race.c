// race.c - runs examples/gru.mlir, planned, on four threads at a time: each in
// an arena of its own, or all in one with -DONE_ARENA. Prints the scores of
// each thread's last request.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 4, REQUESTS = 4, FRAMES = 24, INPUTS = 8, CLASSES = 4 };
enum { ARENA = 480 }; // bytes, as planned

// The function after lowering: of each memref both pointers, the offset, the
// sizes and the strides.
void network(float *, float *, int64_t, int64_t, int64_t, int64_t, int64_t,
             float *, float *, int64_t, int64_t, int64_t, int8_t *, int8_t *,
             int64_t, int64_t, int64_t);

static _Alignas(64) int8_t arenas[THREADS][512];
static float frames[THREADS][FRAMES * INPUTS], scores[THREADS][CLASSES];

static void *work(void *argument) {
  size_t thread = (size_t)(uintptr_t)argument;
#ifdef ONE_ARENA
  int8_t *arena = arenas[0];
#else
  int8_t *arena = arenas[thread];
#endif
  float *in = frames[thread], *out = scores[thread];
  for (int i = 0; i < FRAMES * INPUTS; ++i)
    in[i] = (float)((i * 7 + 3) % 11) / 11;
  for (int request = 0; request < REQUESTS; ++request)
    network(in, in, 0, FRAMES, INPUTS, INPUTS, 1, out, out, 0, CLASSES, 1,
            arena, arena, 0, ARENA, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i))
      return 2;
  for (size_t i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  for (size_t i = 0; i < THREADS; ++i)
    printf("%a %a %a %a\n", (double)scores[i][0], (double)scores[i][1],
           (double)scores[i][2], (double)scores[i][3]);
  return 0;
}
