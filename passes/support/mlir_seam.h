// mlir_seam.h - additions to the MLIR C API, implemented in C++, and what the C
// API of older releases lacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MLIR_SEAM_H_
#define GMEM_PASSES_MLIR_SEAM_H_

#include <stdbool.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"
#include "vocabulary.h"
#include "llvm/Config/llvm-config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gmem_severity_e {
  GMEM_SEVERITY_ERROR,
  GMEM_SEVERITY_WARNING,
  GMEM_SEVERITY_REMARK,
} gmem_severity_t;

// A note attached to a diagnostic.
typedef struct gmem_note_s {
  MlirLocation location;
  char text[256];
} gmem_note_t;

// Calls |visit| with the name of every flat symbol reference anywhere in the
// attributes of |op|: the C API cannot list the properties of an op without
// copying all of them for each one, nor look into attributes of any dialect.
typedef void (*gmem_symbol_fn)(MlirStringRef name, void *user);

// Emits a diagnostic with notes: the C API emits bare errors only.
void gmem_emit(gmem_severity_t severity, MlirLocation location,
               const char *text, const gmem_note_t *notes, size_t note_count);

// Prints |length| bytes to standard error through LLVM's stream, in order with
// diagnostics.
void gmem_print(const char *bytes, size_t length);

void gmem_for_each_symbol(MlirOperation op, gmem_symbol_fn visit, void *user);

// The caches below have a slot for each of a few addresses of a context, which
// has equal names, types and attributes once.
enum { GMEM_SEEN = 64 };

static inline size_t gmem_seen_slot(const void *address) {
  return ((uintptr_t)address >> 4) % GMEM_SEEN;
}

// Attributes that have no symbols, by their address in a context; zero to begin
// with.
typedef struct gmem_plain_seen_s {
  const void *attributes[GMEM_SEEN];
} gmem_plain_seen_t;

// The same, for many ops.
void gmem_for_each_symbol_of_each(MlirOperation op, gmem_plain_seen_t *seen,
                                  gmem_symbol_fn visit, void *user);

// Sets |count| discardable attributes of |op| at once, each of which the C API
// would have make a new dictionary, and removes those whose value is null. The
// names are in ascending order.
void gmem_set_attributes(MlirOperation op, const MlirIdentifier *names,
                         const MlirAttribute *values, size_t count);

// Reads |count| discardable attributes of |op|, null where it has none: the C
// API compares texts, not identifiers.
void gmem_get_attributes(MlirOperation op, const MlirIdentifier *names,
                         MlirAttribute *values, size_t count);

// A set of at most 63 names of attributes, and the numbers in it of names that
// have been looked up, by their address; these zero to begin with.
typedef struct gmem_name_set_s {
  const MlirIdentifier *names;
  size_t count;
  const void *seen[GMEM_SEEN];
  uint8_t numbers[GMEM_SEEN]; // |count|: not in the set
} gmem_name_set_t;

// Which attributes of |set| |op| may have, inherent or not: bits by number. An
// op that is not registered may have each if it has properties.
uint64_t gmem_may_have_attributes(MlirOperation op, gmem_name_set_t *set);

// Visits |op| and all ops nested in it, outer ones first, until |visit| returns
// another status than OK, which is returned.
typedef gmem_status_t (*gmem_visit_fn)(MlirOperation op, void *user);
gmem_status_t gmem_walk(MlirOperation op, gmem_visit_fn visit, void *user);

// Erases the blocks in the regions of |op| that cannot be reached from the
// first one: the C API cannot while their ops use one another.
void gmem_erase_unreachable_blocks(MlirOperation op);

// Where an attribute of gmem stands: on an op, in its properties, or on an
// argument or result of the function that |op| defines.
typedef enum gmem_holder_e {
  GMEM_HOLDER_OP,
  GMEM_HOLDER_PROPERTIES,
  GMEM_HOLDER_ARGUMENT,
  GMEM_HOLDER_RESULT,
} gmem_holder_t;

typedef struct gmem_own_attribute_s {
  MlirOperation op;
  gmem_holder_t holder;
  intptr_t number;    // of the argument or result
  MlirStringRef name; // "gmem.hold"
  MlirAttribute value;
} gmem_own_attribute_t;

// Visits every discardable attribute "gmem.*" of |op| and of all ops nested in
// it, in the order of the text, until |visit| returns another status than OK,
// which is returned.
typedef gmem_status_t (*gmem_attribute_fn)(const gmem_own_attribute_t *own,
                                           void *user);
gmem_status_t gmem_for_each_own_attribute(MlirOperation op,
                                          gmem_attribute_fn visit, void *user);

// The same, seldom more than once for each name, and those in properties of ops
// that are not registered.
gmem_status_t gmem_for_each_own_name(MlirOperation op, gmem_attribute_fn visit,
                                     void *user);

// Names of attributes that have been looked up, by their address in a context;
// zero to begin with.
typedef struct gmem_names_seen_s {
  const void *names[GMEM_SEEN];
  uint8_t attributes[GMEM_SEEN];
} gmem_names_seen_t;

// All attributes of |op| as one dictionary, with the properties of an op that
// is not registered: the C API does not list these.
MlirAttribute gmem_all_attributes(MlirOperation op);

// The discardable attributes "gmem.*" of |op|: bit gmem_attr_t. Several
// look-ups at once, each of which the C API does by comparing names.
uint64_t gmem_own_attributes(MlirOperation op, gmem_names_seen_t *seen);

// The bytes of dense elements, inline or in a resource, as MLIR stores them: a
// single element when all are equal (|*is_splat|); i1 may be packed. Returns
// false for other attributes and for elided resources.
bool gmem_elements_bytes(MlirAttribute elements, MlirStringRef *out_bytes,
                         bool *is_splat);

// |elements|, with all its elements as such if it is sparse; they are numbers.
MlirAttribute gmem_elements_expand(MlirAttribute elements);

// Whether |op| may write the memory of operand |number|, a memref: false only
// if the op lists its effects and none of them is a write to that operand, or
// to memory without a name.
bool gmem_may_write_operand(MlirOperation op, intptr_t number);

// Whether |op| is registered and neither reads nor writes memory, allocates or
// frees, nor do the ops in its regions.
bool gmem_has_no_effects(MlirOperation op);

// Whether |op| can run where the program would not have run it: it does not
// trap, and ends. True for an op that is not registered.
bool gmem_may_speculate(MlirOperation op);

// Whether |op| is registered with its dialect.
bool gmem_is_registered(MlirOperation op);

// Whether |op| is isolated from above: its regions cannot use values defined
// outside of it.
bool gmem_is_isolated(MlirOperation op);

//===--- older releases ---------------------------------------------------===//

// The option of buffer-results-to-out-params that includes public functions,
// which it always does before MLIR 20.
#if LLVM_VERSION_MAJOR < 20
#define GMEM_PUBLIC_FUNCTIONS
#else
#define GMEM_PUBLIC_FUNCTIONS "modify-public-functions=true "
#endif

// memref.assume_alignment returns its operand since MLIR 21.
enum { GMEM_ASSUMED_RESULTS = LLVM_VERSION_MAJOR < 21 ? 0 : 1 };

// The oldest release is MLIR 19. These functions of the C API came later, some
// of them in releases between: then the definitions of that release are linked.
#if LLVM_VERSION_MAJOR < 22
MlirLocation mlirValueGetLocation(MlirValue value);
bool mlirOperationIsBeforeInBlock(MlirOperation op, MlirOperation other);
intptr_t mlirBlockGetNumPredecessors(MlirBlock block);
MlirBlock mlirBlockGetPredecessor(MlirBlock block, intptr_t number);
uint64_t mlirDenseElementsAttrGetIndexValue(MlirAttribute elements,
                                            intptr_t number);
MlirModule mlirModuleCreateParseFromFile(MlirContext context,
                                         MlirStringRef path);
bool mlirLocationIsAFileLineColRange(MlirLocation location);
MlirIdentifier mlirLocationFileLineColRangeGetFilename(MlirLocation location);
int mlirLocationFileLineColRangeGetStartLine(MlirLocation location);
int mlirLocationFileLineColRangeGetStartColumn(MlirLocation location);
bool mlirLocationIsACallSite(MlirLocation location);
MlirLocation mlirLocationCallSiteGetCallee(MlirLocation location);
bool mlirLocationIsAFused(MlirLocation location);
unsigned mlirLocationFusedGetNumLocations(MlirLocation location);
void mlirLocationFusedGetLocations(MlirLocation location, MlirLocation *parts);
bool mlirLocationIsAName(MlirLocation location);
MlirIdentifier mlirLocationNameGetName(MlirLocation location);
#endif
#if LLVM_VERSION_MAJOR < 20 // where an engine is ready when it is created
#define mlirExecutionEngineCreate(op, level, count, libraries, dumps, is_pic)  \
  mlirExecutionEngineCreate(op, level, count, libraries, dumps)
#define mlirExecutionEngineInitialize(engine) ((void)(engine))
#endif

#ifdef __cplusplus
}
#endif

#endif // GMEM_PASSES_MLIR_SEAM_H_
