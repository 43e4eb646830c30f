// weight_share.c - shares weights between processes through file descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // F_GET_SEALS

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "runtime_support.h"
#include "weight_entry.h"

gmem_status_t gmem_weight_export(const gmem_weight_t *weight, int *out_fd,
                                 gmem_diag_t *diag) {
  if (out_fd)
    *out_fd = -1;
  if (!weight || !out_fd)
    return gmem_rt_invalid(diag, "weight or out_fd is NULL");
  const gmem_provider_t *provider = &weight->store->provider;
  if (!provider->export_fd || !provider->seal)
    return gmem_rt_unsupported(diag, "the provider does not support sharing");
  return provider->export_fd(provider->user, &weight->memory.range, out_fd,
                             diag);
}

static gmem_status_t system_error(gmem_diag_t *diag, const char *what) {
  return gmem_rt_fail_os(diag, GMEM_ERR_IO, "cannot %s the descriptor", what);
}

// Rejects files that another process could still modify or truncate, before
// they are read.
static gmem_status_t check_sealed(int fd, uint64_t size, gmem_diag_t *diag) {
  const int needed = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0 && errno != EINVAL) // EINVAL: files of this type have no seals
    return system_error(diag, "query the seals of");
  if (seals < 0 || (seals & needed) != needed)
    return gmem_rt_fail(
        diag, GMEM_ERR_STATE,
        "the file is not sealed against writing, resizing and unsealing");
  struct stat file;
  if (fstat(fd, &file) != 0)
    return system_error(diag, "query the size of");
  if ((uint64_t)file.st_size < size) // st_size is never negative
    return gmem_rt_fail(diag, GMEM_ERR_TOO_SMALL,
                        "the file has %" PRId64
                        " bytes, but the weight has %" PRIu64,
                        (int64_t)file.st_size, size);
  return GMEM_OK;
}

gmem_status_t gmem_weights_import(gmem_weights_t *weights,
                                  const gmem_weight_key_t *key, int fd,
                                  gmem_weight_t **out_weight,
                                  gmem_diag_t *diag) {
  if (out_weight)
    *out_weight = NULL;
  if (!weights || !out_weight || fd < 0)
    return gmem_rt_invalid(diag,
                           "weights or out_weight is NULL, or fd is negative");
  GMEM_TRY(gmem_weight_key_check(key, diag));
  if (!weights->provider.map_fd)
    return gmem_rt_unsupported(diag,
                               "the provider cannot map file descriptors");
  GMEM_TRY(check_sealed(fd, key->size, diag));
  gmem_weight_source_t source = {.fd = fd};
  return gmem_weights_get(weights, key, &source, out_weight, diag);
}
