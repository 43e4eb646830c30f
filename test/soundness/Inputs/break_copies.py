# break_copies.py PLANNED.mlir [contents|placement] - changes the records of copies
# of a plan, one at a time, and says how many of the changes gmem-machine finds, or
# that check of gmem-verify-plan: a record that is
# missing, that reads or writes other bytes, that copies too few, that is made on
# another way, and two of one way in the other order. Names those that it does not
# find.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import subprocess
import sys

RECORD = re.compile(r'\{(?:cycle, )?edge = "\w+", from = [^}]*\}')
ELSEWHERE = 1 << 20  # bytes: where nothing is


def moved(record, key):
    return re.sub(rf"\b{key} = (\d+)",
                  lambda at: f"{key} = {int(at[1]) + ELSEWHERE}", record)


CHANGES = {
    "missing": lambda record: None,
    "from": lambda record: moved(record, "from"),
    "to": lambda record: moved(record, "to"),
    "size": lambda record: record.replace("size = 64", "size = 60"),
    "number": lambda record: moved(record, "number"),
    "cycle": lambda record: record.replace("cycle, ", ""),
}


JUDGE = ["gmem-machine", "--runs=100", "-"] if len(sys.argv) < 3 else \
    ["gmem-opt", "--allow-unregistered-dialect",
     f"--gmem-verify-plan=only={sys.argv[2]}", "-o", "/dev/null"]


def is_found(text):
    run = subprocess.run(JUDGE, input=text, capture_output=True, text=True,
                         check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.returncode == 1


def without_comma(text, at, record):
    """The text without the record at |at| and one comma beside it."""
    end = at + len(record)
    if text.startswith(", ", end):
        return text[:at] + text[end + 2:]
    return text[:at].removesuffix(", ") + text[end:]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    assert not is_found(text), "the plan is wrong as it is"
    records = list(RECORD.finditer(text))
    for name, change in CHANGES.items():
        made = found = 0
        for match in records:
            record = change(match[0])
            if record == match[0]:
                continue
            made += 1
            broken = without_comma(text, match.start(), match[0]) \
                if record is None \
                else text[:match.start()] + record + text[match.end():]
            if is_found(broken):
                found += 1
            else:
                print(f"{name}: not found: {match[0]}")
        print(f"{name}: {found} of {made} found")


main()
