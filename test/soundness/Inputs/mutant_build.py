# mutant_build.py - builds gmem-opt of a changed tree: one object is compiled, and
# one shared library is linked without MLIR, which takes a tenth of a second
# instead of several.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Two tools are made of each tree: one that does not verify, so that a plan is made
# and judged whatever its verifier thinks of it, and the real one.

import json
import os
import re
import shlex
import shutil
import subprocess

# Begins of functions that verify; the tool that makes plans for the judge returns at once.
VERIFIERS = {
    "passes/plan/verify_plan.c": r"\nstatic gmem_status_t verify\([^;{]*\) \{",
    "passes/checker/contents.c": r"\ngmem_status_t gmem_contents_check\([^;{]*\) \{",
}
TOOL = "tools/opt/gmem-opt.c"
MAIN = "int gmem_mutant_main(int, char **);\nint main(int argc, char **argv) { return gmem_mutant_main(argc, argv); }\n"


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def put(source, target):
    """Copies a program; an old one may still run."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy2(source, target + ".new")
    os.replace(target + ".new", target)


def copy_tree(root, folder):
    """What git knows of |root|; files that did not change keep their time."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
    for path in listed.stdout.split():
        source, target = os.path.join(root, path), os.path.join(folder, path)
        if not os.path.exists(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
            shutil.copyfile(source, target)


def replace_once(old, new):
    def change(text):
        if text.count(old) != 1:
            raise ValueError(f"its text is there {text.count(old)} times: {old}")
        return text.replace(old, new)

    return change


def return_at_once(begin):
    def change(text):
        if len(re.findall(begin, text)) != 1:
            raise ValueError(f"one function should match {begin}")
        return re.sub(begin, lambda found: found.group(0) + "\n  if (1) return GMEM_OK;", text)

    return change


class Edits:
    """Changes of files that are taken back at the end."""

    def __init__(self, folder):
        self.folder, self.saved = folder, {}

    def edit(self, path, change):
        target = os.path.join(self.folder, path)
        text = read(target)
        self.saved.setdefault(target, text)
        write(target, change(text))

    def take_back(self):
        for target, text in self.saved.items():
            write(target, text)


class Tree:
    """A copy of the tree at |root|, built in |folder|."""

    def __init__(self, root, folder):
        self.folder, self.out = folder, os.path.join(folder, "build")
        os.makedirs(folder, exist_ok=True)
        copy_tree(root, folder)
        self.demand(
            "cmake", "-G", "Ninja", "-S", folder, "-B", self.out, "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_C_FLAGS=-w", "-DCMAKE_C_FLAGS_RELEASE=-O2", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        )
        self.ninja("gmem-opt", "gmem-machine")
        self.commands = {
            os.path.relpath(entry["file"], folder): shlex.split(entry["command"])
            for entry in json.loads(read(os.path.join(self.out, "compile_commands.json")))
        }
        # The machine itself is not changed.
        self.machine = os.path.join(folder, "machine")
        put(os.path.join(self.out, "bin", "gmem-machine"), os.path.join(self.machine, "gmem-machine"))
        self.link_frame()
        self.compile_verifiers(VERIFIERS)
        self.base = self.make([], "base")

    def demand(self, *command):
        # Folders side by side then share what a compiler cache holds.
        environment = dict(os.environ, CCACHE_BASEDIR=self.folder, CCACHE_NOHASHDIR="1")
        done = run(*command, cwd=self.folder, env=environment)
        if done.returncode:
            raise ValueError(f"does not build: {(done.stdout + done.stderr)[-600:]}")
        return done.stdout

    def ninja(self, *targets):
        self.demand("ninja", "-C", self.out, "-j2", *targets)

    def link_frame(self):
        """What every mutant has in common: a program, and MLIR's archives as a library."""
        words = shlex.split(self.demand("ninja", "-C", self.out, "-t", "commands", "gmem-opt").splitlines()[-1])
        self.linker = next(word for word in words if word.endswith(("++", "++-22")))
        inputs = [word for word in words if word.endswith((".o", ".a")) or re.search(r"\.so[.\d]*$", word)]
        own = [word for word in inputs if not os.path.isabs(word)]
        libraries = [word for word in inputs if re.search(r"\.so[.\d]*$", word)]
        archives = [word for word in inputs if os.path.isabs(word) and word not in libraries]
        tool = next(word for word in own if word.endswith("gmem-opt.c.o"))
        self.parts = [word for word in own if word != tool]
        self.frame = os.path.join(self.out, "frame")
        os.makedirs(self.frame, exist_ok=True)
        self.rest = os.path.join(self.frame, "librest.so")
        self.demand(
            self.linker, "-shared", "-o", self.rest, "-Wl,--whole-archive", *archives, "-Wl,--no-whole-archive", *libraries
        )
        self.tool = self.compile(TOOL, os.path.join(self.folder, TOOL), "tool.o", "-Dmain=gmem_mutant_main", "-fvisibility=default")
        self.main = os.path.join(self.frame, "gmem-opt")
        self.link("libmutant.so", [])
        write(os.path.join(self.frame, "main.c"), MAIN)
        self.demand(
            self.linker, "-x", "c", os.path.join(self.frame, "main.c"), "-x", "none", "-o", self.main, "-Wl,-rpath,$ORIGIN",
            f"-Wl,-rpath,{self.frame}", "-Wl,--no-as-needed", os.path.join(self.frame, "libmutant.so"), self.rest, *libraries,
            *(f"-Wl,-rpath,{os.path.dirname(path)}" for path in libraries),
        )

    def compile(self, path, source, output, *flags):
        """Compiles |source| as if it were |path|; the object's path."""
        command = self.commands[path]
        command = command[: command.index("-o")]
        output = os.path.join(self.frame, output)
        place = "-I" + os.path.dirname(os.path.join(self.folder, path))
        self.demand(*command, place, *flags, "-o", output, "-c", source)
        return output

    def compile_verifiers(self, paths):
        """Objects of the verifier that accept everything."""
        for path in paths:
            source = os.path.join(self.frame, os.path.basename(path))
            write(source, return_at_once(VERIFIERS[path])(read(os.path.join(self.folder, path))))
            self.compile(path, source, os.path.basename(path) + ".o")

    def link(self, output, before):
        parts = [os.path.join(self.out, part) for part in self.parts]
        self.demand(self.linker, "-shared", f"-Wl,-soname,{output}", "-o", os.path.join(self.frame, output), self.tool, *before, *parts, "-ldl")

    def make(self, changes, name=""):
        """Builds both tools of the tree after |changes|; (that which does not verify, the real one)."""
        edits = Edits(self.folder)
        changed = {path for path, _, _ in changes}
        touched = VERIFIERS if any(not path.endswith(".c") for path in changed) else changed & set(VERIFIERS)
        off = [os.path.join(self.frame, os.path.basename(path) + ".o") for path in VERIFIERS]
        tools = []
        try:
            for path, old, new in changes:
                edits.edit(path, replace_once(old, new))
            self.compile_verifiers(touched)
            self.ninja(*self.parts)
            for kind, before in ("unverified", off), ("shipped", []):
                tools.append(os.path.join(self.folder, name, kind, "gmem-opt"))
                self.link("libmutant.so", before)
                put(os.path.join(self.frame, "libmutant.so"), os.path.join(os.path.dirname(tools[-1]), "libmutant.so"))
                put(self.main, tools[-1])
        finally:
            edits.take_back()
            self.compile_verifiers(touched)
        return tools
