# SPDX-License-Identifier: BSD-3-Clause
"""Opens pages of `sim report` in headless Chromium and operates them like a user.

    look_at_page.py PAGE MANY_POINTS_PAGE SCREENSHOTS_FOLDER [TIMELINE_PAGE]

It controls Chromium through two pipes (--remote-debugging-pipe) and has no other dependencies.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

DEADLINE_S = 90


class Browser:
    """A tab of Chromium, with everything that it logged and requested."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()

        def place_pipes():  # Chromium reads from 3 and writes to 4
            ends = [os.dup(to_browser), os.dup(from_browser)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--window-size=1280,1000", f"--user-data-dir={self.profile.name}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=place_pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.next_id = 0
        self.session = None
        self.events = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(each for each in targets if each["type"] == "page")
        self.session = self.call(
            "Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(20)
        except (OSError, EOFError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()

    def message(self):
        os.set_blocking(self.answers, False)
        end = time.monotonic() + DEADLINE_S
        while b"\0" not in self.buffer:
            try:
                part = os.read(self.answers, 1 << 20)
                if not part:
                    raise EOFError("Chromium has exited")
                self.buffer += part
            except BlockingIOError:
                if time.monotonic() > end:
                    raise TimeoutError("Chromium does not answer") from None
                time.sleep(0.01)
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.next_id += 1
        command = {"id": self.next_id, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            message = self.message()
            if message.get("id") == self.next_id:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url=pathlib.Path(path).absolute().as_uri())
        end = time.monotonic() + DEADLINE_S
        while self.value("document.readyState") != "complete":
            if time.monotonic() > end:
                raise TimeoutError("the page does not load")
            time.sleep(0.05)
        self.settle()

    def settle(self):
        self.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def mouse(self, kind, x, y, clicks=1):
        pressed = kind != "mouseMoved"
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                  button="left" if pressed else "none", clickCount=clicks if pressed else 0)

    def click(self, x, y, clicks=1):
        self.mouse("mouseMoved", x, y)
        for count in range(1, clicks + 1):
            self.mouse("mousePressed", x, y, count)
            self.mouse("mouseReleased", x, y, count)
        self.settle()

    def screenshot(self, path, whole=True):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        """Errors, and requests for anything but the page's own file."""
        self.value("1")
        found = []
        for event in self.events:
            method, about = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(str(about["exceptionDetails"]))
            if method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
                found.append(str(about["args"]))
            if method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
                found.append(str(about["entry"]))
            if method == "Network.requestWillBeSent":
                url = about["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    found.append("a request to " + url)
        return found


failures = []


def check(holds, what):
    print(("ok      " if holds else "FAILED  ") + what)
    if not holds:
        failures.append(what)


DRAWN = """[...document.querySelectorAll('canvas')].map(canvas => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200)
    seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size; })"""


def box_of(browser, selector):
    return browser.value(f"""(() => {{
      const found = document.querySelector('{selector}');
      found.scrollIntoView({{block: 'center'}});
      const box = found.getBoundingClientRect();
      return [box.left, box.top, box.width, box.height]; }})()""")


def shown_tip(browser):
    return browser.value("""[...document.querySelectorAll('.figure .tooltip')]
      .filter((tip) => !tip.hidden).map((tip) => tip.textContent)[0]""")


def places_in(browser, step):
    """Positions on the first panel of the plots, row by row."""
    left, top, width, height = box_of(browser, ".plots .figure")
    for y in range(int(top + 0.25 * height), int(top + 0.75 * height), step):
        for x in range(int(left + 0.12 * width), int(left + 0.35 * width), step):
            yield x, y


def look_at_plots(browser):
    drawn = browser.value(DRAWN)
    check(len(drawn) == 2 and all(colours > 4 for colours in drawn), f"plots are drawn: {drawn}")
    shown = None
    for x, y in places_in(browser, 5):
        browser.mouse("mouseMoved", x, y)
        shown = shown_tip(browser)
        if shown:
            break
    check(bool(shown) and ("µs" in shown or "ms" in shown), f"hovering shows a value: {shown}")


def pixels(browser):
    return browser.value("document.querySelector('.plots canvas').toDataURL()")


def look_at_zoom(browser):
    whole = pixels(browser)
    places = list(places_in(browser, 60))
    (x, y), (to_x, to_y) = places[0], places[-1]
    browser.mouse("mouseMoved", x, y)
    browser.mouse("mousePressed", x, y)
    browser.mouse("mouseMoved", to_x, to_y)
    check(browser.value("[...document.querySelectorAll('.rubber')].some((each) => !each.hidden)"),
          "a rectangle is shown")
    browser.mouse("mouseReleased", to_x, to_y)
    browser.mouse("mouseMoved", 1, 1)
    browser.settle()
    check(pixels(browser) != whole, "dragging zooms in")
    browser.click(x, y, clicks=2)
    browser.mouse("mouseMoved", 1, 1)
    browser.settle()
    check(pixels(browser) == whole, "a double click resets the zoom")


def look_at_legend(browser):
    before = pixels(browser)
    left, top, width, height = box_of(browser, ".plots .figure")
    spots = [(int(left + width) - right, int(top + share * height))
             for right in range(40, 320, 40) for share in (0.2, 0.3, 0.4)]

    def hides(spot):
        browser.click(*spot)
        browser.mouse("mouseMoved", 1, 1)
        browser.settle()
        return pixels(browser) != before

    check(any(hides(spot) for spot in spots), "clicking a name hides its curve")


def column_of(browser, name):
    return browser.value(f"""(() => {{
      const heads = [...document.querySelectorAll('.data th')];
      const at = heads.findIndex(th => th.title === {json.dumps(name)});
      return [...document.querySelectorAll('.data tbody tr:not(.spacer)')]
        .map(tr => tr.children[at].title); }})()""")


def sort_by(browser, name):
    browser.value(f"""[...document.querySelectorAll('.data th')]
      .find(th => th.title === {json.dumps(name)}).querySelector('button').click()""")


def look_at_sorting(browser):
    sort_by(browser, "message_bytes")
    up = [int(cell) for cell in column_of(browser, "message_bytes")]
    check(len(up) > 10 and up == sorted(up) and up[0] < up[-1], "sizes sort numerically")
    sort_by(browser, "message_bytes")
    down = [int(cell) for cell in column_of(browser, "message_bytes")]
    check(down == sorted(down, reverse=True) and down[0] >= up[-1], "and in descending order")


def look_at_filters(browser):
    """Filters hide rows; the CSV file has all columns of the visible rows."""
    browser.value("""(() => { window.saved = [];
      URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text)); return '#'; };
      const at = [...document.querySelectorAll('.data th')].findIndex(th => th.title === 'time_s');
      const input = document.querySelectorAll('.data .filters td')[at].firstChild;
      input.value = '<100us';
      input.dispatchEvent(new Event('input')); })()""")
    browser.settle()
    times = [float(cell) for cell in column_of(browser, "time_s")]
    check(bool(times) and max(times) < 1e-4, f"a filter compares values: {len(times)} rows")
    count = browser.value("document.querySelector('.tools .count').textContent")
    check(" of " in count, f"the number of rows is shown: {count}")
    browser.value("document.querySelector('.tools .save').click()")
    browser.settle()
    lines = browser.value("window.saved[0]").splitlines()
    check(lines[0].startswith("algorithm,") and "time_s" in lines[0] and
          count.startswith(f"{len(lines) - 1} of "), f"the CSV has the visible rows: {lines[0]}")


def look_at_answer(browser):
    answer = browser.value("document.querySelector('.answers').textContent")
    check(" is the fastest in " in answer, f"the page begins with an answer: {answer}")
    cut = browser.value("""(() => { const scroll = document.querySelector('.points .scroll');
      return scroll.scrollWidth - scroll.clientWidth; })()""")
    check(cut <= 0, f"no column is cut off: {cut}")


def look_at_many(browser, shots):
    rows = browser.value("document.querySelectorAll('.data tbody tr').length")
    check(5 < rows < 300, f"only visible rows are elements: {rows}")
    took_ms = browser.value("""(() => { const start = performance.now();
      document.querySelectorAll('.data th button')[2].click();
      return performance.now() - start; })()""")
    check(took_ms < 2000, f"10,000 rows sort in {took_ms:.0f} ms")
    browser.value("document.querySelector('.points .scroll').scrollTop = 1e7")
    browser.settle()
    sizes = column_of(browser, "message_bytes")
    check(bool(sizes) and sizes[-1] == str(2**19), "scrolling reaches the last row")
    check(browser.value("window.broken") is None, "names are not run as scripts")
    failed = browser.value("document.querySelector('.failed').textContent")
    check("<img src=x onerror=alert(1)>" in failed and "said </pre><script>" in failed,
          "failed points are shown as text")
    browser.screenshot(os.path.join(shots, "many.png"))


def look_at_timeline_zoom(browser, left, top, width):
    def view():
        return browser.value("document.querySelector('.timelines .count').textContent")

    def press(key):
        browser.value(f"""document.querySelector('.timeline canvas').dispatchEvent(
          new KeyboardEvent('keydown', {{key: '{key}'}}))""")
        return view()

    check(view() == "all 10 ms", f"the timeline shows all: {view()}")
    check(press("+") == "2.500 to 7.500 ms (5 ms)", f"a key zooms in: {view()}")
    check(press("ArrowRight") == "3.500 to 8.500 ms (5 ms)", f"a key moves: {view()}")
    check(press("0") == "all 10 ms", f"a key shows all: {view()}")
    browser.mouse("mousePressed", left + width / 2, top + 15)
    browser.mouse("mouseMoved", left + width / 2 + 100, top + 15)
    browser.mouse("mouseReleased", left + width / 2 + 100, top + 15)
    browser.settle()
    chosen = view()
    check(chosen != "all 10 ms", f"dragging shows a part: {chosen}")
    browser.value("""document.querySelector('.timeline canvas').dispatchEvent(new WheelEvent('wheel',
      {deltaY: -200, ctrlKey: true, cancelable: true}))""")
    check(view() != chosen, f"the wheel zooms: {view()}")
    browser.value("document.querySelector('.timelines .tools button:last-of-type').click()")
    check(view() == "all 10 ms", f"a button shows all: {view()}")


def look_at_call_tree(browser):
    rows = "document.querySelectorAll('.tree tbody tr').length"
    names = browser.value("""[...document.querySelectorAll('.tree .node')].map(
      (node) => node.children[1].textContent)""")
    check(names[0] == "main" and "MPI_Recv" in names, f"the call tree has names of regions: {names}")
    browser.value("document.querySelector('.tree button.fold').click()")
    check(browser.value(rows) == 1, "a node of the call tree closes")
    browser.value("document.querySelector('.calls .tools button').click()")
    check(browser.value(rows) == len(names), "all nodes of the call tree open")


def look_at_timeline(browser, shots):
    drawn = browser.value(DRAWN)
    check(len(drawn) == 1 and drawn[0] > 5, f"the timeline is drawn: {drawn}")
    left, top, width = browser.value("""(() => {
      const box = document.querySelector('.timeline canvas').getBoundingClientRect();
      return [box.left, box.top, box.width]; })()""")
    browser.mouse("mouseMoved", left + width / 4, top + 15)
    browser.settle()
    shown = browser.value("(shown => !shown.hidden && shown.textContent)"
                          "(document.querySelector('.timeline .tooltip'))")
    check(bool(shown) and shown.startswith("rank 0, trace: "), f"hovering shows a span: {shown}")
    look_at_timeline_zoom(browser, left, top, width)
    look_at_call_tree(browser)
    browser.screenshot(os.path.join(shots, "timeline.png"), whole=False)
    browser.call("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.settle()
    browser.screenshot(os.path.join(shots, "timeline_dark.png"), whole=False)


def main():
    page, many, shots = sys.argv[1:4]
    browser = Browser()
    try:
        browser.open(page)
        browser.screenshot(os.path.join(shots, "page.png"))
        look_at_answer(browser)
        look_at_plots(browser)
        browser.screenshot(os.path.join(shots, "hover.png"), whole=False)
        look_at_zoom(browser)
        look_at_legend(browser)
        look_at_sorting(browser)
        look_at_filters(browser)
        check(not browser.complaints(), f"no error, no request: {browser.complaints()}")
        browser.call("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark"}])
        browser.settle()
        browser.screenshot(os.path.join(shots, "dark.png"))
        browser.open(many)
        look_at_many(browser, shots)
        check(not browser.complaints(), f"no error, no request: {browser.complaints()}")
        for timeline in sys.argv[4:]:
            browser.call("Emulation.setEmulatedMedia",
                         features=[{"name": "prefers-color-scheme", "value": "light"}])
            browser.open(timeline)
            look_at_timeline(browser, shots)
            check(not browser.complaints(), f"no error, no request: {browser.complaints()}")
    finally:
        browser.close()
    return 1 if failures else 0


sys.exit(main())
