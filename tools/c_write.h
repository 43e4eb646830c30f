// c_write.h - the files of a planned network's C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_WRITE_H_
#define GMEM_TOOLS_C_WRITE_H_

#include "c_print.h"

// <model>.h and <model>.c, whole. What cannot be written is remembered by the
// streams.
void gmem_c_write_header(const gmem_c_model_t *model, FILE *out);
void gmem_c_write_source(const gmem_c_model_t *model, FILE *out);

// <model>_data.c: constants that the user brings, for those who bring these.
bool gmem_c_has_data_file(const gmem_c_model_t *model);
void gmem_c_write_data(const gmem_c_model_t *model, FILE *out);

// Parts of the source: functions that check what the user gives, the ops that
// are called, the network that was compiled.
void gmem_c_write_checks(const gmem_c_model_t *model, FILE *out);
void gmem_c_write_operators(const gmem_c_model_t *model, FILE *out);
void gmem_c_write_descriptors(const gmem_c_model_t *model, FILE *out);
void gmem_c_write_compiled_call(const gmem_c_model_t *model, FILE *out);

// The structs that the user fills in, or some of them.
typedef enum gmem_c_struct_e {
  GMEM_C_INPUTS,
  GMEM_C_OUTPUTS,
  GMEM_C_WORKSPACES,
  GMEM_C_PARAMETERS,
  GMEM_C_STRUCTS
} gmem_c_struct_t;

// "inputs".
const char *gmem_c_struct_name(gmem_c_struct_t which);

// Whether the entry takes this struct.
bool gmem_c_is_given(const gmem_c_model_t *model, gmem_c_struct_t which);

// A member of such a struct; of a pool that the entry does not take as well.
typedef struct gmem_c_member_s {
  const char *name;
  const char *type;    // "const uint8_t *"
  uint64_t bytes;      // at it
  char size[384];      // macro for that
  char alignment[384]; // macro, or "1"
} gmem_c_member_t;

// The member of that number, or false when there are no more.
bool gmem_c_member(const gmem_c_model_t *model, gmem_c_struct_t which,
                   size_t number, gmem_c_member_t *out_member);

// Adds "const NAME_inputs *inputs" and so on for all that the entry takes.
void gmem_c_add_parameters(const gmem_c_model_t *model, gmem_c_list_t *list);

// The array in which a pool is, where it is the model's.
bool gmem_c_has_array(const gmem_c_model_t *model, uint32_t pool);

#endif // GMEM_TOOLS_C_WRITE_H_
