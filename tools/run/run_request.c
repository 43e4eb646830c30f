// run_request.c - one request to a compiled program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // RUSAGE_THREAD

#include "run_request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"
#include "npy.h"

enum { POINTERS = 2, MEMREF_ALIGNMENT = 64 };

// State of one call. Everything is allocated before the program runs, so that a
// crash leaks nothing of it.
typedef struct call_s {
  const gmem_compiled_program_t *program;
  const gmem_inputs_t *inputs;
  const gmem_request_options_t *options;
  gmem_result_t *result;
  gmem_lease_t *lease;
  gmem_array_t *arrays;   // by input: the copy passed to the program
  void **blocks;          // by input: memory of the copy
  uint64_t **descriptors; // memref descriptors, by argument; NULL for scalars
  uint64_t *words;        // memory of |descriptors|
  void *results;          // memory of the results
  void *results_at;       // = results, passed by address
  void **values;          // arguments of the entry
} call_t;

static void set_failure(call_t *call, const char *reason) {
  call->result->failed = true;
  snprintf(call->result->reason, sizeof call->result->reason, "%s", reason);
}

//===--- results ----------------------------------------------------------===//

static size_t size_of(const gmem_entry_value_t *value) {
  return value->is_memref ? 8 * (3 + 2 * (size_t)value->rank)
                          : value->element.size;
}

// Results are laid out like the members of a C struct. Returns the offset of
// result |number|; for the number of results, the size of all.
static size_t result_offset(const gmem_signature_t *signature,
                            uint32_t number) {
  size_t at = 0;
  for (uint32_t i = 0; i < signature->result_count; ++i) {
    const gmem_entry_value_t *value = &signature->results[i];
    size_t align = value->is_memref ? 8 : value->element.size;
    at = (at + align - 1) / align * align;
    if (i == number)
      return at;
    at += size_of(value);
  }
  return at;
}

// A single scalar is returned by value; other results are stored in a struct.
static bool has_result_struct(const gmem_signature_t *signature) {
  return signature->result_count > 1 ||
         (signature->result_count == 1 && signature->results[0].is_memref);
}

//===--- arguments --------------------------------------------------------===//

// Sets the strides required by the memref type.
static void set_strides(const gmem_entry_value_t *value, gmem_array_t *array) {
  gmem_array_set_dense_strides(array);
  for (uint32_t i = 0; i < value->rank; ++i)
    if (value->strides[i] != GMEM_DYNAMIC)
      array->strides[i] = value->strides[i];
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

static bool copy_input(call_t *call, const gmem_entry_value_t *value,
                       uint32_t input) {
  gmem_array_t *array = &call->arrays[input];
  int64_t offset = value->offset == GMEM_DYNAMIC ? 0 : value->offset, extent;
  *array = call->inputs->arrays[input];
  set_strides(value, array);
  if (!value->is_memref)
    offset = 0;
  if (!find_extent(array, offset, &extent)) {
    set_failure(
        call,
        "an argument has an unsupported layout (negative strides or overflow)");
    return false;
  }
  size_t bytes = (size_t)(extent + 1) * array->element.size;
  if (posix_memalign(&call->blocks[input], MEMREF_ALIGNMENT, bytes) != 0) {
    call->blocks[input] = NULL;
    set_failure(call, "out of memory for its arguments");
    return false;
  }
  memset(call->blocks[input], 0, bytes);
  array->first =
      (uint8_t *)call->blocks[input] + offset * (int64_t)array->element.size;
  gmem_array_copy(&call->inputs->arrays[input], array);
  return true;
}

static void describe(uint64_t *words, const gmem_array_t *array,
                     const void *base, int64_t offset) {
  words[0] = words[1] = (uint64_t)(uintptr_t)base;
  words[POINTERS] = (uint64_t)offset;
  for (uint32_t i = 0; i < array->rank; ++i) {
    words[POINTERS + 1 + i] = (uint64_t)array->sizes[i];
    words[POINTERS + 1 + array->rank + i] = (uint64_t)array->strides[i];
  }
}

static bool describe_arena(call_t *call, const gmem_entry_value_t *value,
                           uint64_t *words) {
  const gmem_planned_memory_t *memory = call->program->memory;
  void *base = NULL;
  gmem_region_t region = memory && call->lease
                             ? gmem_planned_memory_region(memory, value->pool)
                             : GMEM_NONE;
  if (region == GMEM_NONE ||
      gmem_lease_region(call->lease, region, &base) != GMEM_OK) {
    set_failure(call, "the plan has no pool for one of its arenas");
    return false;
  }
  gmem_array_t array = {.rank = value->rank, .element = value->element};
  memcpy(array.sizes, value->sizes, sizeof array.sizes);
  gmem_array_set_dense_strides(&array);
  describe(words, &array, base, 0);
  return true;
}

static bool set_argument(call_t *call, uint32_t number, uint32_t input) {
  const gmem_entry_value_t *value = &call->program->signature.arguments[number];
  uint64_t *words = call->descriptors[number];
  if (value->pool)
    return describe_arena(call, value, words);
  if (!copy_input(call, value, input))
    return false;
  if (value->is_memref) {
    const gmem_array_t *array = &call->arrays[input];
    describe(words, array, call->blocks[input],
             (array->first - (uint8_t *)call->blocks[input]) /
                 (int64_t)array->element.size);
  }
  return true;
}

static bool set_arguments(call_t *call) {
  const gmem_signature_t *signature = &call->program->signature;
  void **values = call->values;
  uint64_t *words = call->words;
  uint32_t input = 0;
  if (has_result_struct(signature))
    *values++ = &call->results_at;
  for (uint32_t i = 0; i < signature->argument_count; ++i) {
    const gmem_entry_value_t *value = &signature->arguments[i];
    call->descriptors[i] = words;
    if (value->is_memref)
      words += POINTERS + 1 + 2 * (size_t)value->rank;
    if (!set_argument(call, i, input))
      return false;
    *values++ =
        value->is_memref ? (void *)&call->descriptors[i] : call->blocks[input];
    input += value->pool == NULL;
  }
  if (!has_result_struct(signature))
    *values = call->results;
  return true;
}

static bool allocate(call_t *call) {
  const gmem_signature_t *signature = &call->program->signature;
  size_t arguments = signature->argument_count, words = 1;
  for (size_t i = 0; i < arguments; ++i)
    words += POINTERS + 1 + 2 * (size_t)signature->arguments[i].rank;
  call->arrays = calloc(call->inputs->count + 1u, sizeof *call->arrays);
  call->blocks = calloc(call->inputs->count + 1u, sizeof *call->blocks);
  call->descriptors = calloc(arguments + 1, sizeof *call->descriptors);
  call->words = calloc(words, sizeof *call->words);
  call->values = calloc(arguments + 2, sizeof *call->values);
  call->results = calloc(1, result_offset(signature, signature->result_count) +
                                sizeof(uint64_t));
  call->results_at = call->results;
  if (call->arrays && call->blocks && call->descriptors && call->words &&
      call->values && call->results)
    return true;
  set_failure(call, "out of memory");
  return false;
}

static void end(call_t *call) {
  for (uint32_t i = 0; call->blocks && i < call->inputs->count; ++i)
    free(call->blocks[i]);
  gmem_lease_release(call->lease);
  free(call->results);
  free(call->values);
  free(call->words);
  free(call->descriptors);
  free(call->blocks);
  free(call->arrays);
}

//===--- outputs ----------------------------------------------------------===//

// Returns result |number| as an array; a scalar has rank 0.
static gmem_array_t result_array(const call_t *call, uint32_t number) {
  const gmem_signature_t *signature = &call->program->signature;
  const gmem_entry_value_t *value = &signature->results[number];
  uint8_t *at = (uint8_t *)call->results + result_offset(signature, number);
  gmem_array_t array = {.element = value->element, .first = at};
  uint64_t words[POINTERS + 1 + 2 * GMEM_ARRAY_MAX_RANK];
  if (!value->is_memref)
    return array;
  memcpy(words, at, size_of(value));
  array.rank = value->rank;
  for (uint32_t i = 0; i < value->rank; ++i) {
    array.sizes[i] = (int64_t)words[POINTERS + 1 + i];
    array.strides[i] = (int64_t)words[POINTERS + 1 + value->rank + i];
  }
  array.first = (uint8_t *)(uintptr_t)words[1] +
                (int64_t)words[POINTERS] * (int64_t)value->element.size;
  return array;
}

static void save(call_t *call, const gmem_array_t *array, bool is_result,
                 uint32_t number) {
  char path[4096];
  gmem_diag_t diag = {.text = "the name is too long"};
  int length =
      snprintf(path, sizeof path, "%s%s%" PRIu32 ".npy", call->options->save,
               is_result ? "result" : "argument", number);
  if (length < 0 || (size_t)length >= sizeof path ||
      gmem_npy_write(path, array, &diag) != GMEM_OK) {
    char reason[GMEM_GUARD_TEXT];
    snprintf(reason, sizeof reason, "cannot save an output: %.100s: %.100s",
             path, diag.text);
    set_failure(call, reason);
  }
}

static void add_output(call_t *call, const gmem_array_t *array, bool is_result,
                       uint32_t number) {
  gmem_result_t *result = call->result;
  gmem_run_output_t *output = &result->outputs[result->output_count++];
  *output = (gmem_run_output_t){.is_result = is_result, .number = number};
  gmem_array_digest(array, output->digest);
  output->not_finite = gmem_array_count_not_finite(array);
  gmem_array_type_text(array, output->type, sizeof output->type);
  gmem_array_values_text(array, output->values, sizeof output->values);
  if (call->options->save)
    save(call, array, is_result, number);
}

// Runs guarded, since it reads memory through pointers of the program.
static void collect(void *user) {
  call_t *call = user;
  for (uint32_t i = 0; i < call->program->signature.result_count; ++i) {
    gmem_array_t array = result_array(call, i);
    int64_t count;
    if (!gmem_array_count(&array, &count))
      gmem_guard_stop("the size of result %" PRIu32 " is invalid", i);
    add_output(call, &array, true, i);
  }
  for (uint32_t i = 0; i < call->inputs->count; ++i)
    if (!gmem_array_equal(&call->inputs->arrays[i], &call->arrays[i]))
      add_output(call, &call->arrays[i], false, i);
}

//===--- the call ---------------------------------------------------------===//

static uint64_t page_faults(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0
             ? (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt
             : 0;
}

static void enter(void *user) {
  call_t *call = user;
  call->program->jit.entry(call->values);
}

static bool make_call(call_t *call, gmem_jit_heap_t *heap) {
  gmem_result_t *result = call->result;
  uint64_t allocations = heap->allocations, bytes = heap->bytes;
  gmem_jit_heap_enter(heap);
  uint64_t faults = page_faults();
  double begin = gmem_seconds(), cpu_begin = gmem_thread_seconds();
  bool ended =
      gmem_guard_run(enter, call, call->options->seconds, result->reason);
  result->cpu_seconds = gmem_thread_seconds() - cpu_begin;
  result->seconds = gmem_seconds() - begin;
  result->faults = page_faults() - faults;
  gmem_jit_heap_leave(heap);
  result->allocations = heap->allocations - allocations;
  result->bytes = heap->bytes - bytes;
  return ended;
}

static bool prepare(call_t *call) {
  const gmem_planned_memory_t *memory = call->program->memory;
  uint32_t most =
      call->program->signature.result_count + call->inputs->count + 1;
  call->result->outputs = calloc(most, sizeof *call->result->outputs);
  if (!call->result->outputs) {
    set_failure(call, "out of memory");
    return false;
  }
  if (memory &&
      gmem_lease_acquire(memory->pool, GMEM_NONE, NULL, GMEM_WAIT_FOREVER,
                         &call->lease) != GMEM_OK) {
    set_failure(call, "cannot acquire memory for its arenas");
    return false;
  }
  return allocate(call) && set_arguments(call);
}

void gmem_request_run(const gmem_compiled_program_t *program,
                      const gmem_inputs_t *inputs, gmem_jit_heap_t *heap,
                      const gmem_request_options_t *options,
                      gmem_result_t *out_result) {
  call_t call = {.program = program,
                 .inputs = inputs,
                 .options = options,
                 .result = out_result};
  *out_result = (gmem_result_t){0};
  if (prepare(&call) &&
      (!make_call(&call, heap) ||
       !gmem_guard_run(collect, &call, 0, out_result->reason)))
    out_result->failed = true;
  end(&call);
  gmem_jit_heap_clear(heap);
}

void gmem_result_destroy(gmem_result_t *result) {
  free(result->outputs);
  *result = (gmem_result_t){0};
}

bool gmem_results_equal(const gmem_result_t *a, const gmem_result_t *b) {
  if (a->failed || b->failed || a->output_count != b->output_count)
    return false;
  for (uint32_t i = 0; i < a->output_count; ++i)
    if (a->outputs[i].is_result != b->outputs[i].is_result ||
        a->outputs[i].number != b->outputs[i].number ||
        memcmp(a->outputs[i].digest, b->outputs[i].digest, 32) != 0)
      return false;
  return true;
}
