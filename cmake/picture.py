#!/usr/bin/env python3
"""picture.py [--check] - draws docs/architecture.svg from the source's includes.

Needs Graphviz's dot. --check compares the picture with the sources, prints that it
is stale if it is, and then exits 1. A room has an arrow to each room
whose headers it includes, unless another arrow already leads there.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import hashlib
import os
import subprocess
import sys

import rooms

SVG = "docs/architecture.svg"
TITLES = {
    "passes": "passes/: MLIR passes",
    "planner": "planner/: offsets for buffers, without MLIR",
    "order": "order/: orders of operators, without MLIR",
    "runtime": "runtime/: plans on real memory",
    "tools": "tools/: programs",
}
COLOURS = {"passes": "#dbe9f6", "planner": "#e3f1dc", "order": "#f3e3f0", "runtime": "#fbe6cf", "tools": "#ececec"}
# The way of the data: (from, to, what goes there).
DATA = [
    ("network.mlir", "tools/opt", "a network"),
    ("tools/opt", "planned.mlir", "offsets as attributes"),
    ("problem.csv", "tools/solve", "live ranges"),
    ("tools/solve", "plan.csv", "offsets"),
    ("planned.mlir", "tools/translate", ""),
    ("planned.mlir", "tools/link", "several models"),
    ("tools/translate", "image, C, JSON", ""),
    ("image, C, JSON", "tools/run", "image"),
    ("tools/run", "DDR", "leases of one arena"),
]
ENTRIES = {("tools", "passes"): ("tools/opt", "passes/entry"),
           ("passes", "planner"): ("passes/problem", "planner/solve"),
           ("tools", "planner"): ("tools/solve", "planner/solve"),
           ("tools", "order"): ("tools/solve", "order/solve"),
           ("tools", "runtime"): ("tools/run", "runtime/slots")}


def reduced(graph):
    """The edges that no longer path stands for (Aho, Garey and Ullman 1972)."""
    def reach(node, seen):
        for other in graph.get(node, ()):
            if other not in seen:
                seen.add(other)
                reach(other, seen)
        return seen

    return {(a, b) for a in graph for b in graph[a]
            if not any(b in reach(c, set()) for c in graph[a] if c != b)}


def drawing():
    graph = collections.defaultdict(set)
    files = rooms.sources()
    headers = {os.path.basename(f): f for f in files if f.endswith(".h")}
    for path in files:
        for name in rooms.INCLUDE.findall(rooms.read(path)):
            target = rooms.resolve(path, name, headers)
            if target and target.split("/")[0] == path.split("/")[0] and os.path.dirname(target) != os.path.dirname(path):
                graph[os.path.dirname(path)].add(os.path.dirname(target))
    lines = ['digraph gmem {', '  rankdir=TB; newrank=true; fontname="sans-serif"; compound=true;',
             '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=11];',
             '  edge [color="#777777", arrowsize=0.6, fontname="sans-serif", fontsize=9];']
    for library in ("tools", "passes", "planner", "order", "runtime"):
        lines += [f'  subgraph cluster_{library} {{', f'    label="{TITLES[library]}"; style="rounded,filled"; '
                  f'fillcolor="{COLOURS[library]}"; color="#999999"; fontsize=13;']
        lines += [f'    "{room}" [label="{room.split("/", 1)[1]}"];' for room in sorted(rooms.table())
                  if room.startswith(library + "/")]
        lines += [f'    "{a}" -> "{b}";' for a, b in sorted(reduced(graph)) if a.startswith(library + "/")]
        lines.append("  }")
    for (one, other), (a, b) in sorted(ENTRIES.items()):
        lines.append(f'  "{a}" -> "{b}" [lhead=cluster_{other}, style=dashed, label="gmem/{other if other != "tools" else ""}.h"];')
    artifacts = sorted({n for a, b, _ in DATA for n in (a, b) if not n.startswith("tools/")})
    lines += [f'  "{a}" [shape=note, style=filled, fillcolor="#fff8c5"];' for a in artifacts]
    lines += [f'  "{a}" -> "{b}" [color="#b05a00", penwidth=1.6, fontcolor="#b05a00", label="{text}"];'
              for a, b, text in DATA]
    return "\n".join(lines) + "\n}\n"


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    text = drawing()
    mark = f"<!-- drawn from {hashlib.sha256(text.encode()).hexdigest()} -->"
    if sys.argv[1:] == ["--check"]:
        if not os.path.exists(SVG) or mark not in rooms.read(SVG):
            print(f"{SVG} is stale: python3 cmake/picture.py draws it again")
            return 1
        return 0
    svg = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True).stdout
    # The first comment names the program that drew it: ours names the source.
    start, end = svg.index("<!-- Generated"), svg.index("-->", svg.index("<!-- Generated")) + 3
    with open(SVG, "w", encoding="utf-8") as file:
        file.write(svg[:start] + mark + "\n<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->" + svg[end:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
