#pragma once
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>

/* MHD_start_daemon is variadic, which Swift cannot call: this is the one form of it that is used here. */

/* Leaves escapes in the target as they came; they are decoded, strictly, where the target is checked. */
static inline size_t cmicrohttpd_keep_escapes(void *_Nullable context, struct MHD_Connection *_Nullable connection,
                                              char *_Nonnull text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

/* Serves a listening, non-blocking socket with `threads` threads, each with an epoll of its own. The daemon closes the
   socket when it is stopped. NULL when it cannot start. */
static inline struct MHD_Daemon *_Nullable cmicrohttpd_start(int listener, unsigned threads, unsigned connections,
                                                            unsigned idle_seconds,
                                                            MHD_AccessHandlerCallback _Nonnull handler,
                                                            void *_Nonnull context) {
  return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, handler, context,
                          MHD_OPTION_LISTEN_SOCKET, listener,
                          MHD_OPTION_THREAD_POOL_SIZE, threads,
                          MHD_OPTION_CONNECTION_LIMIT, connections,
                          MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
                          MHD_OPTION_STRICT_FOR_CLIENT, 1,
                          MHD_OPTION_UNESCAPE_CALLBACK, cmicrohttpd_keep_escapes, NULL,
                          MHD_OPTION_END);
}

/* Writes the numeric address of the client, and says whether there is one. MHD_get_connection_info is variadic. */
static inline int cmicrohttpd_client(struct MHD_Connection *_Nonnull connection, char *_Nonnull text, unsigned size) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (info == NULL || info->client_addr == NULL) return 0;
  socklen_t length =
      info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  return getnameinfo(info->client_addr, length, text, size, NULL, 0, NI_NUMERICHOST) == 0;
}
