// c_driver.c - runs the generated C of a network with operators that mix bytes,
// and compares its outputs with those of the reference. glue.h, which
// c_network.py makes of the header, says what everything is called. Exits with
// 0 when all is as it should be, with 4 when outputs differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_reference.h"
#include "glue.h"

static int reentrant_status; // of a run inside of a run
static int32_t stop_at = -1; // the operator that fails
static int32_t calls;

static void check(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "wrong: %s\n", what);
  exit(1);
}

//===--- operators --------------------------------------------------------===//

// Writes all of them that may be written.
static void use_workbuffers(const MODEL(call) * call) {
  for (size_t i = 0; i < call->workbuffer_count; ++i) {
    const MODEL(workbuffer) *work = &call->workbuffers[i];
    check(!work->data == !work->size, "the address of a workbuffer");
    check((uintptr_t)work->data % 64 == 0, "the alignment of a workbuffer");
    check(work->size <= work->stride || work->threads == 1, "its parts");
    for (size_t t = 0; work->size && t < work->threads && !work->is_immutable;
         ++t)
      memset(work->data + t * work->stride, (int)(0x80 + i), work->size);
  }
}

// The part may be where it belongs already: only what is around it is copied.
static void insert(const ref_op_t *op, const MODEL(call) * call,
                   const uint8_t *const *data, const size_t *sizes) {
  uint8_t *out = call->outputs[0].data;
  const uint8_t *whole = data[op->destination];
  size_t begin = (size_t)op->offset, end = begin + sizes[op->part];
  if (data[op->part] != out + begin)
    memmove(out + begin, data[op->part], sizes[op->part]);
  if (!sizes[op->destination])
    return;
  memmove(out, whole, begin);
  memmove(out + end, whole + end, call->outputs[0].size - end);
}

static int32_t operate(const MODEL(call) * call, void *user) {
  const ref_op_t *op = &ref_ops[call->number];
  const uint8_t **data =
      (const uint8_t **)calloc(call->input_count + 1, sizeof *data);
  size_t *sizes = (size_t *)calloc(call->input_count + 1, sizeof *sizes);
  check(user == &calls, "the user's pointer");
  check(call->input_count >= op->operand_count, "the number of inputs");
  check(call->output_count == op->result_count, "the number of outputs");
  for (size_t i = 0; i < call->input_count; ++i) {
    data[i] = call->inputs[i].data;
    sizes[i] = call->inputs[i].size;
  }
  use_workbuffers(call);
  if (calls++ == stop_at)
    return 42;
  if (HAS_GUARD && calls == 1)
    reentrant_status = run_model(user);
  if (op->does == REF_COMPUTE) {
    uint64_t seed = ref_seed(call->number, call->input_count, data, sizes);
    for (uint32_t i = 0; i < op->operand_count && i < 64; ++i)
      if (op->writes >> i & 1)
        ref_fill((uint8_t *)(uintptr_t)data[i], sizes[i], seed + 1000 + i);
    for (size_t i = 0; i < call->output_count; ++i)
      ref_fill(call->outputs[i].data, call->outputs[i].size, seed + i);
  } else if (op->does == REF_VIEW) {
    memmove(call->outputs[0].data, data[0], call->outputs[0].size);
  } else if (op->does == REF_SLICE) {
    memmove(call->outputs[0].data, data[op->part] + op->offset,
            call->outputs[0].size);
  } else if (op->does == REF_INSERT) {
    insert(op, call, data, sizes);
  } else if (op->does == REF_JOIN) {
    uint64_t at = 0;
    for (size_t i = (size_t)op->part; i < op->operand_count; ++i) {
      at = (at + op->alignment - 1) / op->alignment * op->alignment;
      memmove(call->outputs[0].data + at, data[i], sizes[i]);
      at += sizes[i];
    }
  } else {
    check(0, "this op is none to be called");
  }
  free(data);
  free(sizes);
  return 0;
}

#define OPERATOR(name)                                                         \
  int32_t name(const MODEL(call) * call, void *user) {                         \
    return operate(call, user);                                                \
  }
OPERATORS

//===--- constants --------------------------------------------------------===//

static uint8_t *read_file(const char *path, size_t size) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = (uint8_t *)calloc(1, size + 1);
  if (!file) {
    free(bytes);
    return NULL;
  }
  check(fread(bytes, 1, size, file) == size && getc(file) == EOF, path);
  fclose(file);
  return bytes;
}

// What each pool of constants holds: what the module says, or anything.
static void load_constants(void) {
  size_t sizes[] = {POOL_SIZES};
  const char *const files[] = {POOL_FILES};
  for (size_t i = 0; ref_pools[i][0]; ++i) {
    uint8_t *bytes = read_file(files[i], sizes[i]);
    if (!bytes) {
      bytes = (uint8_t *)calloc(1, sizes[i] + 1);
      ref_fill(bytes, sizes[i], 1000 + i);
    }
    ref_pool_bytes[i] = bytes;
  }
}

//===--- the test ---------------------------------------------------------===//

static int compare(void) {
  static uint32_t outputs[REF_VALUES];
  size_t count = ref_outputs(outputs);
  int differs = 0;
  check(count == OUTPUTS, "the number of outputs");
  for (size_t i = 0; i < count; ++i)
    differs |= ref_get(outputs[i]) &&
               ref_differs(outputs[i], output_data(i), ref_get(outputs[i]));
  return differs;
}

static void fill_inputs(void) {
  static uint32_t inputs[REF_VALUES];
  size_t count = ref_inputs(inputs);
  check(count == INPUTS, "the number of inputs");
  for (size_t i = 0; i < count; ++i)
    ref_fill(input_data(i), (size_t)ref_values[inputs[i]].size, 7 + i);
}

int main(void) {
  load_constants();
  ref_start();
  ref_run(ref_entry());
  prepare_model();
  check_model();
  for (int round = 0; round < 2; ++round) {
    calls = 0;
    fill_inputs();
    check(run_model(&calls) == MODEL_CAPITALS(OK), "the status of a run");
    if (HAS_GUARD && calls)
      check(reentrant_status == MODEL_CAPITALS(BUSY), "a run inside of a run");
    if (compare())
      return 4;
    check_canaries();
  }
  if (calls) {
    stop_at = calls / 2;
    calls = 0;
    fill_inputs();
    check(run_model(&calls) == 42, "an operator stops the run");
    check(calls == stop_at + 1, "no operator is called after that");
  }
  return 0;
}
