// Hashes 4097 messages, of 0 to 4096 bytes, with one kernel, and prints their digests in hexadecimal, a line each.
//
//   check KERNEL      scalar, avx512, avx2, shani or armv8; ends with 3 when this CPU does not have it
//
// Message i is bytes (131 i + 7 j) mod 256 for j < i. All are absorbed in one call, so that lanes run out at different times,
// after a first strip of a length that is another one for each.
#include "CHashKernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 4097 };

int main(int count, char **arguments) {
  static const char *const names[] = {"scalar", "avx512", "avx2", "shani", "armv8"};
  int kernel = -1;
  for (int number = 0; count == 2 && number < 5; number++) {
    if (strcmp(arguments[1], names[number]) == 0) kernel = number;
  }
  if (kernel < 0) return 2;
  if (!chk_available((chk_kernel)kernel)) return 3;

  chk_lane *lanes = calloc(MESSAGES, sizeof *lanes);
  chk_piece *first = calloc(MESSAGES, sizeof *first);
  chk_piece *rest = calloc(MESSAGES, sizeof *rest);
  uint8_t *digests = calloc(MESSAGES, CHK_DIGEST_BYTES);
  if (!lanes || !first || !rest || !digests) return 1;
  for (size_t i = 0; i < MESSAGES; i++) {
    // Each has an allocation of its own, so that a byte read outside is one that checkers see.
    uint8_t *bytes = malloc(i ? i : 1);
    if (!bytes) return 1;
    for (size_t j = 0; j < i; j++) bytes[j] = (uint8_t)(131 * i + 7 * j);
    size_t strip = i * (i % 7) / 7;
    first[i] = (chk_piece){bytes, strip};
    rest[i] = (chk_piece){bytes + strip, i - strip};
  }
  chk_start(lanes, MESSAGES);
  chk_absorb((chk_kernel)kernel, lanes, first, MESSAGES);
  chk_absorb((chk_kernel)kernel, lanes, rest, MESSAGES);
  chk_finish((chk_kernel)kernel, lanes, MESSAGES, digests);
  for (size_t i = 0; i < MESSAGES; i++) {
    for (size_t byte = 0; byte < CHK_DIGEST_BYTES; byte++) printf("%02x", digests[CHK_DIGEST_BYTES * i + byte]);
    printf("\n");
  }
  return 0;
}
