// link_models.h - the models that gmem-link puts into one memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_MODELS_H_
#define GMEM_TOOLS_LINK_MODELS_H_

#include <stdbool.h>
#include <stdio.h>

#include "gmem/passes.h"

typedef struct gmem_link_model_s {
  char *name;              // owned; unique
  char *file;              // of what is written, in the folder; owned, unique
  const char *path;        // of what is read
  MlirModule module;       // owned
  gmem_planned_t *planned; // owned; the plan that |module| had when it was read
  bool is_resident;        // shares no workspace with any other model
} gmem_link_model_t;

typedef struct gmem_link_models_s {
  gmem_link_model_t *at;
  size_t count;
  bool *together; // count x count: these two run at one time; symmetric, and
                  //   true of a model with itself
} gmem_link_models_t;

// Prints "gmem-link: error: ...", and returns false.
bool gmem_link_error(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
bool gmem_link_out_of_memory(void);

// Names the models: |arguments| are FILE or NAME=FILE. Nothing is read yet.
// Returns false when it has said what is wrong. *models is to be freed with
// gmem_link_models_free in any case.
bool gmem_link_models_name(gmem_link_models_t *models,
                           const char *const *arguments, size_t count);

// Notes that the models in |list|, names with commas between them, run at one
// time, or that each of them shares with none. Returns false when it has said
// which name is unknown or there twice.
bool gmem_link_models_together(gmem_link_models_t *models, const char *list);
bool gmem_link_models_resident(gmem_link_models_t *models, const char *list);

// The model of that name, or NULL.
gmem_link_model_t *gmem_link_models_find(const gmem_link_models_t *models,
                                         const char *name, size_t length);

// Reads every model, plans those without a plan by the pipeline |plan|, proves
// all plans. Returns false when what is wrong has been said.
bool gmem_link_models_read(gmem_link_models_t *models, MlirContext context,
                           const char *plan);

// Reads the plan of the model's module again. Returns false as above.
bool gmem_link_model_prove(gmem_link_model_t *model);

void gmem_link_models_free(gmem_link_models_t *models);

#endif // GMEM_TOOLS_LINK_MODELS_H_
