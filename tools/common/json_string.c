// json_string.c - prints JSON strings and booleans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "json_string.h"

void gmem_print_json_string(FILE *output, const char *text) {
  fputc('"', output);
  for (const char *c = text; *c; ++c)
    if (*c == '"' || *c == '\\')
      fprintf(output, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      fprintf(output, "\\u%04x", (unsigned)*c);
    else
      fputc(*c, output);
  fputc('"', output);
}

const char *gmem_json_bool(bool value) { return value ? "true" : "false"; }
