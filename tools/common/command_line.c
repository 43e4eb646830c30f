// command_line.c - command lines from one table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_line.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "numbers.h"

// Keys of options without a letter: this plus their index in the table.
enum { FIRST_KEY = 256 };

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

//===--- parsing ----------------------------------------------------------===//

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

bool gmem_command_line_parse(const gmem_command_line_t *line, int argc,
                             char **argv, void *target) {
  session_t session = {line, target};
  size_t count = 0;
  argp_err_exit_status = GMEM_EXIT_USAGE;
  while (!is_end(&line->options[count]))
    ++count;
  struct argp_option *options = calloc(count + 1, sizeof *options);
  for (size_t i = 0; options && i < count; ++i) {
    const gmem_option_t *option = &line->options[i];
    options[i] = (struct argp_option){
        option->name,     option->name ? key_of(option, i) : 0,
        option->argument, option->is_optional ? OPTION_ARG_OPTIONAL : 0,
        option->doc,      option->group};
  }
  const struct argp parser = {.options = options,
                              .parser = parse_option,
                              .args_doc = line->arguments,
                              .doc = line->description};
  bool is_parsed =
      options && argp_parse(&parser, argc, argv, 0, NULL, &session) == 0;
  free(options);
  return is_parsed;
}
