// Wide-area links in one machine: network namespaces joined by TUN devices, with rate, delay, loss and a queue between.
//
//   link RATE:DELAY:LOSS:QUEUE…    Mbit/s, one-way milliseconds, percent of packets, bytes; one argument a link
//
// There is one namespace for the client and one for each server. Link K has the addresses 10.77.K.1 (client) and 10.77.K.2
// (server). Real TCP runs over it: every packet that the kernel sends into one device waits in a drop-tail queue, takes its
// time on the wire, is perhaps lost, and comes out of the other device after the delay.
//
// Prints a line for each namespace, `client PATH` or `server K PATH`, for nsenter(1). Then it obeys lines of standard input:
// `cut K` loses every packet of link K from now on, `join K` no longer. At the end of standard input it prints what each
// direction carried, and ends; the namespaces go with it. Needs CAP_SYS_ADMIN.
//
// Two threads a link. What the kernel hands over as one burst of segments goes through as one, so that 1 Gbit/s takes a small
// part of a core; rate, queue and loss are those of the segments.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "segments.h"

enum { MTU = 1500, SLOTS = 1 << 15, MOST_LINKS = 8, BATCH = 16 };

// One or many segments, on the way.
struct packet {
  int64_t due;
  size_t length;
  uint8_t *bytes;
};

// Packets between the device they came from and the one they go to, oldest first.
struct direction {
  pthread_t thread;
  int from, to;
  double nanoseconds_a_byte;
  int64_t delay;
  double loss;
  int64_t queue;          // bytes that may wait for the wire
  atomic_bool *is_cut;
  uint64_t random;
  struct burst burst;     // what came in last
  struct packet *slots;
  uint64_t first, next;   // slot numbers, counted without end
  int64_t wire_free;      // when the wire has sent all that waits
  uint64_t packets, bytes, queue_drops, losses;
};

struct link {
  double rate, delay, loss;
  int64_t queue;
  int server;             // its namespace
  atomic_bool is_cut;
  struct direction up, down;
};

static atomic_bool has_ended;

static void fail(const char *what) {
  fprintf(stderr, "link: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// SplitMix64, so that a link loses the same packets in every run.
static double uniform(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// The calling thread enters a new namespace, whose loopback is up.
static int new_namespace(void) {
  if (unshare(CLONE_NEWNET)) fail("a network namespace");
  int space = open("/proc/thread-self/ns/net", O_RDONLY);
  if (space < 0) fail("/proc/thread-self/ns/net");
  int probe = socket(AF_INET, SOCK_DGRAM, 0);
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
  if (probe < 0 || ioctl(probe, SIOCSIFFLAGS, &request)) fail("loopback");
  close(probe);
  return space;
}

static void enter(int space) {
  if (setns(space, CLONE_NEWNET)) fail("setns");
}

static void set_address(int probe, struct ifreq *request, unsigned long call, const char *address) {
  struct sockaddr_in *place = (struct sockaddr_in *)&request->ifr_addr;
  *place = (struct sockaddr_in){.sin_family = AF_INET};
  if (inet_pton(AF_INET, address, &place->sin_addr) != 1 || ioctl(probe, call, request)) fail(address);
}

// A device of the namespace the calling thread is in.
static int new_device(int number, int end) {
  int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) fail("/dev/net/tun");
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
  snprintf(request.ifr_name, sizeof request.ifr_name, "wan%d", number);
  if (ioctl(device, TUNSETIFF, &request)) fail("TUNSETIFF");
  int card = CARD;
  if (ioctl(device, TUNSETVNETHDRSZ, &card)) fail("TUNSETVNETHDRSZ");
  if (ioctl(device, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4)) fail("TUNSETOFFLOAD");
  int probe = socket(AF_INET, SOCK_DGRAM, 0);
  if (probe < 0) fail("socket");
  char address[32];
  snprintf(address, sizeof address, "10.77.%d.%d", number, end);
  set_address(probe, &request, SIOCSIFADDR, address);
  set_address(probe, &request, SIOCSIFNETMASK, "255.255.255.0");
  request.ifr_flags = IFF_UP | IFF_POINTOPOINT | IFF_NOARP;
  if (ioctl(probe, SIOCSIFFLAGS, &request)) fail("SIOCSIFFLAGS");
  close(probe);
  return device;
}

// Packets that are due leave. False when there was none, or no room for it.
static bool deliver(struct direction *way, int64_t time) {
  bool any = false;
  while (way->first != way->next) {
    struct packet *packet = &way->slots[way->first % SLOTS];
    if (packet->due > time) break;
    if (write(way->to, packet->bytes, packet->length) < 0 && errno == EAGAIN) break;
    free(packet->bytes);
    way->first++;
    any = true;
  }
  return any;
}

// Segments `first` to `end`, without the latter, leave for the other side; the last of them has just left the wire.
static void send_on(struct direction *way, size_t first, size_t end) {
  if (first == end) return;
  struct packet *packet = &way->slots[way->next++ % SLOTS];
  packet->bytes = copy_segments(&way->burst, first, end, &packet->length);
  if (!packet->bytes) fail("memory");
  packet->due = way->wire_free + way->delay;
}

// A burst passes the queue and the wire, or parts of it do.
static void transmit(struct direction *way) {
  const struct burst *burst = &way->burst;
  int64_t time = now();
  if (way->wire_free < time) way->wire_free = time;
  size_t first = 0;
  for (size_t number = 0; number < burst->count; number++) {
    if ((double)(way->wire_free - time) > (double)way->queue * way->nanoseconds_a_byte) {
      // Nothing leaves the queue before the others come.
      way->queue_drops += burst->count - number;
      send_on(way, first, number);
      return;
    }
    size_t length = wire_bytes(burst, number);
    bool is_lost = uniform(&way->random) < way->loss || atomic_load(way->is_cut);
    if (is_lost) send_on(way, first, number), first = number + 1;
    way->losses += is_lost;
    way->wire_free += (int64_t)((double)length * way->nanoseconds_a_byte);
    way->packets++;
    way->bytes += length;
  }
  send_on(way, first, burst->count);
}

// What the kernel has sent comes in.
static bool accept_some(struct direction *way) {
  for (int number = 0; number < BATCH; number++) {
    // Room for a burst of which every other segment is lost.
    if (SLOTS - (way->next - way->first) < 64) return number > 0;
    ssize_t length = read(way->from, way->burst.bytes, LONGEST);
    if (length <= CARD) return number > 0;
    way->burst.length = (size_t)length;
    measure_burst(&way->burst);
    transmit(way);
  }
  return true;
}

static void *run(void *argument) {
  struct direction *way = argument;
  while (!atomic_load(&has_ended)) {
    bool delivered = deliver(way, now());
    if (accept_some(way) || delivered) continue;
    // Until a packet comes or one is due; now and then to see whether all is over.
    int64_t wait = 100000000;
    if (way->first != way->next) wait = way->slots[way->first % SLOTS].due - now();
    struct timespec rest = {.tv_nsec = wait < 0 ? 0 : wait > 100000000 ? 100000000 : wait};
    struct pollfd input = {.fd = way->from, .events = POLLIN};
    ppoll(&input, 1, &rest, NULL);
  }
  return NULL;
}

static void start(struct direction *way, struct link *link, int from, int to, uint64_t seed) {
  *way = (struct direction){
    .from = from, .to = to, .nanoseconds_a_byte = 8000 / link->rate, .delay = (int64_t)(link->delay * 1e6),
    .loss = link->loss / 100, .queue = link->queue, .is_cut = &link->is_cut, .random = seed,
  };
  way->slots = calloc(SLOTS, sizeof *way->slots);
  if (!way->slots) fail("memory");
  if (pthread_create(&way->thread, NULL, run, way)) fail("thread");
}

static void obey(struct link *links, int count) {
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    int number;
    bool cuts = sscanf(line, "cut %d", &number) == 1;
    if ((cuts || sscanf(line, "join %d", &number) == 1) && number >= 0 && number < count) {
      atomic_store(&links[number].is_cut, cuts);
    } else {
      fprintf(stderr, "link: no such order: %s", line);
    }
  }
}

static void end(const char *name, int number, struct direction *way) {
  pthread_join(way->thread, NULL);
  printf("%s %d: %lu packets, %lu bytes, %lu dropped by the queue, %lu lost\n", name, number, way->packets, way->bytes,
         way->queue_drops, way->losses);
}

int main(int count, char **arguments) {
  static struct link links[MOST_LINKS];
  int number_of_links = count - 1;
  if (number_of_links < 1 || number_of_links > MOST_LINKS) {
    fprintf(stderr, "link: give 1 to %d links, as RATE:DELAY:LOSS:QUEUE\n", MOST_LINKS);
    return 2;
  }
  for (int number = 0; number < number_of_links; number++) {
    struct link *link = &links[number];
    char rest;
    if (sscanf(arguments[number + 1], "%lf:%lf:%lf:%ld%c", &link->rate, &link->delay, &link->loss, &link->queue, &rest) != 4 ||
        link->rate <= 0 || link->delay < 0 || link->loss < 0 || link->queue < MTU) {
      fprintf(stderr, "link: not a link: %s\n", arguments[number + 1]);
      return 2;
    }
  }
  int client = new_namespace();
  for (int number = 0; number < number_of_links; number++) links[number].server = new_namespace();
  printf("client /proc/%d/fd/%d\n", getpid(), client);
  for (int number = 0; number < number_of_links; number++) {
    struct link *link = &links[number];
    enter(client);
    int near = new_device(number, 1);
    enter(link->server);
    int far = new_device(number, 2);
    start(&link->up, link, near, far, 2 * (uint64_t)number + 1);
    start(&link->down, link, far, near, 2 * (uint64_t)number + 2);
    printf("server %d /proc/%d/fd/%d\n", number, getpid(), link->server);
  }
  fflush(stdout);
  obey(links, number_of_links);
  atomic_store(&has_ended, true);
  for (int number = 0; number < number_of_links; number++) {
    end("up", number, &links[number].up);
    end("down", number, &links[number].down);
  }
  return 0;
}
