// SHA-256 with the x86 SHA extensions, one to four streams interleaved.
//
// The three instructions, as Intel's SDM, volume 2, defines them (a register is written here from its highest 32 bits
// down; the state is two registers, ABEF = (a, b, e, f) and CDGH = (c, d, g, h)):
//
//   sha256rnds2(cdgh, abef, wk)   two rounds with wk's low two words as W[t] + K[t] and W[t+1] + K[t+1]. Returns the
//                                 new ABEF; the new CDGH is the old ABEF, because two rounds move a, b to c, d and e,
//                                 f to g, h. So four rounds are: cdgh = rnds2(cdgh, abef, wk), abef = rnds2(abef,
//                                 cdgh, wk>>64), and the names are right again.
//   sha256msg1(x0, x1)            with x0 = W[t-16...t-13] and x1 = W[t-12...t-9]: adds s0(W[t-15...t-12]) to x0
//   sha256msg2(y, x3)             with x3 = W[t-4...t-1]: adds s1(W[t-2...t+1]) to y, computing the later two words
//                                 from the first two; all that is missing in y before it is W[t-7...t-4], which is the
//                                 last word of x2 = W[t-8...t-5] and the first three of x3: alignr(x3, x2, 4 bytes)
//
//   so W[t...t+3] = msg2(msg1(x0, x1) + alignr(x3, x2), x3), which takes x0's place. Quad q is rounds 4q...4q+3.
//
// A pair of rounds has to wait for the pair before it (4 cycles on Zen and on Intel since Ice Lake), while the unit
// starts a new one every second cycle. Two streams fill those gaps; four leave enough independent work for the
// schedule, the loads and the byte swaps to disappear behind the rounds as well.
//
// Four streams want 8 registers of state and 16 of schedule, and there are 16. What a compiler then spills, and where
// it moves what, is worth a tenth of the speed, so the order is written down and fixed with empty asm statements,
// which only say "these values, here". Three rules were found by measuring (Zen 3, clang 21: 3.15 to 3.45 GB/s):
//
//   - a stream's schedule for the next quad is finished between its two pairs of rounds, not when it is needed;
//   - streams take turns: none begins a quad before the one before it has;
//   - the constants are operands in memory: a register that holds one pushes out a schedule.
//
// AVX is asked for because of its three-operand forms of the other instructions; a CPU with the SHA extensions but
// without AVX (some Atoms) uses OpenSSL.
#if defined(__x86_64__)

#include "engines.h"

#include <immintrin.h>

#define SHANI __attribute__((target("sha,avx")))

bool chk_cpu_has_shani(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sha") && __builtin_cpu_supports("avx");
}

enum { MOST = 4 };

struct streams {
  __m128i abef[MOST], cdgh[MOST];
  __m128i w[4][MOST];  // w[q % 4][s]: the schedule words of quad q in stream s
  const uint32_t *constants;
};

// `count` and `quad` are constants at every call and these are always inlined, so that the arrays become registers.
#define STEP SHANI static inline __attribute__((always_inline)) void

STEP load_block(struct streams *streams, size_t count, const uint8_t *const *data, size_t offset) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (int quad = 0; quad < 4; quad++) {
    for (size_t s = 0; s < count; s++) {
      const __m128i *words = (const __m128i *)(data[s] + offset) + quad;
      streams->w[quad][s] = _mm_shuffle_epi8(_mm_loadu_si128(words), swap_bytes);
    }
  }
}

// Rounds 4 * quad to 4 * quad + 3, and between them the last step of the next quad's schedule and the first step of the
// one three quads on.
STEP four_rounds(struct streams *streams, size_t count, int quad) {
  __m128i *abef = streams->abef, *cdgh = streams->cdgh;
  const __m128i *w = streams->w[quad % 4];
  __m128i *next = streams->w[(quad + 1) % 4], *before = streams->w[(quad + 3) % 4];
  for (size_t s = 0; s < count; s++) {
    __asm__("" : "+x"(abef[s]), "+x"(cdgh[(s + 1) % count]));
    __asm__("" : "+r"(streams->constants));
    __m128i wk = _mm_add_epi32(w[s], _mm_load_si128((const __m128i *)streams->constants + quad));
    cdgh[s] = _mm_sha256rnds2_epu32(cdgh[s], abef[s], wk);
    if (quad >= 3 && quad < 15) {
      next[s] = _mm_sha256msg2_epu32(_mm_add_epi32(next[s], _mm_alignr_epi8(w[s], before[s], 4)), w[s]);
      __asm__("" : "+x"(next[s]), "+x"(cdgh[s]));
    }
    abef[s] = _mm_sha256rnds2_epu32(abef[s], cdgh[s], _mm_shuffle_epi32(wk, 0x0e));
    if (quad >= 1 && quad < 13) before[s] = _mm_sha256msg1_epu32(before[s], w[s]);
  }
}

STEP compress_block(struct streams *streams, size_t count, const uint8_t *const *data, size_t offset) {
  __m128i abef[MOST], cdgh[MOST];
  for (size_t s = 0; s < count; s++) abef[s] = streams->abef[s], cdgh[s] = streams->cdgh[s];
  load_block(streams, count, data, offset);
#pragma GCC unroll 16
  for (int quad = 0; quad < 16; quad++) four_rounds(streams, count, quad);
  for (size_t s = 0; s < count; s++) {
    streams->abef[s] = _mm_add_epi32(streams->abef[s], abef[s]);
    streams->cdgh[s] = _mm_add_epi32(streams->cdgh[s], cdgh[s]);
  }
}

STEP compress_streams(uint32_t *const *states, const uint8_t *const *data, size_t count, size_t blocks) {
  struct streams streams;
  streams.constants = chk_round_constants;
  for (size_t s = 0; s < count; s++) {
    __m128i dcba = _mm_loadu_si128((const __m128i *)&states[s][0]);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)&states[s][4]);
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    streams.abef[s] = _mm_alignr_epi8(cdab, efgh, 8);
    streams.cdgh[s] = _mm_blend_epi16(efgh, cdab, 0xf0);
  }
  for (size_t block = 0; block < blocks; block++) {
    compress_block(&streams, count, data, block * CHK_BLOCK_BYTES);
  }
  for (size_t s = 0; s < count; s++) {
    __m128i feba = _mm_shuffle_epi32(streams.abef[s], 0x1b), dchg = _mm_shuffle_epi32(streams.cdgh[s], 0xb1);
    _mm_storeu_si128((__m128i *)&states[s][0], _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)&states[s][4], _mm_alignr_epi8(dchg, feba, 8));
  }
}

SHANI void chk_compress_shani(uint32_t *const *states, const uint8_t *const *data, size_t lanes, size_t blocks) {
  while (lanes > 0) {
    // Five are faster as three and two than as four and one.
    size_t count = lanes == 5 ? 3 : lanes < 4 ? lanes : 4;
    switch (count) {
      case 1: compress_streams(states, data, 1, blocks); break;
      case 2: compress_streams(states, data, 2, blocks); break;
      case 3: compress_streams(states, data, 3, blocks); break;
      default: compress_streams(states, data, 4, blocks); break;
    }
    states += count;
    data += count;
    lanes -= count;
  }
}

#endif
