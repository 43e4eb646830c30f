// formats.h - the table of the formats that gmem-translate writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new format is a file with a function that writes it, and a line in this
// table.

#ifndef GMEM_TOOLS_FORMATS_H_
#define GMEM_TOOLS_FORMATS_H_

#include "c_model.h"
#include "command_line.h"
#include "gmem/planned_image.h"
#include "output_files.h"

// X(function, option, takes, help): |takes| are the GMEM_TAKES_* options that
// other formats reject, and GMEM_IN_FOLDER.
#define GMEM_FORMATS(X)                                                        \
  X(gmem_write_json, "gmem-to-json", 0,                                        \
    "write the plan as JSON (docs/plan-json.md)")                              \
  X(gmem_write_image, "gmem-to-image", GMEM_TAKES_WEIGHTS,                     \
    "write a plan image for the runtime (docs/plan-image.md)")                 \
  X(gmem_write_csv, "gmem-to-csv", 0,                                          \
    "write one pool as a CSV problem with its solution, for gmem-solve. The "  \
    "live range of a row is when the tensor owns its bytes; tensors that lie " \
    "in others throughout their live range are omitted (docs/problem-csv.md)") \
  X(gmem_write_blobs, "gmem-to-blobs", 0,                                      \
    "write a plan made with algorithm=blobs as a list of blobs, for runtimes " \
    "that allocate whole buffers (docs/blobs.md)")                             \
  X(gmem_write_c, "gmem-to-c", GMEM_TAKES_C_OPTIONS | GMEM_IN_FOLDER,          \
    "write MODEL.h and MODEL.c, which run the network, to the directory of "   \
    "-o (docs/generated-c.md)")                                                \
  X(gmem_write_svg, "gmem-to-svg", GMEM_TAKES_TITLE,                           \
    "write a picture of the plan (docs/show.md)")                              \
  X(gmem_write_trace, "gmem-to-trace", GMEM_TAKES_TITLE,                       \
    "write trace events for Perfetto and chrome://tracing (docs/show.md)")     \
  X(gmem_write_page, "gmem-to-html",                                           \
    GMEM_TAKES_TITLE | GMEM_TAKES_PAGE_OPTIONS,                                \
    "write a page on which the plan can be explored (docs/show.md)")

enum {
  GMEM_TAKES_WEIGHTS = 1,       // --weights
  GMEM_TAKES_C_OPTIONS = 2,     // gmem_c_options_t
  GMEM_IN_FOLDER = 4,           // several files, in the directory given by -o
  GMEM_TAKES_TITLE = 8,         // --title
  GMEM_TAKES_PAGE_OPTIONS = 16, // --against, --report
};

typedef struct gmem_translation_s gmem_translation_t;

// Writes one format. Outputs record write errors. The text of |diag| is empty
// for an error that was printed.
typedef gmem_status_t (*gmem_format_fn)(gmem_translation_t *translation,
                                        gmem_diag_t *diag);

typedef struct gmem_format_s {
  gmem_format_fn write;
  const char *option;
  unsigned takes;
} gmem_format_t;

typedef struct gmem_translate_options_s {
  const gmem_format_t *format;
  const char *input;                 // path, or "-"
  const char *output;                // path, or "-"; with IN_FOLDER a directory
  const char *pool;                  // for CSV; NULL: the first workspace pool
  const char *title;                 // of what is shown; NULL: the input's name
  const char *against;               // path of an older plan, or NULL
  const char *report;                // path of a report as JSON, or NULL
  gmem_image_weights_mode_t weights; // for an image
  gmem_seed_t seed;                  // --random-weights
  bool allow_unregistered;           // ignored
  bool has_c;                        // an option for C was given
  gmem_c_options_t c;
} gmem_translate_options_t;

// Parses the command line into |options|, which hold the defaults. Prints
// errors and ends the process; returns false if out of memory.
bool gmem_translate_options_parse(int argc, char **argv,
                                  gmem_translate_options_t *options);

// What a format is written from and to.
struct gmem_translation_s {
  const gmem_translate_options_t *options;
  const gmem_planned_t *planned;
  const gmem_planned_t *requests; // for C: without what only initialises
                                  //   constants; NULL if that is nothing
  const uint8_t *init; // the digest of what computes constants (init_digest.h),
                       //   or NULL
  MlirContext context; // for further modules
  gmem_output_files_t files; // the output is open, but for IN_FOLDER
  uint32_t unknown; // constants whose bytes the module does not contain
  char *message;    // an error longer than a gmem_diag_t, or NULL; owned
};

#define GMEM_DECLARE_FORMAT(function, option, takes, help)                     \
  gmem_status_t function(gmem_translation_t *translation, gmem_diag_t *diag);
GMEM_FORMATS(GMEM_DECLARE_FORMAT)
#undef GMEM_DECLARE_FORMAT

#endif // GMEM_TOOLS_FORMATS_H_
