#!/usr/bin/env python3
"""digests.py BUILD_FOLDER [--out FILE] [--against FILE] [--without KIND,...]

Runs every tool on every network, test program and problem, and keeps one
digest of each thing it writes: a refactoring is done when no digest changes.

  digests.py build --out before.txt        # before a change
  digests.py build --against before.txt    # after it: prints what differs, exit 1

Inputs: examples/, all .mlir files of test/, and the folders that GMEM_INPUTS and
GMEM_PROBLEMS name. Kinds (each line of the file starts with one): plan, report,
materialized, json, image, c, csv, link, solution, stats, certificate, and messages
(standard error), which a change of words alters and --without=messages leaves out.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import glob
import hashlib
import os
import re
import subprocess
import sys
import tempfile

PLANS = {
    "default": "",
    "greedy": "{algorithm=greedy-by-size alignment=64}",
    "refcount": "{algorithm=ref-count}",
    "unshared": "{sharing=none alignment=64 effort=fast}",
    "kept": "{keep-inputs=true alignment=64}",
}
SOLVES = {
    "default": [],
    "aligned": ["--alignment=64", "--effort=fast"],
    "greedy": ["--algorithm=greedy-by-size"],
    "pools": ["--pool=near:capacity=64KiB", "--pool=far"],
}
SECONDS = 600


class Digests:
    """Runs the tools of one build folder; one line per thing written."""

    def __init__(self, build, scratch):
        self.bin = os.path.join(build, "bin")
        self.scratch = scratch

    def run(self, tool, *arguments, stdin=None):
        """Standard output, and a line for the messages; paths are taken out."""
        done = subprocess.run([os.path.join(self.bin, tool), *arguments], input=stdin,
                              capture_output=True, timeout=SECONDS, check=False)
        errors = re.sub(rb"[^\s'\"]*/(?=[\w.-]+)", b"", done.stderr)
        errors = re.sub(rb"\d+\.\d+ ?s\b", b"S", errors)
        return done.returncode, done.stdout, errors

    def network(self, path, key):
        lines = []

        def keep(kind, option, result, content=None):
            code, out, errors = result
            content = out if content is None else content
            lines.append((kind, key, option, f"{code}:{digest(content)}"))
            lines.append(("messages", key, f"{kind}.{option}", digest(errors)))

        # The printed module does not depend on where the file lies.
        common = ["--allow-unregistered-dialect", "--split-input-file"]
        planned = None
        for name, options in PLANS.items():
            result = self.run("gmem-opt", *common, f"--pass-pipeline=builtin.module(gmem-plan{options})", path)
            keep("plan", name, result)
            if name == "default" and result[0] == 0:
                planned = result[1]
        keep("report", "json", self.run("gmem-opt", *common, "--gmem-report=format=json", "-o", os.devnull, path))
        if planned is None or b"// -----" in planned:
            return lines
        keep("plan", "verify", self.run("gmem-opt", *common, "--gmem-verify-plan", stdin=planned))
        for mode in ("alloc", "arg", "global"):
            keep("materialized", mode,
                 self.run("gmem-opt", *common, f"--gmem-materialize=arena-mode={mode}", stdin=planned))
        keep("json", "-", self.run("gmem-translate", "--gmem-to-json", stdin=planned))
        keep("csv", "-", self.run("gmem-translate", "--gmem-to-csv", stdin=planned))
        keep("image", "known", self.run("gmem-translate", "--gmem-to-image", "--weights=known", stdin=planned))
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            result = self.run("gmem-translate", "--gmem-to-c", "--name=net", "-o", folder, stdin=planned)
            keep("c", "operators", result, tree(folder))
            model = os.path.join(folder, "net.mlir")
            with open(model, "wb") as file:
                file.write(planned)
            linked = os.path.join(folder, "linked")
            result = self.run("gmem-link", "one=" + model, "two=" + model, "-o", linked)
            keep("link", "twice", result, tree(linked))
        return lines

    def problem(self, path, key):
        lines = []
        for name, options in SOLVES.items():
            for kind, more in (("solution", []), ("stats", ["--json", "-o", os.devnull]),
                               ("certificate", ["--certificate", "-o", os.devnull])):
                code, out, errors = self.run("gmem-solve", "--no-times", *options, *more, path)
                lines.append((kind, key, name, f"{code}:{digest(out)}"))
                lines.append(("messages", key, f"{kind}.{name}", digest(errors)))
        return lines


def digest(content):
    return hashlib.sha256(content).hexdigest()[:32]


def tree(folder):
    """The names and bytes of all files in a folder."""
    content = b""
    for name in sorted(glob.glob(folder + "/**", recursive=True)):
        if os.path.isfile(name) and not name.endswith("net.mlir"):
            with open(name, "rb") as file:
                content += os.path.relpath(name, folder).encode() + b"\0" + file.read() + b"\0"
    return content


def inputs():
    """(path, key, is a problem) of all inputs; a test program is
    named by its contents, as tests move."""
    def listed(folder, ending):
        return sorted(glob.glob(f"{folder}/**/*.{ending}", recursive=True))

    for path in listed("examples", "mlir") + listed("test", "mlir"):
        with open(path, "rb") as file:
            yield path, f"{path.split('/')[0]}@{digest(strip_comments(file.read()))[:12]}", False
    for variable, endings, is_problem in (("GMEM_INPUTS", ["mlir"], False), ("GMEM_PROBLEMS", ["csv", "json"], True)):
        folder = os.environ.get(variable)
        for path in [p for e in endings for p in listed(folder, e)] if folder else []:
            yield path, os.path.relpath(path, folder), is_problem


def strip_comments(text):
    """Test programs are told apart by their code, not by what they expect."""
    return b"\n".join(l for l in text.splitlines() if not l.lstrip().startswith(b"//") or l.startswith(b"// -----"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--out")
    parser.add_argument("--against")
    parser.add_argument("--without", default="")
    parser.add_argument("--only", default="", help="a part of the path of the inputs")
    options = parser.parse_args()
    without = set(options.without.split(","))
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        runs = Digests(os.path.abspath(options.build), scratch)
        chosen = [one for one in inputs() if options.only in one[0]]
        jobs = [workers.submit(runs.problem if is_problem else runs.network, path, key)
                for path, key, is_problem in chosen]
        lines = sorted({" ".join(line) for job in jobs for line in job.result()})
    text = "".join(line + "\n" for line in lines)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text)
    if not options.against:
        print(f"{len(lines)} digests of {len(jobs)} inputs: {digest(text.encode())}")
        return 0
    with open(options.against, encoding="utf-8") as file:
        before = dict(line.rsplit(" ", 1) for line in file.read().splitlines())
    after = dict(line.rsplit(" ", 1) for line in lines)
    keys = {key for _, key, _ in chosen}
    if not keys:
        sys.exit(f"no input's path contains '{options.only}'")
    if options.only:  # an input that is gone has no path to compare
        before = {n: value for n, value in before.items() if n.split(" ")[1] in keys}
    names = [n for n in sorted(before.keys() | after.keys())
             if n.split(" ", 1)[0] not in without and before.get(n) != after.get(n)]
    for name in names:
        print("changed" if name in before and name in after else "new" if name in after else "gone", name)
    print(f"{len(names)} of {len(before)} digests differ")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
