// tools_run_failure_test.c - every allocation of gmem-run on an image fails
// once: it says so, once, it fails, and nothing leaks. Tables with
// lines missing, and a status of 0, are what went wrong.
// RUN: %unit/tools_run_failure_test %t
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "gmem/plan.h"
#include "image_tools.h"
#include "messages.h"
#include "run_modes.h"
#include "sanitizers.h"

//===--- the heap ---------------------------------------------------------===//

// The linker's --wrap puts these between the tool and the heap. Requests run on
// threads, which allocate too.
static atomic_uint calls;
static unsigned fail_at; // 1-based; 0: never

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

static bool fails(void) { return atomic_fetch_add(&calls, 1) + 1 == fail_at; }

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
  return fails() ? NULL : __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t align, size_t size) {
  return fails() ? NULL : __real_aligned_alloc(align, size);
}

//===--- the tool ---------------------------------------------------------===//

static const char *image_path, *message_path;

static bool write_image(const char *path) {
  void *data = NULL;
  size_t size = 0;
  gmem_diag_t diag;
  FILE *file = fopen(path, "wb");
  gmem_plan_desc_t desc = sample_desc();
  bool good = gmem_plan_write(&desc, NULL, &data, &size, &diag) == GMEM_OK &&
              file && fwrite(data, 1, size, file) == size;
  gmem_plan_data_free(NULL, data, size);
  return file && fclose(file) == 0 && good;
}

// How many lines were said since the file was emptied.
static int count_messages(void) {
  int lines = 0, c;
  FILE *file = fopen(message_path, "r");
  while (file && (c = fgetc(file)) != EOF)
    lines += c == '\n';
  if (file)
    fclose(file);
  return lines;
}

static gmem_status_t run_once(const gmem_run_options_t *options, unsigned at) {
  atomic_store(&calls, 0);
  fail_at = at;
  gmem_status_t status = gmem_run_image(options);
  fail_at = 0;
  return status;
}

// Messages go to a file meanwhile.
static gmem_status_t run_quietly(const gmem_run_options_t *options, unsigned at,
                                 int *out_messages) {
  fflush(stderr);
  int terminal = dup(STDERR_FILENO);
  FILE *file = fopen(message_path, "w");
  CHECK(file && terminal >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
  gmem_status_t status = run_once(options, at);
  fflush(stderr);
  dup2(terminal, STDERR_FILENO);
  close(terminal);
  if (file)
    fclose(file);
  *out_messages = count_messages();
  return status;
}

static void fail_each(const gmem_run_options_t *options) {
  int messages = 0;
  CHECK(run_quietly(options, 0, &messages) == GMEM_OK && messages == 0);
  unsigned count = atomic_load(&calls);
  CHECK(count > 10);
  for (unsigned k = 1; k <= count; ++k) {
    gmem_status_t status = run_quietly(options, k, &messages);
    if (status != GMEM_TOLD || messages != 1)
      fprintf(stderr, "allocation %u: status %d, %d messages\n", k, (int)status,
              messages);
    CHECK(status == GMEM_TOLD && messages == 1);
  }
}

int main(int argc, char **argv) {
  static char image[4096], message[4096];
  const char *prefix = argc > 1 ? argv[1] : "tools_run_failure_test.tmp";
  if (!freopen("/dev/null", "w", stdout))
    return 2;
  snprintf(image, sizeof image, "%s.gmem", prefix);
  snprintf(message, sizeof message, "%s.err", prefix);
  image_path = image;
  message_path = message;
  CHECK(write_image(image_path));
  static gmem_run_options_t options;
  options = (gmem_run_options_t){
      .path = image_path,
      .threads = 1,
      .requests = 1,
      .image = {.limit = UINT64_MAX, .timeout_ms = GMEM_RUN_NO_TIMEOUT}};
  fail_each(&options); // the table
  options.simulates = true;
  options.requests = 3;
  fail_each(&options);
  options.threads = 2;
  options.image.imports = (gmem_text_list_t){{"all"}, 1};
  options.checks = GMEM_RUN_CHECK_LIFE | GMEM_RUN_CHECK_UNSHARED;
#if !HAS_ASAN // which would end this at the first wrong write
  options.checks |= GMEM_RUN_CHECK_BROKEN_KERNEL;
#endif
  fail_each(&options);
  return CHECK_RESULT();
}
