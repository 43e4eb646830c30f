// gmem-judge.c - asks the verifier and the machine about the same plans, and
// says where they disagree. A test tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir_reading.h"
#include "machine_examine.h"
#include "machine_input.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "tamper.h"
#include "verdicts.h"

enum { MORE_RUNS = 40 }; // times as many, before a plan is called sound

typedef struct judge_options_s {
  const char *path, *plan, *keep, *materialize;
  unsigned long runs, seed, tampered;
  bool prints;       // the plans, and judges none
  bool is_external;  // another machine looks at what the verifier accepts
  bool gives_places; // when it tampers
} judge_options_t;

// What is added up. One name each.
#define JUDGE_COUNTS(X)                                                        \
  X(programs)                                                                  \
  X(without_plan)                                                              \
  X(unsound)  /* plans of the planner */                                       \
  X(disagree) /* see judge_disagree */                                         \
  X(tampered)                                                                  \
  X(tampered_unsound)                                                          \
  X(tampered_malformed)                                                        \
  X(tampered_claims)                                                           \
  X(refused_by_contents) /* of the unsound ones */                             \
  X(refused_by_placement)                                                      \
  X(missed_by_contents) /* unsound, and placement refuses them */              \
  X(accepted)           /* unsound, by the whole verifier */                   \
  X(only_contents)      /* unsound, and placement accepts them */              \
  X(harmless_refused)   /* the machine finds nothing */                        \
  X(harmless_accepted)

typedef struct judge_counts_s {
#define MEMBER(name) unsigned long name;
  JUDGE_COUNTS(MEMBER)
#undef MEMBER
} judge_counts_t;

typedef struct judge_s {
  judge_options_t options;
  gmem_plan_options_t plan, materialize;
  judge_counts_t counts;
  MlirOperation scope; // that is judged
  bool has_memrefs;    // of which the machine knows nothing
  char name[128];
} judge_t;

//===--- options ----------------------------------------------------------===//

static void usage(void) {
  fputs(
      "usage: gmem-judge [--plan=OPTIONS] [--tamper=N] [--runs=N] [--seed=N]\n"
      "                  [--give-places] [--external] [--keep=FOLDER]\n"
      "                  [--materialize=OPTIONS] FILE.mlir\n"
      "Judges the plan of every scope, after planning it with OPTIONS (as\n"
      "those of --gmem-plan), by gmem-verify-plan, its parts and the abstract\n"
      "machine, then N tampered plans of each. Prints a line for each\n"
      "disagreement and, at the end, the counts. With --give-places, "
      "tampering\n"
      "gives places to allocations that have none. With --external, plans "
      "that\n"
      "the verifier accepts are written to FOLDER for another machine, after\n"
      "gmem-materialize if --materialize is given.\n",
      stderr);
  exit(2);
}

static bool take(const char *argument, const char *name, const char **value) {
  size_t length = strlen(name);
  if (strncmp(argument, name, length) != 0 || argument[length] != '=')
    return false;
  *value = argument + length + 1;
  return true;
}

static bool take_number(const char *argument, const char *name,
                        unsigned long *number) {
  const char *text;
  char *end;
  if (!take(argument, name, &text))
    return false;
  *number = strtoul(text, &end, 10);
  if (!*text || *end)
    usage();
  return true;
}

static judge_options_t parse(int argc, char **argv) {
  judge_options_t options = {.runs = 6};
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    if (strcmp(argument, "--external") == 0)
      options.is_external = true;
    else if (strcmp(argument, "--print") == 0)
      options.prints = true;
    else if (strcmp(argument, "--give-places") == 0)
      options.gives_places = true;
    else if (!take(argument, "--plan", &options.plan) &&
             !take(argument, "--keep", &options.keep) &&
             !take(argument, "--materialize", &options.materialize) &&
             !take_number(argument, "--tamper", &options.tampered) &&
             !take_number(argument, "--runs", &options.runs) &&
             !take_number(argument, "--seed", &options.seed)) {
      if (options.path || (argument[0] == '-' && argument[1]))
        usage();
      options.path = argument;
    }
  }
  if (!options.path || (options.is_external && !options.keep))
    usage();
  return options;
}

// Sets options from "name=value name=value".
static void set_options(gmem_plan_options_t *options, const char *text) {
  char word[4096];
  gmem_plan_options_init(options);
  options->quiet = true;
  while (text && *text) {
    size_t length = strcspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    text += length + strspn(text + length, " ");
    char *value = strchr(word, '=');
    if (!value)
      usage();
    *value++ = '\0';
    gmem_diag_t diag = {.text = ""};
    if (gmem_plan_options_set(options, word, value, &diag) != GMEM_OK) {
      fprintf(stderr, "gmem-judge: %s\n", diag.text);
      exit(2);
    }
  }
}

//===--- keeping ----------------------------------------------------------===//

static void write_text(MlirStringRef text, void *user) {
  fwrite(text.data, 1, text.length, user);
}

// What is materialised is for MLIR's own tools, the rest for scripts, which
// look for attributes.
static void print_op(const judge_t *judge, MlirOperation op, FILE *file) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (!judge->options.materialize)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOperationPrintWithFlags(op, flags, write_text, file);
  mlirOpPrintingFlagsDestroy(flags);
  fputc('\n', file);
}

// Writes the plan as it is now, if there is a folder; its path.
static const char *keep(const judge_t *judge, unsigned long number,
                        const char *what) {
  static char path[4096];
  if (!judge->options.keep)
    return "";
  snprintf(path, sizeof path, "%s/%s.%lu.mlir", judge->options.keep,
           judge->name, number);
  FILE *file = fopen(path, "w");
  if (!file) {
    fprintf(stderr, "gmem-judge: error: cannot write %s\n", path);
    exit(2);
  }
  fprintf(file, "// %s\n", what);
  MlirOperation copy = mlirOperationClone(judge->scope);
  if (judge->options.materialize) {
    gmem_diag_t diag = {.text = ""};
    gmem_status_t status = gmem_pass_find("gmem-materialize")
                               ->run(copy, &judge->materialize, NULL, &diag);
    if (status != GMEM_OK)
      fprintf(file, "// cannot be materialised: %s\n", diag.text);
  }
  print_op(judge, copy, file);
  mlirOperationDestroy(copy);
  fclose(file);
  return path;
}

//===--- judging ----------------------------------------------------------===//

// Prints a disagreement.
static void judge_disagree(judge_t *judge, const verdict_t *verdict,
                           unsigned long number, const char *kind,
                           const char *what) {
  ++judge->counts.disagree;
  printf("disagree: %s #%lu: %s: %s\n  machine: %s\n", judge->name, number,
         kind, what, verdict->fault);
  printf("  contents: %s\n  placement: %s\n  whole: %s\n  kept: %s\n",
         verdict->reasons[PART_CONTENTS], verdict->reasons[PART_PLACEMENT],
         verdict->reasons[PART_WHOLE], keep(judge, number, what));
}

// For another machine.
static void keep_external(const judge_t *judge, const verdict_t *verdict,
                          unsigned long number, const char *what) {
  printf("external: %s contents=%d placement=%d whole=%d: %s\n",
         keep(judge, number, what), !verdict->refuses[PART_CONTENTS],
         !verdict->refuses[PART_PLACEMENT], !verdict->refuses[PART_WHOLE],
         what);
}

static verdict_t ask(const judge_t *judge, unsigned long more) {
  static verdict_t verdict; // large
  verdict_ask_verifier(&verdict, judge->scope);
  verdict.soundness = SOUND;
  if (!judge->has_memrefs)
    verdict_ask_machine(&verdict, judge->scope, judge->options.runs * more,
                        judge->options.seed);
  return verdict;
}

// False: there is a disagreement about the plan itself already.
static bool judge_planned(judge_t *judge) {
  verdict_t verdict = ask(judge, 1);
  unsigned long before = judge->counts.disagree;
  judge->counts.unsound += verdict.soundness != SOUND;
  if (verdict.soundness != SOUND)
    judge_disagree(judge, &verdict, 0,
                   verdict.refuses[PART_WHOLE] ? "the planner's plan is unsound"
                                               : "unsound and accepted",
                   "as planned");
  else if (verdict.refuses[PART_CONTENTS] || verdict.refuses[PART_PLACEMENT] ||
           verdict.refuses[PART_WHOLE])
    judge_disagree(judge, &verdict, 0, "sound and refused", "as planned");
  else if (judge->options.is_external && !judge->options.materialize)
    keep_external(judge, &verdict, 0, "as planned");
  return judge->counts.disagree == before;
}

static void judge_unsound(judge_t *judge, const verdict_t *verdict,
                          unsigned long number, const char *what) {
  judge_counts_t *counts = &judge->counts;
  const bool *refuses = verdict->refuses;
  ++counts->tampered_unsound;
  counts->refused_by_contents += refuses[PART_CONTENTS];
  counts->refused_by_placement += refuses[PART_PLACEMENT];
  counts->only_contents += refuses[PART_CONTENTS] && !refuses[PART_PLACEMENT];
  counts->missed_by_contents += !refuses[PART_CONTENTS];
  counts->accepted += !refuses[PART_WHOLE];
  if (!refuses[PART_WHOLE])
    judge_disagree(judge, verdict, number, "unsound and accepted", what);
  else if (!refuses[PART_CONTENTS] && verdict_has_parts())
    printf("missed: %s #%lu: %s\n  machine: %s\n  placement: %s\n  kept: %s\n",
           judge->name, number, what, verdict->fault,
           verdict->reasons[PART_PLACEMENT], keep(judge, number, what));
}

// The machine finds nothing, or nothing but a wrong claim.
static void judge_harmless(judge_t *judge, verdict_t *verdict,
                           unsigned long number, const char *what) {
  judge_counts_t *counts = &judge->counts;
  const bool *refuses = verdict->refuses;
  bool is_strict = refuses[PART_CONTENTS] && !refuses[PART_PLACEMENT];
  if (is_strict && !judge->has_memrefs) { // look more closely
    verdict_ask_machine(verdict, judge->scope, judge->options.runs * MORE_RUNS,
                        judge->options.seed + 1000);
    if (verdict->soundness == UNSOUND) {
      judge_unsound(judge, verdict, number, what);
      return;
    }
  }
  counts->harmless_refused += refuses[PART_WHOLE];
  counts->harmless_accepted += !refuses[PART_WHOLE];
  counts->tampered_claims += verdict->soundness == CLAIM;
  if (judge->options.is_external) {
    if (is_strict || !refuses[PART_CONTENTS] || !refuses[PART_WHOLE])
      keep_external(judge, verdict, number, what);
  } else if (verdict->soundness == CLAIM && !refuses[PART_WHOLE]) {
    judge_disagree(judge, verdict, number, "a wrong claim is accepted", what);
  } else if (is_strict) {
    judge_disagree(judge, verdict, number, "harmless, refused by contents",
                   what);
  }
}

static void judge_tampered(judge_t *judge, unsigned long number,
                           const char *what) {
  verdict_t verdict = ask(judge, 1);
  ++judge->counts.tampered;
  if (verdict.soundness == MALFORMED) {
    ++judge->counts.tampered_malformed;
    if (!verdict.refuses[PART_WHOLE])
      judge_disagree(judge, &verdict, number, "malformed and accepted", what);
  } else if (verdict.soundness == UNSOUND) {
    judge_unsound(judge, &verdict, number, what);
  } else {
    judge_harmless(judge, &verdict, number, what);
  }
}

static void tamper_scope(judge_t *judge) {
  tamper_t tamper;
  plan_changes_t changes = {.count = 0};
  char what[TAMPER_TEXT];
  tamper_find(&tamper, judge->scope, judge->options.gives_places);
  for (unsigned long i = 1; i <= judge->options.tampered; ++i) {
    uint64_t seed = judge->options.seed * 1000003 + i;
    for (const char *at = judge->name; *at; ++at)
      seed = seed * 31 + (unsigned char)*at;
    if (tamper_once(&tamper, seed, &changes, what))
      judge_tampered(judge, i, what);
    plan_changes_undo(&changes);
  }
  free(changes.at);
  tamper_free(&tamper);
}

static MlirWalkResult look_for_memrefs(MlirOperation op, void *found) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, i))))
      *(bool *)found = true;
  return *(bool *)found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Plans as gmem-plan does, but for the verification, which is judged here.
static bool plan_scope(judge_t *judge) {
  static const char *const passes[] = {"gmem-order-ops", "gmem-assign-weights",
                                       "gmem-assign-tensors"};
  for (size_t i = 0; i < sizeof passes / sizeof *passes; ++i) {
    gmem_diag_t diag = {.text = ""};
    if (gmem_pass_find(passes[i])->run(judge->scope, &judge->plan, NULL,
                                       &diag) == GMEM_OK)
      continue;
    ++judge->counts.without_plan;
    if (!judge->options.prints)
      printf("without plan: %s: %s\n", judge->name, diag.text);
    return false;
  }
  return true;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  judge_t *judge = user;
  if (!machine_is_scope(op))
    return MlirWalkResultAdvance;
  MlirAttribute name = gmem_op_attribute(op, "sym_name");
  MlirStringRef text = gmem_attribute_is(name, mlirAttributeIsAString)
                           ? mlirStringAttrGetValue(name)
                           : gmem_string("module");
  snprintf(judge->name, sizeof judge->name, "%.*s", (int)text.length,
           text.data);
  judge->scope = op;
  judge->has_memrefs = false;
  mlirOperationWalk(op, look_for_memrefs, &judge->has_memrefs,
                    MlirWalkPreOrder);
  ++judge->counts.programs;
  if (judge->options.plan && !plan_scope(judge))
    return MlirWalkResultSkip;
  if (judge->options.prints)
    return MlirWalkResultSkip;
  if (judge_planned(judge))
    tamper_scope(judge);
  return MlirWalkResultSkip;
}

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic, (void)user;
  return mlirLogicalResultSuccess();
}

int main(int argc, char **argv) {
  static judge_t judge;
  size_t size;
  judge.options = parse(argc, argv);
  set_options(&judge.plan, judge.options.plan);
  set_options(&judge.materialize, judge.options.materialize);
  judge.materialize.verified = true;
  char *text = machine_read_file(judge.options.path, &size);
  MlirContext context = machine_make_context();
  MlirOperation top = mlirOperationCreateParse(
      context, mlirStringRefCreate(text, size),
      mlirStringRefCreateFromCString(judge.options.path));
  free(text);
  if (mlirOperationIsNull(top))
    return 2;
  mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  mlirOperationWalk(top, visit, &judge, MlirWalkPreOrder);
  if (judge.options.prints)
    print_op(&judge, top, stdout);
  mlirOperationDestroy(top);
  mlirContextDestroy(context);
  if (judge.options.prints)
    return 0;
#define PRINT(name) printf("%s=%lu ", #name, judge.counts.name);
  JUDGE_COUNTS(PRINT)
#undef PRINT
  putchar('\n');
  return judge.counts.disagree || !judge.counts.programs ? 1 : 0;
}
