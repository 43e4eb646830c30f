// plan_load.c - loads plan images from memory and from files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image_codec.h"
#include "image_open.h"
#include "plan_object.h"
#include "plan_verify.h"
#include "runtime_support.h"

//===--- the object -------------------------------------------------------===//

static void free_entries(gmem_plan_t *plan, gmem_image_section_id_t section,
                         void *entries) {
  gmem_rt_free(&plan->allocator, entries, plan->view.section[section].count,
               gmem_image_entry_size(section));
}

static void destroy(gmem_plan_t *plan) {
  gmem_allocator_t allocator = plan->allocator;
  free_entries(plan, GMEM_IMAGE_RANGES, plan->ranges);
  free_entries(plan, GMEM_IMAGE_MEMBERS, plan->members);
  free_entries(plan, GMEM_IMAGE_WORKBUFFERS, plan->workbuffers);
  free_entries(plan, GMEM_IMAGE_RELOCS, plan->relocs);
  free_entries(plan, GMEM_IMAGE_COPIES, plan->copies);
  gmem_rt_free(&allocator, plan->owned, plan->owned_size, 1);
  if (plan->file >= 0)
    close(plan->file);
  GMEM_RT_FREE(&allocator, plan, 1);
}

static void lay_out_regions(gmem_plan_t *plan,
                            const gmem_image_facts_t *facts) {
  const gmem_image_view_t *view = &plan->view;
  uint32_t region_count = view->section[GMEM_IMAGE_REGIONS].count;
  for (uint32_t i = 0; i < region_count; ++i) {
    gmem_image_region_t region = gmem_image_region(view, i);
    gmem_region_layout_t *layout = &plan->layout[i];
    *layout = (gmem_region_layout_t){
        .align = facts->align[i],
        .lead = region.base & (facts->align[i] - 1),
        .size = region.size,
        .shared = gmem_image_shared(region.space),
    };
    GMEM_ASSERT(gmem_rt_is_power_of_two(layout->align));
    // Verified: the sum of the sizes is at most GMEM_PLAN_MAX_ADDRESS, so these
    // sums do not overflow with 64 leads of less than 2^30.
    uint64_t bytes = layout->lead + layout->size;
    *(layout->shared ? &plan->shared_size : &plan->slot_size) += bytes;
  }
}

// Returns a copy of a section in host byte order, or NULL if out of memory.
static void *copy_entries(const gmem_plan_t *plan,
                          gmem_image_section_id_t section) {
  void *entries =
      gmem_rt_alloc_raw(&plan->allocator, plan->view.section[section].count,
                        gmem_image_entry_size(section));
  if (entries)
    gmem_image_entries(&plan->view, section, entries);
  return entries;
}

// Decodes the sections that queries return pointers to.
static bool decode(gmem_plan_t *plan) {
  plan->ranges = copy_entries(plan, GMEM_IMAGE_RANGES);
  plan->members = copy_entries(plan, GMEM_IMAGE_MEMBERS);
  plan->workbuffers = copy_entries(plan, GMEM_IMAGE_WORKBUFFERS);
  plan->relocs = copy_entries(plan, GMEM_IMAGE_RELOCS);
  plan->copies = copy_entries(plan, GMEM_IMAGE_COPIES);
  return plan->ranges && plan->members && plan->workbuffers && plan->relocs &&
         plan->copies;
}

// Creates a plan from the image of |size| bytes at |data|, of which at least
// those before the data section are present. The plan does not own the bytes.
static gmem_status_t make_plan(const uint8_t *data, uint64_t size,
                               const gmem_allocator_t *allocator,
                               gmem_plan_t **out_plan, gmem_diag_t *diag) {
  gmem_image_view_t view;
  gmem_image_facts_t facts;
  GMEM_TRY(gmem_image_open(data, size, &view, diag));
  GMEM_TRY(gmem_image_verify(&view, allocator, &facts, diag));
  gmem_plan_t *plan;
  GMEM_RT_ALLOC(plan, allocator, 1, diag);
  atomic_init(&plan->references, 1);
  plan->allocator = *allocator;
  plan->file = -1;
  plan->view = view;
  if (!decode(plan)) {
    destroy(plan);
    return gmem_rt_out_of_memory(diag);
  }
  lay_out_regions(plan, &facts);
  *out_plan = plan;
  return GMEM_OK;
}

// As make_plan, but the plan owns the |owned_size| bytes at |data|. They are
// freed on failure.
static gmem_status_t make_owner(uint8_t *data, uint64_t owned_size,
                                uint64_t size,
                                const gmem_allocator_t *allocator,
                                gmem_plan_t **out_plan, gmem_diag_t *diag) {
  gmem_status_t status = make_plan(data, size, allocator, out_plan, diag);
  if (status != GMEM_OK) {
    gmem_rt_free(allocator, data, owned_size, 1);
    return status;
  }
  (*out_plan)->owned = data;
  (*out_plan)->owned_size = owned_size;
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
    return gmem_rt_invalid(diag, "out_plan is NULL");
  *out_plan = NULL;
  if (!data || (flags & ~(uint32_t)GMEM_LOAD_BORROW))
    return gmem_rt_invalid(diag, "data is NULL, or a flag is unknown");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  if (flags & GMEM_LOAD_BORROW)
    return make_plan(data, size, &own, out_plan, diag);
  // Checks the header before copying the image.
  gmem_image_view_t view;
  GMEM_TRY(gmem_image_check_header(data, size, diag));
  GMEM_TRY(gmem_image_check_head(data, size, &view, diag));
  uint8_t *copy = gmem_rt_alloc_raw(&own, size, 1);
  if (!copy)
    return gmem_rt_out_of_memory(diag);
  memcpy(copy, data, size);
  return make_owner(copy, size, size, &own, out_plan, diag);
}

//===--- from a file ------------------------------------------------------===//

static gmem_status_t io_error(gmem_diag_t *diag, const char *what) {
  return gmem_rt_fail_os(diag, GMEM_ERR_IO, "cannot %s", what);
}

// Reads exactly |size| bytes.
static gmem_status_t read_all(int file, uint8_t *bytes, uint64_t size,
                              gmem_diag_t *diag) {
  for (uint64_t done = 0;
       done < size;) { // Linux reads less than 2 GiB per call
    ssize_t got = read(file, bytes + done, (size_t)(size - done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return io_error(diag, "read the file");
    if (got == 0)
      return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, done, 0,
                             "the file was truncated while it was read");
    done += (uint64_t)got;
  }
  return GMEM_OK;
}

// Only regular files have a known size.
static gmem_status_t regular_size(int file, uint64_t *out_size,
                                  gmem_diag_t *diag) {
  struct stat info;
  if (fstat(file, &info) != 0)
    return io_error(diag, "query the size of the file");
  if (!S_ISREG(info.st_mode))
    return gmem_rt_fail(diag, GMEM_ERR_IO, "not a regular file");
  *out_size = (uint64_t)info.st_size;
  return GMEM_OK;
}

enum {
  MAX_HEAD = sizeof(gmem_image_header_t) +
             GMEM_IMAGE_MAX_SECTIONS * sizeof(gmem_image_section_t)
};

// Reads the header and section table of a file of |file_size| bytes into
// |head|, which is zeroed, and checks them before memory for the rest is
// allocated.
static gmem_status_t read_head(int file, uint64_t file_size,
                               uint8_t head[MAX_HEAD],
                               gmem_image_view_t *out_view, gmem_diag_t *diag) {
  const uint64_t header_size = sizeof(gmem_image_header_t);
  GMEM_TRY(read_all(file, head,
                    file_size < header_size ? file_size : header_size, diag));
  GMEM_TRY(gmem_image_check_header(head, file_size, diag));
  GMEM_TRY(read_all(file, head + header_size,
                    gmem_image_head_size(head) - header_size, diag));
  return gmem_image_check_head(head, file_size, out_view, diag);
}

// Reads everything except the data section. If there is one, the plan takes
// ownership of |file|.
static gmem_status_t load_open_file(int file, const gmem_allocator_t *allocator,
                                    gmem_plan_t **out_plan, gmem_diag_t *diag) {
  uint64_t size = 0;
  uint8_t head[MAX_HEAD] = {0};
  gmem_image_view_t view;
  GMEM_TRY(regular_size(file, &size, diag));
  GMEM_TRY(read_head(file, size, head, &view, diag));
  size_t head_size = gmem_image_head_size(head);
  uint8_t *data = gmem_rt_alloc_raw(allocator, view.meta_size, 1);
  if (!data)
    return gmem_rt_out_of_memory(diag);
  memcpy(data, head, head_size);
  gmem_status_t status =
      read_all(file, data + head_size, view.meta_size - head_size, diag);
  if (status != GMEM_OK) {
    gmem_rt_free(allocator, data, view.meta_size, 1);
    return status;
  }
  GMEM_TRY(make_owner(data, view.meta_size, size, allocator, out_plan, diag));
  if (view.meta_size < size)
    (*out_plan)->file = file;
  return GMEM_OK;
}

gmem_status_t gmem_plan_load_file(const char *path, uint32_t flags,
                                  const gmem_allocator_t *allocator,
                                  gmem_plan_t **out_plan, gmem_diag_t *diag) {
  if (!out_plan)
    return gmem_rt_invalid(diag, "out_plan is NULL");
  *out_plan = NULL;
  if (!path || flags != 0)
    return gmem_rt_invalid(diag, "path is NULL, or flags are not 0");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return io_error(diag, "open the file");
  gmem_status_t status = load_open_file(file, &own, out_plan, diag);
  if (!*out_plan || (*out_plan)->file != file)
    close(file);
  return status;
}
