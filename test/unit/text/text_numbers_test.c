// text_numbers_test.c - counts and numbers of bytes, as options and files give
// them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/text_numbers_test

#include "check.h"
#include "gmem/memories.h"
#include "numbers.h"

static void expect_bytes(const char *text, uint64_t expected) {
  uint64_t bytes = 1;
  CHECK(gmem_parse_bytes(text, &bytes) && bytes == expected);
}

static void reads_bytes(void) {
  static const char *const bad[] = {"",
                                    " 1",
                                    "1 ",
                                    "-1",
                                    "+1",
                                    "1.5",
                                    "1k",
                                    "1KB",
                                    "1Ki",
                                    "K",
                                    "1B",
                                    "0x",
                                    "0x1K",
                                    "0xG",
                                    "1KiBs",
                                    "1P",
                                    "1,0",
                                    "0b1",
                                    "8388608T",
                                    "9223372036854775808",
                                    "0x8000000000000000",
                                    "1e3"};
  expect_bytes("0", 0);
  expect_bytes("007", 7);
  expect_bytes("1048576", UINT64_C(1) << 20);
  expect_bytes("0x80000000", UINT64_C(1) << 31);
  expect_bytes("0XfF", 255);
  expect_bytes("3K", 3 << 10);
  expect_bytes("3KiB", 3 << 10);
  expect_bytes("3M", 3 << 20);
  expect_bytes("3MiB", 3 << 20);
  expect_bytes("3G", UINT64_C(3) << 30);
  expect_bytes("3GiB", UINT64_C(3) << 30);
  expect_bytes("3T", UINT64_C(3) << 40);
  expect_bytes("3TiB", UINT64_C(3) << 40);
  expect_bytes("9223372036854775807", GMEM_MAX_ADDRESS);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    uint64_t bytes = 42;
    CHECK(!gmem_parse_bytes(bad[i], &bytes) && bytes == 42);
  }
}

static void reads_counts(void) {
  static const char *const bad[] = {
      "", "x", "2", "100", "10K", "10 ", "-5", "18446744073709551616", "0x"};
  uint64_t count = 0;
  CHECK(gmem_parse_count("3", 3, 99, &count) && count == 3);
  CHECK(gmem_parse_count("99", 3, 99, &count) && count == 99);
  CHECK(gmem_parse_count("0x10", 3, 99, &count) && count == 16);
  CHECK(gmem_parse_count("18446744073709551615", 0, UINT64_MAX, &count) &&
        count == UINT64_MAX);
  count = 42;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    CHECK(!gmem_parse_count(bad[i], 3, 99, &count) && count == 42);
}

int main(void) {
  reads_bytes();
  reads_counts();
  return CHECK_RESULT();
}
