// sha256_x86.c - SHA-256 with the SHA instructions of x86 processors, about ten
// times faster than portable code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions keep the working variables a to h in two registers, here
// written from the highest element to the lowest: ABEF and CDGH. One
// SHA256RNDS2 does two rounds and makes the new ABEF; the old one is then the
// new CDGH. SHA256MSG1 and MSG2 are the two sigmas of the message schedule,
// four words at once (Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2).

#include "sha256_blocks.h"

#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#define WITH_SHA __attribute__((target("sha,sse4.1")))

typedef struct state_s {
  __m128i abef, cdgh;
} state_t;

// Four rounds with the message words |w| and their |constants|.
WITH_SHA static inline state_t four_rounds(state_t state, __m128i w,
                                           const uint32_t *constants) {
  __m128i sum = _mm_add_epi32(w, _mm_loadu_si128((const void *)constants));
  __m128i cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, sum);
  sum = _mm_shuffle_epi32(sum, 0x0E); // the upper two words
  __m128i abef = _mm_sha256rnds2_epu32(state.abef, cdgh, sum);
  return (state_t){abef, cdgh};
}

WITH_SHA static state_t add_block(state_t before, const uint8_t *block) {
  // Converts big-endian words to host order.
  const __m128i swap =
      _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  __m128i w[4]; // the next 16 words of the message schedule
  for (int i = 0; i < 4; ++i)
    w[i] =
        _mm_shuffle_epi8(_mm_loadu_si128((const void *)(block + 16 * i)), swap);
  state_t state = before;
  for (int t = 0; t < 64; t += 4) {
    state = four_rounds(state, w[0], gmem_sha256_constants + t);
    __m128i next = _mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]),
                                 _mm_alignr_epi8(w[3], w[2], 4));
    next = _mm_sha256msg2_epu32(next, w[3]);
    w[0] = w[1], w[1] = w[2], w[2] = w[3], w[3] = next;
  }
  return (state_t){_mm_add_epi32(state.abef, before.abef),
                   _mm_add_epi32(state.cdgh, before.cdgh)};
}

WITH_SHA static void add_blocks(uint32_t hash[8], const uint8_t *blocks,
                                size_t count) {
  __m128i abcd = _mm_loadu_si128((const void *)hash);
  __m128i efgh = _mm_loadu_si128((const void *)(hash + 4));
  abcd = _mm_shuffle_epi32(abcd, 0xB1);
  efgh = _mm_shuffle_epi32(efgh, 0x1B);
  state_t state = {_mm_alignr_epi8(abcd, efgh, 8),
                   _mm_blend_epi16(efgh, abcd, 0xF0)};
  for (size_t i = 0; i < count; ++i)
    state = add_block(state, blocks + 64 * i);
  __m128i feba = _mm_shuffle_epi32(state.abef, 0x1B);
  __m128i dchg = _mm_shuffle_epi32(state.cdgh, 0xB1);
  _mm_storeu_si128((void *)hash, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((void *)(hash + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool gmem_sha256_add_x86(uint32_t hash[8], const uint8_t *blocks,
                         size_t count) {
  if (!__builtin_cpu_supports("sha") || !__builtin_cpu_supports("sse4.1"))
    return false;
  add_blocks(hash, blocks, count);
  return true;
}

#else

bool gmem_sha256_add_x86(uint32_t hash[8], const uint8_t *blocks,
                         size_t count) {
  (void)hash, (void)blocks, (void)count;
  return false;
}

#endif
