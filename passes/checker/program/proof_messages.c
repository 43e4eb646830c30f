// proof_messages.c - see proof_messages.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_messages.h"

#include <stdarg.h>
#include <stdio.h>

#include "ir_reading.h"

enum { MOST_LETTERS = 48 }; // of a name

static int length_of(MlirStringRef name) {
  return (int)(name.length < MOST_LETTERS ? name.length : MOST_LETTERS);
}

gmem_proof_text_t gmem_proof_op_text(const gmem_proof_program_t *program,
                                     uint32_t op) {
  gmem_proof_text_t text;
  if (op == GMEM_NO_INDEX)
    return (gmem_proof_text_t){"the caller"};
  MlirStringRef name = mlirIdentifierStr(
      mlirOperationGetName(gmem_proof_op_at(program, op)->op));
  snprintf(text.at, sizeof text.at, "'%.*s'", length_of(name), name.data);
  return text;
}

gmem_proof_text_t gmem_proof_value_text(const gmem_proof_program_t *program,
                                        const gmem_proof_value_t *value) {
  gmem_proof_text_t text;
  if (value->op == GMEM_NO_INDEX)
    snprintf(text.at, sizeof text.at, "argument #%u", value->number);
  else
    snprintf(text.at, sizeof text.at, "result #%u of %.80s", value->number,
             gmem_proof_op_text(program, value->op).at);
  return text;
}

gmem_proof_text_t gmem_proof_bytes_text(const gmem_proof_program_t *program,
                                        gmem_proof_range_t bytes) {
  gmem_proof_text_t text = {"its bytes"};
  for (size_t i = 0; i < program->pools.count; ++i) {
    const gmem_proof_pool_t *pool = &program->pools.at[i];
    MlirStringRef name = mlirStringAttrGetValue(pool->name);
    if (bytes.begin >= pool->bytes.begin && bytes.begin < pool->bytes.end)
      snprintf(text.at, sizeof text.at, "bytes [%llu, %llu) of pool '%.*s'",
               (unsigned long long)(bytes.begin - pool->bytes.begin),
               (unsigned long long)(bytes.end - pool->bytes.begin),
               length_of(name), name.data);
  }
  return text;
}

gmem_note_t gmem_proof_note(MlirLocation location, const char *format, ...) {
  gmem_note_t note = {.location = location};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note.text, sizeof note.text, format, arguments);
  va_end(arguments);
  return note;
}
