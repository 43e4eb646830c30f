#!/usr/bin/env python3
# bench_constants.py BUILD_FOLDER [--plans | --requests | --shared] [FILE.mlir ...] -
# what constants=hoist does to plans, to requests that gmem-run executes, and to
# processes that share constants. Prints Markdown. Plans: the examples, and what is
# below GMEM_INPUTS, at alignment=64 and at the default: peak with constants=keep and
# constants=hoist, how far it is above the lower bound, what is computed once, what
# the initialisation needs, and ops without a model. Requests: the smallest networks
# in linalg/ below GMEM_INPUTS, in which the weights of convolutions are multiplied by
# a scale per filter first, as a network does whose normalisations were folded or whose
# weights are quantised per channel: as they are, upstream folds what they compute from
# constants. Shared: one process computes the constants of such a network and holds
# them (--weight-store); meanwhile a second one runs the network, and a third one a
# model with the same weights that differs in one comparison.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

TIMEOUT = 1800  # seconds
NETWORKS = 3
UNMODELLED = r"no model for (\d+) ops?"
PLAN_HEADS = [
    "network", "peak", "above bound", "peak, hoist", "above bound", "default alignment", "above bound",
    "constants", "hoist", "values", "their bytes", "init peak", "ops without a model",
]
REQUEST_HEADS = [
    "network", "values", "their bytes", "CPU ms per request, keep", "hoist", "bytes per slot, keep", "hoist",
    "constants, keep", "hoist", "init ms", "bits",
]
SHARED_HEADS = [
    "network", "constants", "of another process: same model", "other model", "init ms", "same model", "other model", "bits",
]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)


def name_of(path):
    return "/".join(path.split("/")[-2:]).removesuffix(".mlir")


def total(pattern, text):
    return sum(int(number) for number in re.findall(pattern, text))


def plan_of(opt, path, options):
    """The figures of all plans in the file, summed, or None."""
    done = run(opt, "--allow-unregistered-dialect", f"--gmem-plan={options}", path)
    if done.returncode:
        return None
    plans = " ".join(re.findall(r"gmem\.plan = \{[^}]*", done.stdout))
    entries = re.findall(r"\{[^{}]*kind = \"[^{}]*\}", " ".join(re.findall(r"gmem\.pool_table = \[.*?\]", done.stdout)))
    size = lambda wanted: sum(total(r"[ {]size = (\d+)", entry) for entry in entries if wanted(entry))
    is_init, is_constant = (lambda e: re.search(r"[ ,{]init,", e)), (lambda e: 'kind = "constant"' in e)
    return {
        "peak": total(r"[ {]peak = (\d+)", plans),
        "bound": total(r"lower_bound = (\d+)", plans),
        "constants": size(lambda e: is_constant(e) and not is_init(e)),
        "init": size(lambda e: is_init(e) and not is_constant(e)),
        "values": total(r"computes (\d+) values? of \d+ bytes from constants, once", done.stderr),
        "bytes": total(r"computes \d+ values? of (\d+) bytes from constants, once", done.stderr),
        "unmodelled": total(UNMODELLED, done.stderr),
    }


def peak_cells(plan):
    above = plan["peak"] - plan["bound"]
    return [plan["peak"], f"{100 * above / plan['bound']:.4f} %" if above else "proved"]


def plan_row(build, path):
    opt = os.path.join(build, "bin", "gmem-opt")
    options = "alignment=64 constants=keep", "alignment=64 constants=hoist", "constants=keep"
    plans = keep, hoist, _ = [plan_of(opt, path, each) for each in options]
    if not all(plans):
        return [name_of(path)] + ["-"] * (len(PLAN_HEADS) - 1)
    cells = [cell for plan in plans for cell in peak_cells(plan)]
    cells += [keep["constants"], hoist["constants"], hoist["values"], hoist["bytes"], hoist["init"]]
    return [name_of(path)] + [str(cell) for cell in cells + [keep["unmodelled"]]]


def print_plans(build, files):
    inputs = os.environ.get("GMEM_INPUTS")
    if not files:
        files = sorted(glob.glob("examples/*.mlir"))
        files += sorted(glob.glob(os.path.join(inputs, "*", "*.mlir"))) if inputs else []
        files = [path for path in files if not path.endswith(".addressed.mlir")]
    print("Plans at alignment=64, and at the default alignment of 4096; sizes in bytes.\n")
    print(f"| {' | '.join(PLAN_HEADS)} |\n|{' --- |' * len(PLAN_HEADS)}")
    for path in files:
        print(f"| {' | '.join(plan_row(build, path))} |", flush=True)


def scaled(match):
    """A weight FxCxHxW that the program multiplies by a scale per filter."""
    indent, name, value, f, c, h, w = match.groups()
    weight = f"tensor<{f}x{c}x{h}x{w}xf32>"
    return (
        f"{indent}{name}_stored = arith.constant dense<{value}> : {weight}\n"
        f"{indent}{name}_scale = arith.constant dense<1.25> : tensor<{f}xf32>\n"
        f"{indent}{name}_empty = tensor.empty() : {weight}\n"
        f"{indent}{name} = linalg.generic {{indexing_maps = [affine_map<(f, c, h, w) -> (f, c, h, w)>,\n"
        f"{indent}    affine_map<(f, c, h, w) -> (f)>, affine_map<(f, c, h, w) -> (f, c, h, w)>],\n"
        f'{indent}    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}\n'
        f"{indent}    ins({name}_stored, {name}_scale : {weight}, tensor<{f}xf32>) outs({name}_empty : {weight}) {{\n"
        f"{indent}  ^bb0(%in: f32, %by: f32, %out: f32):\n{indent}    %scaled = arith.mulf %in, %by : f32\n"
        f"{indent}    linalg.yield %scaled : f32\n{indent}}} -> {weight}"
    )


def compare(build, path, entry, constants):
    """What gmem-run says of the planned program, or None if the bits differ."""
    tool = os.path.join(build, "bin", "gmem-run")
    done = run(
        tool, path, f"--entry={entry}", "--compare", "--json", "--random-weights", "--weights=image",
        f"--plan-options=alignment=64 constants={constants}",
    )
    if done.returncode:
        print(f"{path}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    found = json.loads(done.stdout)
    planned = {program["name"]: program for program in found["programs"]}["planned"]
    planned["slot"] = found["pool"]["bytes_committed"] // max(found["pool"]["slots"], 1)
    return planned if found["equal"] else None


def hoisted(build, path, entry):
    """(values, their bytes, constants) of the program that gmem-run makes."""
    tool = os.path.join(build, "bin", "gmem-run")
    done = run(tool, path, f"--entry={entry}", "--random-weights", "--opt-level=0", "--weights=image", "--quiet",
               "--plan-options=alignment=64 constants=hoist")
    found = re.search(r"computes (\d+) values? of (\d+) bytes from constants, once: .*constants that requests read (\d+) -> (\d+)", done.stderr)
    return found.groups() if found else ("0", "0", "-", "-")


def scaled_network(path):
    """(text, name of its function)."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    weight = r"(?m)^( *)(%\w+) = arith\.constant dense<([^<>]*)> : tensor<(\d+)x(\d+)x(\d+)x(\d+)xf32>$"
    return re.sub(weight, scaled, text), re.search(r"func\.func (?:public )?@(\w+)\(", text).group(1)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def request_row(build, path, folder):
    text, entry = scaled_network(path)
    copy = write(folder, os.path.basename(path), text)
    results = {constants: compare(build, copy, entry, constants) for constants in ("keep", "hoist")}
    if not all(results.values()):
        return [name_of(path)] + ["-"] * (len(REQUEST_HEADS) - 2) + ["DIFFER"]
    keep, hoist = results["keep"], results["hoist"]
    values, size, before, after = hoisted(build, copy, entry)
    cells = [values, size, f"{keep['cpu_milliseconds']:.2f}", f"{hoist['cpu_milliseconds']:.2f}"]
    cells += [keep["slot"], hoist["slot"], before, after]
    init = hoist.get("init_milliseconds", 0)
    return [name_of(path)] + [str(cell) for cell in cells + [f"{init:.2f}", "equal"]]


def shared_row(build, path, folder):
    text, entry = scaled_network(path)
    models = [write(folder, "same.mlir", text), write(folder, "other.mlir", text.replace("cmpf ugt", "cmpf ult", 1))]
    options = [f"--entry={entry}", "--random-weights", "--opt-level=0", "--weights=image",
               "--plan-options=alignment=64 constants=hoist"]
    tool, store = os.path.join(build, "bin", "gmem-run"), ["--weight-store", os.path.join(folder, "socket")]
    alone = [json.loads(run(tool, model, *options, "--json").stdout) for model in models]
    command = [tool, models[0], *options, *store, "--hold"]
    with subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as holder:
        for line in holder.stdout:
            if line.startswith("malloc bytes"):  # it waits now
                break
        shared = [json.loads(run(tool, model, *options, *store, "--json").stdout) for model in models]
        holder.stdin.close()
    planned = [found["programs"][0] for found in alone + shared]
    bits = [found["requests"][0][0]["sha256"] for found in alone + shared]
    cells = [hoisted(build, models[0], entry)[3]]
    cells += [str(found.get("imported_bytes", 0)) for found in planned[2:]]
    cells += [f"{found.get('init_milliseconds', 0):.2f}" for found in (planned[0], *planned[2:])]
    return [name_of(path)] + cells + ["equal" if bits[:2] == bits[2:] else "DIFFER"]


def print_networks(files, heads, row):
    inputs = os.environ.get("GMEM_INPUTS")
    if not files and not inputs:
        print("skipped: GMEM_INPUTS names no folder of networks")
        return
    files = files or sorted(glob.glob(os.path.join(inputs, "linalg", "*.mlir")), key=os.path.getsize)[:NETWORKS]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            print(f"| {' | '.join(row(path, folder))} |", flush=True)


def main():
    options = [word for word in sys.argv[2:] if word.startswith("--")]
    build, files = sys.argv[1], [word for word in sys.argv[2:] if not word.startswith("--")]
    if not options or "--plans" in options:
        print_plans(build, files)
    if not options or "--requests" in options:
        print("\nRequests on one thread, constants mapped (--weights=image), sizes in bytes.\n")
        print_networks(files, REQUEST_HEADS, lambda path, folder: request_row(build, path, folder))
    if not options or "--shared" in options:
        print("\nConstants that one process computes and others map (--weight-store), sizes in bytes.\n")
        print_networks(files, SHARED_HEADS, lambda path, folder: shared_row(build, path, folder))


if __name__ == "__main__":
    main()
