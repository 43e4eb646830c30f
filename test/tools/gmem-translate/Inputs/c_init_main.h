// c_init_main.h - the comparison, for c_init.py. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception

static void compare(void) {
  for (int i = 0; i < KEEP_OUTPUTS; ++i)
    check(once_outputs_size[i] == keep_outputs_size[i] &&
              memcmp(once_outputs_at(i), keep_outputs_at(i),
                     keep_outputs_size[i]) == 0,
          "the outputs differ");
}

static void fill_inputs(void) {
  check((int)ONCE_INPUTS == (int)KEEP_INPUTS &&
            (int)ONCE_OUTPUTS == (int)KEEP_OUTPUTS,
        "ports");
  for (int i = 0; i < KEEP_INPUTS; ++i) {
    fill(keep_inputs_at(i), keep_inputs_size[i], (uint64_t)i);
    fill(once_inputs_at(i), once_inputs_size[i], (uint64_t)i);
  }
}

int main(void) {
  int of_init, of_run, of_keep;
  keep_prepare();
  once_prepare();
  if (HAS_FLAG)
    check(once_start() < -5 && calls == 0, "a run without constants");
  if (SPOILS) {
    once_spoil();
    check(once_begin() == ONCE_MISALIGNED && calls == 0, "init, misaligned");
    once_mend();
  }
  stop_at = 0;
  check(once_begin() == 42 && calls == 1, "an operator stops init");
  if (HAS_FLAG)
    check(once_start() < -5 && calls == 1, "a run after a failure of init");
  stop_at = -1;
  calls = 0;
  check(once_begin() == ONCE_OK, "init");
  of_init = calls;
  once_drop();
  for (int round = 0; round < 2; ++round) {
    fill_inputs();
    calls = 0;
    check(keep_start() == KEEP_OK, "a run that keeps");
    of_keep = calls;
    calls = 0;
    check(once_start() == ONCE_OK, "a run");
    of_run = calls;
    compare();
  }
  check(of_init > 0 && of_run + of_init == of_keep, "each operator runs once");
  printf("equal: %d operators of init, %d of run\n", of_init, of_run);
  return 0;
}
