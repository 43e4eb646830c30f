// runtime_image_file_test.c - images in files: whatever read() does, and
// however a file is cut, a plan is whole or there is none; contents stay in the
// file, which is kept open for them.
// RUN: %unit/runtime_image_file_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "failing_heap.h"
#include "image_tools.h"
#include "plan_checker.h"

//===--- a read() that does what it may -----------------------------------===//

typedef struct reader_s {
  bool active;
  size_t most;     // bytes of one call; 0: no limit
  bool interrupts; // every other call is interrupted
  size_t left;     // bytes until the end of the file, as it is now
  int error;       // at the end, instead of it
  unsigned calls;
  size_t bytes; // handed out
} reader_t;

static reader_t reader;

ssize_t __real_read(int file, void *bytes, size_t size);
ssize_t __wrap_read(int file, void *bytes, size_t size);

ssize_t __wrap_read(int file, void *bytes, size_t size) {
  if (!reader.active)
    return __real_read(file, bytes, size);
  if (reader.interrupts && ++reader.calls % 2 == 1) {
    errno = EINTR;
    return -1;
  }
  if (reader.left == 0) {
    errno = reader.error;
    return reader.error ? -1 : 0;
  }
  if (reader.most != 0 && size > reader.most)
    size = reader.most;
  if (size > reader.left)
    size = reader.left;
  ssize_t got = __real_read(file, bytes, size);
  reader.left -= got > 0 ? (size_t)got : 0;
  reader.bytes += got > 0 ? (size_t)got : 0;
  return got;
}

// An fstat() that fails on demand.
static bool no_size;

int __real_fstat(int file, struct stat *info);
int __wrap_fstat(int file, struct stat *info);

int __wrap_fstat(int file, struct stat *info) {
  errno = EOVERFLOW;
  return no_size ? -1 : __real_fstat(file, info);
}

static const char *path;
static full_sample_t parts;

static gmem_status_t load_through(reader_t how, gmem_plan_t **out_plan,
                                  gmem_diag_t *diag) {
  reader = how;
  reader.active = true;
  gmem_status_t status = gmem_plan_load_file(path, 0, NULL, out_plan, diag);
  reader.active = false;
  CHECK((status == GMEM_OK) == (*out_plan != NULL));
  return status;
}

// The lowest free descriptor: the same before and after what leaks none.
static int next_file(void) {
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  CHECK(file >= 0);
  close(file);
  return file;
}

// Writes |desc| to the file at |path|; returns its size.
static size_t write_file(const gmem_plan_desc_t *desc) {
  void *data = NULL;
  size_t size = 0;
  CHECK(gmem_plan_write(desc, NULL, &data, &size, NULL) == GMEM_OK);
  int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  CHECK(file >= 0 && data && write(file, data, size) == (ssize_t)size);
  close(file);
  gmem_plan_data_free(NULL, data, size);
  return size;
}

//===--- the tests --------------------------------------------------------===//

static void test_slow_reads(size_t hashed) {
  static const reader_t ways[] = {
      {.most = 1, .left = SIZE_MAX},
      {.interrupts = true, .left = SIZE_MAX},
      {.most = 1, .interrupts = true, .left = SIZE_MAX},
      {.most = 63, .left = SIZE_MAX}};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    gmem_plan_t *plan = NULL;
    CHECK(load_through(ways[i], &plan, NULL) == GMEM_OK);
    CHECK(plan && plan_is_true(plan));
    CHECK(reader.bytes == hashed); // no byte of the data section
    gmem_plan_release(plan);
  }
}

// A file that shrinks after its size was asked for ends early, at any byte.
static void test_early_ends(size_t hashed) {
  int before = next_file();
  for (size_t end = 0; end < hashed; ++end) {
    gmem_plan_t *plan = NULL;
    gmem_diag_t diag = {0};
    reader_t how = {.left = end};
    CHECK(load_through(how, &plan, &diag) == GMEM_ERR_CORRUPT);
    CHECK(strstr(diag.text, "was truncated") != NULL);
    how.error = EIO;
    CHECK(load_through(how, &plan, &diag) == GMEM_ERR_IO);
    CHECK(diag.os_error == EIO);
    how.error = 99999; // which no C library has a text for
    CHECK(load_through(how, &plan, &diag) == GMEM_ERR_IO);
    CHECK(diag.os_error == 99999);
    CHECK(strcmp(diag.text, "cannot read the file") == 0);
  }
  CHECK(next_file() == before);
}

static void test_no_size(void) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  int before = next_file();
  no_size = true;
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, &diag) == GMEM_ERR_IO);
  no_size = false;
  CHECK(plan == NULL && diag.os_error == EOVERFLOW && next_file() == before);
  CHECK(gmem_plan_load_file(path, 0, NULL, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
}

// The last bytes of the data are never read, but a file without them is not
// whole; nor is one with more.
static void test_every_truncation(size_t size) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  int before = next_file();
  gmem_plan_t *plan = NULL;
  for (size_t longer = size + 9; longer > size; --longer) {
    CHECK(ftruncate(file, (off_t)longer) == 0);
    CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_ERR_CORRUPT);
  }
  CHECK(ftruncate(file, (off_t)size) == 0);
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_OK);
  gmem_plan_release(plan);
  for (size_t shorter = size; shorter-- > 0;) {
    CHECK(ftruncate(file, (off_t)shorter) == 0);
    CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_ERR_CORRUPT);
  }
  CHECK(next_file() == before);
  close(file);
}

static void test_kept_open(void) {
  int before = next_file();
  gmem_plan_t *plan = NULL;
  gmem_stored_content_t content = {0};
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_OK);
  CHECK(next_file() == before + 1);
  CHECK(gmem_plan_stored_content(plan, 0, &content));
  CHECK(content.file == before && content.bytes == NULL);
  CHECK(content.offset % 4096 == 0 && content.size == 4096);
  CHECK(fcntl(content.file, F_GETFD) & FD_CLOEXEC);
  CHECK((fcntl(content.file, F_GETFL) & O_ACCMODE) == O_RDONLY);
  uint8_t bytes[4096];
  CHECK(pread(content.file, bytes, sizeof bytes, (off_t)content.offset) ==
        4096);
  CHECK(memcmp(bytes, parts.content, sizeof bytes) == 0);
  gmem_plan_retain(plan);
  gmem_plan_release(plan);
  CHECK(next_file() == before + 1);
  gmem_plan_release(plan);
  CHECK(next_file() == before);
}

// Loading costs memory for the rest of the image only, and every failure gives
// back all of it, and the descriptor.
static void test_allocation_failures(size_t hashed) {
  int before = next_file();
  for (size_t fail_at = 1;; ++fail_at) {
    heap_t heap = {.fail_at = fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    gmem_plan_t *plan = NULL;
    gmem_status_t status =
        gmem_plan_load_file(path, 0, &allocator, &plan, NULL);
    CHECK(heap.live_bytes < hashed + 4096);
    gmem_plan_release(plan);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK(next_file() == before);
    if (status == GMEM_OK) {
      CHECK(fail_at > 8);
      return;
    }
    CHECK(status == GMEM_ERR_OUT_OF_MEMORY);
  }
}

// Without contents nothing is left open.
static void test_plain_image_is_closed(void) {
  int before = next_file();
  gmem_plan_desc_t desc = sample_desc();
  size_t size = write_file(&desc);
  gmem_plan_t *plan = NULL;
  reader_t how = {.most = 1, .left = SIZE_MAX};
  CHECK(load_through(how, &plan, NULL) == GMEM_OK);
  CHECK(reader.bytes == size && next_file() == before);
  gmem_plan_release(plan);
}

// Opening one for reading would wait for somebody who writes.
static void test_fifo(void) {
  gmem_plan_t *plan = NULL;
  CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_ERR_IO);
  CHECK(!plan);
}

int main(int argc, char **argv) {
  (void)argc;
  char name[4096];
  snprintf(name, sizeof name, "%s.XXXXXX", argv[0]);
  int file = mkstemp(name);
  CHECK(file >= 0);
  close(file);
  path = name;
  gmem_plan_desc_t desc = full_desc(&parts);
  size_t size = write_file(&desc), hashed = size - 4096;
  test_kept_open();
  test_slow_reads(hashed);
  test_early_ends(hashed);
  test_no_size();
  test_allocation_failures(hashed);
  test_every_truncation(size);
  test_plain_image_is_closed();
  test_fifo(); // in place of the file
  unlink(name);
  return CHECK_RESULT();
}
