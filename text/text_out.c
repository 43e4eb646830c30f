// text_out.c - buffers text for a write callback, in chunks of a few KiB.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "text_out.h"

#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "gmem/planner/problem.h"

static void flush(gmem_text_out_t *out) {
  if (out->status == GMEM_OK && out->used)
    out->status = out->write(out->user, out->bytes, out->used);
  out->used = 0;
}

void gmem_put_bytes(gmem_text_out_t *out, const char *bytes, size_t length) {
  while (length) {
    if (out->used == sizeof out->bytes)
      flush(out);
    size_t room = sizeof out->bytes - out->used;
    size_t part = length < room ? length : room;
    memcpy(out->bytes + out->used, bytes, part);
    out->used += part;
    bytes += part;
    length -= part;
  }
}

void gmem_put_text(gmem_text_out_t *out, const char *text) {
  gmem_put_bytes(out, text, strlen(text));
}

void gmem_put_unsigned(gmem_text_out_t *out, uint64_t value) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  gmem_put_bytes(out, digits + first, sizeof digits - first);
}

void gmem_put_signed(gmem_text_out_t *out, int64_t value) {
  if (value < 0)
    gmem_put_text(out, "-");
  gmem_put_unsigned(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

gmem_status_t gmem_text_out_end(gmem_text_out_t *out, const char *what,
                                gmem_diag_t *diag) {
  flush(out);
  if (out->status == GMEM_OK)
    return GMEM_OK;
  gmem_fail(diag, out->status, "cannot write %s", what);
  if (diag)
    diag->object = GMEM_NO_BUFFER;
  return out->status;
}

gmem_status_t gmem_write_to_stream(void *file, const char *bytes,
                                   size_t length) {
  return fwrite(bytes, 1, length, file) == length ? GMEM_OK : GMEM_ERR_IO;
}
