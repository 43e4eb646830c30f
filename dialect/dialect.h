// dialect.h - the gmem dialect and the op models, as embedded text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_DIALECT_DIALECT_H_
#define GMEM_DIALECT_DIALECT_H_

#include <stddef.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// A text file of dialect/, embedded in the library.
typedef struct gmem_embedded_s {
  const char *name;  // "models/tosa.mlir"
  const char *bytes; // NUL-terminated
  size_t length;     // without the NUL
} gmem_embedded_t;

extern const gmem_embedded_t gmem_dialect_text;  // gmem.irdl.mlir
extern const gmem_embedded_t gmem_model_texts[]; // models/*.mlir
extern const size_t gmem_model_text_count;

// Loads the gmem dialect into |context|, so that gmem.* ops parse and are
// verified there. Must not be called while passes run on |context|. Idempotent.
// Fails only when out of memory or when the context has another dialect of that
// name.
MlirLogicalResult gmem_load_dialect(MlirContext context);

#ifdef __cplusplus
}
#endif
#endif // GMEM_DIALECT_DIALECT_H_
