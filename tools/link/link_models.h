// link_models.h - the models to be linked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_MODELS_H_
#define GMEM_TOOLS_LINK_MODELS_H_

#include <stdbool.h>
#include <stdio.h>

#include "gmem/passes.h"
#include "messages.h"

typedef struct gmem_link_model_s {
  char *name;              // owned; unique
  char *file;              // name of the output file; owned, unique
  char *path;              // of the input file; owned
  MlirModule module;       // owned
  gmem_planned_t *planned; // owned; the plan of |module|
  bool is_resident;        // workspaces are not shared
  size_t index;            // among the models
  bool *together; // by index: must not overlap; symmetric and reflexive; owned
} gmem_link_model_t;

typedef struct gmem_link_models_s {
  gmem_link_model_t *at;
  size_t count;
} gmem_link_models_t;

// All functions of gmem-link print their errors. If there is no memory, they
// end the process (gmem_need).

// Makes |count| models without names. Call gmem_link_models_free in any case.
void gmem_link_models_make(gmem_link_models_t *models, size_t count);
void gmem_link_models_free(gmem_link_models_t *models);

// Names the models after the |arguments| FILE or NAME=FILE, without reading
// files.
GMEM_MUST_USE gmem_status_t gmem_link_models_name(gmem_link_models_t *models,
                                                  const char *const *arguments);

// Marks models with states (gmem.state), which have been read, as resident.
void gmem_link_models_keep_states(gmem_link_models_t *models);

// Marks the models in the comma-separated |list| as resident if |is_resident|,
// else as concurrent. Fails for an unknown or repeated name.
GMEM_MUST_USE gmem_status_t gmem_link_models_mark(gmem_link_models_t *models,
                                                  const char *list,
                                                  bool is_resident);

// Marks two models as concurrent; whether they are.
void gmem_link_join(gmem_link_model_t *a, gmem_link_model_t *b);
bool gmem_link_is_together(const gmem_link_model_t *a,
                           const gmem_link_model_t *b);

// Returns the model whose name has |length| characters at |name|, or NULL.
gmem_link_model_t *gmem_link_models_find(const gmem_link_models_t *models,
                                         const char *name, size_t length);

// Reads all models, plans those without a plan by the pipeline |plan| and
// verifies all plans.
GMEM_MUST_USE gmem_status_t gmem_link_models_read(gmem_link_models_t *models,
                                                  MlirContext context,
                                                  const char *plan);

// Reads the planned module of |model| and verifies its plan.
GMEM_MUST_USE gmem_status_t gmem_link_model_reread(gmem_link_model_t *model,
                                                   MlirContext context);

// Verifies the plan of model->module and reads it again. MLIR prints the error.
GMEM_MUST_USE gmem_status_t gmem_link_model_prove(gmem_link_model_t *model);

#endif // GMEM_TOOLS_LINK_MODELS_H_
