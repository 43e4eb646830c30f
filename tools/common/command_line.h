// command_line.h - command lines from one table: the options that argp parses
// and --help prints, and where their values are stored.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_COMMAND_LINE_H_
#define GMEM_TOOLS_COMMAND_LINE_H_

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gmem_option_s gmem_option_t;

// Type of the member that holds the value of an option.
typedef enum gmem_option_kind_e {
  GMEM_OPTION_FLAG,   // bool: set to true
  GMEM_OPTION_TEXT,   // const char *
  GMEM_OPTION_UINT32, // uint32_t from |least| to |most|
  GMEM_OPTION_UINT64, // uint64_t from |least| to |most|
  GMEM_OPTION_BYTES,  // uint64_t from |least| on, such as 64K or 2MiB
  GMEM_OPTION_CHOICE, // int: index in |choices|; |least|: if it is omitted
  GMEM_OPTION_LIST,   // gmem_text_list_t of at most |most| entries
  GMEM_OPTION_SEED,   // gmem_seed_t: |argument| may be NULL
  GMEM_OPTION_OTHER,  // |parse| sets it
} gmem_option_kind_t;

enum { GMEM_TEXT_LIST = 64 };

// The values of an option that may be repeated.
typedef struct gmem_text_list_s {
  const char *at[GMEM_TEXT_LIST];
  uint32_t count;
} gmem_text_list_t;

typedef struct gmem_seed_s {
  bool given;
  uint64_t number;
} gmem_seed_t;

// An option, or a heading of --help if |name| is NULL.
struct gmem_option_s {
  const char *name;     // without dashes
  char letter;          // short form, or 0
  const char *argument; // as --help names it; NULL: takes none
  const char *doc;
  int group; // of --help, as in struct argp_option
  gmem_option_kind_t kind;
  size_t offset; // of the member
  uint64_t least, most;
  const char *expected; // "a number of lines", for errors; NULL: the limits. Of
                        //   a choice: its kind, to list all; NULL: no list
  const char *const *choices; // end with NULL
  void (*parse)(const gmem_option_t *option, void *member, const char *argument,
                struct argp_state *state);
  bool is_optional; // the argument may be omitted, and is then NULL
  bool is_hidden;   // from --help: an old spelling
};

typedef struct gmem_command_line_s {
  const gmem_option_t *options;        // end with a zero entry
  const char *arguments, *description; // as in struct argp
  // Called for each argument that is no option, after each option (may be
  // NULL), and after the last one. |target| holds the values.
  void (*add_argument)(void *target, char *argument, struct argp_state *state);
  void (*note_option)(void *target, const gmem_option_t *option);
  void (*finish)(void *target, struct argp_state *state);
  const char *mlir; // version of MLIR; NULL: the tool has none
} gmem_command_line_t;

// Parses the command line into |target|. --help, --usage and --version, which
// no table has, end the process with status 0, errors with GMEM_EXIT_USAGE.
// Returns false if out of memory.
bool gmem_command_line_parse(const gmem_command_line_t *line, int argc,
                             char **argv, void *target);

// The number |argument| of |option|, and the number of bytes.
uint64_t gmem_option_number(const gmem_option_t *option, const char *argument,
                            struct argp_state *state);
uint64_t gmem_option_bytes(const gmem_option_t *option, const char *argument,
                           struct argp_state *state);

// Prints the version of gmem, and of MLIR, if it is not NULL.
void gmem_print_version(const char *mlir);

#endif // GMEM_TOOLS_COMMAND_LINE_H_
