// What the kernels share: the constants of FIPS 180-4 and the shape of a compression function.
#pragma once

#include "CHashKernels.h"

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
extern const uint32_t chk_round_constants[64];

// FIPS 180-4, 5.3.3: the same of the square roots of the first eight primes.
extern const uint32_t chk_initial_state[8];

// See chk_compress.
typedef void chk_compressor(
  uint32_t *CHK_NONNULL const *CHK_NONNULL states, const uint8_t *CHK_NONNULL const *CHK_NONNULL data, size_t lanes,
  size_t blocks);

chk_compressor chk_compress_scalar;

#if defined(__x86_64__)
bool chk_cpu_has_avx512(void);
bool chk_cpu_has_avx2(void);
bool chk_cpu_has_shani(void);
chk_compressor chk_compress_avx512;
chk_compressor chk_compress_avx2;
chk_compressor chk_compress_shani;
#elif defined(__aarch64__) && defined(__linux__)
bool chk_cpu_has_armv8(void);
chk_compressor chk_compress_armv8;
#endif
