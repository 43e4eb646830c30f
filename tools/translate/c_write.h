// c_write.h - types shared by the writers of generated C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_WRITE_H_
#define GMEM_TOOLS_C_WRITE_H_

#include <stdint.h>

// The structs passed to run.
typedef enum gmem_c_struct_e {
  GMEM_C_INPUTS,
  GMEM_C_OUTPUTS,
  GMEM_C_WORKSPACES,
  GMEM_C_PARAMETERS,
  GMEM_C_STRUCTS
} gmem_c_struct_t;

// A member of such a struct.
typedef struct gmem_c_member_s {
  const char *name;
  const char *type;    // "const uint8_t *"
  uint64_t bytes;      // size of the memory pointed to
  char size[384];      // macro of |bytes|
  char alignment[384]; // macro, or "1"
} gmem_c_member_t;

#endif // GMEM_TOOLS_C_WRITE_H_
