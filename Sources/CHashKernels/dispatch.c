// What this CPU can run, and which engine for how many messages.
#include "engines.h"

#include <stdlib.h>

bool chk_available(chk_kernel kernel) {
  switch (kernel) {
    case CHK_SCALAR: return true;
#if defined(__x86_64__)
    case CHK_AVX512: return chk_cpu_has_avx512();
    case CHK_AVX2: return chk_cpu_has_avx2();
    case CHK_SHANI: return chk_cpu_has_shani();
#elif defined(__aarch64__) && defined(__linux__)
    case CHK_ARMV8: return chk_cpu_has_armv8();
#endif
    default: return false;
  }
}

size_t chk_width(chk_kernel kernel) {
  switch (kernel) {
    case CHK_AVX512: return 16;
    case CHK_AVX2: return 8;
    case CHK_SHANI:
    case CHK_ARMV8: return 4;
    default: return 1;
  }
}

// A vector kernel takes as long for one lane as for all of them; streams of SHA instructions cost what they are.
//
//   AVX-512 beside SHA instructions  On Zen 5, 16 lanes of such a kernel ran at 5.7 GB/s, or 0.36 a lane, and four
//                                    streams at 3.8 in all: even at 10.7 messages.
//   a vector kernel alone            Plain C has 1.1 to 1.4 times the speed of one lane of eight, and half that of two
//                                    (Zen 3).
//
// AVX2 is chosen only where there are no SHA instructions.
chk_kernel chk_engine(chk_kernel kernel, size_t active) {
  switch (kernel) {
    case CHK_AVX512:
      if (chk_available(CHK_SHANI)) return active <= 10 ? CHK_SHANI : CHK_AVX512;
      return active == 1 ? CHK_SCALAR : CHK_AVX512;
    case CHK_AVX2: return active == 1 ? CHK_SCALAR : CHK_AVX2;
    default: return kernel;
  }
}

void chk_compress(
  chk_kernel kernel, uint32_t *const *states, const uint8_t *const *data, size_t lanes, size_t blocks) {
  switch (kernel) {
#if defined(__x86_64__)
    case CHK_AVX512: return chk_compress_avx512(states, data, lanes, blocks);
    case CHK_AVX2: return chk_compress_avx2(states, data, lanes, blocks);
    case CHK_SHANI: return chk_compress_shani(states, data, lanes, blocks);
#elif defined(__aarch64__) && defined(__linux__)
    case CHK_ARMV8: return chk_compress_armv8(states, data, lanes, blocks);
#endif
    default: return chk_compress_scalar(states, data, lanes, blocks);
  }
}

const char *chk_requested_kernel(void) { return getenv("CHUNKGET_HASH_KERNEL"); }
