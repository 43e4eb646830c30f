// text_out.h - buffers text for a write callback, in chunks of a few KiB.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEXT_TEXT_OUT_H_
#define GMEM_TEXT_TEXT_OUT_H_

#include <stdint.h>

#include "gmem/planner/output.h"

typedef struct gmem_text_out_s {
  gmem_write_fn write;
  void *user;
  gmem_status_t status; // the first failure: nothing is written after it
  size_t used;          // of |bytes|
  char bytes[4096];
} gmem_text_out_t;

void gmem_put_bytes(gmem_text_out_t *out, const char *bytes, size_t length);
void gmem_put_text(gmem_text_out_t *out, const char *text);
void gmem_put_unsigned(gmem_text_out_t *out, uint64_t value);
void gmem_put_signed(gmem_text_out_t *out, int64_t value);

// Writes the rest of the buffer. Returns OK, or the first failure of |write|,
// with "cannot write |what|" in |diag|.
gmem_status_t gmem_text_out_end(gmem_text_out_t *out, const char *what,
                                gmem_diag_t *diag);

// A gmem_write_fn; |file| is a FILE *. Fails with IO.
gmem_status_t gmem_write_to_stream(void *file, const char *bytes,
                                   size_t length);

#endif // GMEM_TEXT_TEXT_OUT_H_
