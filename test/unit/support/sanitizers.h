// sanitizers.h - which sanitizers a test was built with: 1 or 0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_SANITIZERS_H_
#define GMEM_TEST_UNIT_SANITIZERS_H_

#ifndef __has_feature // gcc
#define __has_feature(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define HAS_ASAN 1
#else
#define HAS_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define HAS_TSAN 1
#else
#define HAS_TSAN 0
#endif

#endif // GMEM_TEST_UNIT_SANITIZERS_H_
