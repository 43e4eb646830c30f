// transforms.h - models whose weights are made by named functions. C11 and
// C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static const gmem_transform_t all[] = {{"pack", pack, NULL},
//                                          {"shuffle", shuffle, NULL}};
//   gmem_transforms_t transforms = {sizeof transforms, 2, all, load, file};
//   gmem_transforms_model(plan, &provider, &sources, &transforms, NULL, &model,
//                         &diag);
//
// A plan may state how a weight is computed when a model is created: a chain of
// functions by name, each with the size of its result (gmem_plan_transform).
// Nothing is global: the caller passes the functions. In a store of weights the
// chain and the digest of the source are part of the key of the weight, so that
// models which share the store run its functions once. This header belongs to
// the library gmem_transforms.

#ifndef GMEM_TRANSFORMS_H_
#define GMEM_TRANSFORMS_H_

#include "gmem/runtime.h"

GMEM_BEGIN_C

// Computes the |size| zeroed bytes at |dst| from the |source_size| bytes at
// |source|; neither overlaps the other. A status other than GMEM_OK aborts the
// creation of the model, which returns it. |diag| may be NULL.
typedef gmem_status_t (*gmem_transform_fn)(void *user, const void *source,
                                           uint64_t source_size, void *dst,
                                           uint64_t size, gmem_diag_t *diag);

typedef struct gmem_transform_s {
  const char *name; // unique in the table
  gmem_transform_fn make;
  void *user; // passed to |make|
} gmem_transform_t;

// Zero-initialise except |struct_size|. Functions may be called by any thread
// that creates a model.
typedef struct gmem_transforms_s {
  uint32_t struct_size; // sizeof(gmem_transforms_t)
  uint32_t count;
  const gmem_transform_t *all; // |count| of them
  gmem_buffer_fill_fn source;  // writes the bytes before the first transform:
                               //   as many as the plan says
  void *user;                  // passed to |source|
} gmem_transforms_t;

// As gmem_model_create; weights with a chain of transforms are computed by the
// functions of |transforms| (NULL: none) and not by those of |sources|. At
// first every chain is checked, then, one weight after the other, the digest of
// the source. Needs, while a weight is computed, memory of |allocator| for the
// source and two results of its chain at most. Also fails with NOT_FOUND (the
// plan names a transform that is not in the table), INVALID_ARGUMENT (a wrong
// struct_size, a name or function that is NULL, no |source| for a plan with
// transforms) and CORRUPT (a source without its digest). Any thread.
GMEM_MUST_USE gmem_status_t gmem_transforms_model(
    gmem_plan_t *plan, const gmem_provider_t *provider,
    const gmem_model_sources_t *sources, const gmem_transforms_t *transforms,
    const gmem_allocator_t *allocator, gmem_model_t **out_model,
    gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_TRANSFORMS_H_
