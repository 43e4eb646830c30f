// runtime_system_failure_test.c - every system call of every function of the
// providers is made to fail once, and from there on for ever.
// RUN: %unit/runtime_system_failure_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // see fake_system.h

#include "fake_system.h"
#include "gmem/provider.h"

enum { HUGE = 2 << 20, PAGE = 4096 };

// What one case works on.
typedef struct fixture_s {
  gmem_provider_t provider;
  gmem_range_t range;
  uint64_t fixed;
  int file; // of 8 pages
  int copy; // what export_fd gave, or -1
} fixture_t;

// Something that makes system calls. |prepare| is not disturbed.
typedef struct case_s {
  const char *name;
  gmem_status_t (*prepare)(const struct case_s *self, fixture_t *it);
  gmem_status_t (*run)(const struct case_s *self, fixture_t *it);
  gmem_mmap_options_t options;
  uint64_t size, align;
  uint32_t flags;
  bool is_heap, is_fixed, is_writable, is_sealed_private;
  const char *tolerated; // calls that may fail without harm, once
} case_t;

//===--- what is done -----------------------------------------------------===//

static gmem_status_t to_device(void *user, int fd, uint64_t size,
                               uint64_t *out_device) {
  (void)user, (void)fd, (void)size;
  *out_device = 1 << 30;
  return GMEM_OK;
}

static gmem_status_t make_provider(const case_t *self, fixture_t *it) {
  gmem_mmap_options_t options = self->options;
  options.struct_size = sizeof options;
  if (self->is_heap)
    return gmem_provider_dma_heap("system", to_device, NULL, NULL,
                                  &it->provider, NULL);
  return gmem_provider_mmap(&options, NULL, &it->provider);
}

static gmem_status_t acquire(const case_t *self, fixture_t *it) {
  return it->provider.acquire(it->provider.user, self->size, self->align,
                              self->is_fixed ? it->fixed : GMEM_ANY_ADDRESS,
                              self->flags, &it->range, NULL);
}

static gmem_status_t make_range(const case_t *self, fixture_t *it) {
  gmem_status_t status = make_provider(self, it);
  if (status == GMEM_OK)
    status = acquire(self, it);
  if (status == GMEM_OK)
    memset(it->range.host, 'r', it->range.size);
  return status;
}

static gmem_status_t seal(const case_t *self, fixture_t *it) {
  (void)self;
  return it->provider.seal(it->provider.user, &it->range, NULL);
}

static gmem_status_t sync_range(const case_t *self, fixture_t *it) {
  return it->provider.sync(it->provider.user, &it->range, 0, 1,
                           self->is_writable);
}

static gmem_status_t export_fd(const case_t *self, fixture_t *it) {
  (void)self;
  return it->provider.export_fd(it->provider.user, &it->range, &it->copy, NULL);
}

static gmem_status_t map_fd(const case_t *self, fixture_t *it) {
  return it->provider.map_fd(it->provider.user, it->file, PAGE, self->size,
                             self->align, self->is_writable, &it->range, NULL);
}

static gmem_status_t let_go(const case_t *self, fixture_t *it) {
  (void)self;
  if (it->range.size > 0)
    it->provider.release(it->provider.user, &it->range);
  it->range = (gmem_range_t){0};
  return GMEM_OK;
}

#define OPTIONS(pages, node, guards, is_shared)                                \
  .options = {0, GMEM_HUGE_PAGES_##pages, node, guards, is_shared}

// Calls that fail without harm: advice, and what is tried before something
// else. A munmap or close that fails cannot be helped.
#define ADVICE " madvise syscall getrlimit munmap close "
static const case_t cases[] = {
    {"make", NULL, make_provider, .tolerated = ""},
    {"make heap", NULL, make_provider, .is_heap = true, .tolerated = ""},
    {"plain", make_provider, acquire, OPTIONS(NEVER, -1, false, false),
     .size = 5 * PAGE, .align = 1, .tolerated = ADVICE},
    {"guarded", make_provider, acquire, OPTIONS(NEVER, 0, true, false),
     .size = 5 * PAGE, .align = 8 * PAGE, .flags = GMEM_RANGE_NO_DUMP,
     .tolerated = ADVICE},
    {"prefault", make_provider, acquire, OPTIONS(NEVER, -1, false, false),
     .size = 5 * PAGE, .align = 1, .flags = GMEM_RANGE_PREFAULT,
     .tolerated = " munmap "},
    {"advise", make_provider, acquire, OPTIONS(ADVISE, -1, true, false),
     .size = HUGE + PAGE, .align = 1, .tolerated = ADVICE},
    {"require", make_provider, acquire, OPTIONS(REQUIRE, 0, true, false),
     .size = 1, .align = 1, .tolerated = " syscall munmap "},
    {"prefer", make_provider, acquire, OPTIONS(PREFER, -1, true, false),
     .size = HUGE + PAGE, .align = 1, .tolerated = ADVICE " mmap "},
    {"shareable", make_provider, acquire, OPTIONS(NEVER, 0, true, true),
     .size = 5 * PAGE, .align = 1,
     .flags = GMEM_RANGE_SHAREABLE | GMEM_RANGE_NO_DUMP, .tolerated = ADVICE},
    {"fixed", make_provider, acquire, OPTIONS(NEVER, -1, true, false),
     .size = 5 * PAGE, .align = PAGE, .is_fixed = true, .tolerated = ADVICE},
    {"seal", make_range, seal, OPTIONS(NEVER, -1, true, false),
     .size = 5 * PAGE, .align = 1, .tolerated = ""},
    {"seal file", make_range, seal, OPTIONS(NEVER, -1, true, true),
     .size = 5 * PAGE, .align = 1,
     .flags = GMEM_RANGE_SHAREABLE | GMEM_RANGE_NO_DUMP,
     .tolerated = ADVICE " probe "},
    {"seal file, old", make_range, seal, OPTIONS(NEVER, -1, true, true),
     .size = 5 * PAGE, .align = 1, .flags = GMEM_RANGE_SHAREABLE,
     .is_sealed_private = true, .tolerated = ADVICE " probe "},
    {"export", make_range, export_fd, OPTIONS(NEVER, -1, false, true),
     .size = PAGE, .align = 1, .flags = GMEM_RANGE_SHAREABLE, .tolerated = ""},
    {"map file", make_provider, map_fd, OPTIONS(NEVER, -1, true, false),
     .size = 3 * PAGE, .align = 8 * PAGE, .tolerated = " munmap mmap "},
    {"map file writable", make_provider, map_fd,
     OPTIONS(NEVER, -1, false, false), .size = 3 * PAGE, .align = 1,
     .is_writable = true, .tolerated = ""},
    {"release", make_range, let_go, OPTIONS(NEVER, -1, true, true),
     .size = PAGE, .align = 1, .flags = GMEM_RANGE_SHAREABLE,
     .tolerated = ADVICE},
    {"heap", make_provider, acquire, .is_heap = true, .size = 5 * PAGE,
     .align = 8 * PAGE, .flags = GMEM_RANGE_NO_DUMP, .tolerated = ADVICE},
    {"heap sync", make_range, sync_range, .is_heap = true, .size = PAGE,
     .align = 1, .is_writable = true, .tolerated = ""},
    {"heap export", make_range, export_fd, .is_heap = true, .size = PAGE,
     .align = 1, .tolerated = ""},
    {"heap release", make_range, let_go, .is_heap = true, .size = PAGE,
     .align = 1, .tolerated = ADVICE " ioctl "},
};

static const int errors[] = {ENOMEM, EAGAIN, EPERM,  EINVAL, ENOSYS, EMFILE,
                             ENOSPC, EBUSY,  EACCES, EFAULT, EEXIST};

//===--- what must hold ---------------------------------------------------===//

// Whether |self| may succeed although the call |fake.site| has failed.
static bool is_tolerated(const case_t *self, int error) {
  char word[32];
  if (strcmp(fake.site, "memfd_create") == 0)
    return error == EINVAL; // is tried again with fewer flags
  if (strcmp(fake.site, "madvise") == 0 &&
      (self->flags & GMEM_RANGE_PREFAULT ||
       self->options.huge_pages == GMEM_HUGE_PAGES_REQUIRE))
    return error == EINVAL; // no prefault on this system
  if (strcmp(fake.site, "ioctl") == 0 && error == EAGAIN)
    return true;
  if (error == EEXIST &&
      (strcmp(fake.site, "mmap") == 0 || strcmp(fake.site, "munmap") == 0))
    return true; // is tried again elsewhere
  if (strcmp(fake.site, "mmap") == 0 && strstr(self->tolerated, " probe "))
    return fake.failed_call == 3 || fake.failed_call == 4;
  snprintf(word, sizeof word, " %s ", fake.site);
  return strstr(self->tolerated, word) != NULL;
}

// Whether |self| must succeed although it has failed.
static bool is_harmless(const case_t *self, int error) {
  return is_tolerated(self, error) && strcmp(fake.site, "mmap") != 0 &&
         strcmp(fake.site, "munmap") != 0 && strcmp(fake.site, "ioctl") != 0;
}

// Whether the range has its bytes, and they can be used as promised.
static bool is_usable(const case_t *self, const fixture_t *it) {
  if (it->range.size == 0)
    return true;
  volatile uint8_t *host = it->range.host;
  uint8_t first = host[0], last = host[it->range.size - 1];
  if (self->run == acquire) {
    host[0] = host[it->range.size - 1] = 1;
    return first == 0 && last == 0 && (uintptr_t)host % self->align == 0;
  }
  if (self->run == map_fd)
    return first == 'f' && last == 'f';
  return first == 'r' && last == 'r';
}

static bool is_expected(gmem_status_t status) {
  return status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY ||
         status == GMEM_ERR_UNSUPPORTED || status == GMEM_ERR_IO ||
         status == GMEM_ERR_NOT_FOUND;
}

// Says where it failed, once per failing case.
#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr,                                                          \
              "case \"%s\", call %u (%s), %s%s, status %d: ", self->name,      \
              fake.failed_call, fake.site ? fake.site : "none",                \
              strerror(fake.error), fake.for_ever ? ", for ever" : "",         \
              (int)status);                                                    \
      CHECK(condition);                                                        \
    }                                                                          \
  } while (0)

static void check_failed(const case_t *self, const fixture_t *it,
                         gmem_status_t status, size_t mapped, unsigned files) {
  EXPECT(is_expected(status));
  EXPECT(fake.mapped_count == 0 || fake_mapped_bytes() == mapped);
  EXPECT(open_files() == files);
  EXPECT(it->copy == -1);
  if (self->run == acquire || self->run == map_fd)
    EXPECT(it->range.host == NULL && it->range.size == 0);
  if (self->run == make_provider)
    EXPECT(it->provider.user == NULL && it->provider.acquire == NULL);
}

// Runs |self| with call |k| failing. Returns whether it got that far.
static bool run_case(const case_t *self, unsigned k, int error, bool for_ever,
                     uint64_t fixed, int file) {
  fixture_t it = {.fixed = fixed, .file = file, .copy = -1};
  fake_reset();
  fake.armed = fake.has_huge = fake.has_heap = true;
  fake.is_sealed_private = self->is_sealed_private;
  unsigned files_at_start = open_files();
  gmem_status_t status = self->prepare ? self->prepare(self, &it) : GMEM_OK;
  EXPECT(status == GMEM_OK);
  size_t mapped = fake_mapped_bytes();
  unsigned files = open_files();
  fake.calls = 0;
  fake.fail_at = k, fake.error = error, fake.for_ever = for_ever;
  status = self->run(self, &it);
  bool reached = fake.site != NULL;
  fake_collect();
  fake.fail_at = 0;
  if (status != GMEM_OK) {
    EXPECT(reached && (for_ever || !is_harmless(self, error)));
    check_failed(self, &it, status, mapped, files);
  } else if (reached && !for_ever) {
    EXPECT(is_tolerated(self, error));
  }
  EXPECT(is_usable(self, &it));
  if (status != GMEM_OK) { // now it works
    status = self->run(self, &it);
    EXPECT(status == GMEM_OK);
    EXPECT(is_usable(self, &it));
  }
  if (it.copy >= 0)
    close(it.copy);
  (void)let_go(self, &it);
  gmem_provider_destroy(&it.provider);
  EXPECT(fake_mapped_bytes() == 0);
  EXPECT(open_files() == files_at_start);
  fake.armed = false;
  return reached;
}

static void test_every_call_fails(uint64_t fixed, int file) {
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
    for (size_t e = 0; e < sizeof errors / sizeof *errors; ++e)
      for (int for_ever = 0; for_ever <= 1; ++for_ever) {
        unsigned k = 1;
        while (run_case(&cases[c], k, errors[e], for_ever, fixed, file))
          ++k;
        CHECK(k > 1 && k < 40); // else nothing was made to fail
      }
}

// Others take the addresses between our munmap and our mmap: we go elsewhere,
// and what they mapped stays.
static void test_addresses_are_snatched(bool hints) {
  static const case_t self = {.name = "snatched",
                              OPTIONS(NEVER, -1, true, true),
                              .size = 5 * PAGE,

                              .flags = GMEM_RANGE_SHAREABLE,
                              .align = 1};
  for (unsigned snatches = 1; snatches <= 40; snatches += 39) {
    fixture_t it = {.copy = -1};
    fake_reset();
    CHECK(make_provider(&self, &it) == GMEM_OK);
    fake.armed = true;
    fake.hints = hints;
    fake.snatches = snatches;
    gmem_status_t status = acquire(&self, &it);
    CHECK(status == (snatches == 1 ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY));
    fake.snatches = 0;
    CHECK(fake.snatched && *(char *)fake.snatched == 's');
    if (status == GMEM_OK)
      CHECK(((uint8_t *)it.range.host)[self.size - 1] == 0);
    (void)let_go(&self, &it);
    CHECK(fake.mapped_count == 0 && *(char *)fake.snatched == 's');
    fake.armed = false;
    gmem_provider_destroy(&it.provider);
  }
}

// A fixed address that is taken, on systems that take addresses for hints.
static void test_taken_address(bool hints) {
  static const case_t self = {.name = "taken",
                              .size = PAGE,
                              .align = 1,
                              .is_fixed = true,
                              OPTIONS(NEVER, -1, true, false)};
  void *taken = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fixture_t it = {.fixed = (uint64_t)(uintptr_t)taken, .copy = -1};
  fake_reset();
  CHECK(make_provider(&self, &it) == GMEM_OK);
  fake.armed = true;
  fake.hints = hints;
  CHECK(acquire(&self, &it) == GMEM_ERR_OUT_OF_MEMORY);
  it.fixed += PAGE; // here the guard meets it
  CHECK(acquire(&self, &it) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(it.range.host == NULL && fake.mapped_count == 0);
  it.fixed += 1;
  CHECK(acquire(&self, &it) == GMEM_ERR_UNSUPPORTED);
  it.fixed = 0;
  CHECK(acquire(&self, &it) == GMEM_ERR_UNSUPPORTED);
  it.fixed = UINT64_MAX - PAGE + 1;
  CHECK(acquire(&self, &it) == GMEM_ERR_UNSUPPORTED);
  fake.armed = false;
  CHECK(munmap(taken, PAGE) == 0);
  gmem_provider_destroy(&it.provider);
}

// Without reserved huge pages: REQUIRE fails, PREFER takes others.
static void test_no_huge_pages(void) {
  for (int prefer = 0; prefer <= 1; ++prefer) {
    case_t self = {.name = "huge", .size = HUGE, .align = 1};
    self.options = (gmem_mmap_options_t)GMEM_MMAP_OPTIONS_INIT;
    self.options.huge_pages =
        prefer ? GMEM_HUGE_PAGES_PREFER : GMEM_HUGE_PAGES_REQUIRE;
    fixture_t it = {.copy = -1};
    fake_reset();
    CHECK(make_provider(&self, &it) == GMEM_OK);
    fake.armed = true;
    CHECK(acquire(&self, &it) == (prefer ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY));
    (void)let_go(&self, &it);
    CHECK(fake.mapped_count == 0);
    fake.has_huge = true;
    CHECK(acquire(&self, &it) == GMEM_OK);
    CHECK(it.range.size % HUGE == 0);
    CHECK((uintptr_t)it.range.host % HUGE == 0);
    (void)let_go(&self, &it);
    fake.armed = false;
    gmem_provider_destroy(&it.provider);
  }
}

// The text of an error that the C library does not know, and of one it does.
static void test_texts(void) {
  gmem_provider_t provider;
  gmem_range_t range;
  gmem_diag_t diag;
  CHECK(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_OK);
  for (int known = 0; known <= 1; ++known) {
    fake_reset();
    fake.armed = true;
    fake.fail_at = 1;
    fake.error = known ? ENOMEM : 99999;
    CHECK(provider.acquire(provider.user, PAGE, 1, GMEM_ANY_ADDRESS, 0, &range,
                           &diag) ==
          (known ? GMEM_ERR_OUT_OF_MEMORY : GMEM_ERR_IO));
    fake.armed = false;
    CHECK(diag.os_error == fake.error);
    CHECK(strncmp(diag.text, "cannot map 4096 bytes of memory", 31) == 0);
    CHECK(diag.text[strlen(diag.text) - 1] != ' ');
    CHECK(!known || (strncmp(diag.text + 31, ": ", 2) == 0 &&
                     strcmp(diag.text + 33, strerror(ENOMEM)) == 0));
  }
  gmem_provider_destroy(&provider);
}

// A file may be shorter than was promised, or of a kind that has other pages.
static void test_wrong_files(int file) {
  static const case_t self = {.name = "short", .size = PAGE, .align = 1};
  fixture_t it = {.file = file, .copy = -1};
  fake_reset();
  CHECK(gmem_provider_mmap(NULL, NULL, &it.provider) == GMEM_OK);
  fake.armed = fake.file_ends = true;
  CHECK(map_fd(&self, &it) == GMEM_ERR_TOO_SMALL);
  fake.file_ends = false;
  fake.is_hugetlbfs = true; // where mappings are of other sizes than asked for
  CHECK(map_fd(&self, &it) == GMEM_ERR_UNSUPPORTED);
  CHECK(it.range.host == NULL && fake.mapped_count == 0);
  fake.armed = false;
  gmem_provider_destroy(&it.provider);
}

static gmem_status_t get(gmem_provider_t *provider, uint64_t size,
                         uint64_t align, uint64_t fixed, uint32_t flags,
                         gmem_range_t *out_range, gmem_diag_t *diag) {
  return provider->acquire(provider->user, size, align, fixed, flags, out_range,
                           diag);
}

// Growing a file beyond the limit of the process would be a signal.
static void test_limit_of_files(void) {
  gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
  options.shared = true;
  gmem_provider_t provider;
  gmem_range_t range;
  gmem_diag_t diag;
  CHECK(gmem_provider_mmap(&options, NULL, &provider) == GMEM_OK);
  fake_reset();
  fake.armed = true;
  fake.most_file = 2 * PAGE;
  CHECK(get(&provider, 3 * PAGE, 1, GMEM_ANY_ADDRESS, GMEM_RANGE_SHAREABLE,
            &range, &diag) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(diag.os_error == EFBIG && range.size == 0 && fake.mapped_count == 0);
  CHECK(get(&provider, 2 * PAGE, 1, GMEM_ANY_ADDRESS, GMEM_RANGE_SHAREABLE,
            &range, &diag) == GMEM_OK);
  provider.release(provider.user, &range);
  fake.armed = false;
  gmem_provider_destroy(&provider);
}

// Huge pages are only a wish: it moves no address that was asked for, is no
// reason to align worse, and is none for files, which would have to be larger.
static void test_huge_pages_and_other_wishes(uint64_t fixed) {
  gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
  options.huge_pages = GMEM_HUGE_PAGES_PREFER;
  options.shared = true;
  gmem_provider_t provider;
  gmem_range_t range;
  CHECK(gmem_provider_mmap(&options, NULL, &provider) == GMEM_OK);
  fake_reset();
  fake.armed = true;
  CHECK(get(&provider, HUGE, PAGE, fixed + PAGE, 0, &range, NULL) == GMEM_OK);
  CHECK(range.device == fixed + PAGE);
  provider.release(provider.user, &range);
  CHECK(get(&provider, HUGE, 2 * HUGE, GMEM_ANY_ADDRESS, 0, &range, NULL) ==
        GMEM_OK);
  CHECK(range.device % (2 * HUGE) == 0);
  provider.release(provider.user, &range);
  fake.has_huge = true;
  CHECK(get(&provider, HUGE + PAGE, 1, GMEM_ANY_ADDRESS, GMEM_RANGE_SHAREABLE,
            &range, NULL) == GMEM_OK);
  CHECK(range.size == HUGE + PAGE);
  provider.release(provider.user, &range);
  CHECK(fake.mapped_count == 0);
  fake.armed = false;
  gmem_provider_destroy(&provider);
}

static void test_impossible_wishes(void) {
  gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
  options.huge_pages = GMEM_HUGE_PAGES_REQUIRE;
  gmem_provider_t provider;
  gmem_range_t range;
  gmem_diag_t diag;
  fake_reset();
  fake.armed = true;
  fake.page = HUGE; // then there is nothing between a page and a huge one
  CHECK(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_ERR_UNSUPPORTED);
  fake.page = 0;
  fake.armed = false;
  CHECK(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_OK);
  CHECK(get(&provider, PAGE, UINT64_C(1) << 63, GMEM_ANY_ADDRESS, 0, &range,
            &diag) == GMEM_ERR_OUT_OF_MEMORY);
  gmem_provider_destroy(&provider);
  CHECK(gmem_provider_mmap(&options, NULL, &provider) == GMEM_OK);
  CHECK(get(&provider, PAGE, 3, GMEM_ANY_ADDRESS, 0, &range, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_provider_destroy(&provider);
}

int main(void) {
  int file = memfd_create("file", MFD_CLOEXEC);
  uint8_t bytes[8 * PAGE];
  memset(bytes, 'f', sizeof bytes);
  CHECK(write(file, bytes, sizeof bytes) == sizeof bytes);
  // Addresses that are free, and far from those that the system gives next.
  enum { FAR = 1 << 30 };
  uint8_t *place =
      mmap(NULL, FAR, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(place != MAP_FAILED && munmap(place, FAR) == 0);
  uint64_t fixed = (uint64_t)(uintptr_t)place + FAR / 4;
  test_every_call_fails(fixed, file);
  test_addresses_are_snatched(false);
  test_addresses_are_snatched(true);
  test_taken_address(false);
  test_taken_address(true);
  test_no_huge_pages();
  test_wrong_files(file);
  test_texts();
  test_limit_of_files();
  test_huge_pages_and_other_wishes(fixed);
  test_impossible_wishes();
  close(file);
  return CHECK_RESULT();
}
