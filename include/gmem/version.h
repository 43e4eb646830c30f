// version.h - the version of the gmem libraries. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_VERSION_H_
#define GMEM_VERSION_H_

#define GMEM_VERSION_MAJOR 0
#define GMEM_VERSION_MINOR 2
#define GMEM_VERSION_PATCH 0
#define GMEM_VERSION_STRING "0.2.0"

#endif // GMEM_VERSION_H_
