// plan_load.c - plan images from memory and from files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan_object.h"
#include "runtime_support.h"

//===--- the object -------------------------------------------------------===//

static void destroy(gmem_plan_t *plan) {
  gmem_allocator_t allocator = plan->allocator;
  gmem_rt_free(&allocator, plan->ranges,
               plan->view.section[GMEM_IMAGE_RANGES].count,
               sizeof(gmem_op_range_t));
  gmem_rt_free(&allocator, plan->owned, plan->view.size, 1);
  gmem_rt_free(&allocator, plan, 1, sizeof *plan);
}

static void lay_out_regions(gmem_plan_t *plan) {
  const gmem_image_view_t *view = &plan->view;
  uint32_t region_count = view->section[GMEM_IMAGE_REGIONS].count;
  for (uint32_t i = 0; i < region_count; ++i) {
    gmem_image_region_t region = gmem_image_region(view, i);
    plan->layout[i] = (gmem_region_layout_t){
        .align = region.align,
        .size = region.size,
        .shared = gmem_image_shared(region.space),
    };
  }
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    if (plan->layout[buffer.region].align < buffer.align)
      plan->layout[buffer.region].align = buffer.align;
  }
  for (uint32_t i = 0; i < region_count; ++i) {
    gmem_region_layout_t *layout = &plan->layout[i];
    layout->lead = gmem_image_region(view, i).base & (layout->align - 1);
    // Proven: the sizes together are at most GMEM_PLAN_MAX_ADDRESS, so these
    // sums have room for 64 leads of less than 2^30.
    uint64_t bytes = layout->lead + layout->size;
    *(layout->shared ? &plan->shared_size : &plan->slot_size) += bytes;
  }
}

static gmem_status_t decode_ranges(gmem_plan_t *plan, gmem_diag_t *diag) {
  uint32_t count = plan->view.section[GMEM_IMAGE_RANGES].count;
  plan->ranges = gmem_rt_alloc(&plan->allocator, count, sizeof *plan->ranges);
  if (!plan->ranges)
    return gmem_rt_out_of_memory(diag);
  for (uint32_t i = 0; i < count; ++i)
    plan->ranges[i] = gmem_image_range(&plan->view, i);
  return GMEM_OK;
}

// Makes a plan of the image at |data|. On success it owns |owned|, which is
// |data| or NULL.
static gmem_status_t make_plan(const uint8_t *data, uint64_t size,
                               uint8_t *owned,
                               const gmem_allocator_t *allocator,
                               gmem_plan_t **out_plan, gmem_diag_t *diag) {
  gmem_image_view_t view;
  GMEM_RT_TRY(gmem_image_open(data, size, &view, diag));
  GMEM_RT_TRY(gmem_image_verify(&view, allocator, diag));
  gmem_plan_t *plan = gmem_rt_alloc(allocator, 1, sizeof *plan);
  if (!plan)
    return gmem_rt_out_of_memory(diag);
  atomic_init(&plan->references, 1);
  plan->allocator = *allocator;
  plan->view = view;
  gmem_status_t status = decode_ranges(plan, diag);
  if (status != GMEM_OK) {
    destroy(plan); // without |owned|, which stays the caller's
    return status;
  }
  plan->owned = owned;
  lay_out_regions(plan);
  *out_plan = plan;
  return GMEM_OK;
}

void gmem_plan_retain(gmem_plan_t *plan) {
  atomic_fetch_add_explicit(&plan->references, 1, memory_order_relaxed);
}

void gmem_plan_release(gmem_plan_t *plan) {
  if (!plan)
    return;
  if (gmem_rt_drop_reference(&plan->references))
    destroy(plan);
}

//===--- from memory ------------------------------------------------------===//

gmem_status_t gmem_plan_load_memory(const void *data, size_t size,
                                    uint32_t flags,
                                    const gmem_allocator_t *allocator,
                                    gmem_plan_t **out_plan, gmem_diag_t *diag) {
  if (!out_plan)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "out_plan is NULL");
  *out_plan = NULL;
  if (!data || (flags & ~(uint32_t)GMEM_LOAD_BORROW))
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "data is NULL, or a flag is unknown");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  if (flags & GMEM_LOAD_BORROW)
    return make_plan(data, size, NULL, &own, out_plan, diag);
  // The head first: what is no image is not worth a copy.
  gmem_image_view_t view;
  GMEM_RT_TRY(gmem_image_check_header(data, size, diag));
  GMEM_RT_TRY(gmem_image_check_head(data, size, &view, diag));
  uint8_t *copy = gmem_rt_alloc_raw(&own, size, 1);
  if (!copy)
    return gmem_rt_out_of_memory(diag);
  memcpy(copy, data, size);
  gmem_status_t status = make_plan(copy, size, copy, &own, out_plan, diag);
  if (status != GMEM_OK)
    gmem_rt_free(&own, copy, size, 1);
  return status;
}

//===--- from a file ------------------------------------------------------===//

static gmem_status_t io_error(gmem_diag_t *diag, const char *what) {
  int error = errno;
  char reason[80];
  if (strerror_r(error, reason, sizeof reason) != 0)
    reason[0] = '\0';
  gmem_status_t status =
      gmem_rt_fail(diag, GMEM_ERR_IO, "cannot %s: %s", what, reason);
  if (diag)
    diag->os_error = error;
  return status;
}

// Reads exactly |size| bytes.
static gmem_status_t read_all(int file, uint8_t *bytes, uint64_t size,
                              gmem_diag_t *diag) {
  enum { PIECE = 1 << 30 }; // read() may refuse more than this at once
  for (uint64_t done = 0; done < size;) {
    uint64_t left = size - done;
    ssize_t got = read(file, bytes + done, left < PIECE ? left : PIECE);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return io_error(diag, "read the file");
    if (got == 0)
      return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, done, 0,
                             "the file became shorter while it was read");
    done += (uint64_t)got;
  }
  return GMEM_OK;
}

// The size of a regular file; of others it is not known before reading.
static gmem_status_t regular_size(int file, uint64_t *out_size,
                                  gmem_diag_t *diag) {
  struct stat info;
  if (fstat(file, &info) != 0)
    return io_error(diag, "find the size of the file");
  if (!S_ISREG(info.st_mode))
    return gmem_rt_fail(diag, GMEM_ERR_IO, "not a regular file");
  *out_size = (uint64_t)info.st_size;
  return GMEM_OK;
}

enum {
  MAX_HEAD = sizeof(gmem_image_header_t) +
             GMEM_IMAGE_MAX_SECTIONS * sizeof(gmem_image_section_t)
};

// Reads header and section table into |head|, which is all zero, and checks
// them: what is no image is not worth the memory to read it.
static gmem_status_t read_head(int file, uint64_t file_size,
                               uint8_t head[MAX_HEAD], size_t *out_size,
                               gmem_diag_t *diag) {
  const uint64_t header_size = sizeof(gmem_image_header_t);
  gmem_image_view_t view;
  GMEM_RT_TRY(read_all(
      file, head, file_size < header_size ? file_size : header_size, diag));
  GMEM_RT_TRY(gmem_image_check_header(head, file_size, diag));
  *out_size = gmem_image_head_size(head);
  GMEM_RT_TRY(
      read_all(file, head + header_size, *out_size - header_size, diag));
  return gmem_image_check_head(head, file_size, &view, diag);
}

static gmem_status_t load_open_file(int file, const gmem_allocator_t *allocator,
                                    gmem_plan_t **out_plan, gmem_diag_t *diag) {
  uint64_t size = 0;
  uint8_t head[MAX_HEAD] = {0};
  size_t head_size = 0;
  GMEM_RT_TRY(regular_size(file, &size, diag));
  GMEM_RT_TRY(read_head(file, size, head, &head_size, diag));
  uint8_t *data = gmem_rt_alloc_raw(allocator, size, 1);
  if (!data)
    return gmem_rt_out_of_memory(diag);
  memcpy(data, head, head_size);
  gmem_status_t status =
      read_all(file, data + head_size, size - head_size, diag);
  if (status == GMEM_OK)
    status = make_plan(data, size, data, allocator, out_plan, diag);
  if (status != GMEM_OK)
    gmem_rt_free(allocator, data, size, 1);
  return status;
}

gmem_status_t gmem_plan_load_file(const char *path, uint32_t flags,
                                  const gmem_allocator_t *allocator,
                                  gmem_plan_t **out_plan, gmem_diag_t *diag) {
  if (!out_plan)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "out_plan is NULL");
  *out_plan = NULL;
  if (!path || flags != 0)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "path is NULL, or flags are not 0");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return io_error(diag, "open the file");
  gmem_status_t status = load_open_file(file, &own, out_plan, diag);
  close(file);
  return status;
}
