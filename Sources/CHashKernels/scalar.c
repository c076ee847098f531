// SHA-256's compression function in plain C: the engine for a last message on its own where the CPU has no SHA-256
// instructions, and the one every other engine can be read against.
//
// FIPS 180-4, 6.2.2. The message schedule W[0...63] needs only its last 16 words, so it lives in a ring of 16: when
// round t begins, w[t % 16] still holds W[t - 16] and is replaced by W[t].
//
// Ch(e,f,g) picks f where e has a one and g where it has a zero: g ^ (e & (f ^ g)).
// Maj(a,b,c) is b where b agrees with a or with c, and else a, which is c: b ^ ((a ^ b) & (b ^ c)).
//
// A round changes only d and h and then renames all eight words. Instead of moving them, each round is written with the
// names shifted by one; after eight rounds they are back where they were.
#include "engines.h"

static inline uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

static inline uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline uint32_t big_sigma0(uint32_t a) { return rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22); }
static inline uint32_t big_sigma1(uint32_t e) { return rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25); }
static inline uint32_t small_sigma0(uint32_t w) { return rotated(w, 7) ^ rotated(w, 18) ^ w >> 3; }
static inline uint32_t small_sigma1(uint32_t w) { return rotated(w, 17) ^ rotated(w, 19) ^ w >> 10; }

// W[t] in place of W[t - 16], for t % 16 == i.
#define SCHEDULE(i) w[i] += small_sigma0(w[((i) + 1) % 16]) + w[((i) + 9) % 16] + small_sigma1(w[((i) + 14) % 16]);

#define ROUND(a, b, c, d, e, f, g, h, i)                                             \
  h += big_sigma1(e) + (g ^ (e & (f ^ g))) + k[i] + w[i];                            \
  d += h;                                                                            \
  h += big_sigma0(a) + (b ^ ((a ^ b) & (b ^ c)));

#define EIGHT_ROUNDS(i, PREPARE)                                                     \
  PREPARE(i) ROUND(a, b, c, d, e, f, g, h, i)                                        \
  PREPARE(i + 1) ROUND(h, a, b, c, d, e, f, g, i + 1)                                \
  PREPARE(i + 2) ROUND(g, h, a, b, c, d, e, f, i + 2)                                \
  PREPARE(i + 3) ROUND(f, g, h, a, b, c, d, e, i + 3)                                \
  PREPARE(i + 4) ROUND(e, f, g, h, a, b, c, d, i + 4)                                \
  PREPARE(i + 5) ROUND(d, e, f, g, h, a, b, c, i + 5)                                \
  PREPARE(i + 6) ROUND(c, d, e, f, g, h, a, b, i + 6)                                \
  PREPARE(i + 7) ROUND(b, c, d, e, f, g, h, a, i + 7)

#define GIVEN(i)

static void compress_block(uint32_t state[8], const uint8_t *block) {
  uint32_t w[16];
  for (int t = 0; t < 16; t++) w[t] = big_endian(block + 4 * t);

  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  const uint32_t *k = chk_round_constants;
  EIGHT_ROUNDS(0, GIVEN)
  EIGHT_ROUNDS(8, GIVEN)
  for (int t = 16; t < 64; t += 16) {
    k += 16;
    EIGHT_ROUNDS(0, SCHEDULE)
    EIGHT_ROUNDS(8, SCHEDULE)
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void chk_compress_scalar(uint32_t *const *states, const uint8_t *const *data, size_t lanes, size_t blocks) {
  for (size_t lane = 0; lane < lanes; lane++) {
    for (size_t block = 0; block < blocks; block++) {
      compress_block(states[lane], data[lane] + block * CHK_BLOCK_BYTES);
    }
  }
}
