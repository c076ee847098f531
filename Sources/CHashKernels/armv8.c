// SHA-256 with the ARMv8 cryptography extension, one to four streams interleaved.
//
// The four instructions, as the Arm ARM defines them (the state is two registers, ABCD and EFGH, a and e lowest):
//
//   sha256h(abcd, efgh, wk)    four rounds with wk = W[t...t+3] + K[t...t+3]; returns the new ABCD
//   sha256h2(efgh, abcd, wk)   the same four rounds from the old ABCD; returns the new EFGH
//   sha256su0(x0, x1)          with x0 = W[t-16...t-13] and x1 = W[t-12...t-9]: x0 + s0(W[t-15...t-12])
//   sha256su1(y, x2, x3)       with x2 = W[t-8...t-5] and x3 = W[t-4...t-1]: y + W[t-7...t-4] + s1(W[t-2...t+1])
//
//   so W[t...t+3] = su1(su0(x0, x1), x2, x3), which takes x0's place. Quad q is rounds 4q...4q+3.
//
// Four rounds have to wait for the four before them, and the unit is idle meanwhile. The 32 registers hold the state
// (8) and the schedules (16) of four streams.
#if defined(__aarch64__) && defined(__linux__)

#include "engines.h"

#include <arm_neon.h>
#include <sys/auxv.h>

#define ARMV8 __attribute__((target("+crypto")))

// <asm/hwcap.h> has it too, but is not installed everywhere; the number is part of the kernel's interface.
enum { HAS_SHA2 = 1 << 6 };

bool chk_cpu_has_armv8(void) { return getauxval(AT_HWCAP) & HAS_SHA2; }

enum { MOST = 4 };

struct streams {
  uint32x4_t abcd[MOST], efgh[MOST];
  uint32x4_t w[4][MOST];  // w[q % 4][s]: the schedule words of quad q in stream s
};

// `count` and `quad` are constants at every call and these are always inlined, so that the arrays become registers.
#define STEP ARMV8 static inline __attribute__((always_inline)) void

STEP load_block(struct streams *streams, size_t count, const uint8_t *const *data, size_t offset) {
  for (int quad = 0; quad < 4; quad++) {
    for (size_t s = 0; s < count; s++) {
      streams->w[quad][s] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data[s] + offset + 16 * quad)));
    }
  }
}

STEP four_rounds(struct streams *streams, size_t count, int quad) {
  const uint32x4_t k = vld1q_u32(&chk_round_constants[4 * quad]);
  uint32x4_t *x0 = streams->w[quad % 4], *x1 = streams->w[(quad + 1) % 4];
  uint32x4_t *x2 = streams->w[(quad + 2) % 4], *x3 = streams->w[(quad + 3) % 4];
  for (size_t s = 0; s < count; s++) {
    uint32x4_t wk = vaddq_u32(x0[s], k), abcd = streams->abcd[s];
    // x0 is W[t...t+3] of this quad; W[t+16...t+19] takes its place.
    if (quad < 12) x0[s] = vsha256su1q_u32(vsha256su0q_u32(x0[s], x1[s]), x2[s], x3[s]);
    streams->abcd[s] = vsha256hq_u32(abcd, streams->efgh[s], wk);
    streams->efgh[s] = vsha256h2q_u32(streams->efgh[s], abcd, wk);
  }
}

STEP compress_block(struct streams *streams, size_t count, const uint8_t *const *data, size_t offset) {
  uint32x4_t abcd[MOST], efgh[MOST];
  for (size_t s = 0; s < count; s++) abcd[s] = streams->abcd[s], efgh[s] = streams->efgh[s];
  load_block(streams, count, data, offset);
#pragma GCC unroll 16
  for (int quad = 0; quad < 16; quad++) four_rounds(streams, count, quad);
  for (size_t s = 0; s < count; s++) {
    streams->abcd[s] = vaddq_u32(streams->abcd[s], abcd[s]);
    streams->efgh[s] = vaddq_u32(streams->efgh[s], efgh[s]);
  }
}

STEP compress_streams(uint32_t *const *states, const uint8_t *const *data, size_t count, size_t blocks) {
  struct streams streams;
  for (size_t s = 0; s < count; s++) {
    streams.abcd[s] = vld1q_u32(&states[s][0]);
    streams.efgh[s] = vld1q_u32(&states[s][4]);
  }
  for (size_t block = 0; block < blocks; block++) {
    compress_block(&streams, count, data, block * CHK_BLOCK_BYTES);
  }
  for (size_t s = 0; s < count; s++) {
    vst1q_u32(&states[s][0], streams.abcd[s]);
    vst1q_u32(&states[s][4], streams.efgh[s]);
  }
}

ARMV8 void chk_compress_armv8(uint32_t *const *states, const uint8_t *const *data, size_t lanes, size_t blocks) {
  while (lanes > 0) {
    size_t count = lanes < MOST ? lanes : MOST;
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
