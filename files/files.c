// files.c - reads whole files and writes files atomically.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // O_TMPFILE, asprintf

#include "files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"

enum {
  OUTPUT_BUFFER = 1 << 16,
  FIRST_READ = 1 << 16,
  MOST_OF_DEVICE = 1 << 26,
  MAX_NAMES = 100,
  MAX_LINKS = 40
};

struct gmem_output_s {
  int descriptor;
  int os_error;    // of the first failure, or 0
  char *path;      // final path; NULL when written directly
  char *temporary; // temporary path; NULL while the file is unnamed
  size_t used;
  char bytes[OUTPUT_BUFFER];
};

static gmem_status_t fail_io(gmem_diag_t *diag, const char *what, int error) {
  gmem_fail(diag, GMEM_ERR_IO, "%s: %s", what, strerror(error));
  if (diag)
    diag->os_error = error;
  return GMEM_ERR_IO;
}

//===--- reading ----------------------------------------------------------===//

// Reserves at least one more byte and the terminating NUL.
static bool grow(char **data, size_t *capacity, size_t used) {
  assert(used <= *capacity);
  if (used + 1 < *capacity)
    return true;
  if (*capacity > SIZE_MAX / 2)
    return false;
  size_t bigger = *capacity ? *capacity * 2 : FIRST_READ;
  char *moved = realloc(*data, bigger);
  if (!moved)
    return false;
  *data = moved;
  *capacity = bigger;
  return true;
}

// Limits reads from devices: /dev/zero has no end.
static size_t most_of(int descriptor) {
  struct stat info;
  bool is_device = fstat(descriptor, &info) == 0 && S_ISCHR(info.st_mode);
  return is_device ? MOST_OF_DEVICE : SIZE_MAX;
}

static gmem_status_t read_all(int descriptor, char **data, size_t *size,
                              gmem_diag_t *diag) {
  size_t capacity = 0, most = most_of(descriptor);
  for (;;) {
    if (*size > most)
      return fail_io(diag, "cannot be read", EFBIG);
    if (!grow(data, &capacity, *size))
      return gmem_out_of_memory(diag);
    ssize_t got = read(descriptor, *data + *size, capacity - 1 - *size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail_io(diag, "cannot be read", errno);
    if (got == 0)
      break;
    *size += (size_t)got;
  }
  (*data)[*size] = '\0';
  return GMEM_OK;
}

gmem_status_t gmem_read_file(const char *path, char **out_data,
                             size_t *out_size, gmem_diag_t *diag) {
  *out_data = NULL;
  *out_size = 0;
  bool standard = strcmp(path, "-") == 0;
  int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return fail_io(diag, "cannot be opened", errno);
  char *data = NULL;
  size_t size = 0;
  gmem_status_t status = read_all(descriptor, &data, &size, diag);
  if (!standard)
    close(descriptor);
  if (status != GMEM_OK) {
    free(data);
    return status;
  }
  *out_data = data;
  *out_size = size;
  return GMEM_OK;
}

char *gmem_path_join(const char *folder, const char *name) {
  size_t length = strlen(folder);
  bool has_slash = length > 0 && folder[length - 1] == '/';
  char *path = NULL;
  return asprintf(&path, "%s%s%s", folder, has_slash ? "" : "/", name) < 0
             ? NULL
             : path;
}

//===--- opening ----------------------------------------------------------===//

// The descriptor that |path| denotes ("-", /dev/stdout, /dev/fd/N), or -1.
// Opening such a path would truncate a redirected file.
static int named_descriptor(const char *path) {
  if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
    return STDOUT_FILENO;
  if (strcmp(path, "/dev/stderr") == 0)
    return STDERR_FILENO;
  const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
    size_t length = strlen(folders[i]);
    if (strncmp(path, folders[i], length) != 0)
      continue;
    char *end;
    long number = strtol(path + length, &end, 10);
    if (end != path + length && *end == '\0' && number >= 0 && number < 65536)
      return (int)number;
  }
  return -1;
}

// |name| in the folder of |path|, or NULL. The caller frees it.
static char *join_beside(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  char *joined;
  return asprintf(&joined, "%.*s%s", folder, path, name) < 0 ? NULL : joined;
}

// The target of the symbolic link |path|, or NULL with errno set (EINVAL when
// it is not a link). The caller frees it.
static char *read_link(const char *path) {
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0)
    return NULL;
  target[length] = '\0';
  return target[0] == '/' ? strdup(target) : join_beside(path, target);
}

// Resolves symbolic links, including dangling ones, so that the target is
// replaced and not the link. NULL with errno set; the caller frees it.
static char *follow_links(const char *path) {
  char *name = strdup(path);
  for (int i = 0; name && i < MAX_LINKS; ++i) {
    char *target = read_link(name);
    if (!target && (errno == EINVAL || errno == ENOENT))
      return name;
    free(name);
    name = target;
  }
  if (name)
    errno = ELOOP;
  free(name);
  return NULL;
}

// Opens an unnamed file in the folder of |path|, which vanishes if the process
// ends early. Returns its descriptor, or -1 when not supported.
static int create_nameless(const char *path, mode_t mode) {
  char *folder = join_beside(path, ".");
  int descriptor =
      folder ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode) : -1;
  free(folder);
  char link[64]; // needed later to name the file
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (descriptor < 0 || access(link, F_OK) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

// Links the unnamed file |descriptor| to |name|, or creates |name| if it is -1.
// Returns the descriptor, or -1 with errno set.
static int try_name(int descriptor, const char *name, mode_t mode) {
  if (descriptor < 0)
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  int linked = linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
  return linked == 0 ? descriptor : -1;
}

// Gives the output file a temporary name beside its path, creating the file if
// necessary. The name is short because that of the path may have the maximum
// length. Returns false with errno set.
static bool name_temporary(gmem_output_t *output, mode_t mode) {
  int descriptor = -1;
  for (int i = 0; i < MAX_NAMES && descriptor < 0; ++i) {
    char name[64];
    snprintf(name, sizeof name, ".gmem-%ld-%d", (long)getpid(), i);
    free(output->temporary);
    output->temporary = join_beside(output->path, name);
    if (!output->temporary)
      return false;
    descriptor = try_name(output->descriptor, output->temporary, mode);
    if (descriptor < 0 && errno != EEXIST)
      break;
  }
  if (descriptor >= 0) {
    output->descriptor = descriptor;
    return true;
  }
  free(output->temporary); // another process's file
  output->temporary = NULL;
  return false;
}

bool gmem_make_folders(const char *path) {
  char *folder = strdup(path);
  char *slash = folder;
  bool is_made = folder != NULL;
  while (is_made && *slash && (slash = strchr(slash + 1, '/'))) {
    *slash = '\0';
    is_made = mkdir(folder, 0777) == 0 || errno == EEXIST;
    *slash = '/';
  }
  int error = errno;
  free(folder);
  errno = error;
  return is_made;
}

// A regular file, existing or new: its bytes go to a temporary file, which
// never has wider permissions than the existing file.
static bool open_beside(gmem_output_t *output, const char *path,
                        const struct stat *old) {
  mode_t mode = old ? old->st_mode & 0777 : 0666;
  output->path = follow_links(path);
  if (!output->path || (!old && !gmem_make_folders(output->path)))
    return false;
  output->descriptor = create_nameless(output->path, mode);
  if (output->descriptor < 0 && !name_temporary(output, mode))
    return false;
  return !old || fchmod(output->descriptor, mode) == 0;
}

bool gmem_output_is_stdout(const char *path) {
  return named_descriptor(path) == STDOUT_FILENO;
}

static bool open_output(gmem_output_t *output, const char *path) {
  int known = named_descriptor(path);
  if (known >= 0) {
    output->descriptor = dup(known);
    return output->descriptor >= 0;
  }
  struct stat old;
  bool exists = stat(path, &old) == 0;
  if (!exists && errno != ENOENT)
    return false;
  if (!exists || S_ISREG(old.st_mode))
    return open_beside(output, path, exists ? &old : NULL);
  output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
  return output->descriptor >= 0;
}

gmem_status_t gmem_output_open(const char *path, gmem_output_t **out_output,
                               gmem_diag_t *diag) {
  *out_output = NULL;
  gmem_output_t *output = malloc(sizeof *output);
  if (!output)
    return gmem_out_of_memory(diag);
  // Not the bytes, which are many.
  memset(output, 0, offsetof(gmem_output_t, bytes));
  output->descriptor = -1;
  if (!open_output(output, path)) {
    gmem_status_t status = fail_io(diag, "cannot be written", errno);
    gmem_output_abort(output);
    return status;
  }
  *out_output = output;
  return GMEM_OK;
}

//===--- writing ----------------------------------------------------------===//

static void flush(gmem_output_t *output) {
  size_t written = 0;
  assert(output->used <= OUTPUT_BUFFER);
  while (!output->os_error && written < output->used) {
    ssize_t count = write(output->descriptor, output->bytes + written,
                          output->used - written);
    if (count >= 0)
      written += (size_t)count;
    else if (errno != EINTR)
      output->os_error = errno;
  }
  output->used = 0;
}

gmem_status_t gmem_output_write(void *user, const char *bytes, size_t length) {
  gmem_output_t *output = user;
  while (length && !output->os_error) {
    size_t room = OUTPUT_BUFFER - output->used;
    size_t part = length < room ? length : room;
    memcpy(output->bytes + output->used, bytes, part);
    output->used += part;
    bytes += part;
    length -= part;
    if (output->used == OUTPUT_BUFFER)
      flush(output);
  }
  return output->os_error ? GMEM_ERR_IO : GMEM_OK;
}

static void close_output(gmem_output_t *output) {
  if (output->descriptor >= 0 && close(output->descriptor) != 0 &&
      !output->os_error)
    output->os_error = errno;
  output->descriptor = -1;
}

// Names an unnamed file: no system call can rename one over an existing file.
static void give_name(gmem_output_t *output) {
  if (output->os_error || !output->path || output->temporary)
    return;
  if (!name_temporary(output, 0))
    output->os_error = errno;
}

// Renames the file to its path.
static void move_into_place(gmem_output_t *output) {
  give_name(output);
  if (output->os_error || !output->path)
    return;
  close_output(output);
  if (output->os_error)
    return;
  if (rename(output->temporary, output->path) != 0) {
    output->os_error = errno;
    return;
  }
  free(output->temporary);
  output->temporary = NULL;
}

gmem_status_t gmem_output_prepare(gmem_output_t *output, gmem_diag_t *diag) {
  flush(output);
  give_name(output);
  return output->os_error ? fail_io(diag, "cannot be written", output->os_error)
                          : GMEM_OK;
}

gmem_status_t gmem_output_commit(gmem_output_t *output, gmem_diag_t *diag) {
  flush(output);
  move_into_place(output);
  close_output(output);
  int error = output->os_error;
  gmem_output_abort(output);
  return error ? fail_io(diag, "cannot be written", error) : GMEM_OK;
}

void gmem_output_abort(gmem_output_t *output) {
  if (!output)
    return;
  close_output(output);
  if (output->temporary)
    unlink(output->temporary);
  free(output->temporary);
  free(output->path);
  free(output);
}
