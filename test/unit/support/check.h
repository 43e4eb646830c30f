// check.h - the one macro of the unit tests: a failed CHECK says where and why,
// and the test program goes on, to exit non-zero at its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_CHECK_H_
#define GMEM_TEST_UNIT_CHECK_H_

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      ++check_failures;                                                        \
      fprintf(stderr, "%s:%d: CHECK(%s) failed\n", __FILE__, __LINE__,         \
              #condition);                                                     \
    }                                                                          \
  } while (0)

// Ends main: return CHECK_RESULT();
#define CHECK_RESULT() (check_failures != 0)

#endif // GMEM_TEST_UNIT_CHECK_H_
