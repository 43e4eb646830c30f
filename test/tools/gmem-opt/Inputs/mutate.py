# mutate.py - damages a program in a few hundred seeded ways and runs gmem-opt
# on each: it must say yes or no (exit status 0 or 1), never die of a signal or
# hang. Usage: mutate.py PROGRAM.mlir COUNT SEED WORK_FILE OPTION...
#
# What --gmem-verify-plan accepts is translated, too, and, unless the program
# brings models of its own, executed by gmem-machine, to which no plan that is
# proved may be wrong.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import random
import re
import subprocess
import sys

TOKEN = re.compile(r'"[^"\n]*"|[%@^!#]?[\w.$-]+|->|::|\s+|.', re.S)
NUMBERS = ["0", "1", "-1", "7", "64", "65", "4096", "9223372036854775807",
           "-9223372036854775808", "4611686018427387904"]
WORDS = ["unit", "true", "[]", "{}", '"tensors"', '"weights"', '""', "3 : i64",
         "array<i64>", "array<i32: 1>", "dense<0> : tensor<1xi64>", "i1 : i1",
         "tensor<*xf32>", "tensor<0xf32>", "tensor<8xi1>", "none", "@main",
         "@branches", "@outer::@inner", "index", "() -> ()"]


def is_number(token):
    return re.fullmatch(r"-?\d+", token) is not None


def change_offset(tokens, rng):
    # One place for another one that occurs.
    at = [i for i, t in enumerate(tokens) if t in ("gmem.offset", "gmem.size")]
    to, source = rng.choice(at), rng.choice(at)
    numbers = [[i for i in range(k, min(k + 12, len(tokens))) if is_number(tokens[i])]
               for k in (to, source)]
    if numbers[0] and numbers[1]:
        tokens[numbers[0][0]] = tokens[numbers[1][0]]


def change_number(tokens, rng):
    at = [i for i, t in enumerate(tokens) if is_number(t)]
    tokens[rng.choice(at)] = rng.choice(NUMBERS)


def change_word(tokens, rng):
    at = [i for i, t in enumerate(tokens) if re.match(r'["\w]', t)]
    tokens[rng.choice(at)] = rng.choice(WORDS)


def copy_token(tokens, rng):
    at = [i for i, t in enumerate(tokens) if not t.isspace()]
    to = rng.choice(at)
    alike = [i for i in at if tokens[i][:1] == tokens[to][:1]]
    tokens[to] = tokens[rng.choice(alike)]


def drop_entry(tokens, rng):
    # An entry of a dictionary or list: from one comma to the next.
    at = [i for i, t in enumerate(tokens) if t == ","]
    begin = rng.randrange(len(at) - 1)
    del tokens[at[begin]:at[begin + 1]]


def rename_attribute(tokens, rng):
    at = [i for i, t in enumerate(tokens) if t.startswith(("gmem.", "sym_",
                                                           "function_type",
                                                           "callee"))]
    tokens[rng.choice(at)] = rng.choice([tokens[i] for i in at])


def drop_line(tokens, rng):
    at = [i for i, t in enumerate(tokens) if "\n" in t]
    begin = rng.randrange(len(at) - 1)
    del tokens[at[begin]:at[begin + 1]]


def change_byte(tokens, rng):
    at = rng.randrange(len(tokens))
    text = tokens[at] or "x"
    where = rng.randrange(len(text))
    tokens[at] = text[:where] + chr(rng.randrange(1, 256)) + text[where + 1:]


CHANGES = [change_offset] * 3 + [change_number] * 4 + [change_word] * 3 + [copy_token] * 3 + [
    drop_entry, rename_attribute, rename_attribute, drop_line, change_byte]


def mutant(tokens, rng):
    tokens = list(tokens)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(CHANGES)(tokens, rng)
    return "".join(tokens)


def run_command(command):
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=60)
    except subprocess.TimeoutExpired:
        return "hangs", ""
    return done.returncode, done.stderr.decode("latin-1")


def run(tool, text, work_file, options):
    with open(work_file, "w", encoding="latin-1") as file:
        file.write(text)
    return run_command([tool, "--allow-unregistered-dialect", work_file, "-o",
                        "/dev/null"] + options)


# What is wrong with a run, or None.
def fault(code, errors):
    if code == 1:
        return None if "error:" in errors else "is refused without a word"
    return None if code == 0 else f"exit status {code}"


# What is wrong with a plan that has been proved, or None.
def fault_of_proved(text, work_file):
    for form in "image", "json", "csv":
        code, errors = run_command(["gmem-translate", f"--gmem-to-{form}", work_file,
                                    "-o", "/dev/null"])
        wrong = fault(code, errors)
        if wrong:
            return f"{wrong} from gmem-translate --gmem-to-{form}"
    if "gmem.op_model" in text:
        return None
    code, _ = run_command(["gmem-machine", work_file])
    if code == 1:
        return "is proved and wrong: gmem-machine"
    return None if code == 0 else f"exit status {code} from gmem-machine"


def main():
    program, count, seed, work_file = sys.argv[1:5]
    options = sys.argv[5:]
    with open(program, encoding="utf-8") as file:
        tokens = TOKEN.findall(file.read())
    rng = random.Random(int(seed))
    accepted = failures = 0
    for i in range(int(count)):
        text = mutant(tokens, rng)
        code, errors = run("gmem-opt", text, work_file, options)
        accepted += code == 0
        wrong = fault(code, errors)
        if code == 0 and "--gmem-verify-plan" in options:
            wrong = fault_of_proved(text, work_file)
        # The parser of MLIR itself dies of some inputs.
        if not wrong or fault(*run("mlir-opt", text, work_file, [])):
            continue
        failures += 1
        os.rename(work_file, f"{work_file}.failed-{i}")
        print(f"{work_file}.failed-{i}: gmem-opt {' '.join(options)} {wrong}")
    print(f"{count} mutants, {accepted} accepted, {failures} failures")
    return failures != 0


sys.exit(main())
