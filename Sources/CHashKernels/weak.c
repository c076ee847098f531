#include "CWeakHash.h"

#include <stdbool.h>

static const uint64_t M = UINT64_C(0x9E3779B97F4A7C15);

uint64_t chk_weak_hash(const uint8_t *bytes, size_t count) {
  const uint64_t m2 = M * M, m3 = m2 * M, m4 = m3 * M;
  uint64_t hash = 0;
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    hash = hash * m4 + (bytes[i] * m3 + bytes[i + 1] * m2 + bytes[i + 2] * M + bytes[i + 3]);
  for (; i < count; i++) hash = hash * M + bytes[i];
  return hash;
}

static uint64_t power(size_t exponent) {
  uint64_t result = 1, square = M;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result *= square;
    square *= square;
  }
  return result;
}

static inline bool may_be_wanted(const chk_weak_wanted *wanted, uint64_t hash) {
  const uint64_t bit = hash >> wanted->filter_shift;
  return wanted->filter[bit >> 6] >> (bit & 63) & 1;
}

static bool is_wanted(const chk_weak_wanted *wanted, uint64_t hash) {
  if (hash == 0) return false;
  const size_t mask = (UINT64_MAX >> wanted->table_shift);
  for (size_t slot = hash >> wanted->table_shift; wanted->table[slot] != 0; slot = (slot + 1) & mask)
    if (wanted->table[slot] == hash) return true;
  return false;
}

size_t chk_weak_find(
  const uint8_t *bytes, size_t positions, size_t window, const chk_weak_wanted *wanted, size_t start, uint64_t *hash) {
  // What a byte is worth when it leaves the window.
  uint64_t leaving[256];
  const uint64_t m_window = power(window);
  for (size_t value = 0; value < 256; value++) leaving[value] = value * m_window;

  const uint64_t m2 = M * M, m3 = m2 * M, m4 = m3 * M;
  uint64_t h = *hash;
  size_t at = start;
  if (may_be_wanted(wanted, h) && is_wanted(wanted, h)) return at;
  // Four positions a step: only the first factor of each line waits for the step before.
  while (at + 4 < positions) {
    const uint8_t *out = bytes + at, *in = out + window;
    const uint64_t d0 = in[0] - leaving[out[0]];
    const uint64_t d1 = d0 * M + (in[1] - leaving[out[1]]);
    const uint64_t d2 = d1 * M + (in[2] - leaving[out[2]]);
    const uint64_t d3 = d2 * M + (in[3] - leaving[out[3]]);
    const uint64_t next[4] = {h * M + d0, h * m2 + d1, h * m3 + d2, h * m4 + d3};
    if (may_be_wanted(wanted, next[0]) | may_be_wanted(wanted, next[1]) | may_be_wanted(wanted, next[2]) |
        may_be_wanted(wanted, next[3])) {
      for (size_t i = 0; i < 4; i++)
        if (is_wanted(wanted, next[i])) {
          *hash = next[i];
          return at + 1 + i;
        }
    }
    h = next[3];
    at += 4;
  }
  while (at + 1 < positions) {
    h = h * M + bytes[at + window] - leaving[bytes[at]];
    at++;
    if (may_be_wanted(wanted, h) && is_wanted(wanted, h)) {
      *hash = h;
      return at;
    }
  }
  *hash = h;
  return positions;
}
