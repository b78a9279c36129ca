"""A browser driven over the WebDriver protocol, with the standard library only."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Escape": "\ue00c"}


class Failure(Exception):
    """The driver refused a command."""


class Browser:
    """One headless browser; `with Browser() as browser` ends it."""

    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.folder = tempfile.mkdtemp(prefix="unthink-browser-")
        with open(os.path.join(self.folder, "driver.log"), "w") as log:
            self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=log, stderr=log)
        self.base = f"http://127.0.0.1:{port}"
        self.session = None
        try:
            self._wait_for_driver()
            options = {
                "binary": shutil.which("chromium"),
                "args": FLAGS + [f"--user-data-dir={self.folder}/profile"],
            }
            wanted = {
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                "unhandledPromptBehavior": "ignore",
            }
            answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.session = answer["sessionId"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self._call("DELETE", f"/session/{self.session}")
        except (Failure, OSError):
            pass
        self.driver.terminate()
        try:
            self.driver.wait(10)
        except subprocess.TimeoutExpired:
            self.driver.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_for_driver(self):
        for _ in range(100):
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise Failure("chromedriver did not start")

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Failure(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def command(self, method, path, body=None):
        if method == "POST" and body is None:
            body = {}
        return self._call(method, f"/session/{self.session}{path}", body)

    def open(self, path):
        """Opens a file, and waits until it is loaded."""
        self.command("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        """What the body of a function returns."""
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_later(self, script, *arguments):
        """What the body of a function hands to its last argument."""
        return self.command("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.command("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.command("POST", f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        self.command("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Presses keys where the focus is."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def devtools(self, name, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def log(self, kind):
        return self.command("POST", "/se/log", {"type": kind})

    def requests(self, page):
        """The addresses that this page requested since the last call, its own among them. A browser that has just been
        started may still be loading pages of its own."""
        found = []
        for entry in self.log("performance"):
            message = json.loads(entry["message"])["message"]
            sent = message["method"] == "Network.requestWillBeSent"
            if sent and message["params"]["documentURL"].split("#")[0] == page:
                found.append(message["params"]["request"]["url"])
        return found

    def dialog(self):
        """The text of the dialog that is open; None if there is none."""
        try:
            return self.command("GET", "/alert/text")
        except Failure as failure:
            if "no such alert" in str(failure):
                return None
            raise

    def screen(self, width, height, theme):
        """The size of the screen and the theme that pages are asked to have."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def screenshot(self, path):
        data = self.devtools("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
