# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Drives a browser without a screen: Debian's chromium, by Selenium, which pip installs into build/selenium."""
import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
PACKAGES = ["selenium==4.43.0", "pillow"]
CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
# Fonts differ between machines, so the tests draw all text with one font.
ONE_FONT = """
  document.documentElement.style.setProperty('--font', '"DejaVu Sans"');
  document.documentElement.style.setProperty('--mono', '"DejaVu Sans Mono"');
"""


def missing():
    """Returns an empty text, or the reason why there is no browser."""
    for program in (CHROMIUM, DRIVER):
        if not pathlib.Path(program).exists():
            return f"there is no {program}: .ci/install-packages browser"
    folder = ROOT / "build" / "selenium"
    if not (folder / "selenium").exists():
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), *PACKAGES],
                              capture_output=True, text=True)
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            return f"pip cannot install {' '.join(PACKAGES)}"
    sys.path.insert(0, str(folder))
    return ""


class Browser:
    def __init__(self, width=1280, height=800, dark=False):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for word in ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars", "disable-dev-shm-usage",
                     "force-device-scale-factor=1", "font-render-hinting=none", "disable-lcd-text"):
            options.add_argument(f"--{word}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, page, address="view=threads"):
        """Opens the page. Returns the seconds until the whole file was read and the lanes were drawn."""
        self.driver.get("about:blank")
        begin = time.monotonic()
        self.driver.get(f"file://{page}#{address}")
        self.until("return document.body.dataset.ready === 'whole'")
        self.frames()
        return time.monotonic() - begin

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script, seconds=20):
        end = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < end, f"the browser has waited {seconds} s for: {script}"
            time.sleep(0.02)

    def frames(self, count=3):
        """Waits until this number of frames has been drawn."""
        self.driver.execute_async_script(
            "let left = arguments[0], done = arguments[1];"
            "const next = () => (left-- > 0 ? requestAnimationFrame(next) : done()); next()", count)

    def key(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
        self.frames()

    def click(self, path):
        self.driver.find_element("xpath", path).click()

    def save_into(self, folder):
        """Files that the page saves go into this folder."""
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def until_file(self, file, seconds=20):
        """Waits until the browser has saved a whole SVG or PNG file."""
        end = time.monotonic() + seconds
        while not (file.exists() and re.search(rb"</svg>\s*$|IEND....$", file.read_bytes(), re.DOTALL)):
            assert time.monotonic() < end, f"the browser has not saved {file} in {seconds} s"
            time.sleep(0.05)

    def text(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText).join('\\n')", selector)

    def picture(self, path):
        frames = self.run("return frames.length")
        for frame in range(frames):
            self.driver.switch_to.frame(frame)
            self.run(ONE_FONT + "keyhole.state.set({})")
            self.driver.switch_to.default_content()
        self.run(ONE_FONT + ("" if frames else "keyhole.state.set({})"))
        self.run("if (document.activeElement) document.activeElement.blur()")
        self.frames(6)
        self.driver.save_screenshot(str(path))

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]


@contextlib.contextmanager
def browser(**size):
    one = Browser(**size)
    try:
        yield one
        complaints = one.complaints()
        assert not complaints, f"the browser's console says: {complaints}"
    finally:
        one.driver.quit()


def differ(picture, expected):
    """Returns the share of the area that differs visibly. A shift by a pixel does not count, because both pictures are
    compared at a lower resolution."""
    from PIL import Image, ImageChops
    ours, golden = (Image.open(path).convert("RGB") for path in (picture, expected))
    if ours.size != golden.size:
        return 1.0
    small = (ours.size[0] // 4, ours.size[1] // 4)
    difference = ImageChops.difference(ours.resize(small, Image.BOX), golden.resize(small, Image.BOX)).convert("L")
    return sum(difference.histogram()[40:]) / (small[0] * small[1])
