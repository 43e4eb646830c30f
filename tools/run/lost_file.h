// lost_file.h - a mapped file that becomes shorter while it is in use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LOST_FILE_H_
#define GMEM_TOOLS_LOST_FILE_H_

// From now on the process ends with a message and GMEM_RUN_PROBLEM when bytes
// of |path|, which is mapped, are no longer there (SIGBUS), whatever thread
// asks for them. |path| must stay where it is.
void gmem_lost_file_catch(const char *path);

#endif // GMEM_TOOLS_LOST_FILE_H_
