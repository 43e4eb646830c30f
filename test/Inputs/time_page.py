#!/usr/bin/env python3
"""time_page.py PAGE.html BUFFERS - opens a page, searches and zooms; a loaded machine
gets ten times as long as docs/show.md says.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys
import time

from browser import Browser

path, buffers = sys.argv[1], int(sys.argv[2])
with Browser() as browser:
    browser.size(1400, 900)
    start = time.monotonic()
    browser.open(path)
    browser.settle()
    opened = time.monotonic() - start
    assert browser.run("main.buffers.length") == buffers
    browser.key("/")
    browser.write("op999")
    found = browser.run("document.querySelector('#details h2').textContent")
    assert found == "111 buffers found", found
    browser.key("Escape")
    start = time.monotonic()
    browser.key("+")
    zoomed = time.monotonic() - start
    assert not browser.errors, browser.errors
    assert opened < 10 and zoomed < 10, (opened, zoomed)
    print(f"ok: drawn after {opened:.2f} s, zoomed in {zoomed:.2f} s, {os.path.getsize(path):,} bytes")
