// weight_exchange.c - see weight_exchange.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // struct ucred

#include "weight_exchange.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "diag.h"
#include "messages.h"
#include "sha256.h"

//===--- keys -------------------------------------------------------------===//

static void add_number(gmem_sha256_t *sha, uint64_t number) {
  for (unsigned i = 0; i < 64; i += 8)
    gmem_sha256_add(sha, &(uint8_t){(uint8_t)(number >> i)}, 1);
}

// Adds what the region contains; false if the plan does not know it by digests,
// so that it is not in the store.
static bool add_contents(const gmem_plan_t *plan, gmem_region_t region,
                         gmem_sha256_t *sha) {
  gmem_buffer_info_t buffer;
  gmem_weight_info_t weight;
  bool has_any = false;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    if (gmem_plan_buffer(plan, i, &buffer) != GMEM_OK ||
        buffer.region != region || buffer.parent != GMEM_NONE ||
        buffer.size == 0)
      continue;
    if (gmem_plan_weight(plan, i, &weight) != GMEM_OK)
      return false;
    add_number(sha, buffer.offset);
    add_number(sha, buffer.size);
    add_number(sha, weight.transform);
    gmem_sha256_add(sha, weight.digest, sizeof weight.digest);
    has_any = true;
  }
  return has_any;
}

// The key under which the store has a region (gmem/weight_store.h); false if it
// does not.
static bool find_key(const gmem_plan_t *plan, gmem_region_t region,
                     gmem_weight_key_t *out_key) {
  gmem_region_info_t info;
  gmem_buffer_info_t buffer;
  gmem_sha256_t sha;
  if (gmem_plan_region(plan, region, &info) != GMEM_OK ||
      (info.space != GMEM_SPACE_WEIGHT && info.space != GMEM_SPACE_SHARED_WORK))
    return false;
  uint64_t align = info.align;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    if (gmem_plan_buffer(plan, i, &buffer) == GMEM_OK &&
        buffer.region == region && buffer.align > align)
      align = buffer.align;
  uint64_t lead = info.base % align;
  *out_key = (gmem_weight_key_t){.transform = GMEM_TRANSFORM_REGION,
                                 .size = lead + info.size,
                                 .align = align};
  gmem_sha256_begin(&sha);
  add_number(&sha, UINT64_MAX);
  add_number(&sha, lead);
  add_number(&sha, info.size);
  bool is_known = add_contents(plan, region, &sha);
  gmem_sha256_end(&sha, out_key->digest);
  return is_known;
}

static void list_keys(gmem_weight_exchange_t *exchange,
                      const gmem_plan_t *plan) {
  uint32_t regions = gmem_plan_region_count(plan);
  exchange->keys = gmem_need(calloc(regions + 1u, sizeof *exchange->keys));
  exchange->held = gmem_need(calloc(regions + 1u, sizeof *exchange->held));
  for (gmem_region_t i = 0; i < regions; ++i)
    exchange->count += find_key(plan, i, &exchange->keys[exchange->count]);
}

//===--- sockets ----------------------------------------------------------===//

// A key goes one way; one byte comes back, with a descriptor if the other side
// has the weight. Both are the same program on the same machine.

static bool make_address(const char *path, struct sockaddr_un *out) {
  *out = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof out->sun_path)
    return false;
  memcpy(out->sun_path, path, strlen(path) + 1);
  return true;
}

// Whether the other side is a process of the same user.
static bool is_same_user(int socket) {
  struct ucred other;
  socklen_t size = sizeof other;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 &&
         other.uid == geteuid();
}

// A socket to the process at |path|, or -1.
static int reach(const char *path) {
  struct sockaddr_un address;
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd >= 0 &&
      (!make_address(path, &address) ||
       connect(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
       !is_same_user(fd))) {
    close(fd);
    return -1;
  }
  return fd;
}

typedef union control_u {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
} control_t;

// Asks for a weight; its descriptor, or -1.
static int ask(int socket, const gmem_weight_key_t *key) {
  control_t control = {.bytes = {0}};
  char answer = 0;
  int fd = -1;
  struct iovec part = {&answer, 1};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  if (send(socket, key, sizeof *key, MSG_NOSIGNAL) != (ssize_t)sizeof *key ||
      recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1)
    return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET &&
      header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof fd))
    memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return fd;
}

// Answers with the descriptor, or without one if it is -1.
static void answer(int socket, int fd) {
  control_t control = {.bytes = {0}};
  char byte = fd >= 0;
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (fd >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  (void)sendmsg(socket, &message,
                MSG_NOSIGNAL); // a process that has left needs no answer
}

//===--- importing --------------------------------------------------------===//

gmem_status_t gmem_weight_exchange_open(gmem_weight_exchange_t *exchange,
                                        const char *path,
                                        const gmem_plan_t *plan,
                                        gmem_diag_t *diag) {
  gmem_mmap_options_t mapping = GMEM_MMAP_OPTIONS_INIT;
  struct sockaddr_un address;
  mapping.shared = true;
  exchange->path = path;
  exchange->socket = -1;
  if (!make_address(path, &address))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "'%s' is too long for a socket", path);
  GMEM_TRY(gmem_provider_mmap(&mapping, NULL, &exchange->provider));
  GMEM_TRY(gmem_weights_create(&exchange->provider, 0, NULL, &exchange->weights,
                               diag));
  list_keys(exchange, plan);
  int socket = reach(path);
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; socket >= 0 && status == GMEM_OK && i < exchange->count;
       ++i) {
    int fd = ask(socket, &exchange->keys[i]);
    if (fd < 0)
      continue;
    status = gmem_weights_import(exchange->weights, &exchange->keys[i], fd,
                                 &exchange->held[i], diag);
    exchange->imported += status == GMEM_OK ? exchange->keys[i].size : 0;
    close(fd);
  }
  if (socket >= 0)
    close(socket);
  return status;
}

//===--- serving ----------------------------------------------------------===//

static void answer_all(const gmem_weight_exchange_t *exchange, int socket) {
  gmem_weight_key_t key;
  while (recv(socket, &key, sizeof key, 0) == (ssize_t)sizeof key) {
    int fd = -1;
    for (uint32_t i = 0; fd < 0 && i < exchange->count; ++i)
      if (exchange->held[i] &&
          memcmp(&exchange->keys[i], &key, sizeof key) == 0 &&
          gmem_weight_export(exchange->held[i], &fd, NULL) != GMEM_OK)
        fd = -1;
    answer(socket, fd);
    if (fd >= 0)
      close(fd);
  }
}

static void *serve(void *user) {
  const gmem_weight_exchange_t *exchange = user;
  int socket;
  while ((socket = accept4(exchange->socket, NULL, NULL, SOCK_CLOEXEC)) >= 0 ||
         errno == EINTR || errno == ECONNABORTED) {
    struct timeval patience = {.tv_sec = 10};
    if (socket < 0)
      continue;
    (void)setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience,
                     sizeof patience);
    if (is_same_user(socket))
      answer_all(exchange, socket);
    close(socket);
  }
  return NULL;
}

static gmem_status_t unexpected_fill(void *user, const gmem_weight_key_t *key,
                                     void *dst, gmem_diag_t *diag) {
  (void)user, (void)key, (void)dst;
  return gmem_fail(diag, GMEM_ERR_NOT_FOUND,
                   "the constants are not in the "
                   "store");
}

// Listens at the path; if a socket is there, no process listens at it any more.
static bool listen_at(gmem_weight_exchange_t *exchange) {
  struct sockaddr_un address;
  struct stat file;
  int other = reach(exchange->path);
  if (other >= 0) {
    close(other);
    return false;
  }
  if (lstat(exchange->path, &file) == 0 && S_ISSOCK(file.st_mode))
    (void)unlink(exchange->path);
  bool is_named = make_address(exchange->path, &address);
  assert(is_named);
  (void)is_named;
  exchange->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  return exchange->socket >= 0 &&
         bind(exchange->socket, (struct sockaddr *)&address, sizeof address) ==
             0 &&
         listen(exchange->socket, SOMAXCONN) == 0;
}

gmem_status_t gmem_weight_exchange_serve(gmem_weight_exchange_t *exchange,
                                         gmem_diag_t *diag) {
  if (exchange->imported)
    return GMEM_OK; // what is imported cannot be exported
  for (uint32_t i = 0; i < exchange->count; ++i)
    GMEM_TRY(gmem_weights_acquire(exchange->weights, &exchange->keys[i],
                                  unexpected_fill, NULL, &exchange->held[i],
                                  diag));
  errno = 0;
  if (!listen_at(exchange))
    return exchange->socket < 0
               ? GMEM_OK // another process began to serve meanwhile
               : gmem_fail(diag, GMEM_ERR_IO, "cannot listen at '%s': %s",
                           exchange->path, strerror(errno));
  exchange->is_serving =
      pthread_create(&exchange->server, NULL, serve, exchange) == 0;
  return exchange->is_serving
             ? GMEM_OK
             : gmem_fail(diag, GMEM_ERR_OUT_OF_MEMORY, "cannot start a thread");
}

void gmem_weight_exchange_close(gmem_weight_exchange_t *exchange) {
  if (exchange->is_serving) {
    (void)unlink(exchange->path);
    (void)shutdown(exchange->socket, SHUT_RDWR); // ends accept
    (void)pthread_join(exchange->server, NULL);
  }
  if (exchange->weights && exchange->socket >= 0)
    close(exchange->socket);
  for (uint32_t i = 0; exchange->held && i < exchange->count; ++i)
    gmem_weight_release(exchange->held[i]);
  gmem_weights_release(exchange->weights);
  gmem_provider_destroy(&exchange->provider);
  free(exchange->held);
  free(exchange->keys);
  *exchange = (gmem_weight_exchange_t){.socket = -1};
}
