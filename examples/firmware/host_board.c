// host_board.c - the machine that it is built on, in the place of a board.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <unistd.h>

#include "board.h"

// Not stdio, which wants a heap.
void board_print(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  while (length) {
    ssize_t written = write(STDOUT_FILENO, text, length);
    if (written < 0)
      _Exit(1);
    text += written;
    length -= (size_t)written;
  }
}
