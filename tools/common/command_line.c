// command_line.c - command lines from one table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // program_invocation_short_name

#include "command_line.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit_distance.h"
#include "gmem/memories.h"
#include "gmem/version.h"
#include "messages.h"
#include "numbers.h"

// Keys of options without a letter: FIRST_KEY plus their index in the table.
enum { HELP_KEY = 'h', VERSION_KEY = 'V', USAGE_KEY = 256, FIRST_KEY };

// Input of argp's parser.
typedef struct session_s {
  const gmem_command_line_t *line;
  char *target;
} session_t;

static bool is_end(const gmem_option_t *option) {
  return !option->name && !option->doc;
}

static int key_of(const gmem_option_t *option, size_t index) {
  return option->letter ? option->letter : FIRST_KEY + (int)index;
}

//===--- values -----------------------------------------------------------===//

uint64_t gmem_option_number(const gmem_option_t *option, const char *argument,
                            struct argp_state *state) {
  uint64_t number = option->least;
  if (gmem_parse_count(argument, option->least, option->most, &number))
    return number;
  if (option->expected)
    argp_error(state, "--%s: '%s' is not %s", option->name, argument,
               option->expected);
  else
    argp_error(state, "--%s: '%s' is not a number from %llu to %llu",
               option->name, argument, (unsigned long long)option->least,
               (unsigned long long)option->most);
  return number;
}

uint64_t gmem_option_bytes(const gmem_option_t *option, const char *argument,
                           struct argp_state *state) {
  uint64_t bytes = 0;
  if (!gmem_parse_bytes(argument, &bytes) || bytes < option->least)
    argp_error(state,
               "--%s: '%s' is not a %snumber of bytes (such as 1048576, 64KiB "
               "or 1M)",
               option->name, argument, option->least ? "positive " : "");
  return bytes;
}

static int find_choice(const gmem_option_t *option, const char *argument,
                       struct argp_state *state) {
  char known[256] = "";
  for (int i = 0; option->choices[i]; ++i) {
    size_t used = strlen(known);
    if (strcmp(argument, option->choices[i]) == 0)
      return i;
    snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
             option->choices[i]);
  }
  if (option->expected)
    argp_error(state, "--%s: unknown %s '%s' (known: %s)", option->name,
               option->expected, argument, known);
  else
    argp_error(state, "--%s: unknown value '%s'", option->name, argument);
  return 0;
}

static void add_text(const gmem_option_t *option, gmem_text_list_t *list,
                     const char *argument, struct argp_state *state) {
  assert(option->most <= GMEM_TEXT_LIST);
  if (list->count == option->most)
    argp_error(state, "--%s: given more than %llu times", option->name,
               (unsigned long long)option->most);
  else
    list->at[list->count++] = argument;
}

static void store(const gmem_option_t *option, void *member,
                  const char *argument, struct argp_state *state) {
  switch (option->kind) {
  case GMEM_OPTION_FLAG:
    *(bool *)member = true;
    return;
  case GMEM_OPTION_TEXT:
    *(const char **)member = argument;
    return;
  case GMEM_OPTION_UINT32:
    assert(option->most <= UINT32_MAX);
    *(uint32_t *)member = (uint32_t)gmem_option_number(option, argument, state);
    return;
  case GMEM_OPTION_UINT64:
    *(uint64_t *)member = gmem_option_number(option, argument, state);
    return;
  case GMEM_OPTION_BYTES:
    *(uint64_t *)member = gmem_option_bytes(option, argument, state);
    return;
  case GMEM_OPTION_CHOICE:
    *(int *)member =
        argument ? find_choice(option, argument, state) : (int)option->least;
    return;
  case GMEM_OPTION_LIST:
    add_text(option, member, argument, state);
    return;
  case GMEM_OPTION_SEED:
    ((gmem_seed_t *)member)->given = true;
    if (argument)
      ((gmem_seed_t *)member)->number =
          gmem_option_number(option, argument, state);
    return;
  case GMEM_OPTION_OTHER:
    option->parse(option, member, argument, state);
  }
}

//===--- unknown options --------------------------------------------------===//

// Ends the process: no option begins with the |length| bytes of |name|.
static _Noreturn void refuse(const struct argp_option *options,
                             const char *name, size_t length) {
  gmem_nearest_t nearest = {.least = gmem_slip_limit(length)};
  for (const struct argp_option *at = options; at->name || at->doc; ++at)
    if (at->name && !(at->flags & OPTION_HIDDEN))
      gmem_nearest_try(&nearest, name, length, at->name);
  fprintf(stderr,
          "%s: unknown option '--%.*s'%s%s%s\n"
          "Try `%s --help' for more information.\n",
          program_invocation_short_name, (int)length, name,
          nearest.found ? ": did you mean --" : "",
          nearest.found ? nearest.found : "", nearest.found ? "?" : "",
          program_invocation_short_name);
  exit(GMEM_EXIT_USAGE);
}

// The option that the argument |text| is, or NULL if it is none, or one that
// getopt refuses.
static const struct argp_option *find_option(const struct argp_option *options,
                                             const char *text,
                                             bool *out_has_argument) {
  const struct argp_option *found = NULL;
  if (text[1] == '-') {
    size_t length = strcspn(text += 2, "=");
    for (const struct argp_option *at = options; at->name || at->doc; ++at)
      if (at->name && strncmp(at->name, text, length) == 0 &&
          (!found || at->name[length] == '\0'))
        found = at;
    if (!found)
      refuse(options, text, length);
    *out_has_argument = text[length] == '=';
    return found;
  }
  do {
    ++text;
    for (found = options; found->name || found->doc; ++found)
      if (found->key == *text)
        break;
  } while (found->name && !found->arg && text[1]);
  *out_has_argument = text[0] && text[1];
  return found;
}

// getopt would refuse unknown options without saying which one may be meant.
static void refuse_unknown(const struct argp_option *options, int argc,
                           char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    bool has_argument = false;
    const struct argp_option *option =
        argv[i][0] == '-' && argv[i][1]
            ? find_option(options, argv[i], &has_argument)
            : NULL;
    if (option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) &&
        !has_argument)
      ++i;
  }
}

//===--- parsing ----------------------------------------------------------===//

void gmem_print_version(const char *mlir) {
  printf("%s %s\n", program_invocation_short_name, GMEM_VERSION_STRING);
  if (mlir)
    printf("LLVM and MLIR %s\n", mlir);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  const session_t *session = state->input;
  const gmem_command_line_t *line = session->line;
  if (key == ARGP_KEY_ARG) {
    line->add_argument(session->target, argument, state);
    return 0;
  }
  if (key == ARGP_KEY_END) {
    line->finish(session->target, state);
    return 0;
  }
  if (key == HELP_KEY)
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
  if (key == USAGE_KEY)
    argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
  if (key == VERSION_KEY) {
    gmem_print_version(line->mlir);
    exit(EXIT_SUCCESS);
  }
  const gmem_option_t *option = line->options;
  while (!is_end(option) &&
         (!option->name ||
          key_of(option, (size_t)(option - line->options)) != key))
    ++option;
  if (is_end(option))
    return ARGP_ERR_UNKNOWN;
  store(option, session->target + option->offset, argument, state);
  if (line->note_option)
    line->note_option(session->target, option);
  return 0;
}

static struct argp_option to_argp(const gmem_option_t *option, size_t index) {
  int flags = option->is_optional ? OPTION_ARG_OPTIONAL : 0;
  return (struct argp_option){
      option->name,     option->name ? key_of(option, index) : 0,
      option->argument, flags | (option->is_hidden ? OPTION_HIDDEN : 0),
      option->doc,      option->group};
}

bool gmem_command_line_parse(const gmem_command_line_t *line, int argc,
                             char **argv, void *target) {
  static const struct argp_option of_all[] = {
      {"help", HELP_KEY, NULL, 0, "print this text and exit", -1},
      {"usage", USAGE_KEY, NULL, 0, "print the options alone and exit", -1},
      {"version", VERSION_KEY, NULL, 0, "print the versions and exit", -1}};
  session_t session = {line, target};
  size_t count = 0;
  argp_err_exit_status = GMEM_EXIT_USAGE;
  while (!is_end(&line->options[count]))
    ++count;
  struct argp_option *options =
      calloc(count + sizeof of_all / sizeof *of_all + 1, sizeof *options);
  if (!options)
    return false;
  for (size_t i = 0; i < count; ++i)
    options[i] = to_argp(&line->options[i], i);
  memcpy(options + count, of_all, sizeof of_all);
  const struct argp parser = {.options = options,
                              .parser = parse_option,
                              .args_doc = line->arguments,
                              .doc = line->description};
  refuse_unknown(options, argc, argv);
  bool is_parsed =
      argp_parse(&parser, argc, argv, ARGP_NO_HELP, NULL, &session) == 0;
  free(options);
  return is_parsed;
}
