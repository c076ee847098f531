// What the kernel sends at once: a packet, or up to 64 KiB of a TCP connection, which a network card would cut into segments
// that each go their way. Cut apart here only where one of them is lost.
//
// In front of it is a `struct virtio_net_hdr`, as a TUN device with IFF_VNET_HDR has it, and what brings the packet to a multiple
// of four bytes. The checksum of TCP is left to be filled in by a card, and never looked at within one machine.
#include <linux/virtio_net.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CARD = 12, LONGEST = CARD + 65535 };
_Static_assert(sizeof(struct virtio_net_hdr) <= CARD, "the header of the card fits");

struct burst {
  size_t length;    // with all headers
  size_t headers;   // of IP and TCP
  size_t segment;   // payload of each segment but the last
  size_t count;     // segments
  _Alignas(4) uint8_t bytes[LONGEST];
};

static void measure_burst(struct burst *burst) {
  const struct virtio_net_hdr *card = (const void *)burst->bytes;
  const struct iphdr *ip = (const void *)(burst->bytes + CARD);
  size_t packet = burst->length - CARD;
  burst->headers = 0, burst->segment = packet, burst->count = 1;
  if (card->gso_type != VIRTIO_NET_HDR_GSO_TCPV4) return;
  const struct tcphdr *tcp = (const void *)((const uint8_t *)ip + ip->ihl * 4);
  burst->headers = (size_t)ip->ihl * 4 + (size_t)tcp->doff * 4;
  burst->segment = card->gso_size;
  burst->count = (packet - burst->headers + burst->segment - 1) / burst->segment;
}

// Payload of segments `first` to `end`, without the latter.
static size_t payload_bytes(const struct burst *burst, size_t first, size_t end) {
  size_t all = burst->length - CARD - burst->headers;
  size_t stop = end * burst->segment < all ? end * burst->segment : all;
  return stop - first * burst->segment;
}

// Bytes of one segment on the wire.
static size_t wire_bytes(const struct burst *burst, size_t number) {
  return burst->headers + payload_bytes(burst, number, number + 1);
}

static uint16_t ip_checksum(const struct iphdr *ip) {
  const uint16_t *words = (const void *)ip;
  uint32_t sum = 0;
  for (int word = 0; word < ip->ihl * 2; word++) sum += words[word];
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

// Segments `first` to `end`, without the latter, to be written into a device and freed.
static uint8_t *copy_segments(const struct burst *burst, size_t first, size_t end, size_t *length) {
  size_t head = CARD + burst->headers, payload = payload_bytes(burst, first, end);
  *length = head + payload;
  uint8_t *bytes = malloc(*length);
  if (!bytes) return NULL;
  memcpy(bytes, burst->bytes, head);
  memcpy(bytes + head, burst->bytes + head + first * burst->segment, payload);
  if (end - first == burst->count) return bytes;

  struct virtio_net_hdr *card = (void *)bytes;
  struct iphdr *ip = (void *)(bytes + CARD);
  struct tcphdr *tcp = (void *)((uint8_t *)ip + ip->ihl * 4);
  if (end - first == 1) card->gso_type = VIRTIO_NET_HDR_GSO_NONE, card->gso_size = 0;
  ip->tot_len = htons((uint16_t)(burst->headers + payload));
  ip->check = 0;
  ip->check = ip_checksum(ip);
  tcp->seq = htonl(ntohl(tcp->seq) + (uint32_t)(first * burst->segment));
  // Said by the last segment alone.
  if (end < burst->count) tcp->fin = 0, tcp->psh = 0;
  return bytes;
}
