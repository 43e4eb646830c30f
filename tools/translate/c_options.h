// c_options.h - the options of --gmem-to-c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_OPTIONS_H_
#define GMEM_TOOLS_C_OPTIONS_H_

#include <argp.h>

#include "c_model.h"

// A parser that is a child of the tool's; its input is a gmem_c_options_t.
extern const struct argp gmem_c_argp;

// Whether any of them was given. Wrong combinations are errors of the parser.
bool gmem_c_has_options(const gmem_c_options_t *options);
void gmem_c_check_options(gmem_c_options_t *options, struct argp_state *state);

#endif // GMEM_TOOLS_C_OPTIONS_H_
