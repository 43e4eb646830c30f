# damage.py - GOOD BAD: copies the folder of a link to BAD, damages it in one way
# after the other, and prints what gmem-link --check says of each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import copy
import json
import os
import re
import shutil
import subprocess
import sys

good, bad = sys.argv[1:]
with open(os.path.join(good, "link.json")) as file:
    link = json.load(file)
link_path = os.path.join(bad, "link.json")


def say(name):
    run = subprocess.run(["gmem-link", "--check", link_path], capture_output=True, text=True)
    lines = run.stderr.splitlines()
    errors = [line for line in lines if "gmem-link: error" in line]
    if run.returncode not in (0, 1):
        print(name, "exit status", run.returncode)
    elif run.returncode == 0:
        print(name + ": good")
    else:
        print(name + ":", errors[0] if errors and name != "module" else "error")


def fresh():
    shutil.rmtree(bad, ignore_errors=True)
    shutil.copytree(good, bad)


def damage(name, change):
    fresh()
    changed = copy.deepcopy(link)
    change(changed)
    with open(link_path, "w") as file:
        json.dump(changed, file)
    say(name)


def pool(link, name):
    return next(each for each in link["pools"] if each["name"] == name)


def blocks(link, name="tensors"):
    return pool(link, name)["blocks"]


def top_block(link):
    return max(blocks(link), key=lambda block: block["offset"])


damage("offset", lambda link: top_block(link).update(offset=0))

# All bytes of both models at offset 0, in the modules, too.
fresh()
changed = copy.deepcopy(link)
size = max(block["size"] for block in blocks(changed))
old, base = pool(changed, "tensors")["size"], pool(changed, "tensors")["base"]
moved = top_block(changed)
path = os.path.join(bad, moved["model"] + ".mlir")
with open(path) as file:
    text = file.read()
text = text.replace(f"base = {base + moved['offset']} :", f"base = {base} :")
text = text.replace(f"shared_offset = {moved['offset']} :", "shared_offset = 0 :")
with open(path, "w") as file:
    file.write(text)
moved["offset"] = 0
pool(changed, "tensors").update(size=size, lower_bound=size)
for model in changed["models"]:
    path = os.path.join(bad, model["file"])
    with open(path) as file:
        text = file.read()
    text = re.sub(rf"shared_size = {old} : i64, size = (\d+) : i64}}\]", rf"shared_size = {size} : i64, size = \1 : i64}}]", text)
    with open(path, "w") as file:
        file.write(text)
with open(link_path, "w") as file:
    json.dump(changed, file)
say("together")

damage("smaller", lambda link: pool(link, "tensors").update(size=64))
damage("capacity", lambda link: pool(link, "tensors").update(capacity=64))
damage("bound", lambda link: pool(link, "tensors").update(lower_bound=1 << 40))
damage("dropped", lambda link: blocks(link).remove(min(blocks(link), key=lambda block: block["offset"])))
damage("doubled", lambda link: blocks(link).append(blocks(link)[0]))
damage("kind", lambda link: pool(link, "tensors").update(kind="constant"))
damage("base", lambda link: pool(link, "tensors").update(base=0))
damage("pool twice", lambda link: link["pools"].append(link["pools"][0]))
damage("stranger", lambda link: blocks(link, "weights")[0].update(model="c"))
damage("negative", lambda link: blocks(link, "weights")[0].update(offset=-1))
damage("other model", lambda link: link["models"][0].update(concurrent=["c"]))
damage("model twice", lambda link: link["models"][1].update(name="a"))
damage("path", lambda link: link["models"][0].update(file="../good/a.mlir"))
damage("version", lambda link: link.update(version=2))
damage("no pools", lambda link: link.pop("pools"))
fresh()
with open(link_path, "w") as file:
    file.write("{,}")
say("text")
fresh()
os.remove(os.path.join(bad, "a.mlir"))
say("gone")
fresh()
path = os.path.join(bad, "a.mlir")
with open(path) as file:
    text = file.read()
with open(path, "w") as file:
    file.write(re.sub(r"gmem.offset = array<i64: \d+>", "gmem.offset = array<i64: 32>", text))
say("module")
fresh()
say("untouched")
