// mpi_library.c - see mpi_library.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mpi_library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

// Constants of mpi.h: numbers in MPICH, addresses of objects in Open MPI.
typedef enum constant_e { COMM_WORLD, INT, MAX } constant_t;

static const struct {
  uintptr_t mpich;
  const char *openmpi;
} constants[] = {[COMM_WORLD] = {0x44000000, "ompi_mpi_comm_world"},
                 [INT] = {0x4c000405, "ompi_mpi_int"},
                 [MAX] = {0x58000001, "ompi_mpi_op_max"}};

typedef int init_fn(int *argc, char ***argv);
typedef int finalize_fn(void);
// The same of a communicator that is an integer, or a pointer.
typedef int query_fn(uintptr_t comm, int *out);
typedef int abort_fn(uintptr_t comm, int status);
typedef int allreduce_fn(const void *from, void *to, int count, uintptr_t type,
                         uintptr_t op, uintptr_t comm);

// ISO C forbids the cast of an object pointer to a function pointer.
static void find(void *library, const char *name, void *out_function) {
  void *found = dlsym(library, name);
  memcpy(out_function, &found, sizeof found);
}

static uintptr_t value_of(const gmem_mpi_t *mpi, constant_t constant) {
  return mpi->is_openmpi
             ? (uintptr_t)dlsym(mpi->library, constants[constant].openmpi)
             : constants[constant].mpich;
}

static void *load(const char *path) {
  static const char *const names[] = {"libmpich.so.12", "libmpi.so.40", NULL};
  void *library = NULL;
  if (strcmp(path, "auto") != 0)
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  for (size_t i = 0; names[i] && !library; ++i)
    library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
  return library;
}

gmem_status_t gmem_mpi_begin(const char *path, gmem_mpi_t *out_mpi) {
  init_fn *start;
  query_fn *find_rank, *find_size;
  gmem_mpi_t mpi = {.library = load(path)};
  if (!mpi.library)
    return gmem_tool_error("cannot load an MPI library: %s", dlerror());
  find(mpi.library, "MPI_Init", &start);
  find(mpi.library, "MPI_Comm_rank", &find_rank);
  find(mpi.library, "MPI_Comm_size", &find_size);
  if (!start || !find_rank || !find_size)
    return gmem_tool_error("%s is not an MPI library", path);
  mpi.is_openmpi = dlsym(mpi.library, constants[COMM_WORLD].openmpi) != NULL;
  if (start(NULL, NULL) != 0)
    return gmem_tool_error("MPI_Init fails");
  *out_mpi = mpi;
  return find_rank(value_of(&mpi, COMM_WORLD), &out_mpi->rank) == 0 &&
                 find_size(value_of(&mpi, COMM_WORLD), &out_mpi->size) == 0
             ? GMEM_OK
             : gmem_tool_error("MPI_Comm_rank fails");
}

void gmem_mpi_end(const gmem_mpi_t *mpi, bool is_good) {
  finalize_fn *end;
  abort_fn *stop;
  if (!mpi->library)
    return;
  find(mpi->library, "MPI_Finalize", &end);
  find(mpi->library, "MPI_Abort", &stop);
  fflush(stdout);
  if (!is_good && stop)
    (void)stop(value_of(mpi, COMM_WORLD), GMEM_EXIT_PROBLEM);
  if (end)
    (void)end();
}

bool gmem_mpi_any(const gmem_mpi_t *mpi, bool condition) {
  allreduce_fn *reduce;
  int own = condition, all = condition;
  if (!mpi->library)
    return condition;
  find(mpi->library, "MPI_Allreduce", &reduce);
  if (!reduce || reduce(&own, &all, 1, value_of(mpi, INT), value_of(mpi, MAX),
                        value_of(mpi, COMM_WORLD)) != 0)
    return condition;
  return all != 0;
}

char *gmem_mpi_name(const gmem_mpi_t *mpi, const char *text) {
  const char *at = strstr(text, "%r");
  size_t room = strlen(text) + 16;
  char *name = gmem_need(malloc(room));
  if (at)
    snprintf(name, room, "%.*s%d%s", (int)(at - text), text, mpi->rank, at + 2);
  else
    snprintf(name, room, "%s", text);
  return name;
}
