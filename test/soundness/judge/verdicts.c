// verdicts.c - see verdicts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verdicts.h"

#include <stdio.h>

#include "machine_examine.h"

static bool set_part(gmem_plan_options_t *options, verifier_part_t part) {
  static const char *const names[] = {"contents", "placement"};
  gmem_diag_t diag;
  gmem_plan_options_init(options);
  return part == PART_WHOLE ||
         gmem_plan_options_set(options, "only", names[part], &diag) == GMEM_OK;
}

bool verdict_has_parts(void) {
  gmem_plan_options_t options;
  return set_part(&options, PART_CONTENTS);
}

void verdict_ask_verifier(verdict_t *verdict, MlirOperation scope) {
  const gmem_pass_descriptor_t *pass = gmem_pass_find("gmem-verify-plan");
  for (int part = 0; part < PART_COUNT; ++part) {
    gmem_plan_options_t options;
    gmem_diag_t diag = {.text = ""};
    set_part(&options, (verifier_part_t)part);
    verdict->refuses[part] = pass->run(scope, &options, NULL, &diag) != GMEM_OK;
    snprintf(verdict->reasons[part], VERDICT_TEXT, "%s",
             verdict->refuses[part] ? diag.text : "accepts");
  }
}

static void note_finding(void *user, machine_finding_t finding,
                         const char *message) {
  static const soundness_t kinds[] = {[MACHINE_MALFORMED] = MALFORMED,
                                      [MACHINE_CLAIM] = CLAIM,
                                      [MACHINE_UNSOUND] = UNSOUND};
  verdict_t *verdict = user;
  if (verdict->soundness != SOUND && verdict->soundness != CLAIM)
    return;
  if (verdict->soundness == CLAIM && finding == MACHINE_CLAIM)
    return;
  verdict->soundness = kinds[finding];
  snprintf(verdict->fault, VERDICT_TEXT, "%s", message);
}

void verdict_ask_machine(verdict_t *verdict, MlirOperation scope,
                         unsigned long runs, unsigned long seed) {
  machine_examination_t examination = {
      .runs = runs, .seed = seed, .report = note_finding, .user = verdict};
  verdict->soundness = SOUND;
  snprintf(verdict->fault, VERDICT_TEXT, "nothing is wrong");
  machine_examine(scope, &examination);
}
