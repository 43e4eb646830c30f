# check_pages.py SHARE TOOL... - names the options of each TOOL's --help that its manual
# page or its completion for bash lacks, and those that they have and --help has not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def in_manual(share, tool):
    with open(f"{share}/man/man1/{tool}.1", encoding="utf-8") as file:
        page = file.read().replace("\\-", "-")
    return set(re.findall(r"\\fB(--?\w[\w-]*)\\fR", page))


# What bash offers, asked as it asks.
def completed(share, tool):
    function = "_" + tool.replace("-", "_")
    script = f"""
      . "{share}/bash-completion/completions/{tool}"
      complete -p {tool} | grep -q -e "-F {function} " || exit 1
      {function} {tool} - {tool}
      printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return {word.rstrip("=") for word in run("bash", "-c", script).split()}


def main(share, *tools):
    count = 0
    for tool in tools:
        lines = run(tool, "--help").splitlines()
        wanted = set()
        for line in lines:
            wanted |= set(re.findall(r"^ {1,10}(-\w), *--", line))
            wanted |= set(re.findall(r"^ {1,10}(?:-\w, *)?(--?[A-Za-z][\w-]*)", line))
        count += len(wanted)
        for where, found in (("manual", in_manual(share, tool)), ("completion", completed(share, tool))):
            for option in sorted(wanted - found):
                print(f"bad: {tool}: the {where} lacks {option}")
            for option in sorted(found - wanted):
                print(f"bad: {tool}: the {where} has {option}")
    print(f"{len(tools)} tools, {'many' if count > 1000 else count} options")


main(*sys.argv[1:])
