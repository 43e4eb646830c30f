// standard_streams.h - what a tool does with its standard streams first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_STANDARD_STREAMS_H_
#define GMEM_TOOLS_STANDARD_STREAMS_H_

// Takes the descriptors of standard streams that are closed, so that no file
// that the tool opens becomes standard output, and writing to them is an error.
// A write past the file size limit becomes an error, too. The first call of
// each tool.
void gmem_tool_begin(void);

#endif // GMEM_TOOLS_STANDARD_STREAMS_H_
