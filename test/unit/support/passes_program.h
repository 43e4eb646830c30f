// passes_program.h - what the tests of the passes share: a context, a program
// in it, and the text of what became of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_PASSES_PROGRAM_H_
#define GMEM_TEST_UNIT_PASSES_PROGRAM_H_

#include <stdlib.h>
#include <string.h>

#include "gmem/passes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Func.h"

static inline MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

// A context with the func dialect; other dialects' ops are unregistered.
static inline MlirContext program_context(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  return context;
}

// Text that grows; the caller frees |bytes|.
typedef struct program_text_s {
  char *bytes; // NUL-terminated
  size_t size;
} program_text_t;

static inline void program_append(MlirStringRef piece, void *user) {
  program_text_t *text = user;
  text->bytes = realloc(text->bytes, text->size + piece.length + 1);
  if (!text->bytes)
    abort();
  memcpy(text->bytes + text->size, piece.data, piece.length);
  text->size += piece.length;
  text->bytes[text->size] = '\0';
}

static inline char *program_print(MlirOperation op) {
  program_text_t text = {NULL, 0};
  program_append(ref(""), &text);
  mlirOperationPrint(op, program_append, &text);
  return text.bytes;
}

#endif // GMEM_TEST_UNIT_PASSES_PROGRAM_H_
