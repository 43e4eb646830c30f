// mpi_library.h - starts and ends an MPI library in this process, a rank.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_MPI_LIBRARY_H_
#define GMEM_TOOLS_MPI_LIBRARY_H_

#include <stdbool.h>

#include "gmem/status.h"

// Zero-initialise: not started.
typedef struct gmem_mpi_s {
  void *library;   // dlopen handle, open until the process ends, or NULL
  bool is_openmpi; // whether communicators are pointers, as in Open MPI, or
                   //   integers, as in MPICH
  int rank, size;  // of MPI_COMM_WORLD
} gmem_mpi_t;

// Loads the shared library |path|, makes its functions visible to code that is
// compiled later, and starts it. The word "auto": MPICH's, or else Open MPI's.
// Prints a message on failure.
gmem_status_t gmem_mpi_begin(const char *path, gmem_mpi_t *out_mpi);

// Ends it, as all ranks must. With |is_good| false this ends all ranks at once
// with a non-zero status, and does not return. No effect if not started.
void gmem_mpi_end(const gmem_mpi_t *mpi, bool is_good);

// Whether |condition| holds on any rank. All ranks must ask. If not started, or
// if the library fails, |condition|.
bool gmem_mpi_any(const gmem_mpi_t *mpi, bool condition);

// A copy of |text| with "%r" replaced by the rank; the caller frees it.
char *gmem_mpi_name(const gmem_mpi_t *mpi, const char *text);

#endif // GMEM_TOOLS_MPI_LIBRARY_H_
