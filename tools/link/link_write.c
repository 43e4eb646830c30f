// link_write.c - see link_write.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link_write.h"

#include <string.h>
#include <sys/stat.h>

#include "link_header.h"

// The output records write errors.
static void print_piece(MlirStringRef piece, void *output) {
  (void)gmem_output_write(output, piece.data, piece.length);
}

// Whether both paths refer to the same file.
static bool is_same_file(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static gmem_status_t write_module(gmem_output_files_t *files,
                                  const gmem_link_result_t *result,
                                  const gmem_link_model_t *model,
                                  gmem_diag_t *diag) {
  GMEM_TRY(
      gmem_output_files_add(files, diag, "%s/%s", result->folder, model->file));
  if (is_same_file(model->path, gmem_output_files_path(files)))
    return gmem_tool_error("%s: the output would overwrite the input: use "
                           "another directory with -o",
                           model->path);
  gmem_output_t *output = gmem_output_files_last(files);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (result->debug_info)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(model->module), flags,
                              print_piece, output);
  mlirOpPrintingFlagsDestroy(flags);
  (void)gmem_output_write(output, "\n", 1);
  return GMEM_OK;
}

static gmem_status_t write_header(gmem_output_files_t *files,
                                  const gmem_link_result_t *result,
                                  gmem_diag_t *diag) {
  GMEM_TRY(gmem_output_files_add(files, diag, "%s/%s_memory.h", result->folder,
                                 result->prefix));
  gmem_c_text_t out = gmem_output_files_begin_c(files, result->prefix);
  gmem_link_header_write(&result->pools, &out);
  gmem_c_text_end(&out);
  return GMEM_OK;
}

gmem_status_t gmem_link_files_write(gmem_output_files_t *files,
                                    const gmem_link_result_t *result,
                                    gmem_diag_t *diag) {
  for (size_t i = 0; i < result->models.count; ++i)
    GMEM_TRY(write_module(files, result, &result->models.at[i], diag));
  GMEM_TRY(gmem_output_files_add(files, diag, "%s/link.json", result->folder));
  (void)gmem_output_write(gmem_output_files_last(files), result->json,
                          strlen(result->json));
  GMEM_TRY(write_header(files, result, diag));
  return gmem_output_files_prepare(files, diag);
}
