// provider.h - where memory comes from: the seam to devices and operating
// systems. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_provider_t provider;
//   gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
//   options.huge_pages = GMEM_HUGE_PAGES_PREFER;
//   if (gmem_provider_mmap(&options, NULL, &provider) != GMEM_OK) ...
//   ... models and pools that are made from it ...
//   gmem_provider_destroy(&provider);

#ifndef GMEM_PROVIDER_H_
#define GMEM_PROVIDER_H_

#include <stdbool.h>

#include "gmem/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// One contiguous range of memory. |host| is NULL for device-only memory.
typedef struct gmem_range_s {
  void *host;      // address for the CPU
  uint64_t device; // address for the accelerator
  uint64_t size;   // bytes, at least what was asked for
  uint64_t token;  // the provider's own
} gmem_range_t;

#define GMEM_ANY_ADDRESS UINT64_MAX // no wish for a device address

// What a range will be used for. A provider refuses (UNSUPPORTED) SHAREABLE
// when it cannot; the others are wishes that it may ignore.
enum {
  GMEM_RANGE_SHAREABLE = 1u << 0, // |export_fd| will be called on it
  GMEM_RANGE_SEALABLE = 1u << 1,  // |seal| will be called on it
  GMEM_RANGE_PREFAULT = 1u << 2,  // back it with memory now, not on first touch
  GMEM_RANGE_NO_DUMP = 1u << 3,   // keep it out of core dumps
};

// The seam. A user's own provider is made by filling one of these. The
// functions must be thread-safe and must not call back into this library;
// |diag| may be NULL. Copied by value; what |user| points to must outlive all
// that was made from it. Members that are NULL are what the provider cannot do.
typedef struct gmem_provider_s {
  void *user;
  uint64_t granularity; // bytes, a power of two; what has none says 1
  // Gets |size| > 0 zeroed bytes whose |host| and |device| addresses are
  // multiples of |align| (a power of two). Both are multiples of |granularity|.
  // |fixed_device| is the device address wanted, or GMEM_ANY_ADDRESS. |flags|
  // is of GMEM_RANGE_*. Fails with OUT_OF_MEMORY (also: the fixed address is
  // taken), UNSUPPORTED (also: there can be nothing at the fixed address), IO,
  // INVALID_ARGUMENT (|align|); *out_range is then all zero.
  gmem_status_t (*acquire)(void *user, uint64_t size, uint64_t align,
                           uint64_t fixed_device, uint32_t flags,
                           gmem_range_t *out_range, gmem_diag_t *diag);
  // Takes back what |acquire| or |map_fd| gave, sealed or not.
  void (*release)(void *user, const gmem_range_t *range);
  // Makes the range read-only for good, here and wherever it is shared. NULL:
  // memory stays writable. Fails with OUT_OF_MEMORY, UNSUPPORTED or IO (also:
  // another process has a writable mapping of it); the range may then be
  // read-only, and is still to be released. |range| may change: its addresses,
  // as well aligned as before; or the CPU sees it no more.
  gmem_status_t (*seal)(void *user, gmem_range_t *range, gmem_diag_t *diag);
  // Makes |size| bytes at |offset| of the range, which the CPU wrote, visible
  // to the device (|to_device|), or the other way round. NULL: they always are.
  // Fails with IO.
  gmem_status_t (*sync)(void *user, const gmem_range_t *range, uint64_t offset,
                        uint64_t size, bool to_device);
  // Gets a range that shows |size| bytes at |offset| of a file, both multiples
  // of |granularity|, aligned as by |acquire|, without a copy. |writable|: the
  // bytes can be changed until |seal|; the file never changes. The range may
  // end behind the file, but not behind the piece of |granularity| bytes that
  // the file ends in. Who shortens the file later ends whoever reads it
  // (SIGBUS). |fd| stays the caller's. Fails with INVALID_ARGUMENT, TOO_SMALL
  // (the file), OUT_OF_MEMORY, UNSUPPORTED or IO; *out_range is then all zero.
  // NULL: the caller reads the file into memory of |acquire|.
  gmem_status_t (*map_fd)(void *user, int fd, uint64_t offset, uint64_t size,
                          uint64_t align, bool writable,
                          gmem_range_t *out_range, gmem_diag_t *diag);
  // Gives a new file descriptor, closed on exec, of a SHAREABLE range, which
  // another process can map from offset 0 on. Fails with UNSUPPORTED or IO;
  // *out_fd is then -1. NULL: UNSUPPORTED.
  gmem_status_t (*export_fd)(void *user, const gmem_range_t *range, int *out_fd,
                             gmem_diag_t *diag);
} gmem_provider_t;

//===--- memory of the operating system -----------------------------------===//

// Huge pages are of 2 MiB. Reserved ones are those that the administrator has
// set aside (vm.nr_hugepages); ranges in them are whole huge pages and private
// to the process, and never end it by a signal for want of a page: they are
// backed with memory at once.
typedef enum gmem_huge_pages_e {
  GMEM_HUGE_PAGES_NEVER = 0,
  GMEM_HUGE_PAGES_ADVISE = 1,  // transparent huge pages where the system can
  GMEM_HUGE_PAGES_REQUIRE = 2, // reserved huge pages; OUT_OF_MEMORY without
                               //   (UNSUPPORTED where the system knows none)
  GMEM_HUGE_PAGES_PREFER = 3,  // reserved ones for private ranges that fill
                               //   one at least, or else as ADVISE
} gmem_huge_pages_t;

typedef struct gmem_mmap_options_s {
  uint32_t huge_pages; // GMEM_HUGE_PAGES_*
  int32_t numa_node;   // -1: no preference; a node that cannot be had is none
  bool guard_pages;    // an inaccessible page on both sides of each range
  bool shared;         // SHAREABLE and SEALABLE ranges are files (memfd)
} gmem_mmap_options_t;
// The defaults, also used for a NULL gmem_mmap_options_t pointer.
#define GMEM_MMAP_OPTIONS_INIT                                                 \
  { GMEM_HUGE_PAGES_NEVER, -1, false, false }

// Makes a provider of anonymous memory; the device address is the host address,
// and a fixed device address is taken when it is free. With |shared|, ranges
// that are SHAREABLE or SEALABLE (weights, but not slots) are memory files,
// with a file descriptor each: once sealed, no process can write, resize or
// unseal them; before, whoever has the descriptor can. With REQUIRE there is no
// sharing and no mapping of files. Fails with INVALID_ARGUMENT, UNSUPPORTED
// (|shared| with REQUIRE) or OUT_OF_MEMORY; *out_provider is then all zero. Any
// thread.
GMEM_MUST_USE gmem_status_t gmem_provider_mmap(
    const gmem_mmap_options_t *options, const gmem_allocator_t *allocator,
    gmem_provider_t *out_provider);

//===--- memory that is there already -------------------------------------===//

// Makes a provider of the |size| bytes at |host| (NULL: the CPU cannot see
// them, nor zero them) and |device|, which are zeroed as they are given out and
// stay the caller's: a static array, a carve-out, a mapped device. Ranges are
// given out first-fit, and joined again when they come back, so that the same
// calls give the same addresses. A range can only be aligned to what |host| and
// |device| are both (or both not) aligned to; else UNSUPPORTED. Nothing is
// sealed or shared. Fails with INVALID_ARGUMENT (also a window that wraps) or
// OUT_OF_MEMORY; *out_provider is then all zero. acquire allocates host memory
// for its books; release does not. Any thread.
GMEM_MUST_USE gmem_status_t gmem_provider_static(
    void *host, uint64_t device, uint64_t size,
    const gmem_allocator_t *allocator, gmem_provider_t *out_provider);

//===--- Linux DMA heaps --------------------------------------------------===//

// Makes a provider of the DMA heap /dev/dma_heap/|heap_name|. Ranges are
// dma-buf file descriptors, mapped for the CPU, whose turn it is first; sync to
// the device ends it, sync from the device begins it again, for the whole range
// whatever part is named. What a dma-buf is called by a device is the device
// driver's to say, so the device address is |to_device|'s answer for the
// dma-buf |fd|; NULL: 0 for all (the caller exports the descriptor). There are
// no fixed addresses and no sealing; acquire also fails with what |to_device|
// returns. |heap_name| is copied. Fails with INVALID_ARGUMENT, NOT_FOUND (no
// such heap), UNSUPPORTED (not on this system), IO or OUT_OF_MEMORY;
// *out_provider is then all zero. Any thread.
typedef gmem_status_t (*gmem_dma_address_fn)(void *user, int fd, uint64_t size,
                                             uint64_t *out_device);
GMEM_MUST_USE gmem_status_t
gmem_provider_dma_heap(const char *heap_name, gmem_dma_address_fn to_device,
                       void *user, const gmem_allocator_t *allocator,
                       gmem_provider_t *out_provider, gmem_diag_t *diag);

// Ends a provider that this library made and clears it. All its ranges must
// have been released. NULL and an all-zero provider are allowed. Once, when no
// thread uses it.
void gmem_provider_destroy(gmem_provider_t *provider);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PROVIDER_H_
