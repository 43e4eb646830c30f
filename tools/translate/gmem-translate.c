// gmem-translate.c - writes a plan as JSON, plan image, CSV or C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "init_digest.h"
#include "messages.h"
#include "mlir_files.h"
#include "random_weights.h"
#include "standard_streams.h"
#include "vocabulary.h"

//===--- translation ------------------------------------------------------===//

static gmem_status_t write_output(const gmem_format_t *format,
                                  gmem_translation_t *translation,
                                  gmem_diag_t *diag) {
  gmem_output_files_t *files = &translation->files;
  if (!(format->takes & GMEM_IN_FOLDER))
    GMEM_TRY(
        gmem_output_files_add(files, diag, "%s", translation->options->output));
  gmem_status_t status = format->write(translation, diag);
  if (status != GMEM_OK && (status != GMEM_ERR_IO || files->failed))
    return status;
  // This says why an output could not be written, and which.
  GMEM_TRY(gmem_output_files_prepare(files, diag));
  GMEM_TRY(status);
  return gmem_output_files_commit(files, diag);
}

// The plan of a module, and that of its requests where it is another one.
typedef struct plans_s {
  MlirModule requests_of; // a copy without what only initialises constants
  gmem_planned_t *planned, *requests;
  uint8_t digest[GMEM_SHA256_SIZE]; // of what computes constants
  bool has_digest;
} plans_t;

static gmem_status_t translate_plan(const gmem_translate_options_t *options,
                                    const plans_t *plans, MlirContext context) {
  gmem_translation_t translation = {.options = options,
                                    .planned = plans->planned,
                                    .requests = plans->requests,
                                    .init = plans->has_digest ? plans->digest
                                                              : NULL,
                                    .context = context};
  gmem_diag_t diag = {0};
  gmem_status_t status = write_output(options->format, &translation, &diag);
  const char *input = options->input;
  const char *failed = translation.files.failed;
  const char *text = translation.message ? translation.message : diag.text;
  if (status != GMEM_OK && *text)
    (void)gmem_tool_error("%s: %s", failed ? failed : input, text);
  if (status == GMEM_OK && translation.unknown)
    fprintf(stderr,
            "gmem-translate: remark: %s: the module does not contain the bytes "
            "of %" PRIu32 " constants\n",
            input, translation.unknown);
  gmem_output_files_free(&translation.files);
  free(translation.message);
  return status;
}

static MlirWalkResult find_init(MlirOperation op, void *user) {
  *(bool *)user |= !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT));
  return *(bool *)user ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void destroy_plans(plans_t *plans) {
  gmem_planned_destroy(plans->requests);
  gmem_planned_destroy(plans->planned);
  if (!mlirModuleIsNull(plans->requests_of))
    mlirModuleDestroy(plans->requests_of);
}

// Reads what remains of the plan after the initialisation of constants.
static gmem_status_t read_requests(MlirOperation top,
                                   gmem_planned_t **out_planned) {
  GMEM_TRY(gmem_planned_drop_init(top, NULL, NULL));
  return gmem_planned_read_verified(top, NULL, out_planned, NULL);
}

// An image is of the requests: it has no place for what only initialises
// constants. Generated C has the digest of that image.
static gmem_status_t read_plans(const gmem_translate_options_t *options,
                                MlirOperation top, plans_t *plans) {
  const char *format = options->format->option;
  bool has_init = false;
  mlirOperationWalk(top, find_init, &has_init, MlirWalkPreOrder);
  plans->has_digest = has_init && gmem_init_digest(top, plans->digest);
  if (has_init && strcmp(format, "gmem-to-image") == 0) {
    GMEM_TRY(gmem_verify_module(top, NULL, NULL));
    return read_requests(top, &plans->planned);
  }
  GMEM_TRY(gmem_planned_read(top, NULL, &plans->planned, NULL));
  if (!has_init || strcmp(format, "gmem-to-c") != 0)
    return GMEM_OK;
  plans->requests_of = mlirModuleFromOperation(mlirOperationClone(top));
  return read_requests(mlirModuleGetOperation(plans->requests_of),
                       &plans->requests);
}

// MLIR's parser and the plan reader report their own errors, with locations.
static gmem_status_t translate(const gmem_translate_options_t *options,
                               MlirContext context) {
  MlirModule module = gmem_module_parse(context, options->input);
  if (mlirModuleIsNull(module))
    return GMEM_ERR_PARSE;
  if (options->seed.given)
    (void)gmem_randomize_constants(module, options->seed.number);
  plans_t plans = {.planned = NULL};
  gmem_status_t status =
      read_plans(options, mlirModuleGetOperation(module), &plans);
  if (status == GMEM_OK)
    status = translate_plan(options, &plans, context);
  destroy_plans(&plans);
  mlirModuleDestroy(module);
  return status;
}

int main(int argc, char **argv) {
  gmem_tool_begin();
  gmem_translate_options_t options = {
      .input = "-", .seed.number = 1, .c.outputs = -1};
  if (!gmem_translate_options_parse(argc, argv, &options))
    return GMEM_EXIT_USAGE;
  MlirContext context = gmem_context_create();
  gmem_status_t status = translate(&options, context);
  mlirContextDestroy(context);
  return status == GMEM_OK ? 0 : GMEM_EXIT_PROBLEM;
}
