// Everything of SHA-256 that is not compression: partial blocks, padding, byte order, and messages of unequal length.
//
// Work is a list of jobs, one a message, and a job is at most two runs of blocks: the block that was just completed in
// the lane's `partial` and then the whole blocks of the piece; or the padding. As many jobs as the kernel is wide are
// in hand. All of them advance by the length of the shortest run, on whatever engine is best for their number, and a
// job that is done gives its place to the next of the list: with the longest first, places stay filled almost to
// the end.
#include "engines.h"

#include <string.h>

struct run {
  const uint8_t *next;
  size_t blocks;
};

struct job {
  chk_lane *lane;
  struct run now, then;
  chk_piece rest;  // what stays in `partial` when the runs are done
  uint8_t padding[2 * CHK_BLOCK_BYTES];
};

struct list {
  void (*prepare)(struct job *job, const chk_piece *piece);
  chk_lane *lanes;
  const chk_piece *pieces;
  size_t count;
};

static void prepare_piece(struct job *job, const chk_piece *piece) {
  chk_lane *lane = job->lane;
  const uint8_t *bytes = piece->bytes;
  size_t count = piece->count;
  size_t filled = lane->length % CHK_BLOCK_BYTES;
  lane->length += count;

  if (filled > 0 && count > 0) {
    size_t taken = CHK_BLOCK_BYTES - filled < count ? CHK_BLOCK_BYTES - filled : count;
    memcpy(lane->partial + filled, bytes, taken);
    bytes += taken;
    count -= taken;
    if (filled + taken == CHK_BLOCK_BYTES) job->now = (struct run){lane->partial, 1};
  }
  job->then = (struct run){bytes, count / CHK_BLOCK_BYTES};
  // `partial` may still be waiting for its turn as a block, so the rest is copied when that is over.
  size_t whole = count - count % CHK_BLOCK_BYTES;
  if (count > whole) job->rest = (chk_piece){bytes + whole, count - whole};
}

// FIPS 180-4, 5.1.1: a one bit, zeros, and the length in bits as 64 bits big-endian at the end of a block.
static void prepare_padding(struct job *job, const chk_piece *unused) {
  (void)unused;
  const chk_lane *lane = job->lane;
  size_t filled = lane->length % CHK_BLOCK_BYTES;
  size_t blocks = filled + 1 + sizeof(uint64_t) <= CHK_BLOCK_BYTES ? 1 : 2;
  size_t end = blocks * CHK_BLOCK_BYTES;
  uint64_t bits = lane->length * 8;

  memset(job->padding, 0, end);
  memcpy(job->padding, lane->partial, filled);
  job->padding[filled] = 0x80;
  for (size_t i = 1; i <= sizeof bits; i++, bits >>= 8) job->padding[end - i] = (uint8_t)bits;
  job->now = (struct run){job->padding, blocks};
}

// Makes `now` the run that is next, or puts the rest away and returns false when there is none.
static bool has_blocks(struct job *job) {
  if (job->now.blocks == 0) {
    job->now = job->then;
    job->then.blocks = 0;
  }
  if (job->now.blocks > 0) return true;
  if (job->rest.count > 0) memcpy(job->lane->partial, job->rest.bytes, job->rest.count);
  return false;
}

static bool take(struct job *job, const struct list *list, size_t index) {
  job->lane = &list->lanes[index];
  job->now = job->then = (struct run){NULL, 0};
  job->rest = (chk_piece){NULL, 0};
  list->prepare(job, list->pieces ? &list->pieces[index] : NULL);
  return has_blocks(job);
}

static void run(chk_kernel kernel, const struct list *list) {
  struct job places[CHK_MAX_WIDTH];
  struct job *jobs[CHK_MAX_WIDTH];  // the first `active` are in hand, the others are free places
  for (size_t i = 0; i < CHK_MAX_WIDTH; i++) jobs[i] = &places[i];
  size_t width = chk_width(kernel), active = 0, index = 0;

  for (;;) {
    while (active < width && index < list->count) {
      if (take(jobs[active], list, index++)) active++;
    }
    if (active == 0) return;

    uint32_t *states[CHK_MAX_WIDTH];
    const uint8_t *data[CHK_MAX_WIDTH];
    size_t blocks = jobs[0]->now.blocks;
    for (size_t i = 0; i < active; i++) {
      states[i] = jobs[i]->lane->state;
      data[i] = jobs[i]->now.next;
      if (jobs[i]->now.blocks < blocks) blocks = jobs[i]->now.blocks;
    }
    chk_compress(chk_engine(kernel, active), states, data, active, blocks);

    for (size_t i = active; i-- > 0;) {
      jobs[i]->now.next += blocks * CHK_BLOCK_BYTES;
      jobs[i]->now.blocks -= blocks;
      if (has_blocks(jobs[i])) continue;
      struct job *done = jobs[i];
      jobs[i] = jobs[--active];
      jobs[active] = done;
    }
  }
}

void chk_start(chk_lane *lanes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    memcpy(lanes[i].state, chk_initial_state, sizeof lanes[i].state);
    lanes[i].length = 0;
  }
}

void chk_absorb(chk_kernel kernel, chk_lane *lanes, const chk_piece *pieces, size_t count) {
  run(kernel, &(struct list){prepare_piece, lanes, pieces, count});
}

void chk_finish(chk_kernel kernel, chk_lane *lanes, size_t count, uint8_t *digests) {
  run(kernel, &(struct list){prepare_padding, lanes, NULL, count});
  for (size_t i = 0; i < count; i++) {
    for (size_t byte = 0; byte < CHK_DIGEST_BYTES; byte++) {
      digests[i * CHK_DIGEST_BYTES + byte] = (uint8_t)(lanes[i].state[byte / 4] >> (24 - 8 * (byte % 4)));
    }
  }
}
