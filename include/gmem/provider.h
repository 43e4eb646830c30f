// provider.h - memory providers: the interface to devices and operating
// systems. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_provider_t provider;
//   gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
//   options.huge_pages = GMEM_HUGE_PAGES_PREFER;
//   if (gmem_provider_mmap(&options, NULL, &provider) != GMEM_OK) ...
//   ... create models and pools with it ...
//   gmem_provider_destroy(&provider);

#ifndef GMEM_PROVIDER_H_
#define GMEM_PROVIDER_H_

#include <stdbool.h>

#include "gmem/status.h"

GMEM_BEGIN_C

// One contiguous range of memory. |host| is NULL for device-only memory.
typedef struct gmem_range_s {
  void *host;      // address for the CPU
  uint64_t device; // address for the accelerator
  uint64_t size;   // bytes, at least the requested size
  uint64_t token;  // private to the provider
} gmem_range_t;

#define GMEM_ANY_ADDRESS UINT64_MAX // any device address will do

// The intended use of a range. A provider must fail with UNSUPPORTED if it
// cannot honour SHAREABLE; the other flags are hints.
enum {
  GMEM_RANGE_SHAREABLE = 1u << 0, // |export_fd| will be called on it
  GMEM_RANGE_SEALABLE = 1u << 1,  // |seal| will be called on it
  GMEM_RANGE_PREFAULT = 1u << 2,  // back it with memory now, not on first touch
  GMEM_RANGE_NO_DUMP = 1u << 3,   // keep it out of core dumps
};

// The interface; a custom provider fills in one of these. The functions must be
// thread-safe and must not call back into this library; |diag| may be NULL.
// Copied by value; the object that |user| points to must outlive everything
// created from the provider. A NULL member is an operation that the provider
// does not support.
typedef struct gmem_provider_s {
  void *user;
  uint64_t granularity; // bytes, a power of two; 1 if there is none
  // Allocates |size| > 0 zeroed bytes whose |host| and |device| addresses are
  // multiples of |align| (a power of two). Both |size| and |align| are
  // multiples of |granularity|. |fixed_device| is the required device address,
  // or GMEM_ANY_ADDRESS. |flags| is a set of GMEM_RANGE_*. Fails with
  // OUT_OF_MEMORY (also if the fixed address is in use), UNSUPPORTED (also if
  // the fixed address can never be mapped), IO or INVALID_ARGUMENT (|align|);
  // *out_range is then all zero.
  gmem_status_t (*acquire)(void *user, uint64_t size, uint64_t align,
                           uint64_t fixed_device, uint32_t flags,
                           gmem_range_t *out_range, gmem_diag_t *diag);
  // Frees a range of |acquire| or |map_fd|, sealed or not.
  void (*release)(void *user, const gmem_range_t *range);
  // Makes the range permanently read-only, in this process and in all others
  // that share it. NULL: memory stays writable. Fails with OUT_OF_MEMORY,
  // UNSUPPORTED or IO (also if another process has a writable mapping of it);
  // the range may then be read-only, and must still be released. |range| may
  // change: its addresses may move, with the same alignment, or it may lose its
  // host address.
  gmem_status_t (*seal)(void *user, gmem_range_t *range, gmem_diag_t *diag);
  // Makes |size| bytes at |offset| of the range that the CPU wrote visible to
  // the device (|to_device|), or the reverse. NULL: memory is coherent. Fails
  // with IO.
  gmem_status_t (*sync)(void *user, const gmem_range_t *range, uint64_t offset,
                        uint64_t size, bool to_device);
  // Maps |size| bytes at |offset| of a file without a copy; both are multiples
  // of |granularity|, and the range is aligned as by |acquire|. |writable|: the
  // bytes can be changed until |seal|; the file itself never changes. The range
  // may extend past the end of the file, but not past the |granularity| unit in
  // which the file ends. If the file is truncated later, reading the range
  // raises SIGBUS. |fd| stays owned by the caller. Fails with INVALID_ARGUMENT,
  // TOO_SMALL (the file), OUT_OF_MEMORY, UNSUPPORTED or IO; *out_range is then
  // all zero. NULL: the caller reads the file into memory of |acquire|.
  gmem_status_t (*map_fd)(void *user, int fd, uint64_t offset, uint64_t size,
                          uint64_t align, bool writable,
                          gmem_range_t *out_range, gmem_diag_t *diag);
  // Creates a file descriptor, closed on exec, for a SHAREABLE range, which
  // another process can map from offset 0 on. Fails with UNSUPPORTED or IO;
  // *out_fd is then -1. NULL: UNSUPPORTED.
  gmem_status_t (*export_fd)(void *user, const gmem_range_t *range, int *out_fd,
                             gmem_diag_t *diag);
} gmem_provider_t;

//===--- memory of the operating system -----------------------------------===//

// Huge pages have 2 MiB. Reserved ones are those that the administrator has set
// aside (vm.nr_hugepages); ranges in them consist of whole huge pages, are
// private to the process and are backed with memory at once, so that no later
// access raises SIGBUS for lack of a page.
typedef enum gmem_huge_pages_e {
  GMEM_HUGE_PAGES_NEVER = 0,
  GMEM_HUGE_PAGES_ADVISE = 1, // transparent huge pages where the system can
  GMEM_HUGE_PAGES_REQUIRE =
      2,                      // reserved huge pages; OUT_OF_MEMORY without
                              //   (UNSUPPORTED if the system has no huge pages)
  GMEM_HUGE_PAGES_PREFER = 3, // reserved ones for private ranges of at least
                              //   one huge page; otherwise as ADVISE
} gmem_huge_pages_t;

// Initialize with GMEM_MMAP_OPTIONS_INIT. New fields are appended.
typedef struct gmem_mmap_options_s {
  uint32_t struct_size; // sizeof(gmem_mmap_options_t)
  uint32_t huge_pages;  // GMEM_HUGE_PAGES_*
  int32_t numa_node;    // -1: no preference; ignored if not available
  bool guard_pages;     // an inaccessible page on both sides of each range
  bool shared;          // SHAREABLE and SEALABLE ranges are files (memfd)
} gmem_mmap_options_t;
// The defaults, also used for a NULL gmem_mmap_options_t pointer.
#define GMEM_MMAP_OPTIONS_INIT                                                 \
  { sizeof(gmem_mmap_options_t), GMEM_HUGE_PAGES_NEVER, -1, false, false }

// Creates a provider of anonymous memory. The device address is the host
// address; a fixed device address is honoured if it is free. With |shared|,
// ranges that are SHAREABLE or SEALABLE (weights, but not slots) are memory
// files, with a file descriptor each: once sealed, no process can write, resize
// or unseal them; before that, every holder of the descriptor can. REQUIRE
// excludes sharing and mapping of files. Fails with INVALID_ARGUMENT,
// UNSUPPORTED (|shared| with REQUIRE) or OUT_OF_MEMORY; *out_provider is then
// all zero. Any thread.
GMEM_MUST_USE gmem_status_t gmem_provider_mmap(
    const gmem_mmap_options_t *options, const gmem_allocator_t *allocator,
    gmem_provider_t *out_provider);

//===--- existing memory --------------------------------------------------===//

// Creates a provider of the |size| bytes at |host| (NULL: the CPU can neither
// access nor zero them) and |device|, for example a static array, a carve-out
// or a mapped device. The memory stays owned by the caller and is zeroed when
// it is allocated. Ranges are allocated first-fit and coalesced when they are
// freed, so that the same calls give the same addresses. A range can only be
// aligned to a value modulo which |host| and |device| are congruent; else
// UNSUPPORTED. Sealing and sharing are not supported. Fails with
// INVALID_ARGUMENT (also a window that wraps around) or OUT_OF_MEMORY;
// *out_provider is then all zero. acquire allocates host memory for
// bookkeeping; release does not. Any thread.
GMEM_MUST_USE gmem_status_t gmem_provider_static(
    void *host, uint64_t device, uint64_t size,
    const gmem_allocator_t *allocator, gmem_provider_t *out_provider);

//===--- Linux DMA heaps --------------------------------------------------===//
// A library of its own (gmem::dma_heap).

// Creates a provider of the DMA heap /dev/dma_heap/|heap_name|. Ranges are
// dma-buf file descriptors, mapped for the CPU, which has access first; sync to
// the device ends CPU access and sync from the device begins it again, always
// for the whole range. Device addresses are assigned by the device driver:
// |to_device| returns the address of the dma-buf |fd|; NULL: all device
// addresses are 0 (the caller exports the descriptor). Fixed addresses and
// sealing are not supported; acquire also fails with the status that
// |to_device| returns. |heap_name| is copied. Fails with INVALID_ARGUMENT,
// NOT_FOUND (no such heap), UNSUPPORTED (not on this system), IO or
// OUT_OF_MEMORY; *out_provider is then all zero. Any thread.
typedef gmem_status_t (*gmem_dma_address_fn)(void *user, int fd, uint64_t size,
                                             uint64_t *out_device);
GMEM_MUST_USE gmem_status_t
gmem_provider_dma_heap(const char *heap_name, gmem_dma_address_fn to_device,
                       void *user, const gmem_allocator_t *allocator,
                       gmem_provider_t *out_provider, gmem_diag_t *diag);

// Destroys a provider created by this library and clears it. All its ranges
// must have been released. NULL and an all-zero provider are allowed. Not
// thread-safe.
void gmem_provider_destroy(gmem_provider_t *provider);

GMEM_END_C
#endif // GMEM_PROVIDER_H_
