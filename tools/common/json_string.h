// json_string.h - prints JSON strings and booleans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JSON_STRING_H_
#define GMEM_TOOLS_JSON_STRING_H_

#include <stdbool.h>
#include <stdio.h>

// Prints the UTF-8 string |text| quoted and escaped.
void gmem_print_json_string(FILE *output, const char *text);

// "true" or "false".
const char *gmem_json_bool(bool value);

#endif // GMEM_TOOLS_JSON_STRING_H_
