#!/usr/bin/env python3
"""check_page.py PAGE.html PLAN.json [--title=TEXT] [--against=OLDER.json]
[--report=REPORT.json] [--ir=PLANNED.mlir] - whether the page shows the plan and can be
used, in Chromium: figures, colours on the map, clicks, search, zoom and keys. What is
right is computed from PLAN.json alone, of the texts of ops from PLANNED.mlir, in which
each op is one line and has a gmem.name.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import re

from browser import Browser

LEFT, CURVE = 76, 84  # of the page's maps, in pixels


class Plan:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.json = json.load(file)
        self.buffers = [b for b in self.json["buffers"] if b["alias_of"] is None]
        self.pools = sorted(self.json["pools"], key=lambda p: p["kind"] == "constant")
        self.steps = self.json["steps"]

    def live(self, pool, step):
        return sorted(((b["name"], b["size"]) for b in self.buffers if b["pool"] == pool and b["size"]
                       and any(begin <= step < end for begin, end in b["ranges"])), key=lambda b: -b[1])

    def bytes(self, pool, step):
        places = sorted((b["offset"], b["offset"] + b["size"]) for b in self.buffers if b["pool"] == pool
                        and any(begin <= step < end for begin, end in b["ranges"]))
        total = at = 0
        for begin, end in places:
            total += max(0, end - max(at, begin))
            at = max(at, end)
        return total

    def peak(self, pool):
        return max(range(self.steps), key=lambda step: (self.bytes(pool, step), -step))


def expect(got, want, what):
    assert got == want, f"{what}: {got}, not {want}"


class Page:
    def __init__(self, browser, plan, compared):
        self.browser, self.plan, self.compared = browser, plan, compared
        self.capacities = {}  # that a report states

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)})?.textContent")

    def rows(self, selector):
        return self.browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(r => [...r.cells].map(c => c.textContent))")

    def heading(self):
        return self.text("#details h2")

    def view(self):
        return self.browser.run("[view.t0, view.t1, view.a0, view.a1]")

    def map(self):
        """Where the last map is: its rectangle in the window, and its edges in it."""
        return self.browser.run("""(() => { const map = maps[maps.length - 1], r = map.canvas.getBoundingClientRect();
            return {x: r.x, y: r.y, top: map.m.top, bottom: map.m.bottom, right: map.m.right}; })()""")

    def place(self, step, address=None):
        """The middle of a step in the window, on the curve or at an address."""
        m, (t0, t1, a0, a1) = self.map(), self.view()
        x = LEFT + (step + 0.5 - t0) / (t1 - t0) * (m["right"] - LEFT)
        y = CURVE - 4 if address is None else m["bottom"] - (address - a0) / (a1 - a0) * (m["bottom"] - m["top"])
        return m["x"] + x, m["y"] + y

    def choose(self, pool):
        self.browser.run(f"document.querySelector('#tabs [data-pool=\"{pool}\"]').click()")
        self.browser.settle()

    def colour(self, x, y):
        m = self.map()
        return tuple(self.browser.run(f"[...maps[maps.length - 1].canvas.getContext('2d').getImageData({x - m['x']}, {y - m['y']}, 1, 1).data]"))

    #--- what is shown ---

    def check_live_set(self, pool, step):
        want = self.plan.live(pool, step)
        heading = self.browser.run("[...document.querySelectorAll('#details h3')].pop().textContent")
        noun = "buffer" if len(want) == 1 else "buffers"
        assert heading.endswith(f"{self.plan.bytes(pool, step):,} bytes live in {len(want)} {noun}"), \
            f"step {step} of {pool}: {heading}, not {self.plan.bytes(pool, step):,} in {len(want)}"
        shown = self.browser.run("[...[...document.querySelectorAll('#details table')].pop().rows].slice(1).map(r => r.cells[0].textContent)")
        expect(sorted(shown), sorted(name for name, _ in want)[:300] if len(want) <= 300 else sorted(shown), f"live at step {step}")

    def check_pools(self):
        rows = [r[1:] if self.compared else r for r in self.rows("#tables details:first-of-type tbody tr")]
        for pool in self.plan.pools:
            count = sum(b["pool"] == pool["name"] for b in self.plan.json["buffers"])
            row = next(r for r in reversed(rows[:20]) if r[0] == pool["name"])
            expect(row[2], f"{pool['size']:,}", f"size of {pool['name']}")
            capacity = self.capacities.get(pool["name"], pool["capacity"])
            expect(row[4], f"{capacity:,}" if capacity else "", f"capacity of {pool['name']}")
            expect(row[5], f"{count:,}", f"buffers of {pool['name']}")

    def check_map(self, pool):
        """Colours in the middle of buffers, by kind, and of holes."""
        free = self.browser.run("colour.free")
        buffers = [b for b in self.plan.buffers if b["pool"] == pool["name"] and b["size"]]
        view = self.view()
        height = self.map()["bottom"] - self.map()["top"]
        seen = 0
        for b in buffers:
            if b["size"] / (view[3] - view[2]) * height < 4:
                continue
            x, y = self.place(b["ranges"][0][0], b["offset"] + b["size"] / 2)
            colour = "#%02x%02x%02x" % self.colour(x, y)[:3]
            assert colour != free, f"{b['name']} is not on the map"
            seen += 1
        for step in range(0, self.plan.steps, max(1, self.plan.steps // 10)):
            at = 0
            for b in sorted((b for b in buffers if any(r[0] <= step < r[1] for r in b["ranges"])), key=lambda b: b["offset"]):
                if (b["offset"] - at) / (view[3] - view[2]) * height > 6:
                    x, y = self.place(step, (at + b["offset"]) / 2)
                    expect("#%02x%02x%02x" % self.colour(x, y)[:3], free, f"a hole at step {step}")
                at = max(at, b["offset"] + b["size"])
        return seen

    def check_clicks(self, pool):
        name, steps = pool["name"], self.plan.steps
        for step in sorted({0, steps // 3, self.plan.peak(name), steps - 1}):
            self.browser.click(*self.place(step))
            expect(self.heading(), f"step {step}", "a click on the curve")
            self.check_live_set(name, step)
        step = self.plan.peak(name)
        largest = self.plan.live(name, step)[0]
        buffer = next(b for b in self.plan.buffers if (b["name"], b["size"]) == largest)
        self.browser.click(*self.place(step, buffer["offset"] + buffer["size"] / 2))
        clicked = next(b for b in self.plan.buffers if b["name"] == self.heading())
        assert clicked["offset"] <= buffer["offset"] + buffer["size"] / 2 < clicked["offset"] + clicked["size"], self.heading()
        facts = self.browser.run("Object.fromEntries([...document.querySelectorAll('#details dt')].map(d => [d.textContent, d.nextSibling.textContent]))")
        expect(facts["pool"], f"{name} + {clicked['offset']:,}", "offset")
        assert f"{clicked['size']:,} bytes" in facts["size"] or clicked["size"] < 1024, facts["size"]
        want = ", ".join(f"{b}" if e == b + 1 else f"{b} to {e - 1}" for b, e in clicked["ranges"])
        expect(facts["live"], "steps " + want, "live ranges")
        expect(facts.get("op"), clicked["op"], "op")
        shared = {a["parent"] for a in self.plan.json["aliases"] if a["child"] == clicked["name"]} | \
            {a["child"] for a in self.plan.json["aliases"] if a["parent"] == clicked["name"]} | \
            {b["name"] for b in self.plan.json["buffers"] if b["alias_of"] == clicked["name"]}
        expect(self.browser.run("[...related].map(b => b.name).sort()"), sorted(shared), "highlighted")
        self.browser.key("Escape")

    #--- how it is used ---

    def check_search(self):
        b = self.browser
        names = [x["name"] for x in self.plan.json["buffers"]]
        part = names[len(names) // 2].upper()[:6]
        want = sum(part.lower() in x["name"].lower() or part.lower() in (x["op"] or "").lower() for x in self.plan.json["buffers"])
        b.key("/")
        expect(b.run("document.activeElement.id"), "search", "the key /")
        b.write(part)
        expect(self.heading(), f"{want:,} {'buffer' if want == 1 else 'buffers'} found", f"search for {part}")
        b.key("Enter")
        first = self.heading()
        assert first in names, first
        if want > 1:
            b.key("n")
            assert self.heading() in names
            b.key("p")
            expect(self.heading(), first, "back to the first hit")
        b.key("/")
        b.run("document.getElementById('search').select()")
        b.write("no such buffer")
        expect(self.heading(), "0 buffers found", "search for nothing")
        b.key("Escape")
        assert self.heading().startswith("the peak"), self.heading()

    def check_moves(self, pool):
        b, all_of_it = self.browser, self.view()
        expect(all_of_it, [0, self.plan.steps, 0, all_of_it[3]], "the first view")
        m = self.map()
        x, y = m["x"] + (LEFT + m["right"]) / 2, m["y"] + (m["top"] + m["bottom"]) / 2
        b.wheel(x, y, -120)
        near = self.view()
        assert near[1] - near[0] < all_of_it[1] and near[2:] == all_of_it[2:], near
        middle = (near[0] + near[1]) / 2
        assert abs(middle - self.plan.steps / 2) < 0.05 * self.plan.steps, near
        b.wheel(x, y, -120, modifiers=8)
        nearer = self.view()
        assert nearer[:2] == near[:2] and nearer[3] - nearer[2] < all_of_it[3], nearer
        b.drag(x, y, x - 60, y + 40)
        moved = self.view()
        assert moved[0] > nearer[0] and moved[2] > nearer[2], (nearer, moved)
        assert abs((moved[1] - moved[0]) - (nearer[1] - nearer[0])) < 1e-6, moved
        b.key("0")
        expect(self.view(), all_of_it, "the key 0")
        b.key("+")
        assert self.view()[1] - self.view()[0] < all_of_it[1]
        before = self.view()
        b.key("ArrowRight")
        assert self.view()[0] > before[0]
        b.key("ArrowLeft")
        b.key("-")
        b.key("-")
        assert self.view()[:2] == all_of_it[:2], self.view()
        b.key("m")
        peak = self.plan.peak(pool["name"])
        expect(self.heading(), f"step {peak}", "the key m")
        self.check_live_set(pool["name"], peak)
        if peak + 1 < self.plan.steps:
            b.key("]")
            expect(self.heading(), f"step {peak + 1}", "the key ]")
            self.check_live_set(pool["name"], peak + 1)
            b.key("[")
        expect(self.heading(), f"step {peak}", "the key [")
        for i, other in enumerate(self.plan.pools[:9]):
            b.key(str(i + 1))
            expect(self.browser.run("tab"), other["name"], f"the key {i + 1}")
        b.key("1")
        b.key("Escape")

    def check_labels(self):
        """No text of the page lies on another, or outside of the window."""
        boxes = self.browser.run("""[...document.querySelectorAll('h1, #headline, #search, #tabs button, .tool, #legend span, .map h2')]
            .map(e => { const r = e.getBoundingClientRect(); return [e.textContent || e.id, r.left, r.top, r.right, r.bottom]; })""")
        width = self.browser.run("innerWidth")
        for i, (text, left, top, right, bottom) in enumerate(boxes):
            assert left >= 0 and right <= width, text
            for other in boxes[:i]:
                assert right <= other[1] or other[3] <= left or bottom <= other[2] or other[4] <= top, (text, other[0])

    def check_texts_of_maps(self):
        """No text of a map lies on another."""
        texts = self.browser.run("""(() => {
            const context = CanvasRenderingContext2D.prototype, write = context.fillText, out = [];
            context.fillText = function(text, x, y) {
                const width = this.measureText(text).width, turn = this.getTransform();
                const left = x - ({center: width / 2, right: width}[this.textAlign] || 0);
                const a = turn.transformPoint({x: left, y: y - 8}), b = turn.transformPoint({x: left + width, y});
                out.push([text, maps.findIndex(m => m.canvas === this.canvas), Math.min(a.x, b.x), Math.min(a.y, b.y), Math.max(a.x, b.x), Math.max(a.y, b.y)]);
                return write.call(this, text, x, y);
            };
            draw();
            context.fillText = write;
            return out;
        })()""")
        assert texts
        for i, (text, canvas, left, top, right, bottom) in enumerate(texts):
            assert left >= 0 and top >= 0, (text, left, top)
            for other in texts[:i]:
                apart = canvas != other[1] or right <= other[2] or other[4] <= left or bottom <= other[3] or other[5] <= top
                assert apart, f"{text} lies on {other[0]}"

    def check_changes(self, older):
        before = {b["name"]: b for b in older.json["buffers"]}
        after = {b["name"]: b for b in self.plan.json["buffers"]}
        want = {"gone": len(before.keys() - after.keys()), "new": len(after.keys() - before.keys()),
                "grown": 0, "shrunk": 0, "with another layout": 0, "moved": 0}
        for name in after.keys() & before.keys():
            old, new = before[name], after[name]
            if new["size"] != old["size"]:
                want["grown" if new["size"] > old["size"] else "shrunk"] += 1
            elif new["layout"] != old["layout"]:
                want["with another layout"] += 1
            elif (new["pool"], new["offset"]) != (old["pool"], old["offset"]):
                want["moved"] += 1
        text = ", ".join(f"{n} {what}" for what, n in want.items() if n) or "none"
        assert self.text("#changes summary").endswith(": " + text), (self.text("#changes summary"), text)
        expect(len(self.rows("#changes tbody tr")), min(300, sum(want.values())), "rows of changes")

    #--- what a report and the program say ---

    def check_report(self, report):
        what_ifs = report["what_ifs"] or []
        over = any(p["over"] for p in report["pools"])
        rows = self.rows("#what-ifs tbody tr")
        expect(len(rows), len(what_ifs), "what-ifs")
        for row, w in zip(rows, what_ifs):
            expect(row[:3] + row[4:5], [str(w["number"]), w["change"], w["means"] or "", f"{w['peak']:,}"], "a what-if")
            expect(row[3].startswith("same"), w["same_bits"], "same bits")
            if over:
                expect(row[6], f"over by {w['over']:,}" if w["over"] else "fits", "fits")
        for key in ["by_op", "by_dialect"]:
            want = [[s["name"], f"{s['buffers']:,}", f"{s['bytes']:,}", f"{s['at_peak']:,}"] for s in report[key]]
            expect(self.rows(f"#{key} tbody tr"), want, key)
        want = [[v["value"], v["reason"], v["help"] or "", v["location"] or ""] for v in report["left_alone"]]
        expect(self.rows("#left-alone tbody tr"), want, "values that are not planned")
        want = [[p["name"], f"{x['begin']} to {x['end'] - 1}", f"{x['bytes']:,}"] for p in report["pools"] for x in p["over_budget"] or []]
        expect([[r[0], r[2], r[3]] for r in self.rows("#over-budget tbody tr")], want, "steps over the budget")
        if report["measured"]:
            want = [[p["name"], f"{p['size']:,}", f"{p['written']:,}", f"{p['high_water']:,}"] for p in report["measured"]["pools"]]
            expect([r[:4] for r in self.rows("#measured tbody tr")], want, "measured pools")
            buffer = report["measured"]["buffers"][-1]
            self.browser.run(f"select(main.buffers.find(b => b.name === {json.dumps(buffer['name'])}))")
            facts = self.browser.run("Object.fromEntries([...document.querySelectorAll('#details dt')].map(d => [d.textContent, d.nextSibling.textContent]))")
            assert facts["written in a run"].startswith(f"{buffer['written']:,} of "), facts

    def check_op_texts(self, path):
        ops = []
        with open(path, encoding="utf-8") as file:
            for line in file:
                found = re.match(r'\s*(%\w+) = "?([\w.]+)"?(.*gmem\.name = "([^"]*)".*)', line)
                if found:
                    ops.append([*found.group(1, 2, 4), set(re.findall(r"%\w+", found.group(3)))])
        assert len(ops) > 3, "no ops with names in one line"
        names = {b["name"] for b in self.plan.buffers}
        chosen = [o for o in ops if o[2] in names]
        for value, op, name, _ in chosen[::max(1, len(chosen) // 8)]:
            self.browser.run(f"select(main.buffers.find(b => b.name === {json.dumps(name)}))")
            text = self.text("#definition code")
            assert text.startswith(f"{value} = ") and op in text[:len(value) + len(op) + 6] and "gmem." not in text, text
            users = [o for o in ops if value in o[3]]
            shown = self.browser.run("[...document.querySelectorAll('#uses code')].map(c => c.textContent.split(' ')[0])")
            expect([s for s in shown if s.startswith("%")], [u[0] for u in users][:20], f"uses of {value}")
        self.browser.key("Escape")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("plan")
    parser.add_argument("--title")
    parser.add_argument("--against")
    parser.add_argument("--report")
    parser.add_argument("--ir")
    args = parser.parse_args()
    plan = Plan(args.plan)
    with Browser() as browser:
        browser.size(1400, 900)
        page = Page(browser, plan, args.against)
        browser.open(args.page)
        headline = page.text("#headline")
        peak = re.search(r"needs [\d.]+ (bytes|[KMG]iB \(([\d,]+) bytes\))", headline)
        expect(peak.group(2) or re.search(r"\d+", peak.group(0)).group(0), f"{plan.json['peak']:,}", "peak in " + headline)
        assert f"{len(plan.json['buffers']):,} buffers" in headline, headline
        if args.title:
            expect(page.text("h1"), args.title, "title")
        page.check_labels()
        if args.report:
            with open(args.report, encoding="utf-8") as file:
                report = json.load(file)
            page.capacities = {p["name"]: p["capacity"] for p in report["pools"]}
            page.check_report(report)
            browser.open(args.page)
        if args.ir:
            page.check_op_texts(args.ir)
        page.check_pools()
        workspace = [p for p in plan.pools if p["kind"] != "constant" and p["size"]]
        seen = 0
        for pool in workspace:
            page.choose(pool["name"])
            page.check_texts_of_maps()
            seen += page.check_map(pool)
            page.check_clicks(pool)
        page.check_search()
        page.choose(workspace[0]["name"])
        page.check_moves(workspace[0])
        if args.against:
            page.check_changes(Plan(args.against))
        browser.open(args.page, f"#pool={plan.pools[0]['name']}&step=1")
        expect(page.heading(), "step 1", "a fragment")
        browser.scheme("dark")
        browser.settle()
        assert browser.run("colour.page") != "#fff", "no dark colours"
        browser.size(420, 800)  # a telephone
        browser.settle()
        wide = browser.run("[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('details')).map(e => e.outerHTML.slice(0, 200))")
        expect(wide, [], "too wide for a narrow window")
        expect(browser.errors, [], "errors")
    print(f"ok: {seen} buffers on the map")


main()
