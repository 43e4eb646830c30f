// run_request.c - one request to a compiled program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_request.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "npy.h"
#include "resident.h"

// A descriptor of a memref of rank r: two pointers, the offset, r sizes and r
// strides, in words of 8 bytes.
enum { POINTERS = 2, SHAPE = POINTERS + 1, MEMREF_ALIGNMENT = 64 };

// State of one call. Everything is allocated before the program runs, so that a
// crash leaks nothing of it.
typedef struct call_s {
  const gmem_compiled_program_t *program;
  const gmem_request_t *request;
  gmem_result_t *result;
  gmem_lease_t *lease;
  gmem_inputs_t copies; // of the inputs, passed to the program
  // The address of the results, the results, and for each memref argument the
  // address of its descriptor and the descriptor.
  uint64_t *words;
  void **values; // arguments of the entry
} call_t;

static size_t descriptor_words(const gmem_entry_value_t *value) {
  return SHAPE + 2 * (size_t)value->type.rank;
}

//===--- results ----------------------------------------------------------===//

static size_t size_of(const gmem_entry_value_t *value) {
  return value->is_memref ? 8 * descriptor_words(value)
                          : value->type.element.size;
}

// Results are laid out like the members of a C struct. Returns the offset of
// result |number|; for the number of results, the size of all.
static size_t result_offset(const gmem_signature_t *signature,
                            uint32_t number) {
  size_t at = 0;
  for (uint32_t i = 0; i < signature->result_count; ++i) {
    const gmem_entry_value_t *value = &signature->results[i];
    size_t align = value->is_memref ? 8 : value->type.element.size;
    at = (at + align - 1) / align * align;
    if (i == number)
      return at;
    at += size_of(value);
  }
  return at;
}

// Words that hold all results.
static size_t result_words(const gmem_signature_t *signature) {
  return result_offset(signature, signature->result_count) / 8 + 1;
}

// A single scalar is returned by value; other results are stored in a struct.
static bool has_result_struct(const gmem_signature_t *signature) {
  return signature->result_count > 1 ||
         (signature->result_count == 1 && signature->results[0].is_memref);
}

//===--- arguments --------------------------------------------------------===//

// Sets the strides required by the memref type.
static void set_strides(const gmem_array_t *type, gmem_array_t *array) {
  gmem_array_set_dense_strides(array);
  for (uint32_t i = 0; i < type->rank; ++i)
    if (type->strides[i] != GMEM_DYNAMIC)
      array->strides[i] = type->strides[i];
}

// The number of elements spanned, from the start of the memory to the last
// element. False on overflow, or if a stride or offset is negative.
static bool find_extent(const gmem_array_t *array, int64_t offset,
                        int64_t *out_extent) {
  int64_t last = offset, step, bytes;
  for (uint32_t i = 0; i < array->rank; ++i) {
    if (array->sizes[i] == 0) {
      *out_extent = 0;
      return true;
    }
    if (array->strides[i] < 0 ||
        __builtin_mul_overflow(array->sizes[i] - 1, array->strides[i], &step) ||
        __builtin_add_overflow(last, step, &last))
      return false;
  }
  *out_extent = last + 1;
  return offset >= 0 && last < INT64_MAX - MEMREF_ALIGNMENT &&
         !__builtin_mul_overflow(last + MEMREF_ALIGNMENT,
                                 (int64_t)array->element.size, &bytes);
}

// Copies an input, and returns the offset of its memref.
static int64_t copy_input(const gmem_entry_value_t *value,
                          const gmem_array_t *from, gmem_input_t *copy) {
  gmem_array_t *array = &copy->array;
  int64_t offset =
      value->is_memref && value->offset != GMEM_DYNAMIC ? value->offset : 0;
  int64_t extent;
  *array = *from;
  set_strides(&value->type, array);
  if (!find_extent(array, offset, &extent))
    gmem_guard_stop(
        "an argument has an unsupported layout (negative strides or overflow)");
  size_t bytes = (size_t)(extent + 1) * array->element.size;
  if (posix_memalign(&copy->block, MEMREF_ALIGNMENT, bytes) != 0) {
    copy->block = NULL;
    gmem_guard_stop("out of memory for its arguments");
  }
  memset(copy->block, 0, bytes);
  array->first = (uint8_t *)copy->block + offset * (int64_t)array->element.size;
  gmem_array_copy(from, array);
  return offset;
}

static void describe(uint64_t *words, const gmem_array_t *array,
                     const void *base, int64_t offset) {
  words[0] = words[1] = (uint64_t)(uintptr_t)base;
  words[POINTERS] = (uint64_t)offset;
  for (uint32_t i = 0; i < array->rank; ++i) {
    words[SHAPE + i] = (uint64_t)array->sizes[i];
    words[SHAPE + array->rank + i] = (uint64_t)array->strides[i];
  }
}

static void describe_arena(const call_t *call, const gmem_entry_value_t *value,
                           uint64_t *words) {
  const gmem_mapped_plan_t *memory = call->program->memory;
  void *base = NULL;
  gmem_region_t region =
      call->lease ? gmem_planned_memory_region(memory, value->pool) : GMEM_NONE;
  if (region == GMEM_NONE ||
      gmem_lease_region(call->lease, region, &base) != GMEM_OK)
    gmem_guard_stop("the plan has no pool for one of its arenas");
  gmem_array_t array = value->type;
  gmem_array_set_dense_strides(&array);
  describe(words, &array, base, 0);
}

static void set_arguments(call_t *call) {
  const gmem_signature_t *signature = &call->program->signature;
  void **values = call->values;
  uint64_t *words = call->words + 1 + result_words(signature);
  uint32_t input = 0;
  call->words[0] = (uint64_t)(uintptr_t)(call->words + 1);
  if (has_result_struct(signature))
    *values++ = call->words;
  for (uint32_t i = 0; i < signature->argument_count; ++i) {
    const gmem_entry_value_t *value = &signature->arguments[i];
    gmem_input_t *copy = &call->copies.at[input];
    *values++ = words;
    words[0] = (uint64_t)(uintptr_t)(words + 1);
    if (value->pool) {
      describe_arena(call, value, words + 1);
    } else {
      int64_t offset =
          copy_input(value, &call->request->inputs->at[input++].array, copy);
      if (value->is_memref)
        describe(words + 1, &copy->array, copy->block, offset);
      else
        values[-1] = copy->block;
    }
    words += value->is_memref ? 1 + descriptor_words(value) : 0;
  }
  assert(input == call->copies.count);
  if (!has_result_struct(signature))
    *values = call->words + 1;
}

static void allocate(call_t *call) {
  const gmem_signature_t *signature = &call->program->signature;
  uint32_t inputs = call->request->inputs->count;
  size_t words = 1 + result_words(signature);
  for (uint32_t i = 0; i < signature->argument_count; ++i)
    words += 1 + descriptor_words(&signature->arguments[i]);
  call->words = calloc(words + 1, sizeof *call->words);
  call->values = calloc(signature->argument_count + 2u, sizeof *call->values);
  call->result->outputs = calloc(signature->result_count + inputs + 1u,
                                 sizeof *call->result->outputs);
  if (!gmem_inputs_allocate(&call->copies, inputs) || !call->words ||
      !call->values || !call->result->outputs)
    gmem_guard_stop("out of memory");
}

static void end(call_t *call) {
  gmem_lease_release(call->lease);
  gmem_inputs_destroy(&call->copies);
  free(call->values);
  free(call->words);
}

//===--- outputs ----------------------------------------------------------===//

// Returns result |number| as an array; a scalar has rank 0.
static gmem_array_t result_array(const call_t *call, uint32_t number) {
  const gmem_signature_t *signature = &call->program->signature;
  const gmem_entry_value_t *value = &signature->results[number];
  uint8_t *at = (uint8_t *)(call->words + 1) + result_offset(signature, number);
  gmem_array_t array = value->type;
  uint64_t words[SHAPE + 2 * GMEM_ARRAY_MAX_RANK];
  array.first = at;
  if (!value->is_memref)
    return array;
  memcpy(words, at, size_of(value));
  for (uint32_t i = 0; i < array.rank; ++i) {
    array.sizes[i] = (int64_t)words[SHAPE + i];
    array.strides[i] = (int64_t)words[SHAPE + array.rank + i];
  }
  array.first = (uint8_t *)(uintptr_t)words[1] +
                (int64_t)words[POINTERS] * (int64_t)array.element.size;
  return array;
}

static void save(call_t *call, const gmem_array_t *array,
                 const gmem_run_output_t *output) {
  char path[4096];
  gmem_diag_t diag = {.text = "the name is too long"};
  int length = snprintf(path, sizeof path, "%s%s%" PRIu32 ".npy",
                        call->request->save, output->kind, output->number);
  if (length >= 0 && (size_t)length < sizeof path &&
      gmem_npy_write(path, array, &diag) == GMEM_OK)
    return;
  call->result->failed = true;
  snprintf(call->result->reason, sizeof call->result->reason,
           "cannot save an output: %.100s: %.100s", path, diag.text);
}

static void add_output(call_t *call, const gmem_array_t *array,
                       const char *kind, uint32_t number) {
  gmem_result_t *result = call->result;
  assert(result->output_count <
         call->program->signature.result_count + call->copies.count);
  gmem_run_output_t *output = &result->outputs[result->output_count++];
  *output = (gmem_run_output_t){.kind = kind, .number = number};
  gmem_array_digest(array, output->digest);
  output->not_finite = gmem_array_count_not_finite(array);
  gmem_array_type_text(array, output->type, sizeof output->type);
  gmem_array_values_text(array, output->values, sizeof output->values);
  if (call->request->save)
    save(call, array, output);
}

// Runs guarded, since it reads memory through pointers of the program.
static void collect(void *user) {
  call_t *call = user;
  for (uint32_t i = 0; i < call->program->signature.result_count; ++i) {
    gmem_array_t array = result_array(call, i);
    int64_t count;
    if (!gmem_array_count(&array, &count))
      gmem_guard_stop("the size of result %" PRIu32 " is invalid", i);
    add_output(call, &array, "result", i);
  }
  for (uint32_t i = 0; i < call->copies.count; ++i) {
    const gmem_array_t *copy = &call->copies.at[i].array;
    if (!gmem_array_equal(&call->request->inputs->at[i].array, copy))
      add_output(call, copy, "argument", i);
  }
}

//===--- the call ---------------------------------------------------------===//

static void enter(void *user) {
  call_t *call = user;
  call->program->jit.entry(call->values);
}

static bool make_call(call_t *call) {
  gmem_result_t *result = call->result;
  gmem_jit_heap_t *heap = call->request->heap;
  uint64_t allocations = heap->allocations, bytes = heap->bytes;
  gmem_jit_heap_enter(heap);
  uint64_t faults = gmem_page_faults(true);
  double begin = gmem_seconds(), cpu_begin = gmem_thread_seconds();
  bool ended =
      gmem_guard_run(enter, call, call->request->seconds, result->reason);
  result->cpu_seconds = gmem_thread_seconds() - cpu_begin;
  result->seconds = gmem_seconds() - begin;
  result->faults = gmem_page_faults(true) - faults;
  if (call->request->water)
    gmem_high_water_end(call->request->water);
  gmem_jit_heap_leave(heap);
  result->allocations = heap->allocations - allocations;
  result->bytes = heap->bytes - bytes;
  return ended;
}

// Runs guarded, since it ends by gmem_guard_stop if it fails.
static void prepare(void *user) {
  call_t *call = user;
  const gmem_mapped_plan_t *memory = call->program->memory;
  if (memory && gmem_lease_acquire(memory->pool, GMEM_NONE, NULL,
                                   GMEM_WAIT_FOREVER, &call->lease) != GMEM_OK)
    gmem_guard_stop("cannot acquire memory for its arenas");
  allocate(call);
  set_arguments(call);
  if (call->request->water)
    gmem_high_water_begin(call->request->water, call->lease,
                          call->request->pattern);
}

void gmem_request_run(const gmem_compiled_program_t *program,
                      const gmem_request_t *request,
                      gmem_result_t *out_result) {
  call_t call = {.program = program, .request = request, .result = out_result};
  *out_result = (gmem_result_t){0};
  if (!gmem_guard_run(prepare, &call, 0, out_result->reason) ||
      !make_call(&call) ||
      !gmem_guard_run(collect, &call, 0, out_result->reason))
    out_result->failed = true;
  end(&call);
  gmem_jit_heap_clear(request->heap);
}

void gmem_result_destroy(gmem_result_t *result) {
  free(result->outputs);
  *result = (gmem_result_t){0};
}

bool gmem_outputs_equal(const gmem_run_output_t *a,
                        const gmem_run_output_t *b) {
  return strcmp(a->kind, b->kind) == 0 && a->number == b->number &&
         memcmp(a->digest, b->digest, sizeof a->digest) == 0;
}

bool gmem_results_equal(const gmem_result_t *a, const gmem_result_t *b) {
  if (a->failed || b->failed || a->output_count != b->output_count)
    return false;
  for (uint32_t i = 0; i < a->output_count; ++i)
    if (!gmem_outputs_equal(&a->outputs[i], &b->outputs[i]))
      return false;
  return true;
}
