// c_model.h - the content of the C files of a planned network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_MODEL_H_
#define GMEM_TOOLS_C_MODEL_H_

#include "c_entry.h"
#include "c_names.h"
#include "gmem/passes.h"
#include "image_weights.h"

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

typedef struct gmem_c_pool_s {
  gmem_c_label_t label;       // the stem ends in _PARAMETER or _WORKSPACE
  char capitals[GMEM_C_NAME]; // the stem without that
  bool is_constant;
  bool is_member;       // not empty, and used by the entry
  gmem_c_file_t file;   // of its array
  const uint8_t *bytes; // of constants; NULL: not known
} gmem_c_pool_t;

// A member of a struct passed to run: an input, an output or a pool.
typedef struct gmem_c_port_s {
  gmem_c_label_t label;
  uint32_t buffer;    // of an input or output in the plan; GMEM_NO_BUFFER for a
                      //   compiled entry: in the caller's memory
  uint64_t size;      // bytes
  uint64_t alignment; // bytes; required of the caller's memory
  bool is_aligned;    // to its macro STEM_ALIGNMENT
} gmem_c_port_t;

// The structs passed to run.
typedef enum gmem_c_struct_e {
  GMEM_C_INPUTS,
  GMEM_C_OUTPUTS,
  GMEM_C_WORKSPACES,
  GMEM_C_PARAMETERS,
  GMEM_C_STRUCTS
} gmem_c_struct_t;

typedef struct gmem_c_ports_s {
  gmem_c_port_t *at;
  size_t count;
  bool is_given; // run takes this struct
} gmem_c_ports_t;

typedef struct gmem_c_model_s {
  const gmem_planned_t *planned;
  gmem_c_options_t options;
  char capitals[GMEM_C_NAME]; // of the model
  gmem_c_pool_t *pools;       // by pool of the plan
  gmem_c_label_t *buffers;    // by buffer
  gmem_c_ports_t ports[GMEM_C_STRUCTS];
  bool is_any_given;      // of |ports|
  size_t function;        // entry; SIZE_MAX: no operators are called
  bool *is_called;        // by function: reachable from |function|
  bool has_copies;        // before or after calls of functions
  const char **operators; // kinds of called ops, sorted, unique
  size_t operator_count;
  gmem_c_entry_t entry; // of a compiled network
  gmem_image_weights_t weights;
  uint8_t digest[32]; // of the plan image with all known constants
  char *message;      // an error longer than a gmem_diag_t, or NULL; owned
} gmem_c_model_t;

// Computes all names and checks that the entry can be generated. |module| is
// the compiled module, or null. Call gmem_c_model_free in any case. Fails with
// INVALID_ARGUMENT, UNSUPPORTED, NOT_FOUND or OUT_OF_MEMORY, and sets |message|
// for some errors.
GMEM_MUST_USE gmem_status_t gmem_c_model_make(const gmem_planned_t *planned,
                                              const gmem_c_options_t *options,
                                              MlirModule module,
                                              gmem_c_model_t *out_model,
                                              gmem_diag_t *diag);
void gmem_c_model_free(gmem_c_model_t *model);

#endif // GMEM_TOOLS_C_MODEL_H_
