// standard_streams.h - the standard streams of a tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_STANDARD_STREAMS_H_
#define GMEM_TOOLS_STANDARD_STREAMS_H_

#include "gmem/status.h"

// Takes the descriptors of standard streams that are closed, so that no file
// that the tool opens becomes standard output, and writing to them is an error.
// A write past the file size limit becomes an error, too. The first call of
// each tool.
void gmem_tool_begin(void);

// Flushes standard output; if it cannot be written, prints "TOOL: error:
// <stdout>: cannot be written", once in a process, and returns GMEM_ERR_IO. The
// exit of the process does that, too. Not for threads.
gmem_status_t gmem_tool_flush(void);

#endif // GMEM_TOOLS_STANDARD_STREAMS_H_
