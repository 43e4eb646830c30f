// board.h - what the firmware wants of the machine that it runs on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef FIRMWARE_BOARD_H_
#define FIRMWARE_BOARD_H_

#ifdef __cplusplus
extern "C" {
#endif

// Prints |text|, NUL-terminated, on whatever console there is.
void board_print(const char *text);

#ifdef __cplusplus
}
#endif
#endif // FIRMWARE_BOARD_H_
