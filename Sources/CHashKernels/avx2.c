// SHA-256 of eight messages at once with AVX2: lane i of every register belongs to message i.
//
// The rounds are those of scalar.c with vectors for words. What is different:
//
//   transposing  Message words lie one message after the other; a schedule word wants the same word of eight messages.
//                Two 8 x 8 transposes of 32-bit words a block: interleave words, then pairs of words, then swap halves.
//   rotating     AVX2 has no rotate. x >>> n is (x >> n) ^ (x << (32 - n)), and the six terms of a sigma are one chain
//                of exclusive ors. Shifts are the bottleneck: 12 a round and 10 a schedule word, two a cycle at best.
//   Maj          b ^ ((a ^ b) & (b ^ c)): the a ^ b of one round is the b ^ c of the next, because a becomes b.
//   renaming     A round changes only d and h. Instead of moving eight registers, each round is written with the names
//                shifted by one; after eight rounds they are back where they were.
//
// The schedule ring w[16] does not fit the 16 registers beside the state; it stays in the first-level cache.
// Lanes beyond the last message read message 0 and are thrown away, so nothing outside the messages is touched.
#if defined(__x86_64__)

#include "engines.h"

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE AVX2 static inline __attribute__((always_inline))

enum { WIDTH = 8 };

bool chk_cpu_has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}

INLINE __m256i sum(__m256i x, __m256i y) { return _mm256_add_epi32(x, y); }
INLINE __m256i xor(__m256i x, __m256i y) { return _mm256_xor_si256(x, y); }
INLINE __m256i and(__m256i x, __m256i y) { return _mm256_and_si256(x, y); }

#define ROTATED(x, n) xor(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - (n)))
#define SIGMA(x, i, j, k) xor(xor(ROTATED(x, i), ROTATED(x, j)), ROTATED(x, k))
#define SHIFTED_SIGMA(x, i, j, k) xor(xor(ROTATED(x, i), ROTATED(x, j)), _mm256_srli_epi32(x, k))

// Words `first` to `first` + 7 of the block at `offset`, transposed: w[i] has word first + i of every message.
INLINE void load_words(__m256i w[8], const uint8_t *const data[WIDTH], size_t offset) {
  const __m256i swap_bytes = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
  __m256i row[8], pair[8], quad[8];
  for (int i = 0; i < 8; i++) {
    row[i] = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)(data[i] + offset)), swap_bytes);
  }
  for (int i = 0; i < 8; i += 2) {
    pair[i] = _mm256_unpacklo_epi32(row[i], row[i + 1]);
    pair[i + 1] = _mm256_unpackhi_epi32(row[i], row[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    quad[i] = _mm256_unpacklo_epi64(pair[i], pair[i + 2]);
    quad[i + 1] = _mm256_unpackhi_epi64(pair[i], pair[i + 2]);
    quad[i + 2] = _mm256_unpacklo_epi64(pair[i + 1], pair[i + 3]);
    quad[i + 3] = _mm256_unpackhi_epi64(pair[i + 1], pair[i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    w[i] = _mm256_permute2x128_si256(quad[i], quad[i + 4], 0x20);
    w[i + 4] = _mm256_permute2x128_si256(quad[i], quad[i + 4], 0x31);
  }
}

// W[t] in place of W[t - 16], for t % 16 == i.
#define SCHEDULE(i)                                                                                              \
  w[i] = sum(sum(w[i], w[((i) + 9) % 16]), sum(SHIFTED_SIGMA(w[((i) + 1) % 16], 7, 18, 3),                       \
                                               SHIFTED_SIGMA(w[((i) + 14) % 16], 17, 19, 10)));

#define ROUND(a, b, c, d, e, f, g, h, i)                                                                         \
  {                                                                                                              \
    __m256i t1 = sum(sum(h, sum(w[i], _mm256_set1_epi32((int)k[i]))),                                            \
                     sum(SIGMA(e, 6, 11, 25), xor(g, and(e, xor(f, g)))));                                       \
    __m256i a_b = xor(a, b);                                                                                     \
    d = sum(d, t1);                                                                                              \
    h = sum(sum(t1, SIGMA(a, 2, 13, 22)), xor(b, and(a_b, b_c)));                                                \
    b_c = a_b;                                                                                                   \
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

INLINE void compress_eight(__m256i state[8], const uint8_t *const data[WIDTH], size_t blocks) {
  for (size_t block = 0; block < blocks; block++) {
    __m256i w[16];
    load_words(&w[0], data, block * CHK_BLOCK_BYTES);
    load_words(&w[8], data, block * CHK_BLOCK_BYTES + 32);

    __m256i a = state[0], b = state[1], c = state[2], d = state[3];
    __m256i e = state[4], f = state[5], g = state[6], h = state[7];
    __m256i b_c = xor(b, c);
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

AVX2 void chk_compress_avx2(uint32_t *const *states, const uint8_t *const *data, size_t lanes, size_t blocks) {
  for (; lanes > 0; states += WIDTH, data += WIDTH) {
    size_t used = lanes < WIDTH ? lanes : WIDTH;
    const uint8_t *sources[WIDTH];
    uint32_t words[8][WIDTH];
    for (size_t i = 0; i < WIDTH; i++) {
      size_t source = i < used ? i : 0;
      sources[i] = data[source];
      for (int word = 0; word < 8; word++) words[word][i] = states[source][word];
    }

    __m256i state[8];
    for (int word = 0; word < 8; word++) state[word] = _mm256_loadu_si256((const __m256i *)words[word]);
    compress_eight(state, sources, blocks);
    for (int word = 0; word < 8; word++) _mm256_storeu_si256((__m256i *)words[word], state[word]);

    for (size_t i = 0; i < used; i++) {
      for (int word = 0; word < 8; word++) states[i][word] = words[word][i];
    }
    lanes -= used;
  }
}

#endif
