// status.h - status codes, diagnostics and the host allocator, shared by all
// gmem libraries. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that can fail returns a gmem_status_t and fills a caller-owned
// gmem_diag_t if one is passed. The libraries never print, exit or abort.
//
// The rule for NULL, in all headers: a function that returns a gmem_status_t
// returns INVALID_ARGUMENT if an object, or a pointer that it needs to read or
// write through, is NULL. NULL is allowed for allocators (libc), diagnostics,
// options (the defaults, where the comment says so), arrays without elements
// and what a comment allows. A function that ends with _destroy, _release or
// _free does nothing with NULL. Other functions ask an object, which must be
// one.

#ifndef GMEM_STATUS_H_
#define GMEM_STATUS_H_

#include <stddef.h>
#include <stdint.h>

// Around the declarations of a public header: C linkage, visible symbols.
#ifdef __cplusplus
#define GMEM_BEGIN_C _Pragma("GCC visibility push(default)") extern "C" {
#define GMEM_END_C                                                             \
  }                                                                            \
  _Pragma("GCC visibility pop")
#else
#define GMEM_BEGIN_C _Pragma("GCC visibility push(default)")
#define GMEM_END_C _Pragma("GCC visibility pop")
#endif

GMEM_BEGIN_C

#if defined(__GNUC__)
#define GMEM_MUST_USE __attribute__((warn_unused_result))
#else
#define GMEM_MUST_USE
#endif

// Values are part of the ABI: never renumber, only append.
typedef enum gmem_status_e {
  GMEM_OK = 0,
  GMEM_ERR_INVALID_ARGUMENT = 1, // the same call can never succeed
  GMEM_ERR_OUT_OF_MEMORY = 2,    // host or device allocation failed
  GMEM_ERR_OVER_BUDGET = 3,      // a configured limit or capacity is exceeded
  GMEM_ERR_OUT_OF_RANGE = 4,     // id, offset, size or sum outside its bounds
  GMEM_ERR_ALIGNMENT = 5,        // pointer, address or offset is misaligned
  GMEM_ERR_TOO_SMALL = 6,        // memory is smaller than required
  GMEM_ERR_OVERLAP = 7,          // two live buffers share bytes
  GMEM_ERR_STATE = 8,            // call not valid in the current state
  GMEM_ERR_BUSY = 9,             // outstanding leases prevent it
  GMEM_ERR_TIMEOUT = 10,         // deadline passed; nothing changed
  GMEM_ERR_CANCELLED = 11,       // interrupted or closing; nothing changed
  GMEM_ERR_NOT_FOUND = 12,       // no object of that name
  GMEM_ERR_CORRUPT = 13,         // checksum, canary or file structure
  GMEM_ERR_VERSION = 14,         // plan image of another format version
  GMEM_ERR_IO = 15,              // read, map or device call; see os_error
  GMEM_ERR_UNSUPPORTED = 16,     // not supported by this provider or platform
  GMEM_ERR_PARSE = 17,           // malformed text; see line
} gmem_status_t;

// Evaluates |call|, which returns a gmem_status_t, and returns its status from
// the calling function unless it is GMEM_OK.
#define GMEM_TRY(call)                                                         \
  do {                                                                         \
    gmem_status_t gmem_try_status = (call);                                    \
    if (gmem_try_status != GMEM_OK)                                            \
      return gmem_try_status;                                                  \
  } while (0)

// Details of a failure. Owned by the caller, filled in place: no allocation, no
// thread-local state. Valid only after a call that did not return GMEM_OK;
// success leaves it untouched.
typedef struct gmem_diag_s {
  gmem_status_t status;
  int32_t os_error; // errno, or 0
  uint64_t object;  // buffer, slot, section...: named in the text
  uint64_t offset;  // byte offset in the file or pool, if any
  uint64_t line;    // 1-based line of a text input, or 0
  char text[256];   // one sentence, always NUL-terminated
} gmem_diag_t;

// Allocator of all host memory of a library. |free| receives the |size| and
// |align| of the allocation, so an arena or a fault-injecting allocator needs
// no header. A NULL gmem_allocator_t pointer selects libc. The functions must
// be as thread-safe as the objects that use them.
typedef struct gmem_allocator_s {
  void *user;
  void *(*alloc)(void *user, size_t size, size_t align); // NULL on failure
  void (*free)(void *user, void *ptr, size_t size, size_t align);
} gmem_allocator_t;

GMEM_END_C
#endif // GMEM_STATUS_H_
