// element_bytes.c - see element_bytes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "element_bytes.h"

#include <string.h>

#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"

bool gmem_raw_elements_find(MlirAttribute elements, MlirType element,
                            size_t count, gmem_raw_elements_t *raw) {
  MlirStringRef bytes;
  *raw = (gmem_raw_elements_t){0};
  if (!gmem_elements_bytes(elements, &bytes, &raw->is_splat))
    return false;
  size_t stored = raw->is_splat ? 1 : count;
  raw->data = (const uint8_t *)bytes.data;
  raw->is_packed = mlirTypeIsAInteger(element) &&
                   mlirIntegerTypeGetWidth(element) == 1 &&
                   bytes.length < stored + raw->is_splat;
  if (raw->is_packed)
    return bytes.length >= (stored + 7) / 8;
  raw->raw_bytes = bytes.length / stored;
  return raw->raw_bytes > 0 && bytes.length % stored == 0;
}

// Element |i| of i1.
static uint8_t bit_at(const gmem_raw_elements_t *raw, size_t i) {
  return raw->data[i / 8] >> i % 8 & 1;
}

void gmem_raw_elements_copy(const gmem_raw_elements_t *raw, size_t count,
                            size_t width, uint8_t *out) {
  if (!raw->is_packed && !raw->is_splat && raw->raw_bytes == width) {
    memcpy(out, raw->data, count * width);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    size_t from = raw->is_splat ? 0 : i;
    if (raw->is_packed)
      out[i * width] = bit_at(raw, from);
    else
      memcpy(out + i * width, raw->data + from * raw->raw_bytes,
             raw->raw_bytes);
  }
}

void gmem_raw_elements_pack(const gmem_raw_elements_t *raw, size_t count,
                            unsigned bits, uint8_t *out) {
  unsigned mask = (1u << bits) - 1;
  for (size_t i = 0; i < count; ++i) {
    size_t from = raw->is_splat ? 0 : i, at = i * bits;
    unsigned value = raw->is_packed ? bit_at(raw, from)
                                    : raw->data[from * raw->raw_bytes] & mask;
    out[at / 8] |= (uint8_t)(value << at % 8);
    if (at % 8 + bits > 8) // the rest is in the next byte
      out[at / 8 + 1] |= (uint8_t)(value >> (8 - at % 8));
  }
}
