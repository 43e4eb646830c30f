// c_options.h - the options of --gmem-to-c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_OPTIONS_H_
#define GMEM_TOOLS_C_OPTIONS_H_

#include <argp.h>

#include "c_model.h"

// The child parser of gmem-translate; its input is a gmem_c_options_t.
extern const struct argp gmem_c_argp;

// Whether any option for C was given.
bool gmem_c_has_options(const gmem_c_options_t *options);
// Checks the combination of options; reports errors to |state|.
void gmem_c_check_options(gmem_c_options_t *options, struct argp_state *state);

#endif // GMEM_TOOLS_C_OPTIONS_H_
