// c_model.h - all that the C of a planned network is made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_MODEL_H_
#define GMEM_TOOLS_C_MODEL_H_

#include "c_entry.h"
#include "c_names.h"
#include "gmem/passes.h"
#include "image_weights.h"

typedef enum gmem_c_workspaces_e {
  GMEM_C_WORKSPACES_STATIC, // arrays of the model's own
  GMEM_C_WORKSPACES_GIVEN,  // the user's
} gmem_c_workspaces_t;

typedef enum gmem_c_parameters_e {
  GMEM_C_PARAMETERS_STATIC, // arrays of the model's own
  GMEM_C_PARAMETERS_GIVEN, // the user's, who may take the arrays that there are
  GMEM_C_PARAMETERS_EXTERN, // arrays that something else defines
} gmem_c_parameters_t;

typedef enum gmem_c_io_e {
  GMEM_C_IO_CALLER,    // the caller's memory
  GMEM_C_IO_WORKSPACE, // where the plan has them
} gmem_c_io_t;

typedef enum gmem_c_entry_kind_e {
  GMEM_C_ENTRY_OPERATORS, // calls functions of the user's, op by op
  GMEM_C_ENTRY_COMPILED,  // calls the network, which is an object file
  GMEM_C_ENTRY_NONE,      // places alone
} gmem_c_entry_kind_t;

// Zero: U1 of docs/generated-c.md.
typedef struct gmem_c_options_s {
  const char *name;     // of the model
  const char *folder;   // of the files
  const char *function; // whose ops are called, or NULL: the only one
  const char *compiled; // path of the materialised module, or NULL
  int outputs;          // how many arguments of that are outputs, or -1
  gmem_c_workspaces_t workspaces;
  gmem_c_parameters_t parameters;
  gmem_c_io_t io;
  gmem_c_entry_kind_t entry;
  bool numbers;   // tensors are called t0, t1...
  unsigned count; // of the options that the user has given
} gmem_c_options_t;

typedef struct gmem_c_pool_s {
  char name[GMEM_C_NAME];     // as a member
  char capitals[GMEM_C_NAME]; // in macros
  bool is_member;             // it has bytes, and the entry takes it
  const uint8_t *bytes;       // of constants, as far as they are known, or NULL
} gmem_c_pool_t;

typedef struct gmem_c_buffer_s {
  char name[GMEM_C_NAME];
  char capitals[GMEM_C_NAME];
} gmem_c_buffer_t;

// An input or output.
typedef struct gmem_c_port_s {
  char name[GMEM_C_NAME];     // as a member
  char capitals[GMEM_C_NAME]; // in macros
  uint32_t buffer;            // in the plan; GMEM_NO_BUFFER: of a compiled
                              //   entry, the caller's memory
  uint64_t size;              // bytes
  uint64_t alignment;         // bytes that the caller's memory must have
} gmem_c_port_t;

typedef struct gmem_c_model_s {
  const gmem_planned_t *planned;
  gmem_c_options_t options;
  char capitals[GMEM_C_NAME]; // of the model
  gmem_c_pool_t *pools;       // by pool of the plan
  gmem_c_buffer_t *buffers;   // by buffer
  gmem_c_port_t *inputs, *outputs;
  size_t input_count, output_count;
  size_t function;        // of the plan; SIZE_MAX: no ops are called
  bool *is_called;        // by function of the plan: by that one, in the end
  const char **operators; // kinds of ops that are called, sorted, each once
  size_t operator_count;
  gmem_c_entry_t entry; // of a compiled network
  gmem_image_weights_t weights;
  uint8_t digest[32]; // of the plan image with all that is known
} gmem_c_model_t;

// Finds all names, and out whether the entry can be made. gmem_c_model_free is
// to be called in any case; |module| is the compiled one, or null. Fails with
// INVALID_ARGUMENT, UNSUPPORTED, NOT_FOUND or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_c_model_make(const gmem_planned_t *planned,
                                              const gmem_c_options_t *options,
                                              MlirModule module,
                                              gmem_c_model_t *out_model,
                                              gmem_diag_t *diag);
void gmem_c_model_free(gmem_c_model_t *model);

// Whether the pool is one of constants.
bool gmem_c_is_constant(const gmem_c_model_t *model, uint32_t pool);

// Whether some pool of that kind is a member.
bool gmem_c_has_pools(const gmem_c_model_t *model, bool constant);

// Whether the caller gives inputs and outputs memory of his own.
bool gmem_c_has_ports(const gmem_c_model_t *model);

#endif // GMEM_TOOLS_C_MODEL_H_
