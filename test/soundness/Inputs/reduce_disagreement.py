# reduce_disagreement.py FILE OPTIONS - makes a program smaller, as
# reduce_program.py does, for as long as gmem-judge disagrees in the same way about
# its plan under OPTIONS (with "": about the plan that FILE states).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess

import reduce_program

FOUND = re.compile(r"^disagree: \S+ #0: (.*)\n  machine: (.*)\n  contents: (.*)\n  placement: (.*)$", re.M)
NAMES = re.compile(r"'[^']*'|\d+|loc\([^)]*\):?|@\w+")


def disagreement(lines, options, kind=None):
    """What gmem-judge says, without names and numbers, or None."""
    planning = [f"--plan={options}"] if options else []
    done = subprocess.run(["gmem-judge", *planning, "-"], input="\n".join(lines), capture_output=True, text=True)
    found = FOUND.search(done.stdout)
    if not found:
        return None
    plain = " | ".join(NAMES.sub("", text) for text in found.groups()[:3])
    plain += f" | {found.group(4) == 'accepts'}"
    return plain if kind in (None, plain) else None


if __name__ == "__main__":
    reduce_program.is_unsound = disagreement
    reduce_program.main()
