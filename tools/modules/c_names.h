// c_names.h - converts names of a plan to C identifiers (docs/generated-c.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_NAMES_H_
#define GMEM_TOOLS_C_NAMES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "gmem/status.h"

// Bytes of an identifier, with the NUL: names of a plan have at most 255, and
// one that begins with a digit gets a letter.
enum { GMEM_C_NAME = 257 };

// Converts |name| to a C identifier: keeps letters and digits, replaces each
// run of other characters by one '_', drops it at the ends, and prefixes "n" to
// a leading digit. Returns false if the result is empty or too long.
bool gmem_c_identifier(const char *name, char out[GMEM_C_NAME]);

// Converts an identifier to capitals, for macros.
void gmem_c_capitals(const char *identifier, char out[GMEM_C_NAME]);

// Whether |identifier| is a keyword of C or C++ or may be a macro of their
// headers, so that no struct member can have this name.
bool gmem_c_is_taken(const char *identifier);

// Whether |name| is a valid model name: gmem_c_identifier does not change it,
// and it is not the name of a standard header.
bool gmem_c_is_model_name(const char *name);

// Sorts |count| names and leaves out those that are repeated. Returns how many
// are left.
size_t gmem_c_sort_unique(const char **names, size_t count);

// The names of one scope, such as the macros and functions of a model or the
// members of a struct. Zero-initialise; |kind| and |owner| are
// not copied.
typedef struct gmem_c_name_s {
  char *identifier;  // owned
  const char *kind;  // "tensor"
  const char *owner; // name in the plan
} gmem_c_name_t;

typedef struct gmem_c_names_s {
  gmem_c_name_t *names;
  size_t count, room;
} gmem_c_names_t;

// Adds the formatted identifier of |owner|, a |kind|.
void gmem_c_names_add(gmem_c_names_t *names, const char *kind,
                      const char *owner, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Fails with INVALID_ARGUMENT if two identifiers are equal (|diag| names both
// owners). Empties |names|.
GMEM_MUST_USE gmem_status_t gmem_c_names_check(gmem_c_names_t *names,
                                               gmem_diag_t *diag);

#endif // GMEM_TOOLS_C_NAMES_H_
