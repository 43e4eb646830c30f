// load_algorithm.c - loads algorithms from shared libraries (--load-algorithm).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load_algorithm.h"

#include <assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

typedef const gmem_algorithm_t *(*load_fn)(uint32_t version, size_t index);

// Limit of algorithms per library, in case its enumeration does not terminate.
enum { MOST_ALGORITHMS = 256 };

GMEM_PRINTF(2, 3)
static gmem_status_t fail(gmem_diag_t *message, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  gmem_fail_list(message, GMEM_ERR_INVALID_ARGUMENT, format, arguments);
  va_end(arguments);
  return GMEM_ERR_INVALID_ARGUMENT;
}

//===--- registry ---------------------------------------------------------===//

const gmem_algorithm_t *gmem_loaded_at(const gmem_loaded_t *loaded,
                                       size_t index) {
  size_t built_in = gmem_algorithm_count();
  assert(loaded->at || loaded->count == 0);
  if (index < built_in)
    return gmem_algorithm_at(index);
  return index - built_in < loaded->count ? loaded->at[index - built_in] : NULL;
}

const gmem_algorithm_t *gmem_loaded_find(const gmem_loaded_t *loaded,
                                         const char *name) {
  const gmem_algorithm_t *algorithm;
  for (size_t i = 0; (algorithm = gmem_loaded_at(loaded, i)); ++i)
    if (strcmp(algorithm->name, name) == 0)
      return algorithm;
  return NULL;
}

void gmem_loaded_free(gmem_loaded_t *loaded) {
  free(loaded->at);
  *loaded = (gmem_loaded_t){0};
}

//===--- one algorithm ----------------------------------------------------===//

// Names are used in command lines, pipelines and plan caches.
static bool is_name(const char *name) {
  size_t length = name ? strlen(name) : 0;
  for (size_t i = 0; i < length; ++i) {
    char c = name[i];
    bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    if (!is_word)
      return false;
  }
  return length > 0 && length <= GMEM_MAX_ALGORITHM_NAME;
}

static gmem_status_t add_one(gmem_loaded_t *loaded,
                             const gmem_algorithm_t *algorithm,
                             const char *path, gmem_diag_t *message) {
  if (!is_name(algorithm->name))
    return fail(message,
                "'%.100s': the name of an algorithm must consist of 1 to "
                "%d letters, digits, '-', '_' and '.'",
                path, GMEM_MAX_ALGORITHM_NAME);
  if (!algorithm->run || !algorithm->summary)
    return fail(message, "'%.100s': algorithm '%s' has no %s", path,
                algorithm->name, algorithm->run ? "summary" : "function");
  if (gmem_algorithm_find(algorithm->name))
    return fail(message, "'%.100s': '%s' is a built-in algorithm", path,
                algorithm->name);
  if (gmem_loaded_find(loaded, algorithm->name))
    return fail(message, "'%.100s': algorithm '%s' is already loaded", path,
                algorithm->name);
  const gmem_algorithm_t **grown =
      realloc(loaded->at, (loaded->count + 1) * sizeof *grown);
  if (!grown)
    return fail(message, "'%.100s': out of memory", path);
  loaded->at = grown;
  loaded->at[loaded->count++] = algorithm;
  return GMEM_OK;
}

//===--- one library ------------------------------------------------------===//

static gmem_status_t open_library(const char *path, load_fn *out_load,
                                  gmem_diag_t *message) {
  char here[PATH_MAX];
  snprintf(here, sizeof here, "%s%s", strchr(path, '/') ? "" : "./", path);
  void *library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(message, "%.240s", dlerror());
  void *symbol = dlsym(library, GMEM_ALGORITHM_LOAD);
  memcpy(out_load, &symbol, sizeof symbol); // ISO C has no cast for this
  return symbol ? GMEM_OK
                : fail(message, "'%.100s' has no function %s", path,
                       GMEM_ALGORITHM_LOAD);
}

// Adds all algorithms of the library, or the one called |name| unless that is
// "".
static gmem_status_t add_all(gmem_loaded_t *loaded, const char *path,
                             const char *name, gmem_diag_t *message) {
  load_fn load;
  GMEM_TRY(open_library(path, &load, message));
  const gmem_algorithm_t *algorithm = load(GMEM_ALGORITHM_VERSION, 0);
  if (!algorithm)
    return fail(message, "'%.100s' has no algorithm of version %d", path,
                GMEM_ALGORITHM_VERSION);
  bool is_found = !*name;
  for (size_t i = 0; algorithm; algorithm = load(GMEM_ALGORITHM_VERSION, ++i)) {
    if (i == MOST_ALGORITHMS)
      return fail(message, "'%.100s' has more than %d algorithms", path,
                  MOST_ALGORITHMS);
    bool is_it = algorithm->name && strcmp(algorithm->name, name) == 0;
    if (*name && !is_it)
      continue;
    GMEM_TRY(add_one(loaded, algorithm, path, message));
    if (is_it)
      loaded->chosen = algorithm;
    is_found = true;
  }
  return is_found
             ? GMEM_OK
             : fail(message, "'%.100s' has no algorithm '%.60s'", path, name);
}

gmem_status_t gmem_loaded_add(gmem_loaded_t *loaded, const char *text,
                              gmem_diag_t *message) {
  char path[PATH_MAX - 2]; // leaves room for "./"
  const char *colon = strrchr(text, ':');
  if (colon && strchr(colon, '/'))
    colon = NULL; // part of the path
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  if (length == 0)
    return fail(message, "'%.100s': missing file name", text);
  if (length >= sizeof path)
    return fail(message, "the path is longer than %zu bytes", sizeof path - 1);
  memcpy(path, text, length);
  path[length] = '\0';
  if (colon && !colon[1])
    return fail(message, "'%.100s': missing algorithm name after the colon",
                text);
  return add_all(loaded, path, colon ? colon + 1 : "", message);
}
