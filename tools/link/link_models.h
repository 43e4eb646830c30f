// link_models.h - the models to be linked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_MODELS_H_
#define GMEM_TOOLS_LINK_MODELS_H_

#include <stdbool.h>
#include <stdio.h>

#include "gmem/passes.h"

typedef struct gmem_link_model_s {
  char *name;              // owned; unique
  char *file;              // name of the output file; owned, unique
  const char *path;        // of the input file
  MlirModule module;       // owned
  gmem_planned_t *planned; // owned; the plan of |module|
  bool is_resident;        // workspaces are not shared
} gmem_link_model_t;

typedef struct gmem_link_models_s {
  gmem_link_model_t *at;
  size_t count;
  bool *together; // count x count: must not overlap; symmetric and
                  //   reflexive
} gmem_link_models_t;

// Prints "gmem-link: error: ..." and returns false.
bool gmem_link_error(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
bool gmem_link_out_of_memory(void);

// Initialises |models| from the |arguments| FILE or NAME=FILE, without reading
// files. Returns false after printing an error. Call gmem_link_models_free in
// any case.
bool gmem_link_models_name(gmem_link_models_t *models,
                           const char *const *arguments, size_t count);

// Marks the models in the comma-separated |list| as concurrent, or as resident.
// Returns false after printing an error (unknown or repeated name).
bool gmem_link_models_together(gmem_link_models_t *models, const char *list);
bool gmem_link_models_resident(gmem_link_models_t *models, const char *list);

// Returns the model of that name, or NULL.
gmem_link_model_t *gmem_link_models_find(const gmem_link_models_t *models,
                                         const char *name, size_t length);

// Reads all models, plans those without a plan by the pipeline |plan| and
// verifies all plans. Returns false after printing an error.
bool gmem_link_models_read(gmem_link_models_t *models, MlirContext context,
                           const char *plan);

// Rereads and verifies the plan of model->module. Returns false after MLIR
// printed an error.
bool gmem_link_model_prove(gmem_link_model_t *model);

void gmem_link_models_free(gmem_link_models_t *models);

#endif // GMEM_TOOLS_LINK_MODELS_H_
