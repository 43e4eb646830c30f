// pool_option.c - parses gmem-solve's --pool option.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // strchrnul

#include "pool_option.h"

#include <stdlib.h>
#include <string.h>

#include "gmem/memories.h"

static bool is_alignment(uint64_t bytes) {
  return bytes != 0 && (bytes & (bytes - 1)) == 0 &&
         bytes <= GMEM_MAX_ALIGNMENT;
}

// Parses one KEY=VALUE.
static const char *set_property(gmem_pool_spec_t *spec, const char *text) {
  const char *equals = strchr(text, '=');
  uint64_t value, speed = spec->speed;
  const struct {
    const char *key;
    uint64_t *member;
  } known[] = {{"capacity=", &spec->capacity},
               {"alignment=", &spec->alignment},
               {"base=", &spec->base},
               {"speed=", &speed}};
  if (!equals || !gmem_parse_bytes(equals + 1, &value))
    return "has a malformed property (expected KEY=VALUE)";
  size_t i = 0, count = sizeof known / sizeof *known;
  while (i < count && strncmp(text, known[i].key, strlen(known[i].key)) != 0)
    ++i;
  if (i == count)
    return "has an unknown property (known: capacity, alignment, base, speed)";
  *known[i].member = value;
  spec->speed = (uint32_t)speed;
  return speed > UINT32_MAX ? "has a speed greater than 4294967295" : NULL;
}

static const char *set_properties(gmem_pool_spec_t *spec, char *text) {
  while (*text) {
    char *end = strchrnul(text, ',');
    char *next = *end ? end + 1 : end;
    *end = '\0';
    const char *problem = set_property(spec, text);
    if (problem)
      return problem;
    text = next;
  }
  if (spec->capacity == 0)
    return "has capacity 0";
  if (!is_alignment(spec->alignment))
    return "has an alignment that is not a power of two up to 1T";
  if ((spec->base & (spec->alignment - 1)) != 0)
    return "has a base that is not a multiple of its alignment";
  return NULL;
}

const char *gmem_pool_list_add(gmem_pool_list_t *pools, char *text) {
  char *colon = strchrnul(text, ':');
  gmem_pool_spec_t spec = {
      .name = text, .capacity = GMEM_UNLIMITED, .alignment = 1};
  char *properties = *colon ? colon + 1 : colon;
  *colon = '\0';
  if (*text == '\0')
    return "has no name";
  for (uint32_t i = 0; i < pools->count; ++i)
    if (strcmp(pools->specs[i].name, text) == 0)
      return "is defined twice";
  const char *problem = set_properties(&spec, properties);
  if (problem)
    return problem;
  gmem_pool_spec_t *grown =
      realloc(pools->specs, (pools->count + (size_t)1) * sizeof *grown);
  if (!grown)
    return "cannot be added: out of memory";
  pools->specs = grown;
  pools->specs[pools->count++] = spec;
  return NULL;
}

void gmem_pool_list_free(gmem_pool_list_t *pools) {
  free(pools->specs);
  *pools = (gmem_pool_list_t){0};
}
