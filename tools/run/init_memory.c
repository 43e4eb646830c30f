// init_memory.c - see init_memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "init_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "made_constants.h"
#include "messages.h"

enum { LEAST_ALIGNMENT = 64 };

gmem_status_t gmem_init_memory_read(MlirModule module,
                                    const gmem_text_list_t *libraries,
                                    gmem_init_memory_t *out_memory) {
  gmem_diag_t diag = {0};
  *out_memory = (gmem_init_memory_t){.libraries = libraries};
  gmem_status_t status = gmem_planned_read_verified(
      mlirModuleGetOperation(module), NULL, &out_memory->planned, &diag);
  GMEM_TRY(gmem_tool_check(status, &diag, "cannot read the plan"));
  out_memory->pools =
      gmem_need(calloc(gmem_planned_pool_count(out_memory->planned) + 1u,
                       sizeof *out_memory->pools));
  return GMEM_OK;
}

void gmem_init_memory_clear(gmem_init_memory_t *memory) {
  for (uint32_t i = 0;
       memory->pools && i < gmem_planned_pool_count(memory->planned); ++i) {
    free(memory->pools[i]);
    memory->pools[i] = NULL;
  }
}

void gmem_init_memory_free(gmem_init_memory_t *memory) {
  gmem_init_memory_clear(memory);
  free(memory->pools);
  gmem_planned_destroy(memory->planned);
  *memory = (gmem_init_memory_t){.planned = NULL};
}

static uint32_t find_pool(const gmem_init_memory_t *memory, const char *name) {
  uint32_t i = 0, count = gmem_planned_pool_count(memory->planned);
  while (i < count &&
         !(gmem_planned_pool(memory->planned, i)->constant &&
           strcmp(gmem_planned_pool(memory->planned, i)->name, name) == 0))
    ++i;
  return i;
}

// As in the memory of requests, only globals have bytes.
static gmem_status_t fill(const gmem_init_memory_t *memory, uint32_t pool) {
  const gmem_planned_t *planned = memory->planned;
  gmem_diag_t diag = {0};
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    if (buffer->pool != pool || buffer->alias_of != GMEM_NO_BUFFER ||
        buffer->size == 0 || (buffer->flags & GMEM_PLANNED_COMPUTED) ||
        strcmp(buffer->op, "memref.get_global") != 0)
      continue;
    assert(buffer->offset + buffer->size <=
           gmem_planned_pool(planned, pool)->size);
    uint8_t *bytes = memory->pools[pool] + buffer->offset;
    gmem_status_t status =
        buffer->flags & GMEM_PLANNED_TRANSFORMED
            ? gmem_made_constant_write(planned, i, memory->libraries, bytes,
                                       &diag)
            : gmem_planned_contents(planned, i, bytes, &diag);
    GMEM_TRY(gmem_tool_check(status, &diag, "cannot load the constants"));
  }
  return GMEM_OK;
}

gmem_status_t gmem_init_memory_get(gmem_init_memory_t *memory, const char *pool,
                                   uint64_t size, uint8_t **out_bytes) {
  uint32_t index = find_pool(memory, pool);
  *out_bytes = NULL;
  if (index == gmem_planned_pool_count(memory->planned) ||
      gmem_planned_pool(memory->planned, index)->size != size)
    return GMEM_OK;
  if (!memory->pools[index]) {
    size_t align = gmem_planned_pool(memory->planned, index)->alignment;
    void *block;
    align = align < LEAST_ALIGNMENT ? LEAST_ALIGNMENT : align;
    if (posix_memalign(&block, align, size ? (size_t)size : 1) != 0)
      return gmem_tool_error("out of memory for the constants of pool '%s'",
                             pool);
    memset(block, 0, (size_t)size);
    memory->pools[index] = block;
    GMEM_TRY(fill(memory, index));
  }
  *out_bytes = memory->pools[index];
  return GMEM_OK;
}

gmem_status_t gmem_init_memory_copy(gmem_init_memory_t *memory,
                                    const char *pool, uint64_t offset,
                                    uint64_t size, void *to) {
  uint32_t index = find_pool(memory, pool);
  gmem_init_compute_fn compute = memory->compute;
  memory->compute = NULL;
  if (compute)
    GMEM_TRY(compute(memory->user, memory));
  if (index == gmem_planned_pool_count(memory->planned) ||
      !memory->pools[index])
    return GMEM_OK;
  assert(offset + size <= gmem_planned_pool(memory->planned, index)->size);
  memcpy(to, memory->pools[index] + offset, (size_t)size);
  return GMEM_OK;
}
