# check_plan.py [--plain] PLAN.json - checks a plan in JSON without any code of
# gmem: the keys and their types, the figures against the buffers, and that no
# two buffers of a workspace pool that are live at one step share a byte, but
# where an alias says which lies in which. --plain: it must have no aliases, and
# a lower bound that is no smaller than what is live at any step.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

TEXT, BYTES, FLAG = str, int, bool
PLAN = {"version": int, "algorithm": TEXT, "peak": BYTES, "lower_bound": BYTES,
        "optimal": FLAG, "steps": int, "pools": list, "buffers": list,
        "aliases": list, "workbuffers": list, "copies": list,
        "ops": list, "relocations": list, "transforms": list}
POOL = {"name": TEXT, "kind": TEXT, "base": (BYTES, None), "size": BYTES,
        "lower_bound": BYTES, "capacity": (BYTES, None), "alignment": BYTES,
        "size_hint": (BYTES, None), "speed": (int, None), "spilled": int,
        "spilled_bytes": BYTES, "shared_offset": (BYTES, None),
        "shared_size": (BYTES, None)}
BUFFER = {"name": TEXT, "op": TEXT, "function": TEXT, "location": TEXT,
          "pool": TEXT, "offset": BYTES, "size": BYTES, "alignment": BYTES,
          "begin": int, "end": int, "ranges": list, "alias_of": (TEXT, None),
          "input": FLAG, "output": FLAG, "payload_offset": BYTES,
          "payload_size": BYTES, "state": FLAG, "sensitive": FLAG,
          "group": (TEXT, None), "layout": (dict, None)}
ALIAS = {"kind": TEXT, "child": TEXT, "parent": TEXT, "offset": BYTES}
WORKBUFFER = {"buffer": TEXT, "number": int, "kind": TEXT, "threads": int,
              "thread_size": BYTES, "thread_stride": BYTES, "steps": list}
COPY = {"op": TEXT, "function": TEXT, "location": TEXT, "edge": TEXT,
        "number": int, "cycle": FLAG, "from": TEXT, "from_pool": TEXT,
        "from_offset": BYTES, "to": TEXT, "to_pool": TEXT, "to_offset": BYTES,
        "size": BYTES, "steps": list}
OP = {"name": TEXT, "op": TEXT, "function": TEXT, "location": TEXT,
      "begin": int, "end": int, "grouped": FLAG}
RELOCATION = {"op": TEXT, "location": TEXT, "stream": int, "where": BYTES,
              "kind": TEXT, "buffer": TEXT, "addend": BYTES}
TRANSFORM = {"buffer": TEXT, "name": TEXT, "size": BYTES}
WIDTHS = {"abs64": 8, "lo32": 4, "hi32": 4}
EDGES = ("callee", "region", "successor", "next", "parent", "caller", "results")
PARTS = ("slice", "concat")
OVERS = ("inplace", "destination", "transfer")


def has_type(value, wanted):
    if isinstance(wanted, tuple):
        return value is None or has_type(value, wanted[0])
    if wanted is int:  # in Python True is an int as well
        return type(value) is int and value >= 0
    return isinstance(value, wanted)


def check_keys(what, entry, keys):
    assert list(entry) == list(keys), f"{what}: keys {list(entry)}"
    for key, wanted in keys.items():
        assert has_type(entry[key], wanted), f"{what}: {key} = {entry[key]!r}"


def check_pool(pool):
    check_keys("pool", pool, POOL)
    assert pool["kind"] in ("constant", "workspace")
    assert pool["alignment"] & (pool["alignment"] - 1) == 0 < pool["alignment"]
    assert (pool["base"] or 0) % pool["alignment"] == 0
    assert pool["lower_bound"] <= pool["size"]
    assert pool["capacity"] is None or pool["size"] <= pool["capacity"]


def check_ranges(buffer, steps):
    ranges = buffer["ranges"]
    assert ranges, f"{buffer['name']}: no range"
    assert all(len(r) == 2 and 0 <= r[0] < r[1] <= steps for r in ranges)
    assert all(a[1] < b[0] for a, b in zip(ranges, ranges[1:])), ranges
    assert buffer["begin"] == ranges[0][0] and buffer["end"] == ranges[-1][1]


def check_buffer(buffer, pools, buffers, steps):
    pool = pools[buffer["pool"]]
    address = (pool["base"] or 0) + buffer["offset"]
    assert address % buffer["alignment"] == 0, buffer["name"]
    assert buffer["alignment"] <= pool["alignment"], buffer["name"]
    assert buffer["offset"] + buffer["size"] <= pool["size"], buffer["name"]
    payload_end = buffer["payload_offset"] + buffer["payload_size"]
    assert buffer["offset"] <= buffer["payload_offset"], buffer["name"]
    assert payload_end <= buffer["offset"] + buffer["size"], buffer["name"]
    assert (buffer["payload_offset"] - buffer["offset"]) \
        % buffer["alignment"] == 0, buffer["name"]
    check_ranges(buffer, steps)
    if buffer["alias_of"] is None:
        return
    root = buffers[buffer["alias_of"]]
    assert root["alias_of"] is None, f"{buffer['name']}: alias of an alias"
    for key in ("pool", "offset", "size", "alignment", "ranges",
                "payload_offset", "payload_size"):
        assert buffer[key] == root[key], f"{buffer['name']}: {key}"


def is_view(buffer):
    """Its elements have those of others between them, which are not its padding."""
    layout = buffer["layout"]
    return layout and not any(layout["before"] + layout["after"])


def spans(buffer):
    """The bytes of the value, and those on its two sides."""
    if is_view(buffer):
        end = buffer["offset"] + buffer["size"]
        return ((buffer["offset"], end), (buffer["offset"],) * 2, (end, end))
    begin = buffer["payload_offset"]
    end = begin + buffer["payload_size"]
    return ((begin, end), (buffer["offset"], begin),
            (end, buffer["offset"] + buffer["size"]))


def check_paddings(a, b):
    """What may be touched around the one holds nothing of the other."""
    for one, other in ((a, b), (b, a)):
        begin, end = spans(one)[0]
        for span in spans(other)[1:]:
            assert not max(begin, span[0]) < min(end, span[1]), \
                f"{one['name']} in the padding of {other['name']}"


def check_alias(alias, buffers):
    child, parent = buffers[alias["child"]], buffers[alias["parent"]]
    assert child is not parent, alias
    assert child["alias_of"] is None and parent["alias_of"] is None, alias
    assert child["pool"] == parent["pool"], alias
    assert child["offset"] == parent["offset"] + alias["offset"], alias
    assert alias["offset"] + child["size"] <= parent["size"], alias
    assert alias["kind"] in PARTS + OVERS, alias
    check_paddings(child, parent)
    if alias["kind"] in OVERS:
        assert spans(child)[0] == spans(parent)[0], alias


def check_copy(copy, buffers, pools, steps):
    check_keys("copy", copy, COPY)
    assert copy["edge"] in EDGES, copy
    for end in ("from", "to"):
        buffer = buffers[copy[end]]
        assert copy[end + "_pool"] == buffer["pool"], copy
        assert copy[end + "_offset"] == buffer["payload_offset"], copy
        assert 0 < copy["size"] <= buffer["payload_size"], copy
    assert pools[copy["to_pool"]]["kind"] == "workspace", copy
    assert (copy["from_pool"], copy["from_offset"]) != \
        (copy["to_pool"], copy["to_offset"]), copy
    assert copy["steps"] == sorted(set(copy["steps"])), copy
    assert all(0 <= step < steps for step in copy["steps"]), copy


def go_together(a, b):
    return all(a[key] == b[key]
               for key in ("location", "steps", "edge", "number"))


def check_copies(copies):
    """Each is read before another one overwrites its source."""
    for i, late in enumerate(copies):
        begin, end = late["from_offset"], late["from_offset"] + late["size"]
        for early in copies[:i]:
            to = early["to_offset"]
            assert not go_together(early, late) or late["cycle"] \
                or early["to_pool"] != late["from_pool"] \
                or not max(begin, to) < min(end, to + early["size"]), late


def check_workbuffer(work, buffers, pools):
    check_keys("workbuffer", work, WORKBUFFER)
    buffer = buffers[work["buffer"]]
    is_constant = pools[buffer["pool"]]["kind"] == "constant"
    assert work["kind"] == ("immutable" if is_constant else "mutable"), work
    assert work["threads"] * work["thread_stride"] == buffer["size"], work
    assert work["thread_stride"] >= work["thread_size"], work
    if work["threads"] > 1 and buffer["size"]:
        assert work["thread_stride"] % 64 == 0, work
    assert work["steps"] and sorted(set(work["steps"])) == work["steps"], work
    for step in work["steps"]:
        assert any(r[0] <= step < r[1] for r in buffer["ranges"]), work


def is_inside(buffer, buffers, aliases):
    """Whether it begins inside another, so that the pool's alignment is not
    asked of it: it is a part, or shares bytes with what is one."""
    seen, todo = set(), [buffer["name"]]
    while todo:
        name = todo.pop()
        seen.add(name)
        for alias in aliases:
            if alias["child"] == name and alias["offset"]:
                return True
            if alias["offset"] == 0 and name in (alias["child"],
                                                 alias["parent"]):
                todo += {alias["child"], alias["parent"]} - seen
    return False


def check_alignment(buffer, pool, buffers, aliases):
    if buffer["size"] and buffer["alignment"] < pool["alignment"] \
            and not buffer["alias_of"]:
        assert is_inside(buffer, buffers, aliases), buffer["name"]


def meet(a, b):
    return any(x[0] < y[1] and y[0] < x[1]
               for x in a["ranges"] for y in b["ranges"])


def check_overlap(buffers, allowed):
    buffers = sorted((b for b in buffers if b["size"]),
                     key=lambda b: b["offset"])
    for i, a in enumerate(buffers):
        for b in buffers[i + 1:]:
            if b["offset"] >= a["offset"] + a["size"]:
                break
            if frozenset((a["name"], b["name"])) not in allowed:
                assert not meet(a, b), f"{a['name']} and {b['name']} overlap"


def live_bytes(buffers, step):
    return sum(b["size"] for b in buffers
               if any(r[0] <= step < r[1] for r in b["ranges"]))


def check_sizes(pool, buffers, is_plain):
    end = max((b["offset"] + b["size"] for b in buffers if b["size"]), default=0)
    assert pool["size"] == end, f"pool {pool['name']}: {end} bytes are used"
    starts = {r[0] for b in buffers for r in b["ranges"]} if is_plain else ()
    bound = max((live_bytes(buffers, step) for step in starts), default=0)
    assert pool["lower_bound"] >= bound, f"pool {pool['name']}: bound {bound}"


def check_ops(ops, steps):
    """They nest, and each step begins one op or ends one."""
    assert len({op["name"] for op in ops}) == len(ops), "two ops of one name"
    around, begun, seen = [], set(), set()
    for before, op in zip([None] + ops, ops):
        check_keys("op", op, OP)
        assert 0 <= op["begin"] < op["end"] <= steps, op
        assert not before or before["begin"] <= op["begin"], op
        if op["grouped"]:
            assert any((o["begin"], o["end"]) == (op["begin"], op["end"])
                       for o in ops if not o["grouped"]), op
            continue
        while around and around[-1]["end"] <= op["begin"]:
            around.pop()
        assert not around or op["end"] <= around[-1]["end"], op
        around.append(op)
        assert op["begin"] not in begun, op
        begun.add(op["begin"])
        seen |= {op["begin"], op["end"] - 1}
    assert seen == set(range(steps)), "a step without an op"


def check_relocations(relocations, buffers):
    """They are in order, and no two share a byte."""
    ends = {}
    for relocation in relocations:
        check_keys("relocation", relocation, RELOCATION)
        buffer = buffers[relocation["buffer"]]
        assert relocation["addend"] <= buffer["size"], relocation
        stream, where = relocation["stream"], relocation["where"]
        assert stream >= max(ends, default=0), relocation
        assert where >= ends.get(stream, 0), relocation
        ends[stream] = where + WIDTHS[relocation["kind"]]


def check_transforms(transforms, buffers):
    """Chains are whole, and end at the size of their constant."""
    last = {}
    for transform in transforms:
        check_keys("transform", transform, TRANSFORM)
        name = transform["buffer"]
        assert name not in last or name == list(last)[-1], "a broken chain"
        assert transform["size"] > 0, transform
        last[name] = transform["size"]
    for name, size in last.items():
        assert buffers[name]["payload_size"] == size, name


def main():
    is_plain = sys.argv[1] == "--plain"
    with open(sys.argv[-1], encoding="utf-8") as file:
        plan = json.load(file)
    check_keys("plan", plan, PLAN)
    assert plan["version"] == 1
    for pool in plan["pools"]:
        check_pool(pool)
    for buffer in plan["buffers"]:
        check_keys("buffer", buffer, BUFFER)
    pools = {p["name"]: p for p in plan["pools"]}
    buffers = {b["name"]: b for b in plan["buffers"]}
    assert len(pools) == len(plan["pools"]), "two pools of one name"
    for work in plan["workbuffers"]:
        check_workbuffer(work, buffers, pools)
    for copy in plan["copies"]:
        check_copy(copy, buffers, pools, plan["steps"])
    check_copies(plan["copies"])
    check_ops(plan["ops"], plan["steps"])
    check_relocations(plan["relocations"], buffers)
    check_transforms(plan["transforms"], buffers)
    assert len(buffers) == len(plan["buffers"]), "two buffers of one name"
    aliases = plan["aliases"]
    assert not (is_plain and aliases), aliases
    for alias in aliases:
        check_keys("alias", alias, ALIAS)
        check_alias(alias, buffers)
    allowed = {frozenset((a["child"], a["parent"])) for a in aliases}
    assert len(allowed) == len(aliases), "a pair twice"
    for buffer in plan["buffers"]:
        check_buffer(buffer, pools, buffers, plan["steps"])
        check_alignment(buffer, pools[buffer["pool"]], buffers, aliases)
    for pool in plan["pools"]:
        members = [b for b in plan["buffers"]
                   if b["pool"] == pool["name"] and b["alias_of"] is None]
        check_overlap(members, allowed)
        check_sizes(pool, members, is_plain or pool["kind"] == "constant")
    work = [p for p in plan["pools"] if p["kind"] == "workspace"]
    assert plan["peak"] == sum(p["size"] for p in work)
    # What may go to several pools counts for the sum alone.
    assert plan["lower_bound"] >= sum(p["lower_bound"] for p in work)
    assert len(work) > 1 or plan["lower_bound"] == work[0]["lower_bound"]
    assert plan["optimal"] == (plan["peak"] == plan["lower_bound"])
    print(f"ok: {len(buffers)} buffers, peak {plan['peak']}")


main()
