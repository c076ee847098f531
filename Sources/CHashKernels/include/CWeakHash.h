// The rolling hash of Spec/weak-v1.md: a polynomial modulo 2^64.
//
// Nothing here allocates, blocks, or keeps state between calls.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// The hash of `count` bytes.
uint64_t chk_weak_hash(const uint8_t *bytes, size_t count);

// Hashes that are looked for. Both tables have a power of two of entries; `shift` is 64 less its exponent.
typedef struct chk_weak_wanted {
  // A bit for the uppermost bits of each hash, so that most of what is not wanted costs one look.
  const uint64_t *filter;
  unsigned filter_shift;
  // Linear probing by the uppermost bits. 0 is an empty entry, so the hash 0 is never wanted.
  const uint64_t *table;
  unsigned table_shift;
} chk_weak_wanted;

// Rolls a window of `window` bytes over bytes[0 ..< positions + window - 1], from position `start`, whose hash is *hash.
//
// Returns the first position from `start` on at which the hash is wanted, with *hash that hash; `positions` when there is
// none. At least one position and one byte of window.
size_t chk_weak_find(
  const uint8_t *bytes, size_t positions, size_t window, const chk_weak_wanted *wanted, size_t start, uint64_t *hash);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
