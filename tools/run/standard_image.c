// standard_image.c - a plan image from standard input.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // memfd_create

#include "standard_image.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "messages.h"

static bool write_all(int file, const uint8_t *bytes, size_t size) {
  while (size) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      bytes += written;
      size -= (size_t)written;
    }
  }
  return true;
}

static bool copy_input(int file) {
  static uint8_t bytes[1 << 16];
  for (;;) {
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got == 0)
      return true;
    if (got < 0 ? errno != EINTR : !write_all(file, bytes, (size_t)got))
      return false;
  }
}

gmem_status_t gmem_standard_image(char path[GMEM_STANDARD_IMAGE_PATH],
                                  int *out_file) {
  *out_file = memfd_create("image", MFD_CLOEXEC);
  if (*out_file >= 0 && copy_input(*out_file)) {
    snprintf(path, GMEM_STANDARD_IMAGE_PATH, "/proc/self/fd/%d", *out_file);
    return GMEM_OK;
  }
  gmem_status_t status =
      gmem_tool_error("<stdin>: cannot be read: %s", strerror(errno));
  if (*out_file >= 0)
    close(*out_file);
  *out_file = -1;
  return status;
}
