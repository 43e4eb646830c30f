// c_names.h - names of a plan as identifiers of C. docs/generated-c.md has the
// rules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_NAMES_H_
#define GMEM_TOOLS_C_NAMES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "gmem/status.h"

enum { GMEM_C_NAME = 101 }; // bytes of what a name becomes, with the NUL

// Writes to |out| what |name| is called in C: letters and digits as they are,
// each run of other characters one '_', none at the ends; "n" in front of a
// digit. False when nothing is left, or it is too long.
bool gmem_c_identifier(const char *name, char out[GMEM_C_NAME]);

// The same in capitals, as parts of macros are.
void gmem_c_capitals(const char *identifier, char out[GMEM_C_NAME]);

// Whether C or C++, or what their headers define, has another meaning for
// |identifier|, so that no member of a struct can have this name.
bool gmem_c_is_taken(const char *identifier);

// Whether |name| can be the name of a model: what gmem_c_identifier makes of it
// is itself, and no header of C has the name.
bool gmem_c_is_model_name(const char *name);

// All names of one place: macros and functions of a model, members of a struct.
// Zero-initialise; nothing in it is copied.
typedef struct gmem_c_name_s {
  char identifier[2 * GMEM_C_NAME + 32];
  const char *kind;  // "tensor"
  const char *owner; // its name in the plan
} gmem_c_name_t;

typedef struct gmem_c_names_s {
  gmem_c_name_t *names;
  size_t count, room;
  bool out_of_memory;
} gmem_c_names_t;

// Adds the identifier that |format| makes, which is for |owner|, a |kind|.
void gmem_c_names_add(gmem_c_names_t *names, const char *kind,
                      const char *owner, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Fails with INVALID_ARGUMENT when two are equal (|diag| names both owners) or
// with OUT_OF_MEMORY. |names| is empty afterwards.
GMEM_MUST_USE gmem_status_t gmem_c_names_check(gmem_c_names_t *names,
                                               gmem_diag_t *diag);

#endif // GMEM_TOOLS_C_NAMES_H_
