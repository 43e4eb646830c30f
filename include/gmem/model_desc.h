// gmem/model_desc.h - one description of every model that gmem-translate
// --gmem-to-c --descriptor writes, so that a program runs any number of models
// without knowing their names. C11 and C++17; needs no library and no heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   extern const gmem_model_desc_t net_model; // in net.h
//   gmem_model_call_t call = {...pointers..., .user = device};
//   int32_t status = net_model.run(&call);

#ifndef GMEM_MODEL_DESC_H_
#define GMEM_MODEL_DESC_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What run, init and map return: these are NET_OK and so on of every model. A
// positive status is that of an operator.
enum {
  GMEM_MODEL_OK = 0,
  GMEM_MODEL_NULL = -1,          // a pointer is missing
  GMEM_MODEL_MISALIGNED = -2,    // a pointer is misaligned
  GMEM_MODEL_TOO_SMALL = -3,     // the checks of sizes alone return this
  GMEM_MODEL_OVERLAP = -4,       // memory that is written overlaps other memory
  GMEM_MODEL_BUSY = -5,          // a run in the same memory is in progress
  GMEM_MODEL_UNINITIALISED = -6, // init has not computed the constants
};

enum {
  // The model has this memory itself: its pointer in a call is ignored.
  GMEM_MODEL_OWN = 1u << 0,
  // Constants of which init computes some: the memory must be writable.
  GMEM_MODEL_COMPUTED = 1u << 1,
  // A workspace with states: no one else may write to it between two runs.
  GMEM_MODEL_STATE = 1u << 2,
};

// An input, an output or a pool.
typedef struct gmem_model_memory_s {
  const char *name; // as in the structs of the model
  size_t size;      // bytes
  size_t alignment; // bytes, a power of two; of its address
  uint32_t flags;   // GMEM_MODEL_*
  // A pool of constants that the caller gives: its bytes, which the memory must
  // hold before the first call. It may be this memory, unless it is COMPUTED.
  // NULL: there are none, or only the caller has them.
  const uint8_t *contents;
} gmem_model_memory_t;

typedef struct gmem_model_memories_s {
  const gmem_model_memory_t *at;
  size_t count;
} gmem_model_memories_t;

// The memory of one call: a pointer for each entry of the lists below. An array
// may be NULL if its list is empty, or all of it is OWN.
typedef struct gmem_model_call_s {
  const uint8_t *const *inputs;
  uint8_t *const *outputs;
  uint8_t *const *workspaces;
  const uint8_t *const *parameters;
  uint8_t *const *init_workspaces;
  const uint8_t *const *init_parameters;
  void *user; // passed to the operators and transforms: the handle of a device
} gmem_model_call_t;

typedef int32_t (*gmem_model_run_fn)(const gmem_model_call_t *call);

typedef struct gmem_model_desc_s {
  size_t struct_size; // bytes; later versions append members
  const char *name;
  const char *digest; // of the plan, 64 hexadecimal digits
  gmem_model_memories_t inputs;
  gmem_model_memories_t outputs;
  gmem_model_memories_t workspaces; // pools; only those with GMEM_MODEL_STATE
                                    //   keep contents from run to run
  gmem_model_memories_t parameters; // pools of constants
  gmem_model_memories_t init_workspaces; // only init uses these: they can be
  gmem_model_memories_t init_parameters; //   given back when it has returned
  // Runs the model once. NULL: the model was written without (--entry=none).
  gmem_model_run_fn run;
  // Computes constants, once before the first run. NULL: there are none.
  gmem_model_run_fn init;
  // Models whose inputs and outputs lie in the workspaces (--io=workspace):
  // writes their addresses to |inputs| and |outputs|, before a run; |inputs|
  // and |outputs| of the call are ignored. NULL for all other models.
  int32_t (*map)(const gmem_model_call_t *call, uint8_t **inputs,
                 const uint8_t **outputs);
  // Makes all states zero: call it before the first run, and to begin anew.
  // NULL: there are none.
  gmem_model_run_fn reset;
  // Of models with |map|: makes what is sensitive zero, when the outputs have
  // been read. NULL: there is nothing, or run has done so itself.
  gmem_model_run_fn clear;
} gmem_model_desc_t;

#ifdef __cplusplus
}
#endif
#endif // GMEM_MODEL_DESC_H_
