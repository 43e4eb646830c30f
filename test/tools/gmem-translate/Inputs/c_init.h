// c_init.h - operators that mix the bytes they are given, for c_init.py.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static int stop_at = -1; // the call that fails

static uint64_t mix(uint64_t hash, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
  return hash ^ hash >> 31;
}

static void fill(uint8_t *bytes, size_t size, uint64_t seed) {
  for (size_t i = 0; i < size; ++i) {
    seed = seed * UINT64_C(0x5851F42D4C957F2D) + 1;
    bytes[i] = (uint8_t)(seed >> 56);
  }
}

static void check(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "wrong: %s\n", what);
  exit(1);
}

static uint8_t *new_block(size_t size, size_t alignment, const uint8_t *data) {
  size_t unit = alignment < 64 ? 64 : alignment;
  uint8_t *block = (uint8_t *)aligned_alloc(unit, (size / unit + 1) * unit);
  memset(block, 0xA5, size);
  if (data)
    memcpy(block, data, size);
  return block;
}

// Memory that only init needs can be given back.
static void drop_block(uint8_t *block, size_t size) {
  memset(block, 0xEE, size);
  free(block);
}

// The result depends on the name of the op and on what it reads, not on the
// program around it.
#define OPERATOR(model, op)                                                    \
  int32_t model##_op_##op(const model##_call *call, void *user) {              \
    int *calls = (int *)user;                                                  \
    uint64_t hash = mix(1, (const uint8_t *)call->name, strlen(call->name));   \
    for (size_t i = 0; i < call->input_count; ++i)                             \
      hash = mix(hash + i, call->inputs[i].data, call->inputs[i].size);        \
    if ((*calls)++ == stop_at)                                                 \
      return 42;                                                               \
    for (size_t i = 0; i < call->output_count; ++i)                            \
      fill(call->outputs[i].data, call->outputs[i].size, hash + i);            \
    return 0;                                                                  \
  }

static int calls;
