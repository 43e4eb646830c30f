// c_model.h - the content of the C files of a planned network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_MODEL_H_
#define GMEM_TOOLS_C_MODEL_H_

#include "c_entry.h"
#include "c_names.h"
#include "gmem/planned_image.h"

typedef enum gmem_c_workspaces_e {
  GMEM_C_WORKSPACES_STATIC, // arrays of the model
  GMEM_C_WORKSPACES_GIVEN,  // passed by the caller
} gmem_c_workspaces_t;

typedef enum gmem_c_parameters_e {
  GMEM_C_PARAMETERS_STATIC, // arrays of the model
  GMEM_C_PARAMETERS_GIVEN,  // passed by the caller
  GMEM_C_PARAMETERS_EXTERN, // arrays defined elsewhere
} gmem_c_parameters_t;

typedef enum gmem_c_io_e {
  GMEM_C_IO_CALLER,    // in the caller's memory, copied
  GMEM_C_IO_WORKSPACE, // at their planned offsets
} gmem_c_io_t;

typedef enum gmem_c_entry_kind_e {
  GMEM_C_ENTRY_OPERATORS, // calls a user-defined function per op
  GMEM_C_ENTRY_COMPILED,  // calls the compiled network
  GMEM_C_ENTRY_NONE,      // no run function
} gmem_c_entry_kind_t;

typedef enum gmem_c_tensor_names_e {
  GMEM_C_NAMES_PLAN,    // as in the plan
  GMEM_C_NAMES_NUMBERS, // t0, t1...
} gmem_c_tensor_names_t;

// Zero-initialised: use U1 of docs/generated-c.md.
typedef struct gmem_c_options_s {
  const char *name;     // of the model
  const char *function; // entry function; NULL: the only one
  const char *compiled; // path of the materialized module, or NULL
  int outputs;          // number of output arguments of |compiled|, or -1
  gmem_c_workspaces_t workspaces;
  gmem_c_parameters_t parameters;
  gmem_c_io_t io;
  gmem_c_entry_kind_t entry;
  gmem_c_tensor_names_t names;
  bool descriptor; // also write a gmem_model_desc_t
} gmem_c_options_t;

// Where the array with the bytes of a pool is defined.
typedef enum gmem_c_file_e {
  GMEM_C_NO_FILE,
  GMEM_C_SOURCE_FILE, // <model>.c
  GMEM_C_DATA_FILE,   // <model>_data.c
} gmem_c_file_t;

// The names of a pool, tensor, input or output.
typedef struct gmem_c_label_s {
  char name[GMEM_C_NAME];      // as a member
  char stem[GMEM_C_NAME + 16]; // of its macros, without the name of the model
} gmem_c_label_t;

// A pool of the plan, or one that transforms need besides.
typedef struct gmem_c_pool_s {
  const gmem_planned_pool_t *plan;
  gmem_c_label_t label;       // the stem ends in _PARAMETER or _WORKSPACE
  char capitals[GMEM_C_NAME]; // the stem without that
  bool is_constant;
  bool is_init;         // its memory can be given back after init
  bool is_computed;     // constants, some of which init computes
  bool serves_run;      // not empty, and used by run
  bool serves_init;     // not empty, and used by init
  gmem_c_file_t file;   // of its array
  const uint8_t *bytes; // of constants; NULL: not known
} gmem_c_pool_t;

// Whether functions use the pool.
static inline bool gmem_c_pool_is_used(const gmem_c_pool_t *pool) {
  return pool->serves_run || pool->serves_init;
}

// A member of a struct passed to run or init: an input, an output or a pool.
typedef struct gmem_c_port_s {
  gmem_c_label_t label;
  uint32_t buffer;    // of an input or output in the plan; GMEM_NO_BUFFER for
                      //   the caller's memory of a compiled entry
  uint64_t size;      // bytes
  uint64_t alignment; // bytes; required of the caller's memory
  bool is_aligned;    // to its macro STEM_ALIGNMENT
  bool is_computed;   // a pool of constants that init writes
} gmem_c_port_t;

// The structs passed to run, then those that only init takes.
typedef enum gmem_c_struct_e {
  GMEM_C_INPUTS,
  GMEM_C_OUTPUTS,
  GMEM_C_WORKSPACES,
  GMEM_C_PARAMETERS,
  GMEM_C_INIT_WORKSPACES,
  GMEM_C_INIT_PARAMETERS,
  GMEM_C_STRUCTS,
  GMEM_C_RUN_STRUCTS = GMEM_C_INIT_WORKSPACES
} gmem_c_struct_t;

typedef struct gmem_c_ports_s {
  gmem_c_port_t *at;
  size_t count;
  bool is_given; // run takes this struct, or init if it is one of its own
} gmem_c_ports_t;

// The struct that has the pool as a member.
static inline gmem_c_struct_t gmem_c_struct_of(const gmem_c_pool_t *pool) {
  if (pool->is_init)
    return pool->is_constant ? GMEM_C_INIT_PARAMETERS : GMEM_C_INIT_WORKSPACES;
  return pool->is_constant ? GMEM_C_PARAMETERS : GMEM_C_WORKSPACES;
}

// Operators that are called.
typedef struct gmem_c_calls_s {
  size_t function;        // run; SIZE_MAX: no operators are called
  bool *is_called;        // by function: run or init reach it
  bool has_copies;        // besides those of inputs and outputs
  const char **operators; // kinds of called ops, sorted, unique
  size_t operator_count;
} gmem_c_calls_t;

// What computes constants, before the first run. There is an init function if
// |count| is not 0, or for transforms.
typedef struct gmem_c_init_s {
  size_t count;
  size_t *functions;       // of the plan; NULL: a compiled network
  gmem_c_entry_t *entries; // of a compiled network, else NULL
  bool takes[GMEM_C_STRUCTS];
} gmem_c_init_t;

// The functions that make one constant (gmem.transform), in their order.
typedef struct gmem_c_chain_s {
  uint32_t buffer;      // the constant
  size_t first, end;    // transforms of the plan
  uint64_t source;      // offset of the source in the pool of sources
  uint64_t source_size; // bytes
} gmem_c_chain_t;

// The pools of transforms: what their first functions read, and what they pass
// on.
typedef enum gmem_c_transform_pool_e {
  GMEM_C_SOURCES,
  GMEM_C_RESULTS,
  GMEM_C_TRANSFORM_POOLS
} gmem_c_transform_pool_t;

// The chains of transforms, which the init function runs first.
typedef struct gmem_c_transforms_s {
  gmem_c_chain_t *chains;
  size_t count;       // of chains
  const char **names; // of the functions, sorted, unique
  size_t name_count;
  uint8_t *sources; // equal ones once; owned
  uint64_t second;  // offset of the second part of the pool of results
  gmem_planned_pool_t pools[GMEM_C_TRANSFORM_POOLS]; // size 0: not needed
} gmem_c_transforms_t;

typedef struct gmem_c_model_s {
  const gmem_planned_t *planned;
  gmem_c_options_t options;
  char capitals[GMEM_C_NAME]; // of the model
  gmem_c_pool_t *pools;       // by pool of the plan, then those of transforms
  uint32_t pool_count;
  gmem_c_label_t *buffers; // by buffer
  gmem_c_ports_t ports[GMEM_C_STRUCTS];
  bool is_any_given; // of |ports|
  gmem_c_calls_t calls;
  gmem_c_entry_t entry; // of a compiled network
  gmem_c_init_t init;
  gmem_c_transforms_t transforms;
  gmem_planned_image_t *image; // with all known constants
  uint8_t digest[32];          // of the plan image with all known constants
  char *message; // an error longer than a gmem_diag_t, or NULL; owned
} gmem_c_model_t;

#endif // GMEM_TOOLS_C_MODEL_H_
