#!/usr/bin/env python3
"""site.py OUT - makes OUT/index.html, the documents as a site with a search, of
all pages of the project (Sphinx with MyST), and OUT/headers/index.html, the reference of
the public headers (Doxygen). A warning of either is an error."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"(\]\()((?!\w+:|#)[^)\s#]+)(#[^)\s]*)?\)")
WHOLE_LINK = re.compile(r"\[([^\[\]]*)\]\(((?!\w+:|#)[^)\s#]+)\)")
SKIPPED = re.compile(r"^(build|inputs|problems|\.git)|^(Inputs|__pycache__)$")
CONF = '''\
from pygments.lexers.special import TextLexer
project = "gmem"
version = release = "{version}"
root_doc = "docs/README"
extensions = ["myst_parser"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
html_theme = "alabaster"
html_theme_options = {{"page_width": "72em", "sidebar_width": "16em", "fixed_sidebar": False}}
html_show_copyright = html_show_sphinx = html_copy_source = False
html_show_sourcelink = False
html_title = "gmem " + version
html_sidebars = {{"**": ["about.html", "searchbox.html", "navigation.html"]}}


def setup(app):
    app.add_lexer("mlir", TextLexer)
    app.add_lexer("csv", TextLexer)
'''
DOXYFILE = '''\
PROJECT_NAME = gmem
PROJECT_NUMBER = {version}
INPUT = {root}/include/gmem
RECURSIVE = YES
STRIP_FROM_PATH = {root}/include
OUTPUT_DIRECTORY = {out}
HTML_OUTPUT = headers
GENERATE_LATEX = NO
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
MARKDOWN_SUPPORT = NO
JAVADOC_AUTOBRIEF = YES
HAVE_DOT = NO
INPUT_FILTER = "{python} -B {root}/cmake/header_comments.py"
ENABLE_PREPROCESSING = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = GMEM_BEGIN_C= GMEM_END_C= GMEM_MUST_USE=
QUIET = YES
WARNINGS = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
HTML_TIMESTAMP = NO
SOURCE_BROWSER = NO
VERBATIM_HEADERS = YES
'''


def pages():
    for folder, below, files in os.walk(ROOT):
        below[:] = sorted(b for b in below if not SKIPPED.match(b))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def version():
    with open(f"{ROOT}/include/gmem/version.h", encoding="utf-8") as file:
        return re.search(r'GMEM_VERSION_STRING "([^"]+)"', file.read())[1]


def copy_file(path, stage):
    """Copies a file that a page names, if it is not there."""
    target = os.path.join(stage, path)
    if not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(ROOT, path), target)


def stage_page(page, stage):
    """Copies a page. Links to folders become links to their pages, or text if they have
    none, and files that it links are copied, too."""
    def path_of(target):
        return os.path.normpath(os.path.join(os.path.dirname(page), target))

    def drop(match):
        path = os.path.join(ROOT, path_of(match[2]))
        is_bare = os.path.isdir(path) and not os.path.exists(f"{path}/README.md")
        return match[1] if is_bare else match[0]

    def fix(match):
        target = match[2]
        path = path_of(target)
        if os.path.isdir(os.path.join(ROOT, path)):
            target = target.rstrip("/") + "/README.md"
        elif not path.endswith(".md"):
            copy_file(path, stage)
        return f"{match[1]}{target}{match[3] or ''})"

    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        blocks = re.split(r"(^```.*?^```$)", file.read(), flags=re.M | re.S)
    text = "".join(block if block.startswith("```") else LINK.sub(fix, WHOLE_LINK.sub(drop, block)) for block in blocks)
    os.makedirs(os.path.dirname(os.path.join(stage, page)) or ".", exist_ok=True)
    with open(os.path.join(stage, page), "w", encoding="utf-8") as file:
        file.write(text)


def contents(stage, known):
    """The trees of contents: the sections of the index, then the pages of the sources."""
    with open(f"{stage}/docs/README.md", encoding="utf-8") as file:
        text = file.read()
    listed, made = {"docs/README.md"}, []
    for title, section in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        found = []
        for target in LINK.findall(section):
            page = os.path.normpath(os.path.join("docs", target[1]))
            if page in known and page not in listed:
                listed.add(page)
                found.append(page)
        made.append((title, found))
    project = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
    made.append(("Project", [p for p in project if p in known and p not in listed]))
    made.append(("Sources", [p for p in known if p not in listed and "/" in p]))
    with open(f"{stage}/docs/README.md", "a", encoding="utf-8") as file:
        file.write("\n## The public headers\n\n[Reference](headers.md)\n")
        for title, found in made:
            file.write(f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n:maxdepth: 1\n\n")
            file.write("".join(f"/{page[:-3]}\n" for page in found) + "```\n")
        file.write("\n```{toctree}\n:hidden:\n:caption: Headers\n\nheaders\n```\n")
    with open(f"{stage}/docs/headers.md", "w", encoding="utf-8") as file:
        file.write("# The public headers\n\n<p><a href=\"../headers/index.html\">The reference of the "
                   "public headers</a>, made of their comments.</p>\n")


def make_pages(out):
    with tempfile.TemporaryDirectory() as stage:
        known = list(pages())
        for page in known:
            stage_page(page, stage)
        contents(stage, known)
        with open(f"{stage}/conf.py", "w", encoding="utf-8") as file:
            file.write(CONF.format(version=version()))
        subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-E", "-d", f"{stage}/.doctrees",
                        stage, out], check=True)


def make_headers(out):
    text = DOXYFILE.format(version=version(), root=ROOT, out=out, python=sys.executable)
    subprocess.run(["doxygen", "-"], input=text, text=True, check=True)


def main():
    out = os.path.abspath(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    try:
        make_pages(out)
        make_headers(out)
    except subprocess.CalledProcessError as error:
        sys.exit(f"site.py: {error.cmd[0]} failed")
    with open(f"{out}/index.html", "w", encoding="utf-8") as file:
        file.write('<!DOCTYPE html><meta http-equiv="refresh" content="0; url=docs/README.html">\n')


main()
