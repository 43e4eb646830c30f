// text.c - see text.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Reserves |length| more bytes and the terminating NUL.
static bool reserve(gmem_text_t *text, size_t length) {
  if (text->out_of_memory)
    return false;
  if (length < text->room - text->length)
    return true;
  assert(length < SIZE_MAX / 4 && text->room < SIZE_MAX / 8);
  size_t room = 2 * text->room + length + 64;
  char *bytes = gmem_bump_alloc(text->arena, room, 1);
  text->out_of_memory = !bytes;
  if (!bytes)
    return false;
  if (text->length)
    memcpy(bytes, text->bytes, text->length);
  text->bytes = bytes;
  text->room = room;
  return true;
}

void gmem_text_append(gmem_text_t *text, const char *bytes, size_t length) {
  if (!reserve(text, length))
    return;
  if (length)
    memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  assert(text->length < text->room);
  text->bytes[text->length] = '\0';
}

void gmem_text_piece(MlirStringRef piece, void *text) {
  gmem_text_append(text, piece.data, piece.length);
}

void gmem_text_print(gmem_text_t *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length >= 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void gmem_text_number(gmem_text_t *text, uint64_t number) {
  char digits[32];
  int count =
      snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  for (int i = 0; i < count; ++i) {
    if (i && (count - i) % 3 == 0)
      gmem_text_append(text, ",", 1);
    gmem_text_append(text, &digits[i], 1);
  }
}

//===--- locations --------------------------------------------------------===//

// Replaces a call-site or fused location by its callee or first part; returns
// false for any other location.
static bool unwrap(gmem_text_t *text, MlirLocation *location) {
  if (mlirLocationIsACallSite(*location)) {
    *location = mlirLocationCallSiteGetCallee(*location);
    return true;
  }
  if (!mlirLocationIsAFused(*location))
    return false;
  unsigned count = mlirLocationFusedGetNumLocations(*location);
  MlirLocation *parts = gmem_bump_alloc(text->arena, count, sizeof *parts);
  text->out_of_memory |= !parts;
  if (!parts || count == 0)
    return false;
  mlirLocationFusedGetLocations(*location, parts);
  *location = parts[0];
  return true;
}

static MlirStringRef without_folder(MlirStringRef path) {
  size_t start = path.length;
  while (start && path.data[start - 1] != '/')
    --start;
  return mlirStringRefCreate(path.data + start, path.length - start);
}

void gmem_text_place(gmem_text_t *text, MlirLocation location, bool is_short) {
  while (unwrap(text, &location))
    ;
  if (mlirLocationIsAFileLineColRange(location)) {
    MlirStringRef path =
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    gmem_text_piece(is_short ? without_folder(path) : path, text);
    gmem_text_print(text, ":%d:%d",
                    mlirLocationFileLineColRangeGetStartLine(location),
                    mlirLocationFileLineColRangeGetStartColumn(location));
  } else if (mlirLocationIsAName(location)) {
    gmem_text_piece(mlirIdentifierStr(mlirLocationNameGetName(location)), text);
  } else {
    mlirLocationPrint(location, gmem_text_piece, text);
  }
}

MlirStringRef gmem_location_name(MlirLocation location, gmem_bump_t *arena) {
  gmem_text_t text = {.arena = arena};
  while (unwrap(&text, &location))
    ;
  return mlirLocationIsAName(location)
             ? mlirIdentifierStr(mlirLocationNameGetName(location))
             : mlirStringRefCreate("", 0);
}

const char *gmem_text_get(const gmem_text_t *text) {
  if (text->out_of_memory)
    return NULL;
  return text->bytes ? text->bytes : "";
}
