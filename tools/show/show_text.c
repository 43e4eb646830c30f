// show_text.c - see show_text.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "show_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json_writer.h"

void gmem_show_print(gmem_text_out_t *out, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gmem_put_text(out, text);
}

void gmem_show_escape(gmem_text_out_t *out, const char *text) {
  if (!text)
    return;
  bool is_utf8 = gmem_is_utf8(text);
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '<')
      gmem_put_text(out, "&lt;");
    else if (c == '>')
      gmem_put_text(out, "&gt;");
    else if (c == '&')
      gmem_put_text(out, "&amp;");
    else if (c == '"')
      gmem_put_text(out, "&quot;");
    else
      gmem_put_bytes(
          out, c < 0x20 || c == 0x7f || (c >= 0x80 && !is_utf8) ? "?" : text,
          1);
  }
}

void gmem_show_bytes(char out[GMEM_SHOW_BYTES], uint64_t bytes) {
  static const char units[][4] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) {
    snprintf(out, GMEM_SHOW_BYTES, "%" PRIu64 " bytes", bytes);
    return;
  }
  double value = (double)bytes / 1024;
  int unit = 0;
  for (; value >= 1023.5 && unit < 5; ++unit)
    value /= 1024;
  int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  snprintf(out, GMEM_SHOW_BYTES, "%.*f", digits, value);
  if (strchr(out, '.')) { // "4.00" is "4"
    size_t end = strlen(out);
    while (out[end - 1] == '0')
      --end;
    out[out[end - 1] == '.' ? end - 1 : end] = 0;
  }
  strcat(strcat(out, " "), units[unit]);
}

void gmem_show_exact(char out[GMEM_SHOW_BYTES], uint64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, number), at = 0;
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0)
      out[at++] = ',';
    out[at++] = digits[i];
  }
  out[at] = 0;
}

size_t gmem_show_length(const char *text) {
  size_t length = 0;
  for (; *text; ++text)
    length += ((unsigned char)*text & 0xc0) != 0x80;
  return length;
}
