#!/usr/bin/env python3
"""check_svg.py PLAN.svg PLAN.json - whether the picture shows the plan.

Each buffer has a rectangle at its place and time, at its scale; rectangles of
buffers overlap only where the buffers share bytes; texts do not overlap, and lie
in the picture.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
NARROW = 0.42  # of the font size: the least a character takes


def overlap(a, b, slack=0.02):
    return all(a[i] + slack < b[i + 2] and b[i] + slack < a[i + 2] for i in (0, 1))


def boxes_of(root):
    for rect in root.iter(SVG + "rect"):
        title = rect.find(SVG + "title")
        if title is not None:
            x, y, w, h = (float(rect.get(k)) for k in ("x", "y", "width", "height"))
            yield rect.get("class").split()[-1], title.text, (x, y, x + w, y + h)


def texts_of(root):
    for text in root.iter(SVG + "text"):
        lines = ["".join(text.itertext())] if text.get("class") != "label" else \
            [text.text] + [t.text for t in text]
        size = {"title": 20, "label": 10, "axis": 11}.get(text.get("class"), 12)
        length = max(map(len, lines)) * size * NARROW
        turned = re.match(r"translate\(([\d.]+) ([\d.]+)\)rotate\(-90\)", text.get("transform", ""))
        if turned:
            x, y = map(float, turned.groups())
            yield lines[0], (x - 0.7 * size, y - length / 2, x, y + length / 2)
            continue
        x, y = float(text.get("x")), float(text.get("y"))
        x -= {"middle": length / 2, "end": length}.get(text.get("text-anchor"), 0)
        yield lines[0], (x, y - 0.7 * size, x + length, y + 12 * (len(lines) - 1))


def main(svg, plan):
    root = ET.parse(svg).getroot()
    with open(plan, encoding="utf-8") as file:
        plan = json.load(file)
    buffers = {b["name"]: b for b in plan["buffers"]}
    pools = {p["name"]: p for p in plan["pools"]}
    shown, owned = set(), []
    scales = {}  # by pool: where rectangles say that its bottom is, and a byte's height
    for kind, title, box in boxes_of(root):
        name, line, op = title.split("\n")
        buffer = buffers[name]
        numbers = [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", line)]
        assert numbers == [buffer["size"], buffer["offset"], buffer["begin"], buffer["end"] - 1], title
        assert op == buffer["op"], title
        shown.add(name)
        if kind == "padding":
            continue
        along = 0 if pools[buffer["pool"]]["kind"] == "constant" else 1
        length = box[along + 2] - box[along]
        if buffer["size"] * 50 > pools[buffer["pool"]]["size"]:  # else rounded too much
            scales.setdefault(buffer["pool"], []).append(length / buffer["size"])
        if along and length > 1:
            steps = 1088 / plan["steps"]
            begin, end = (box[0] - 84) / steps, (box[2] - 84) / steps
            assert any(b - 0.1 <= begin and end <= e + 0.1 for b, e in buffer["ranges"]), title
        if kind != "shared":
            owned.append((name, box))
    for pool, found in scales.items():
        assert max(found) <= min(found) * 1.02, (pool, min(found), max(found))
    missing = [b["name"] for b in buffers.values()
               if b["name"] not in shown and b["size"] and not b["alias_of"]]
    assert not missing, missing
    for i, (a, box) in enumerate(owned):
        for b, other in owned[:i]:
            assert not overlap(box, other), f"{a} overlaps {b}"
    texts = list(texts_of(root))
    width, height = float(root.get("width")), float(root.get("height"))
    for i, (a, box) in enumerate(texts):
        assert 0 <= box[0] and box[2] <= width and 0 <= box[1] and box[3] <= height, f"{a} leaves the picture"
        for b, other in texts[:i]:
            assert not overlap(box, other), f"the text {a} overlaps {b}"
    print(f"ok: {len(shown)} buffers, {len(texts)} texts")


main(*sys.argv[1:])
