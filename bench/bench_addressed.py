#!/usr/bin/env python3
# bench_addressed.py BUILD_FOLDER [FILE.addressed.mlir ...] - networks whose
# types hold the addresses that another compiler chose: its plan, read and
# proved, beside ours of the same file. Without files: what is below
# GMEM_INPUTS. Exits 1 when a plan of ours is larger under the same promise:
# inputs kept, where their plan keeps them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import re
import subprocess
import sys
import tempfile

ALLOW = "--allow-unregistered-dialect"
UNIT = 4096  # bytes: other compilers round what they say up to this


def run(*command):
    """(succeeded, output, the first error's text)."""
    done = subprocess.run(command, capture_output=True, text=True)
    errors = re.findall(r"error: (.*)", done.stderr)
    return done.returncode == 0, done.stdout, errors[0] if errors else ""


def peak_of(text):
    """Bytes of all workspace pools of all plans, each rounded up to a unit."""
    sizes = re.findall(r'kind = "workspace"[^}]*\bsize = (\d+)', text)
    return sum(-(-int(size) // UNIT) * UNIT for size in sizes)


def stated(text):
    """What the other compiler says that it takes, or None."""
    sizes = re.findall(r"module\.(?:neuron|io)_size = (\d+)", text)
    return sum(int(size) for size in sizes) if sizes else None


def ours(opt, plain, options):
    done, text, error = run(opt, ALLOW, f"--gmem-plan={options}", plain)
    if not done:
        sys.exit(f"{plain}: {error}")
    return peak_of(text)


def measure(opt, path, folder):
    """(stated, imported, words on their plan, ours kept, ours)."""
    with open(path, encoding="utf-8") as file:
        said = stated(file.read())
    words = []
    for keep in ["true", "false"]:
        imported = os.path.join(folder, f"imported-{keep}.mlir")
        done, _, error = run(opt, ALLOW, f"--gmem-import-addresses=keep-inputs={keep}", path, "-o", imported)
        if not done:
            sys.exit(f"{path}: {error}")
        holds, _, error = run(opt, ALLOW, "--gmem-verify-plan", imported, "-o", os.devnull)
        words.append("holds" if holds else error)
    with open(imported, encoding="utf-8") as file:
        text = file.read()
    # Ours starts from the program alone. A reshape that copies there does not
    # have to here.
    plain = os.path.join(folder, "plain.mlir")
    with open(plain, "w", encoding="utf-8") as file:
        file.write(re.sub(r', gmem\.op_model = \{kind = "compute"\}', "", text))
    io = "io=separate" if "module.io_size" in open(path, encoding="utf-8").read() else "io=shared"
    kept = ours(opt, plain, f"keep-inputs=true {io}")
    return said, peak_of(text), words, kept, ours(opt, plain, "")


def main():
    build, files = sys.argv[1], sys.argv[2:]
    opt = os.path.join(build, "bin", "gmem-opt")
    inputs = os.environ.get("GMEM_INPUTS")
    if not files and inputs:
        files = glob.glob(os.path.join(inputs, "**", "*.addressed.mlir"), recursive=True)

    print("Peaks in bytes. Kept: inputs stay intact until the function ends. Behind the table: what is wrong with\n"
          "their plan when inputs are kept, and when they may die.\n")
    print(f"{'network':28}{'they say':>12}{'they use':>12}{'kept: ours':>12}{'/ theirs':>9}{'ours':>12}{'/ theirs':>9}"
          f"{'proof: kept':>13}{'else':>7}")
    wrong = []
    larger = 0
    for path in sorted(files):
        with tempfile.TemporaryDirectory() as folder:
            said, used, words, kept, free = measure(opt, path, folder)
        name = os.path.basename(path).removesuffix(".addressed.mlir")[:27]
        larger += (kept if words[0] == "holds" else free) > used
        verdicts = ["holds" if word == "holds" else "fails" for word in words]
        wrong += [f"{name}, {when}: {word}" for when, word in zip(["kept", "else"], words) if word != "holds"]
        print(f"{name:28}{said if said is not None else '-':>12}{used:>12}{kept:>12}{kept / used:>9.3f}"
              f"{free:>12}{free / used:>9.3f}{verdicts[0]:>13}{verdicts[1]:>7}", flush=True)
    print("\n" + "\n".join(wrong) if wrong else "")
    sys.exit(larger != 0)


if __name__ == "__main__":
    main()
