// c_structs.h - the structs passed to a generated run function: inputs, outputs
// and memory of pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_STRUCTS_H_
#define GMEM_TOOLS_C_STRUCTS_H_

#include "c_model.h"
#include "c_print.h"
#include "c_write.h"

// Returns the name of the struct, for example "inputs".
const char *gmem_c_struct_name(gmem_c_struct_t which);

// Whether run takes this struct.
bool gmem_c_is_given(const gmem_c_model_t *model, gmem_c_struct_t which);

// Returns member |number| in *out_member, or false if there is none.
bool gmem_c_member(const gmem_c_model_t *model, gmem_c_struct_t which,
                   size_t number, gmem_c_member_t *out_member);

// Adds the parameters of run: "const NAME_inputs *inputs" and so on.
void gmem_c_add_parameters(const gmem_c_model_t *model, gmem_c_list_t *list);

// Whether the model defines an array for the pool.
bool gmem_c_has_array(const gmem_c_model_t *model, uint32_t pool);

#endif // GMEM_TOOLS_C_STRUCTS_H_
