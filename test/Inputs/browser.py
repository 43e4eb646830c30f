# browser.py - Chromium without a window, driven over a pipe (the DevTools protocol).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
    "--remote-debugging-pipe", "--host-resolver-rules=MAP * ~NOTFOUND",
]


def find():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """One page. A reply that does not come within |seconds| ends the browser."""

    def __init__(self, width=1400, height=900, seconds=120):
        self.profile = tempfile.mkdtemp(prefix="gmem-browser-")
        self.errors = []  # of scripts, and requests of the page
        self.events = []
        self.count = 0
        self.session = None
        self.rest = b""
        command, self.write_end = os.pipe()
        self.read_end, answer = os.pipe()

        def arrange():  # the browser reads 3 and writes 4
            os.dup2(os.dup(command), 13)
            os.dup2(os.dup(answer), 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [find(), *FLAGS, "--user-data-dir=" + self.profile, f"--window-size={width},{height}"],
            preexec_fn=arrange, close_fds=False, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(command)
        os.close(answer)
        self.timer = threading.Timer(seconds, self.process.kill)
        self.timer.daemon = True
        self.timer.start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network"]:
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.timer.cancel()
        self.process.kill()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise SystemExit("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        method = message.get("method")
        if method == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", details).get("description", str(details)))
        elif method == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.errors.append("the page asks for " + url)
        if method:
            self.events.append(method)
        return message

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            reply = self.receive()
            if reply.get("id") == self.count:
                if "error" in reply:
                    raise SystemExit(f"{method}: {reply['error']['message']}")
                return reply["result"]

    def open(self, path, fragment=""):
        # Another fragment alone would not load the file again.
        for url in ["about:blank", pathlib.Path(path).resolve().as_uri() + fragment]:
            self.events.clear()
            self.call("Page.navigate", url=url)
            while "Page.loadEventFired" not in self.events:
                self.receive()

    def run(self, script):
        """The value of an expression in the page."""
        reply = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise SystemExit(f"{script}: {reply['exceptionDetails']['exception'].get('description')}")
        return reply["result"].get("value")

    def settle(self):
        """Waits until the page has drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def drag(self, x, y, x2, y2):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseMoved", (x + x2) / 2, (y + y2) / 2, button="left", buttons=1)
        self.mouse("mouseMoved", x2, y2, button="left", buttons=1)
        self.mouse("mouseReleased", x2, y2, button="left", clickCount=1)
        self.settle()

    def wheel(self, x, y, by, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=by, modifiers=modifiers)
        self.settle()

    def key(self, key):
        more = {"text": key} if len(key) == 1 else {}
        code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}.get(key, 0)
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settle()

    def write(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
