// bench_serve.h - what the benchmarks of the runtime share: pools to lease
// from, and what the system says of this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_BENCH_SERVE_H_
#define GMEM_BENCH_SERVE_H_

#include <stddef.h>

#include "gmem/runtime.h"

// Ends the program with the message of |diag| (may be NULL) unless |status| is
// GMEM_OK.
void bench_must(gmem_status_t status, const gmem_diag_t *diag);

// Memory of the program's own, zeroed. Ends it when there is none.
void *bench_alloc(size_t count, size_t size);

double bench_now(void); // seconds
double bench_cpu(void); // seconds of all threads of this process, and for it

// Sorts |values| and returns the one in the middle.
double bench_median(double *values, size_t count);

// Of this process: bytes in memory now, and the most since the last
// bench_forget_peak; page faults so far that read no disk.
uint64_t bench_resident(void);
uint64_t bench_resident_peak(void);
void bench_forget_peak(void);
uint64_t bench_page_faults(void);

// A pipeline of |count| buffers of |size| bytes: at each step one begins to
// live, |live| are live, and each takes the place of the one that has just
// died. A group "even" has every second of the first 64, the first 64 are
// workbuffers of the steps at which they begin, and buffer 0 is for 4 threads.
gmem_plan_t *bench_pipeline(uint32_t count, uint32_t live, uint64_t size);
// Writes its image to *out_data; freed with gmem_plan_data_free. Buffer i
// begins at step i * |stride| modulo |count|; there are workbuffers if |stride|
// is 1.
void bench_pipeline_image(uint32_t count, uint32_t live, uint64_t size,
                          uint32_t stride, void **out_data, size_t *out_size);

// A pool of memory of the operating system, with all that it needs.
typedef struct bench_service_s {
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_pool_t *pool;
} bench_service_t;

// |mmap_options| may be NULL. |plan| stays the caller's.
void bench_serve(gmem_plan_t *plan, const gmem_mmap_options_t *mmap_options,
                 uint32_t slots, uint32_t max_slots, bench_service_t *service);
void bench_serve_end(bench_service_t *service);

#endif // GMEM_BENCH_SERVE_H_
