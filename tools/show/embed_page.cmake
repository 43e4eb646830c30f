# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Script: writes OUTPUT, a C file that embeds PAGE, as a byte array because ISO C
# limits the length of string literals.
file(READ ${PAGE} hex HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${OUTPUT} "// Made by embed_page.cmake.
#include \"show_page.h\"

const char gmem_page_text[] = {${bytes}0};
const size_t gmem_page_length = sizeof gmem_page_text - 1;
")
