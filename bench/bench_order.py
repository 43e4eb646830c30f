#!/usr/bin/env python3
# bench_order.py BUILD_FOLDER [--full] [--each] [--family=NAME] - how often the least
# peak over all orders is proved on networks made from the papers, how fast, and what is
# left; then large graphs at the effort fast. --each prints every graph;
# --family: only that one, and no large graphs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import statistics
import subprocess
import sys
import tempfile

import order_graphs


def solve(build, path, *options):
    out = subprocess.run([f"{build}/bin/gmem-solve", "--order", "--json", "-o", os.devnull, *options, path],
                         capture_output=True, text=True, check=True).stdout
    return json.loads(out)


def row(name, runs):
    proved = sum(r["proved"] for r in runs)
    saved = [1 - r["peak"] / r["given_peak"] for r in runs]
    gaps = [r["peak"] / r["lower_bound"] - 1 for r in runs]
    print(f"{name:24} {len(runs):6} {proved:7} {100 * max(saved):8.1f} {100 * statistics.mean(saved):8.1f} "
          f"{100 * max(gaps):8.2f} {1000 * statistics.median(r['seconds'] for r in runs):10.1f} "
          f"{max(r['seconds'] for r in runs):8.2f}  {' '.join(sorted({r['gave_up'] for r in runs if r['gave_up']}))}")


def large(build, folder):
    print("\nlarge graphs at --effort=fast")
    print(f"{'graph':28} {'ops':>9} {'given':>14} {'peak':>14} {'bound':>14} {'seconds':>8}")
    for n in (10_000, 100_000, 1_000_000):
        for kind, make in (("layered", lambda: order_graphs.layered(n, 8, 1)),
                           ("series-parallel", lambda: order_graphs.series_parallel(n, 1)),
                           ("training", lambda: order_graphs.training(n // 4))):
            path = os.path.join(folder, "large.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(make().text())
            r = solve(build, path, "--effort=fast")
            print(f"{kind:28} {r['ops']:9} {r['given_peak']:14} {r['peak']:14} {r['lower_bound']:14} {r['seconds']:8.2f}")


def main():
    build = sys.argv[1]
    options = [a for a in sys.argv[2:] if a.startswith("--effort") or a.startswith("--algorithm")]
    only = [a.removeprefix("--family=") for a in sys.argv[2:] if a.startswith("--family=")]
    groups = {}
    with tempfile.TemporaryDirectory() as folder:
        for family, name, make in order_graphs.families("--full" in sys.argv):
            if only and family not in only:
                continue
            path = os.path.join(folder, name + ".json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(make().text())
            r = solve(build, path, *options)
            groups.setdefault(family, []).append(r)
            if "--each" in sys.argv:
                print(f"{name:24} ops {r['ops']:6} given {r['given_peak']:12} peak {r['peak']:12} bound {r['lower_bound']:12} "
                      f"{'proved' if r['proved'] else r['gave_up']:8} {r['seconds']:8.3f} s {r['steps']:10} steps", flush=True)
        print(f"{'family':24} {'graphs':>6} {'proved':>7} {'saved %':>8} {'mean %':>8} {'gap %':>8} "
              f"{'median ms':>10} {'most s':>8}  gave up")
        for family, runs in groups.items():
            row(family, runs)
        if only:
            return
        target = [r for f in ("RandWire WS(32,4,0.75)", "NASNet-A", "DARTS", "SwiftNet cells", "training") for r in groups[f]]
        row("NAS, RandWire, training", target)
        large(build, folder)


if __name__ == "__main__":
    main()
