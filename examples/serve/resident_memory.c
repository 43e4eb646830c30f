// resident_memory.c - see resident_memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resident_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

// A line of /proc/self/status, such as "VmRSS:     1234 kB", in bytes.
static uint64_t status_line(const char *key) {
  char line[256];
  uint64_t kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0)
      sscanf(line + strlen(key), "%" SCNu64, &kilobytes);
  if (file)
    fclose(file);
  return kilobytes * 1024;
}

uint64_t resident_now(void) { return status_line("VmRSS:"); }
uint64_t resident_peak(void) { return status_line("VmHWM:"); }

uint64_t page_faults(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0
             ? (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt
             : 0;
}

double cpu_seconds(void) {
  struct timespec used;
  return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0
             ? (double)used.tv_sec + (double)used.tv_nsec / 1e9
             : 0;
}
