// translate_options.h - parts of the command line of gmem-translate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_TRANSLATE_OPTIONS_H_
#define GMEM_TOOLS_TRANSLATE_OPTIONS_H_

#include <argp.h>

#include "c_model.h"

// Returns the number of |text| among |words|, which are separated by spaces;
// reports other words as errors of --|option| to |state|.
int gmem_choose_word(const char *option, const char *text, const char *words,
                     struct argp_state *state);

// The options of --gmem-to-c. The input of the parser is a gmem_c_options_t.
extern const struct argp gmem_c_argp;

// Checks the combination of options for C; reports errors to |state|.
void gmem_c_check_options(gmem_c_options_t *options, struct argp_state *state);

#endif // GMEM_TOOLS_TRANSLATE_OPTIONS_H_
