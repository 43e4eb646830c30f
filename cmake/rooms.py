#!/usr/bin/env python3
"""rooms.py - which source folder may include which.

  rooms.py                     checks the rules below; prints one line per breach
  rooms.py --numbers [BUILD]   prints the figures of the layout
  rooms.py --objects BUILD     checks the symbols that compiled objects use

Rooms are the folders that gmem_add_room (cmake/gmem_targets.cmake) compiles, with
the rooms that each sees. A file includes files of its room and of rooms that it
sees, however the path is written; files and rooms form no circle, by includes or
by calls.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import glob
import os
import re
import subprocess
import sys

LIBRARIES = ("order", "passes", "planner", "runtime", "tools")
ENDINGS = (".c", ".h", ".cpp")
# Other folders whose headers rooms include by name.
SHARED = ("dialect", "files", "hash", "heap", "text")
# Tools that include headers of the passes beside the public ones.
ALSO = {
    "tools/docs": {"passes/ops", "passes/support"},
    "tools/modules": {"passes/support"},
    "tools/run": {"passes/support"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
# In the runtime an object and what it owns call each other.
CIRCLES_ALLOWED = ("runtime",)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', "", text, flags=re.S)


def table():
    """The rooms that each room sees, from the CMake files; lowest room first."""
    rooms = {}
    for library in LIBRARIES:
        path = f"{library}/CMakeLists.txt"
        variables = collections.defaultdict(list)
        text = re.sub(r"#[^\n]*", "", read(path)) if os.path.exists(path) else ""
        for command, words in re.findall(r"(\w+)\(([^()]*)\)", text):
            words = [w for word in words.split()
                     for w in (variables[word[2:-1]] if word.startswith("${") else [word])]
            if command == "set" and words:
                variables[words[0]] = words[1:]
            elif command == "list" and words[0] == "APPEND":
                variables[words[1]] += words[2:]
            elif command == "gmem_add_room":
                end = min([words.index(w) for w in ("USES", "WITHOUT") if w in words] + [len(words)])
                seen = {f"{library}/{w}" for w in words[2:end]}
                rooms.setdefault(f"{library}/{words[1]}", set()).update(seen)
    return rooms


def sources():
    """All C, C++ and header files of the libraries; untracked ones, too."""
    return sorted(p for library in LIBRARIES for p in glob.glob(f"{library}/**/*", recursive=True)
                  if p.endswith(ENDINGS) and os.path.isfile(p))


def resolve(path, name, headers):
    """The project's file that an include of |path| names, or None."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if os.path.isfile(beside):
        return beside
    if os.path.isfile(os.path.join("include", name)):
        return os.path.join("include", name)
    return headers.get(os.path.basename(name))


def check_includes(files, rooms):
    """Includes of rooms that the room of a file does not see."""
    headers = {os.path.basename(f): f for f in files if f.endswith(".h")}
    headers.update({os.path.basename(f): f for s in SHARED for f in glob.glob(f"{s}/*.h")})
    for path in files:
        room = os.path.dirname(path)
        if room not in rooms:
            yield f"{path}:1: {room} is no room (gmem_add_room in {path.split('/')[0]}/CMakeLists.txt)"
            continue
        for match in INCLUDE.finditer(read(path)):
            target = resolve(path, match[1], headers)
            if not target or target.split("/")[0] not in LIBRARIES:
                continue
            other = os.path.dirname(target)
            if other != room and other not in rooms[room] | ALSO.get(room, set()):
                line = read(path)[:match.start()].count("\n") + 1
                yield f"{path}:{line}: {room} does not see {other} ({match[1]})"


def definitions(files):
    """The file that defines each function with external linkage."""
    found = {}
    for path in files:
        if path.endswith(".h"):
            continue
        code = without_comments(read(path))
        for match in re.finditer(r'^(?!static|typedef|#|\s)[^;{}=]*?\b(gmem_\w+)\([^;{}]*\)\s*\{', code, re.M):
            found[match[1]] = path
    return found


def edges(files):
    """Which file pairs (X.c with X.h) use which, by includes and by calls."""
    headers = {os.path.basename(f): f for f in files if f.endswith(".h")}
    where = definitions(files)
    graph = {os.path.splitext(f)[0]: set() for f in files}
    for path in files:
        text = read(path)
        used = {headers.get(os.path.basename(n)) for n in INCLUDE.findall(text)}
        if not path.endswith(".h"):
            used |= {where.get(n) for n in set(re.findall(r"\bgmem_\w+", without_comments(text)))}
        graph[os.path.splitext(path)[0]] |= {os.path.splitext(u)[0] for u in used if u}
    return {node: others - {node} for node, others in graph.items()}


def circles(graph):
    """The strongly connected components of more than one node (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def of_folders(graph):
    folders = collections.defaultdict(set)
    for node, others in graph.items():
        folders[os.path.dirname(node)] |= {os.path.dirname(o) for o in others}
    return {f: others - {f} for f, others in folders.items()}


def check():
    files, rooms = sources(), table()
    complaints = list(check_includes(files, rooms))
    graph = edges(files)
    for circle in circles(graph):
        if not circle[0].startswith(CIRCLES_ALLOWED):
            complaints.append("files use each other in a circle: " + " ".join(circle))
    for circle in circles(of_folders(graph)):
        complaints.append("folders use each other in a circle: " + " ".join(circle))
    return complaints


def check_objects(build):
    """Calls into rooms that a room does not see, by the symbols of its objects:
    a function that is declared by hand escapes the rules on includes."""
    rooms, defined, used, where = table(), {}, [], {}
    for room in rooms:
        library, target = room.split("/")[0], room.replace("/", "_")
        for path in glob.glob(f"{build}/{library}/CMakeFiles/gmem_{target}.dir/**/*.o", recursive=True):
            if os.path.exists(f"{room}/{os.path.basename(path)[:-2]}"):  # else of a source that is gone
                where[path] = room
    out = subprocess.run(["nm", "-gA", *where], capture_output=True, text=True, check=True).stdout if where else ""
    for line in out.splitlines():
        path, rest = line.rsplit(":", 1)
        *_, kind, symbol = rest.split()
        if kind == "U":
            used.append((where[path], symbol, path))
        elif kind in "TDRBC":
            defined[symbol] = where[path]
    if not used:
        return [f"{build}: no objects of rooms"]
    return [f"{os.path.basename(path)}: {room} does not see {defined[symbol]} ({symbol})"
            for room, symbol, path in used
            if symbol in defined and defined[symbol].split("/")[0] == room.split("/")[0]
            and defined[symbol] != room and defined[symbol] not in rooms[room]]


def long_functions(files, most=60):
    for path in files:
        start = None
        for number, line in enumerate(read(path).splitlines(), 1):
            if re.match(r"[\w].*\($|[\w].*\(.*[,{]$|[\w].*\)$", line) and start is None:
                start = number
            if line == "}":
                if start and number - start + 1 > most:
                    yield f"{path}:{start}"
                start = None
            elif line.endswith(";") and not line.startswith(" "):
                start = None


def numbers(build):
    files = sources()
    graph = edges(files)
    pairs = collections.Counter(os.path.dirname(node) for node in graph)
    most = pairs.most_common(1)[0]
    print(f"folders with sources          {len(pairs)}")
    print(f"file pairs in the largest     {most[1]} ({most[0]})")
    for library in LIBRARIES:
        found = circles({n: {o for o in others if o.startswith(library + '/')}
                         for n, others in graph.items() if n.startswith(library + "/")})
        print(f"circles of files in {library:9} {len(found)} {sorted((len(c) for c in found), reverse=True) or ''}")
    print(f"circles of folders            {len(circles(of_folders(graph)))}")
    print(f"includes of unseen rooms      {len(list(check_includes(files, table())))}")
    print(f"functions over 60 lines       {len(list(long_functions(files)))}")
    if build:
        out = subprocess.run(["nm", "-D", "--defined-only", f"{build}/lib/gmem-plugin.so"],
                             capture_output=True, text=True, check=True).stdout
        print(f"dynamic symbols of the plugin {len(out.splitlines())}")


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    arguments = sys.argv[1:]
    if arguments[:1] == ["--numbers"]:
        numbers(arguments[1] if len(arguments) > 1 else None)
        return 0
    complaints = check_objects(arguments[1]) if arguments[:1] == ["--objects"] else check()
    print("\n".join(complaints) if complaints else f"{len(table())} rooms follow the rules")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
