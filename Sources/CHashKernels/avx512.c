// SHA-256 of sixteen messages at once with AVX-512: lane i of every register belongs to message i.
//
// The rounds are those of scalar.c with vectors for words. What AVX-512 brings:
//
//   rotating     vprord does it in one instruction (AVX2 takes three).
//   vpternlogd   any function of three bits, given by its truth table: bit 4x + 2y + z of the constant is f(x, y, z).
//                Exclusive or of three is 0x96, Ch(e, f, g) = e ? f : g is 0xca, Maj is 0xe8. A sigma is three
//                rotations and one of these.
//   registers    32 of them: the schedule ring w[16], the state (8) and what a round needs stay in registers.
//   transposing  Schedule word i wants word i of sixteen messages. The 16 x 16 transpose of 32-bit words is four
//                stages of sixteen two-input shuffles: interleave words, interleave pairs of words (now every 128-bit
//                quarter is a finished 4 x 4 transpose), then move the quarters as a 4 x 4 matrix of quarters.
//   renaming     A round changes only d and h, so each round is written with the names shifted by one; after eight
//                rounds they are back where they were.
//
// A round has 8 operations for the sigmas, 2 for Ch and Maj and 8 sums, a schedule word 8 and 3, a block's transpose
// 80: some 1750 operations for 1024 bytes. Each round waits for the e of the one before, so the way from e to the next e
// is kept at three operations: rotate, exclusive or, and one sum to which everything else (d + h + W + K + Ch) has been
// added before.
//
// Lanes beyond the last message read message 0 and are thrown away, so nothing outside the messages is touched.
#if defined(__x86_64__)

#include "engines.h"

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define INLINE AVX512 static inline __attribute__((always_inline))

enum { WIDTH = 16 };

bool chk_cpu_has_avx512(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

INLINE __m512i sum(__m512i x, __m512i y) { return _mm512_add_epi32(x, y); }
INLINE __m512i xor3(__m512i x, __m512i y, __m512i z) { return _mm512_ternarylogic_epi32(x, y, z, 0x96); }
INLINE __m512i choice(__m512i e, __m512i f, __m512i g) { return _mm512_ternarylogic_epi32(e, f, g, 0xca); }
INLINE __m512i majority(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi32(a, b, c, 0xe8); }

#define ROTATED(x, n) _mm512_ror_epi32(x, n)
#define SIGMA(x, i, j, k) xor3(ROTATED(x, i), ROTATED(x, j), ROTATED(x, k))
#define SHIFTED_SIGMA(x, i, j, k) xor3(ROTATED(x, i), ROTATED(x, j), _mm512_srli_epi32(x, k))

// w[i] becomes word i of the block at `offset` of every message.
INLINE void load_block(__m512i w[16], const uint8_t *const data[WIDTH], size_t offset) {
  const __m512i swap_bytes = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
  __m512i row[16], pair[16], quad[16], half[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) {
    row[i] = _mm512_shuffle_epi8(_mm512_loadu_si512((const void *)(data[i] + offset)), swap_bytes);
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += 2) {
    pair[i] = _mm512_unpacklo_epi32(row[i], row[i + 1]);
    pair[i + 1] = _mm512_unpackhi_epi32(row[i], row[i + 1]);
  }
  // Quarter q of quad[4m + j] is word 4q + j of messages 4m...4m+3.
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += 4) {
    quad[i] = _mm512_unpacklo_epi64(pair[i], pair[i + 2]);
    quad[i + 1] = _mm512_unpackhi_epi64(pair[i], pair[i + 2]);
    quad[i + 2] = _mm512_unpacklo_epi64(pair[i + 1], pair[i + 3]);
    quad[i + 3] = _mm512_unpackhi_epi64(pair[i + 1], pair[i + 3]);
  }
  // half[j] has quarters 0 and 2 of quad[j] and quad[4 + j], half[4 + j] quarters 1 and 3; half[8...] the same of the
  // messages 8...15.
#pragma GCC unroll 16
  for (int j = 0; j < 4; j++) {
    half[j] = _mm512_shuffle_i32x4(quad[j], quad[j + 4], 0x88);
    half[j + 4] = _mm512_shuffle_i32x4(quad[j], quad[j + 4], 0xdd);
    half[j + 8] = _mm512_shuffle_i32x4(quad[j + 8], quad[j + 12], 0x88);
    half[j + 12] = _mm512_shuffle_i32x4(quad[j + 8], quad[j + 12], 0xdd);
  }
#pragma GCC unroll 16
  for (int j = 0; j < 4; j++) {
    w[j] = _mm512_shuffle_i32x4(half[j], half[j + 8], 0x88);
    w[j + 4] = _mm512_shuffle_i32x4(half[j + 4], half[j + 12], 0x88);
    w[j + 8] = _mm512_shuffle_i32x4(half[j], half[j + 8], 0xdd);
    w[j + 12] = _mm512_shuffle_i32x4(half[j + 4], half[j + 12], 0xdd);
  }
}

// W[t] in place of W[t - 16], for t % 16 == i.
#define SCHEDULE(i)                                                                                              \
  w[i] = sum(sum(w[i], w[((i) + 9) % 16]), sum(SHIFTED_SIGMA(w[((i) + 1) % 16], 7, 18, 3),                       \
                                               SHIFTED_SIGMA(w[((i) + 14) % 16], 17, 19, 10)));

#define ROUND(a, b, c, d, e, f, g, h, i)                                                                         \
  {                                                                                                              \
    __m512i before = sum(sum(sum(h, w[i]), _mm512_set1_epi32((int)k[i])), choice(e, f, g));                      \
    __m512i sigma = SIGMA(e, 6, 11, 25);                                                                         \
    d = sum(sum(d, before), sigma);                                                                              \
    h = sum(sum(before, sigma), sum(SIGMA(a, 2, 13, 22), majority(a, b, c)));                                    \
  }

#define EIGHT_ROUNDS(i, PREPARE)                                                                                 \
  PREPARE(i) ROUND(a, b, c, d, e, f, g, h, i)                                                                    \
  PREPARE(i + 1) ROUND(h, a, b, c, d, e, f, g, i + 1)                                                            \
  PREPARE(i + 2) ROUND(g, h, a, b, c, d, e, f, i + 2)                                                            \
  PREPARE(i + 3) ROUND(f, g, h, a, b, c, d, e, i + 3)                                                            \
  PREPARE(i + 4) ROUND(e, f, g, h, a, b, c, d, i + 4)                                                            \
  PREPARE(i + 5) ROUND(d, e, f, g, h, a, b, c, i + 5)                                                            \
  PREPARE(i + 6) ROUND(c, d, e, f, g, h, a, b, i + 6)                                                            \
  PREPARE(i + 7) ROUND(b, c, d, e, f, g, h, a, i + 7)

#define GIVEN(i)

INLINE void compress_sixteen(__m512i state[8], const uint8_t *const data[WIDTH], size_t blocks) {
  for (size_t block = 0; block < blocks; block++) {
    __m512i w[16];
    load_block(w, data, block * CHK_BLOCK_BYTES);

    __m512i a = state[0], b = state[1], c = state[2], d = state[3];
    __m512i e = state[4], f = state[5], g = state[6], h = state[7];
    const uint32_t *k = chk_round_constants;
    EIGHT_ROUNDS(0, GIVEN)
    EIGHT_ROUNDS(8, GIVEN)
    for (int t = 16; t < 64; t += 16) {
      k += 16;
      EIGHT_ROUNDS(0, SCHEDULE)
      EIGHT_ROUNDS(8, SCHEDULE)
    }
    state[0] = sum(state[0], a), state[1] = sum(state[1], b), state[2] = sum(state[2], c), state[3] = sum(state[3], d);
    state[4] = sum(state[4], e), state[5] = sum(state[5], f), state[6] = sum(state[6], g), state[7] = sum(state[7], h);
  }
}

AVX512 void chk_compress_avx512(uint32_t *const *states, const uint8_t *const *data, size_t lanes, size_t blocks) {
  for (; lanes > 0; states += WIDTH, data += WIDTH) {
    size_t used = lanes < WIDTH ? lanes : WIDTH;
    const uint8_t *sources[WIDTH];
    uint32_t words[8][WIDTH];
    for (size_t i = 0; i < WIDTH; i++) {
      size_t source = i < used ? i : 0;
      sources[i] = data[source];
      for (int word = 0; word < 8; word++) words[word][i] = states[source][word];
    }

    __m512i state[8];
    for (int word = 0; word < 8; word++) state[word] = _mm512_loadu_si512(words[word]);
    compress_sixteen(state, sources, blocks);
    for (int word = 0; word < 8; word++) _mm512_storeu_si512(words[word], state[word]);

    for (size_t i = 0; i < used; i++) {
      for (int word = 0; word < 8; word++) states[i][word] = words[word][i];
    }
    lanes -= used;
  }
}

#endif
