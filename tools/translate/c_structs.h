// c_structs.h - what the user gives to a generated entry: its inputs and
// outputs, and memory for its pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_STRUCTS_H_
#define GMEM_TOOLS_C_STRUCTS_H_

#include "c_model.h"
#include "c_print.h"
#include "c_write.h"

// "inputs".
const char *gmem_c_struct_name(gmem_c_struct_t which);

// Whether the entry takes this struct.
bool gmem_c_is_given(const gmem_c_model_t *model, gmem_c_struct_t which);

// The member of that number, or false when there are no more.
bool gmem_c_member(const gmem_c_model_t *model, gmem_c_struct_t which,
                   size_t number, gmem_c_member_t *out_member);

// Adds "const NAME_inputs *inputs" and so on for all that the entry takes.
void gmem_c_add_parameters(const gmem_c_model_t *model, gmem_c_list_t *list);

// The array in which a pool is, where it is the model's.
bool gmem_c_has_array(const gmem_c_model_t *model, uint32_t pool);

#endif // GMEM_TOOLS_C_STRUCTS_H_
