# help_pages.py TOOL MAN COMPLETION - writes the manual page and the completion for
# bash of a tool from its --help, so that they cannot differ. Same --help, same bytes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Knows the two forms of --help: that of argp and that of LLVM."""

import os
import re
import subprocess
import sys

# "  -f, --find=NAME   text", "  --cse   -   text", "  --pool[=BYTES]".
OPTION = re.compile(
    r"^ {1,10}(?:-(?P<letter>\w), *)?(?P<name>--?[A-Za-z][\w-]*)"
    r"(?P<value>(?:\[?=[^ ]*)?)(?:(?: +- +| +)(?P<text>.*)|)$"
)
# A line of the options of argp; argp of glibc misplaces the indentation of a line
# that is near the end of its buffer.
IN_COLUMNS = re.compile(r"$| \S|  -\w, --\S| {6}--\S| {29}\S")
# "    =generic   -   text": a value of LLVM's option above.
VALUE = re.compile(r"^ {1,10}=(?P<value>\S+) +- +(?P<text>.*)$")
# "  alignment=4096": an option of the pass above.
PASS_OPTION = re.compile(r"^ {6}(?P<name>[a-z-]+)=(?P<value>.*)$")


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def term(match):
    groups = match.groupdict()
    letter = f"\\fB\\-{groups['letter']}\\fR, " if groups.get("letter") else ""
    value = escape(groups["value"] or "")
    return f".TP\n{letter}\\fB{escape(groups['name'])}\\fR{value}"


def body(lines):
    """The lines of troff for the lines of --help."""
    in_option = False
    for line in lines:
        option, value, of_pass = OPTION.match(line), VALUE.match(line), PASS_OPTION.match(line)
        stripped = line.strip()
        if not stripped:
            yield ".PP"
            in_option = False
        elif line.startswith("  or: "):
            yield f".br\n{escape(stripped[len('or: '):].lstrip())}"
        elif option:
            yield term(option)
            in_option = True
            if option["text"]:
                yield escape(option["text"])
        elif value:
            yield f".br\n\\fI{escape(value['value'])}\\fR: {escape(value['text'])}"
        elif of_pass:
            yield f".TP\n\\fI{escape(of_pass['name'])}\\fR={escape(of_pass['value'])}"
            in_option = True
        elif line.endswith(":") and not line.startswith("  "):
            yield f".SH {escape(stripped[:-1]).upper()}"
            in_option = False
        elif in_option:
            yield escape(stripped)
        elif line.startswith("  "):
            yield f".nf\n{escape(line)}\n.fi"
        else:
            yield escape(stripped)


def manual(tool, version, lines):
    head = [
        f".TH {tool.upper()} 1 \"\" \"gmem {version}\" \"User Commands\"",
        f".SH NAME\n{escape(tool)} \\- static memory planning for accelerators",
        ".SH SYNOPSIS" if lines[0].startswith("Usage:") else ".SH DESCRIPTION",
    ]
    # The first line after the usage begins the description.
    usage = [line for line in lines if re.match(r"Usage:|  or: ", line)]
    rest = lines[len(usage):]
    head += body([re.sub(r"^Usage: ", "", line) for line in usage])
    if usage:
        head.append(".SH DESCRIPTION")
    return "\n".join([*head, *body(rest)]) + "\n"


def option_words(lines):
    """All options, those with a value with an equals sign."""
    words = {}
    for line in lines:
        match = OPTION.match(line)
        if not match:
            continue
        name, value = match["name"], match["value"]
        words[name] = name + ("=" if value.startswith("=") else "")
        if match["letter"]:
            words["-" + match["letter"]] = "-" + match["letter"]
    return [words[name] for name in sorted(words)]


def completion(tool, lines):
    function = "_" + tool.replace("-", "_")
    words = "\n".join(option_words(lines))
    return f"""# Completion of {tool} for bash.
{function}() {{
  COMPREPLY=()
  [[ $2 == -* ]] || return 0
  mapfile -t COMPREPLY < <(compgen -W '{words}' -- "$2")
  [[ ${{#COMPREPLY[@]}} != 1 || ${{COMPREPLY[0]}} != *= ]] || compopt -o nospace 2>/dev/null || true
}}
complete -o default -F {function} {tool}
"""


def check_columns(name, lines):
    ends = [i for i, line in enumerate(lines) if line.startswith("Mandatory or optional")]
    first = next(i for i, line in enumerate(lines) if OPTION.match(line))
    for line in lines[first : ends[0] if ends else first]:
        if not IN_COLUMNS.match(line):
            sys.exit(f"{name} --help: change the length of the text before {line.strip()!r}")


def main(tool, *paths):
    environment = {**os.environ, "LC_ALL": "C", "COLUMNS": "80"}
    environment.pop("ARGP_HELP_FMT", None)
    output = [
        subprocess.run(
            [tool, option], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for option in ("--help", "--version")
    ]
    lines, name = output[0].splitlines(), os.path.basename(tool)
    check_columns(name, lines)
    version = output[1].split()[1]
    for path, text in zip(paths, (manual(name, version, lines), completion(name, lines))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
