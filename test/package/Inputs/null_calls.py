# null_calls.py INCLUDE SYMBOLS OUT.c - writes a program that calls every exported
# function with NULL for all pointers, each in a process of its own, and says what does
# not follow the rule of gmem/status.h.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import os
import re
import subprocess
import sys

include, symbols, output = sys.argv[1:]
# Nothing is asked of an empty list.
EMPTY_LISTS = ["gmem_memories_check"]
RELEASES = re.compile(r"_(destroy|release|free)$")

PROGRAM = """
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
%s
enum { STATUS, RELEASE };

static void try_call(const char *name, int kind, int (*call)(void)) {
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm(20);
    _exit(call());
  }
  waitpid(child, &status, 0);
  if (!WIFEXITED(status))
    printf("bad: %%s: signal %%d\\n", name, WTERMSIG(status));
  else if (WEXITSTATUS(status) != (kind == STATUS ? GMEM_ERR_INVALID_ARGUMENT : 0))
    printf("bad: %%s: status %%d\\n", name, WEXITSTATUS(status));
}
%s
int main(void) {
%s
  return 0;
}
"""


def declarations(headers):
    """The functions of the headers: name, type, types of the parameters."""
    llvm = subprocess.run(
        ["llvm-config-22", "--includedir"], capture_output=True, text=True, check=True
    ).stdout.strip()
    command = ["clang-22", "-std=c11", "-I", include, "-isystem", llvm, "-x", "c", "-"]
    command += ["-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=gmem_"]
    text = "".join(f'#include "{header}"\n' for header in headers)
    dump = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    decoder, at, found = json.JSONDecoder(), 0, {}
    gap = re.compile(r"\s*(Dumping [^\n]*\n)?\s*")
    while (at := gap.match(dump, at).end()) < len(dump):
        node, at = decoder.raw_decode(dump, at)
        if node.get("kind") == "FunctionDecl":
            inner = [p["type"] for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
            found[node["name"]] = (node["type"]["qualType"], inner)
    return found


def is_pointer(kind):
    return any(
        "*" in text or text.startswith("Mlir")
        for text in (kind["qualType"], kind.get("desugaredQualType", ""))
    )


headers = sorted(
    os.path.relpath(path, include)
    for path in glob.glob(include + "/gmem/*.h") + glob.glob(include + "/gmem/planner/*.h")
)
with open(symbols, encoding="utf-8") as file:
    exported = {line.split()[1] for line in file}
functions = declarations(headers)
bodies, calls, counts = [], [], {"STATUS": 0, "RELEASE": 0}
for name, (kind, parameters) in sorted(functions.items()):
    returns = kind[: kind.index("(")].strip()
    if name not in exported or name in EMPTY_LISTS or not any(map(is_pointer, parameters)):
        continue
    if returns != "gmem_status_t" and not (returns == "void" and RELEASES.search(name)):
        continue
    group = "STATUS" if returns == "gmem_status_t" else "RELEASE"
    counts[group] += 1
    arguments = ", ".join(f"({kind['qualType']}){{0}}" for kind in parameters)
    call = f"return (int){name}({arguments});"
    if group == "RELEASE":
        call = f"{name}({arguments});\n  return 0;"
    bodies.append(f"static int call_{name}(void) {{\n  {call}\n}}")
    calls.append(f'  try_call("{name}", {group}, call_{name});')
with open(output, "w", encoding="utf-8") as file:
    includes = "".join(f'#include "{header}"\n' for header in headers)
    file.write(PROGRAM % (includes, "\n".join(bodies), "\n".join(calls)))
print(f"{counts['STATUS']} functions with a status, {counts['RELEASE']} that release")
