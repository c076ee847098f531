// SHA-256 (FIPS 180-4) of many independent messages at once.
//
// One SHA-256 stream is a chain: every round waits for the one before, and most of the core idles. Independent messages
// have no such chain between them. Two ways to use that, one source file each:
//
//   vector lanes     lane i of every vector register belongs to message i (avx512.c: 16 lanes, avx2.c: 8)
//   interleaving     several streams of the CPU's own SHA-256 instructions in flight (shani.c, armv8.c: up to 4)
//
// dispatch.c says what the CPU has and which engine is best for how many messages; message.c has everything else that
// SHA-256 is: lengths, partial blocks, padding, byte order, and messages of unequal length. scalar.c is plain C.
//
// Nothing here allocates, blocks, or keeps state between calls. Several threads may call at once with lanes of their
// own.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CWeakHash.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define CHK_NONNULL _Nonnull
#define CHK_NULLABLE _Nullable
#else
#define CHK_NONNULL
#define CHK_NULLABLE
#endif

enum {
  CHK_MAX_WIDTH = 16,
  CHK_BLOCK_BYTES = 64,
  CHK_DIGEST_BYTES = 32,
};

typedef enum chk_kernel {
  CHK_SCALAR,
  CHK_AVX512,
  CHK_AVX2,
  CHK_SHANI,
  CHK_ARMV8,
} chk_kernel;

// Whether this build has the kernel and this CPU and operating system can run it.
bool chk_available(chk_kernel kernel);

// How many messages the kernel takes at a time, at most CHK_MAX_WIDTH.
size_t chk_width(chk_kernel kernel);

// The kernel that finishes `active` messages (1 to CHK_MAX_WIDTH) soonest where `kernel` was chosen: vector lanes that
// are empty cost as much as full ones, so with few messages left another engine wins. The result is available if
// `kernel` is.
chk_kernel chk_engine(chk_kernel kernel, size_t active);

// One message on its way.
typedef struct chk_lane {
  uint32_t state[8];
  uint64_t length;  // bytes absorbed so far
  uint8_t partial[CHK_BLOCK_BYTES];  // the last length % 64 of them, not compressed yet
} chk_lane;

// Bytes that are next in a message. `bytes` may be null when `count` is 0, and needs no alignment.
typedef struct chk_piece {
  const uint8_t *CHK_NULLABLE bytes;
  size_t count;
} chk_piece;

// Starts `count` messages.
void chk_start(chk_lane *lanes, size_t count);

// Lane i absorbs pieces[i]. Any number of lanes, of any lengths: as a message runs out of blocks the next one takes its
// place, so put the longest first. Reads nothing outside the pieces. The kernel must be available.
void chk_absorb(chk_kernel kernel, chk_lane *lanes, const chk_piece *pieces, size_t count);

// Writes the digest of lane i to digests[32 * i]. The lanes must be started again before they are used again.
void chk_finish(chk_kernel kernel, chk_lane *lanes, size_t count, uint8_t *digests);

// The compression function alone, exactly this kernel: states[i] takes in the `blocks` consecutive 64-byte blocks at
// data[i], for 1 to CHK_MAX_WIDTH lanes, also more or fewer than the kernel is wide.
void chk_compress(
  chk_kernel kernel, uint32_t *CHK_NONNULL const *CHK_NONNULL states,
  const uint8_t *CHK_NONNULL const *CHK_NONNULL data, size_t lanes, size_t blocks);

// The value of CHUNKGET_HASH_KERNEL in the environment, or null. Valid until the environment is changed.
const char *CHK_NULLABLE chk_requested_kernel(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
