// json_string.h - text as JSON quotes it, for tools that print a line of JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JSON_STRING_H_
#define GMEM_TOOLS_JSON_STRING_H_

#include <stdbool.h>
#include <stdio.h>

// Prints |text|, which is UTF-8, in quotes.
void gmem_print_json_string(FILE *output, const char *text);

// "true" or "false".
const char *gmem_json_bool(bool value);

#endif // GMEM_TOOLS_JSON_STRING_H_
