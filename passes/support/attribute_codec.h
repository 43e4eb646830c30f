// attribute_codec.h - gmem attributes to and from C structs, by tables of keys.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ATTRIBUTE_CODEC_H_
#define GMEM_PASSES_ATTRIBUTE_CODEC_H_

#include <stdbool.h>

#include "bump.h"
#include "gmem/status.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "vocabulary.h"

//===--- single attributes ------------------------------------------------===//

// Reads a string, or an i64. False, with *out unchanged, for null and for other
// attributes.
bool gmem_string_get(MlirAttribute value, MlirStringRef *out);
bool gmem_i64_get(MlirAttribute value, int64_t *out);

// Whether |list| is an array<i64>, or an array of strings, of |count| elements;
// |count| -1: of any number. False for null.
bool gmem_is_i64_list(MlirAttribute list, intptr_t count);
bool gmem_is_string_list(MlirAttribute list, intptr_t count);

// Stores an integer in a member of a struct, or loads it: of 8 bytes, of 4 (an
// enum), or of the size of a bool.
void gmem_member_store(void *member, size_t size, uint64_t value);
uint64_t gmem_member_load(const void *member, size_t size);

//===--- dictionaries -----------------------------------------------------===//

typedef enum gmem_field_type_e {
  GMEM_FIELD_TEXT,   // const char *: a copy without NUL bytes
  GMEM_FIELD_TEXTS,  // const char *const *: such copies; the next member of the
                     //   struct is a size_t with their number
  GMEM_FIELD_STRING, // MlirStringRef: of at least |least| bytes, not a copy
  GMEM_FIELD_SYMBOL, // MlirStringRef: a flat symbol reference
  GMEM_FIELD_OTHER,  // by |read|; cannot be written
  GMEM_FIELD_NUMBER, // uint64_t or uint32_t: an i64 in [least, most]
  GMEM_FIELD_POWER,  // uint64_t or uint32_t: as a number, a power of two
  GMEM_FIELD_BOOL,   // bool
  GMEM_FIELD_UNIT,   // bool: whether the key is present, with a unit
  GMEM_FIELD_WORD,   // enum or bool: the index of a string in |words|, from
                     //   |least| on
} gmem_field_type_t;

typedef enum gmem_presence_e {
  GMEM_OPTIONAL, // may be absent; not written if it has the value |absent|
  GMEM_STATED,   // may be absent, is always written
  GMEM_REQUIRED, // must be present, is always written
} gmem_presence_t;

// What is wrong with a dictionary: "WORD TEXT".
typedef struct gmem_malformed_s {
  MlirStringRef word; // the key, or a string that is none of |words|, or null
  const char *text;   // static: "must be a string"
  const char *inside; // for a user's |read|: where |word| is; else NULL
  size_t index;       // of the dictionary in its list; GMEM_NO_ENTRY: the list
} gmem_malformed_t;

#define GMEM_NO_ENTRY SIZE_MAX

typedef struct gmem_field_s gmem_field_t;

// An entry that is being read.
typedef struct gmem_field_reader_s {
  const gmem_field_t *field;
  gmem_bump_t *arena;
  void *out; // the struct
  gmem_malformed_t *problem;
} gmem_field_reader_t;

// One key of a dictionary and its member of the struct. Whatever a type does
// not mention may be zero.
struct gmem_field_s {
  const char *key;
  gmem_field_type_t type;
  gmem_presence_t presence;
  size_t offset, size;      // of the member: GMEM_MEMBER
  uint64_t absent;          // a number, bool or word whose key is absent
  uint64_t least, most;     // |most| 0: 2^63 - 1
  const char *const *words; // NULL-terminated
  const char *problem;      // "must be ..."; NULL: as the type, or of |read|
  const char *unknown_word; // without |problem|: that of a string which is none
                            //   of |words|
  // Reads the value into |reader->out|. Fails with OUT_OF_MEMORY, or with
  // INVALID_ARGUMENT: |problem|, unless it sets another one.
  gmem_status_t (*read)(const gmem_field_reader_t *reader, MlirAttribute value);
};

static inline void *gmem_field_member(const gmem_field_reader_t *reader) {
  return (char *)reader->out + reader->field->offset;
}

#define GMEM_MEMBER(type, member)                                              \
  .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define GMEM_FIELD(key, struct_type, member, type, presence)                   \
  key, GMEM_FIELD_##type, GMEM_##presence, GMEM_MEMBER(struct_type, member)

enum { GMEM_MAX_FIELDS = 16 };

// The keys of a dictionary that describes a struct.
typedef struct gmem_schema_s {
  const gmem_field_t *fields;
  size_t count;              // at most GMEM_MAX_FIELDS
  size_t size;               // of the struct
  const char *unknown;       // problem of an unknown key; NULL: ignored
  const char *incomplete;    // problem when a required key is absent
  const char *no_dictionary; // problem of another attribute
} gmem_schema_t;

// Reads one entry into the struct |out|. Fails with OUT_OF_MEMORY, or with
// INVALID_ARGUMENT, described in *out_problem only.
gmem_status_t gmem_field_read(const gmem_schema_t *schema,
                              MlirNamedAttribute entry, gmem_bump_t *arena,
                              void *out, gmem_malformed_t *out_problem);

// Reads a dictionary. Members without a key become |absent|, or stay unchanged
// if they are no numbers, bools or words. Fails as gmem_field_read.
gmem_status_t gmem_dictionary_read(const gmem_schema_t *schema,
                                   MlirAttribute dictionary, gmem_bump_t *arena,
                                   void *out, gmem_malformed_t *out_problem);

// Reads an array of dictionaries. *out_structs, a pointer to the struct,
// becomes an array in |arena|. Fails as gmem_field_read.
gmem_status_t gmem_dictionaries_read(const gmem_schema_t *schema,
                                     MlirAttribute list, gmem_bump_t *arena,
                                     void *out_structs, size_t *out_count,
                                     gmem_malformed_t *out_problem);

// The dictionary of a struct, or the array of those of |count| structs. Null
// when memory is out; |arena| is scratch memory.
MlirAttribute gmem_dictionary_write(const gmem_schema_t *schema,
                                    MlirContext context, const void *in,
                                    gmem_bump_t *arena);
MlirAttribute gmem_dictionaries_write(const gmem_schema_t *schema,
                                      MlirContext context, const void *structs,
                                      size_t count, gmem_bump_t *arena);

#endif // GMEM_PASSES_ATTRIBUTE_CODEC_H_
