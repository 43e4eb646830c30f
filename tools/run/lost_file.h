// lost_file.h - handles truncation of a mapped file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LOST_FILE_H_
#define GMEM_TOOLS_LOST_FILE_H_

// Installs a SIGBUS handler: if any thread accesses bytes of the mapped file
// |path| that no longer exist, the process prints a message and exits with
// GMEM_EXIT_PROBLEM. |path| must stay valid.
void gmem_lost_file_catch(const char *path);

#endif // GMEM_TOOLS_LOST_FILE_H_
