// show_text.h - text of pictures and pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SHOW_TEXT_H_
#define GMEM_TOOLS_SHOW_TEXT_H_

#include "diag.h"
#include "text_out.h"

enum { GMEM_SHOW_BYTES = 32 }; // a number of bytes as text

// Writes less than 512 bytes, formatted like printf.
void gmem_show_print(gmem_text_out_t *out, const char *format, ...)
    GMEM_PRINTF(2, 3);

// Writes |text| with the markup of XML escaped. What is not UTF-8, and control
// characters, become '?'. NULL is empty.
void gmem_show_escape(gmem_text_out_t *out, const char *text);

// "512 bytes", "5.74 MiB": three digits, or more before the point.
void gmem_show_bytes(char out[GMEM_SHOW_BYTES], uint64_t bytes);

// "6,021,120".
void gmem_show_exact(char out[GMEM_SHOW_BYTES], uint64_t number);

// The number of characters of UTF-8.
size_t gmem_show_length(const char *text);

#endif // GMEM_TOOLS_SHOW_TEXT_H_
