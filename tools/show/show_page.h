// show_page.h - the page that show_page.c completes: page.html, embedded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SHOW_PAGE_H_
#define GMEM_TOOLS_SHOW_PAGE_H_

#include <stddef.h>

extern const char gmem_page_text[];
extern const size_t gmem_page_length; // without the NUL byte at the end

#endif // GMEM_TOOLS_SHOW_PAGE_H_
