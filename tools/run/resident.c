// resident.c - see resident.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // RUSAGE_THREAD

#include "resident.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

// Adds a line such as "Rss:     12 kB" to |to|, in bytes.
static void add_line(const char *line, const char *key, uint64_t *to) {
  uint64_t kilobytes;
  size_t length = strlen(key);
  if (strncmp(line, key, length) == 0 &&
      sscanf(line + length, "%" SCNu64, &kilobytes) == 1)
    *to += kilobytes * 1024;
}

void gmem_resident_add(const void *at, uint64_t size,
                       gmem_resident_t *resident) {
  FILE *file = fopen("/proc/self/smaps", "r");
  uint64_t first = (uint64_t)(uintptr_t)at, begin, end;
  char line[512];
  bool is_ours = false;
  if (!file)
    return;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &begin, &end) == 2)
      is_ours = begin < first + size && first < end;
    if (!is_ours)
      continue;
    add_line(line, "Rss:", &resident->resident);
    add_line(line, "Pss:", &resident->proportional);
    add_line(line, "Shared_Clean:", &resident->shared);
    add_line(line, "Shared_Dirty:", &resident->shared);
  }
  fclose(file);
}

uint64_t gmem_resident_peak(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024
                                             : 0;
}

uint64_t gmem_page_faults(bool of_thread) {
  struct rusage usage;
  return getrusage(of_thread ? RUSAGE_THREAD : RUSAGE_SELF, &usage) == 0
             ? (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt
             : 0;
}
