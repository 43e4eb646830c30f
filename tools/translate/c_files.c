// c_files.c - writes the C files of a planned network: <model>.h, <model>.c,
// and the constants whose bytes are known, with parameters=given to
// <model>_data.c, with extern the bytes of each pool to <model>_<pool>.bin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_make.h"
#include "c_write.h"
#include "formats.h"
#include "mlir_files.h"

static gmem_status_t add_text(gmem_translation_t *translation,
                              const gmem_c_model_t *model, const char *end,
                              void (*write)(const gmem_c_model_t *,
                                            gmem_c_text_t *),
                              gmem_diag_t *diag) {
  GMEM_TRY(gmem_output_files_add(&translation->files, diag, "%s/%s%s",
                                 translation->options->output,
                                 model->options.name, end));
  gmem_c_text_t out =
      gmem_output_files_begin_c(&translation->files, model->options.name);
  write(model, &out);
  gmem_c_text_end(&out);
  return GMEM_OK;
}

static gmem_status_t add_bytes(gmem_translation_t *translation,
                               const gmem_c_model_t *model, uint32_t pool,
                               gmem_diag_t *diag) {
  const gmem_c_pool_t *names = &model->pools[pool];
  GMEM_TRY(gmem_output_files_add(&translation->files, diag, "%s/%s_%s.bin",
                                 translation->options->output,
                                 model->options.name, names->label.name));
  (void)gmem_output_write(gmem_output_files_last(&translation->files),
                          (const char *)names->bytes,
                          (size_t)model->pools[pool].plan->size);
  return GMEM_OK;
}

static gmem_status_t write_files(gmem_translation_t *translation,
                                 const gmem_c_model_t *model,
                                 gmem_diag_t *diag) {
  GMEM_TRY(add_text(translation, model, ".h", gmem_c_write_header, diag));
  GMEM_TRY(add_text(translation, model, ".c", gmem_c_write_source, diag));
  if (gmem_c_has_data_file(model))
    GMEM_TRY(add_text(translation, model, "_data.c", gmem_c_write_data, diag));
  for (uint32_t i = 0; i < model->pool_count; ++i)
    if (model->options.parameters == GMEM_C_PARAMETERS_EXTERN &&
        gmem_c_pool_is_used(&model->pools[i]) && model->pools[i].bytes)
      GMEM_TRY(add_bytes(translation, model, i, diag));
  return GMEM_OK;
}

// |module| is the one named by --compiled, or null.
static gmem_status_t write_model(gmem_translation_t *translation,
                                 MlirModule module, gmem_diag_t *diag) {
  gmem_c_model_t model;
  gmem_status_t status = gmem_c_model_make(
      translation->planned,
      &(gmem_c_requests_t){translation->requests, translation->init},
      &translation->options->c, module, &model, diag);
  if (status == GMEM_OK)
    status = write_files(translation, &model, diag);
  if (model.image)
    translation->unknown = gmem_planned_image_unknown(model.image);
  translation->message = model.message;
  gmem_c_model_free(&model);
  return status;
}

gmem_status_t gmem_write_c(gmem_translation_t *translation, gmem_diag_t *diag) {
  const char *compiled = translation->options->c.compiled;
  if (!compiled)
    return write_model(translation, (MlirModule){NULL}, diag);
  MlirModule module = gmem_module_parse(translation->context, compiled);
  *diag = (gmem_diag_t){.status = GMEM_ERR_PARSE}; // printed by MLIR
  if (mlirModuleIsNull(module))
    return GMEM_ERR_PARSE;
  gmem_status_t status = write_model(translation, module, diag);
  mlirModuleDestroy(module);
  return status;
}
