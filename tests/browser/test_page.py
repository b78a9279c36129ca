"""The page of `unthink show --html` in a browser: what a reader does with it, and what no input makes it do."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from browser import Browser

UNTHINK = os.environ["UNTHINK"]
SHARED = pathlib.Path(os.environ.get("UNTHINK_SHARED", ""))
PICTURES = os.environ.get("UNTHINK_SCREENSHOTS")

FORECAST = """Rain by **noon**, and see [the chart](https://weather.example/map).

| hour | rain |
|---|---|
| 9 | 0.2 mm |
| 12 | 4.0 mm |

```python
def rain(hour):
    return hour >= 12
```"""
LISTEN = """window.heard = [];
document.addEventListener('svmai:event', (event) => window.heard.push(event.detail));"""
STATE = """return Array.from(document.querySelectorAll('[data-ai-reasoning]'), (box) => [
    box.dataset.collapsed,
    box.querySelector('[data-ai-reasoning-toggle]').getAttribute('aria-expanded'),
    box.querySelector('.text').checkVisibility({ contentVisibilityAuto: false, contentVisibility: true }) &&
        box.querySelector('.text').getBoundingClientRect().height > 20,
])"""
CLOSED, OPEN = ["true", "false", False], ["false", "true", True]


def conversation(turns):
    """A conversation with so many questions; each answer has reasoning with a word of its own."""
    messages = [{"role": "system", "content": "You are a careful forecaster."}]
    for turn in range(1, turns + 1):
        messages.append({"role": "user", "content": f"Will it rain on day {turn}? We have guests."})
        reasoning = f"Pressure falls on day {turn}, so a front comes in.\n\nThe station is barometer{turn}x, " \
            "and the wind turns to the west before the rain begins in the valley."
        messages.append({"role": "assistant", "content": FORECAST, "reasoning_content": reasoning})
    return json.dumps({"messages": messages}) + "\n"


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def page(self, text, *options, name="weather.jsonl"):
        """Makes a page of an input, opens it, and starts to listen. Returns its path."""
        source = os.path.join(self.folder.name, name)
        target = source + ".html"
        pathlib.Path(source).write_bytes(text if isinstance(text, bytes) else text.encode())
        ran = subprocess.run([UNTHINK, "show", "--html", *options, source], capture_output=True)
        self.assertIn(ran.returncode, (0, 3), ran.stderr)
        pathlib.Path(target).write_bytes(ran.stdout)
        self.target = "file://" + target
        self.browser.requests(self.target)
        self.browser.log("browser")
        self.browser.open(target)
        self.browser.run(LISTEN)
        return target

    def quiet(self):
        """The page asked for nothing, complained of nothing, and opened no dialog."""
        self.assertIsNone(self.browser.dialog())
        self.assertEqual([], self.browser.log("browser"))
        # That the page itself is in the list shows that requests are seen.
        self.assertEqual({self.target}, set(self.browser.requests(self.target)) - {"data:,"})

    def state(self):
        return self.browser.run(STATE)

    def heard(self):
        return self.browser.run("return window.heard.splice(0)")

    def wait(self, script, wanted):
        for _ in range(100):
            found = self.browser.run(script)
            if found == wanted:
                return
            time.sleep(0.03)
        self.assertEqual(wanted, found, script)


class Toggles(Pages):
    def test_reasoning_is_collapsed_at_first(self):
        self.page(conversation(3))
        self.assertEqual([CLOSED] * 3, self.state())
        self.assertEqual([], self.heard())
        self.quiet()

    def test_short_reasoning_is_open(self):
        self.page(json.dumps({"messages": [
            {"role": "user", "content": "Will it rain?"},
            {"role": "assistant", "content": "Yes.", "reasoning_content": "A front comes in."},
        ]}))
        self.assertEqual([OPEN], self.state())
        self.browser.click("[data-ai-reasoning-toggle]")
        self.assertEqual([CLOSED], self.state())
        self.quiet()

    def test_the_subject_of_a_thought_stands_in_its_line(self):
        self.page(json.dumps({"sessionId": "s", "projectHash": "p", "summary": "Rain on the lake", "messages": [
            {"type": "user", "content": "Will it rain?"},
            {"type": "gemini", "content": "Yes.", "thoughts": [
                {"subject": "Reading the map", "description": "A front comes in from the west. " * 8}]},
        ]}))
        self.assertEqual([CLOSED], self.state())
        line = self.browser.run("return document.querySelector('[data-ai-reasoning-toggle] i').textContent")
        self.assertTrue(line.startswith("Reading the map"), line)
        self.browser.click("[data-ai-reasoning-toggle]")
        first = self.browser.run("return document.querySelector('[data-ai-reasoning] strong').textContent")
        self.assertEqual("Reading the map", first)
        self.assertTrue(self.browser.run("return document.title").startswith("Rain on the lake"))
        self.quiet()

    def test_the_contents_come_before_the_messages(self):
        self.page(conversation(8))
        order = self.browser.run("return Array.from(document.body.children, (e) => e.localName + (e.id ? '#' + e.id : ''))")
        self.assertLess(order.index("nav"), order.index("main#messages"))
        self.assertLess(order.index("section#overview"), order.index("main#messages"))
        for _ in range(40):
            self.browser.press("Tab")
            place = self.browser.run("return document.activeElement.closest('nav, main')?.localName")
            if place:
                break
        self.assertEqual("nav", place)

    def test_the_contents_come_first_without_script_too(self):
        path = self.page(conversation(8))
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.open(path)
            places = []
            for _ in range(12):
                self.browser.press("Tab")
                asked = "document.activeElement.closest('nav, main, #overview')?.localName ?? ''"
                places.append(self.browser.devtools("Runtime.evaluate", expression=asked)["result"]["value"])
        finally:
            self.browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
        self.assertLess(places.index("nav"), places.index("section"))
        self.assertLess(places.index("section"), places.index("main"))
        self.assertNotIn("nav", places[places.index("main"):])

    def test_click(self):
        self.page(conversation(2))
        self.browser.click("[data-ai-reasoning-toggle]")
        self.assertEqual([OPEN, CLOSED], self.state())
        first = self.browser.run("const box = document.querySelector('[data-ai-reasoning]').dataset;"
                                 "return { msgId: box.msgId, tokens: Number(box.tokenEst) }")
        self.assertGreater(first["tokens"], 10)
        self.assertEqual("m3", first["msgId"])
        self.assertEqual([{"type": "reasoning_toggle", "payload": {**first, "expanded": True}}], self.heard())
        self.browser.click("[data-ai-reasoning-toggle]")
        self.assertEqual([CLOSED, CLOSED], self.state())
        self.assertEqual([{"type": "reasoning_toggle", "payload": {**first, "expanded": False}}], self.heard())
        self.quiet()

    def test_keyboard(self):
        self.page(conversation(1))
        for _ in range(40):
            self.browser.press("Tab")
            if self.browser.run("return document.activeElement.hasAttribute('data-ai-reasoning-toggle')"):
                break
        else:
            self.fail("Tab does not reach the button")
        self.browser.press("Enter")
        self.assertEqual([OPEN], self.state())
        self.browser.press("Space")
        self.assertEqual([CLOSED], self.state())
        self.assertEqual([True, False], [detail["payload"]["expanded"] for detail in self.heard()])

    def test_a_screen_reader_hears_a_button_with_its_state(self):
        self.page(conversation(1))
        self.browser.devtools("Accessibility.enable")
        tree = self.browser.devtools("Accessibility.getFullAXTree")["nodes"]
        buttons = [node for node in tree if node.get("role", {}).get("value") == "button"]
        named = [node for node in buttons if node["name"]["value"].startswith("Reasoning about")]
        self.assertEqual(1, len(named), [node["name"] for node in buttons])
        states = {entry["name"]: entry["value"]["value"] for entry in named[0]["properties"]}
        self.assertIs(False, states["expanded"])
        self.assertFalse(any("barometer1x" in node.get("name", {}).get("value", "") for node in tree))

    def test_keys_go_from_message_to_message(self):
        self.page(conversation(20))
        place = "return document.activeElement.id"
        seen = []
        for key in ("j", "j", "j", "k"):
            self.browser.press(key)
            seen.append(self.browser.run(place))
        self.assertEqual(["m1", "m2", "m3", "m2"], seen)
        self.browser.press("?")
        self.assertTrue(self.browser.run("return document.getElementById('keys').open"))
        self.browser.press("Escape")
        self.assertFalse(self.browser.run("return document.getElementById('keys').open"))
        self.quiet()

    def test_a_link_of_the_contents_arrives(self):
        self.page(conversation(400))
        for number in (780, 4, 402, 800, 42):
            self.browser.run(f"document.querySelector('nav a[href=\"#m{number}\"]').click()")
            top = f"return Math.round(document.getElementById('m{number}').getBoundingClientRect().top)"
            deadline = time.time() + 5
            while time.time() < deadline:
                before = self.browser.run(top)
                time.sleep(0.1)
                if before == self.browser.run(top) and 0 <= before < 300:
                    break
            # The last messages cannot be moved to the top.
            self.assertTrue(0 <= before < 300 or number > 790 and before < 900, (number, before))
        self.quiet()

    def test_what_is_copied(self):
        self.page(conversation(2))
        self.browser.run("""window.copied = [];
            Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => window.copied.push(text) } });
            document.querySelector('#m3 pre').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
            for (const button of document.querySelectorAll('#m3 .copy')) button.click();""")
        message, link, code = self.browser.run("return window.copied")
        self.assertIn("Rain by noon", message)
        self.assertNotIn("barometer", message)
        self.assertTrue(link.endswith(".html#m3"), link)
        self.assertEqual("def rain(hour):\n    return hour >= 12", code.strip())
        self.quiet()

    def test_all_at_once(self):
        self.page(conversation(3))
        self.browser.click("#expand")
        self.assertEqual([OPEN] * 3, self.state())
        self.assertEqual(3, len(self.heard()))
        self.browser.click("#collapse")
        self.assertEqual([CLOSED] * 3, self.state())
        self.quiet()

    def test_a_link_to_reasoning_opens_it(self):
        self.page(conversation(2))
        # What the search of the browser does with collapsed text, too.
        self.browser.run("location.hash = '#m5r1'")
        self.wait("return document.getElementById('m5r1').closest('[data-ai-reasoning]').dataset.collapsed", "false")
        self.assertEqual([CLOSED, OPEN], self.state())
        self.assertEqual([True], [detail["payload"]["expanded"] for detail in self.heard()])
        self.quiet()

    def test_without_script_everything_is_open(self):
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            path = self.page(conversation(1))
        finally:
            self.browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
        visible = self.browser.run("return document.querySelector('[data-ai-reasoning] .text').getBoundingClientRect().height")
        self.assertGreater(visible, 20)
        self.assertEqual(0, self.browser.run("return document.querySelector('.tools').getBoundingClientRect().height"), path)


class Search(Pages):
    def look_for(self, words):
        self.browser.run("document.getElementById('search').value = ''")
        self.browser.type("#search", words)

    def test_it_opens_what_it_finds(self):
        self.page(conversation(4))
        self.look_for("BAROMETER3X")
        self.wait("return document.getElementById('count').textContent", "1 of 1")
        self.assertEqual([CLOSED, CLOSED, OPEN, CLOSED], self.state())
        self.assertEqual(["BAROMETER3X".lower()], self.browser.run(
            "return Array.from(CSS.highlights.get('current'), (r) => r.startContainer.data.slice(r.startOffset, r.endOffset))"))
        self.browser.press("Escape")
        self.wait("return document.getElementById('count').textContent", "")
        self.assertEqual([CLOSED] * 4, self.state())
        self.quiet()

    def test_next_and_previous(self):
        self.page(conversation(4))
        self.browser.run("document.activeElement.blur()")
        self.browser.press("/")
        self.assertEqual("search", self.browser.run("return document.activeElement.id"))
        self.browser.press(*"a front comes")
        count = "return document.getElementById('count').textContent"
        self.wait(count, "1 of 4")
        self.assertEqual([OPEN] * 4, self.state())
        self.browser.press("Enter")
        self.wait(count, "2 of 4")
        self.browser.click("#previous")
        self.browser.click("#previous")
        self.wait(count, "4 of 4")
        inside = """const range = [...CSS.highlights.get('current')][0];
            const box = range.startContainer.parentElement.getBoundingClientRect();
            return box.top > 0 && box.bottom < innerHeight"""
        self.wait(inside, True)
        self.look_for("hail")
        self.wait(count, "nothing found")
        self.assertEqual([CLOSED] * 4, self.state())

    def test_a_match_across_elements(self):
        self.page(conversation(1))
        self.look_for("rain by noon, and")
        self.wait("return document.getElementById('count').textContent", "1 of 1")

    def test_a_tool_result_is_opened(self):
        result = "wind " * 100 + "gale"
        call = {"id": "c1", "type": "function", "function": {"name": "get_forecast", "arguments": "{}"}}
        self.page(json.dumps({"messages": [
            {"role": "user", "content": "Will it rain?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": result},
        ]}))
        self.assertFalse(self.browser.run("return document.querySelector('details.step').open"))
        self.look_for("gale")
        self.wait("return document.querySelector('details.step').open", True)
        self.browser.press("Escape")
        self.wait("return document.querySelector('details.step').open", False)
        for button, is_open in (("#expand", True), ("#collapse", False)):
            self.browser.click(button)
            self.wait("return document.querySelector('details.step').open", is_open)


class Filters(Pages):
    CALL = {"id": "c1", "type": "function", "function": {"name": "get_forecast", "arguments": "{}"}}

    def talk(self):
        long = "The pressure falls, and the wind turns to the west before the rain begins in the valley. " * 3
        self.page(json.dumps({"messages": [
            {"role": "user", "content": "Will it rain?"},
            {"role": "assistant", "content": None, "reasoning_content": long, "tool_calls": [self.CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "rain at noon"},
            {"role": "assistant", "content": "At noon.", "reasoning_content": long},
        ]}))

    def shown(self):
        return self.browser.run("""return ['.user .text', '.assistant > .in > .text', '.reasoning', '.step']
            .map((part) => Array.from(document.querySelectorAll('main ' + part)).filter((e) => e.checkVisibility()).length)
            .concat(Array.from(document.querySelectorAll('main .m')).filter((e) => e.checkVisibility()).length)""")

    def filter(self, *kinds):
        if not self.browser.run("return document.getElementById('filters').open"):
            self.browser.click("#filters > summary")
        for kind in kinds:
            self.browser.click(f"[data-filter={kind}]")

    def test_what_is_unchecked_is_hidden(self):
        self.talk()
        self.assertEqual([1, 1, 2, 1, 3], self.shown())
        self.filter("u")
        self.assertEqual([0, 1, 2, 1, 2], self.shown())
        self.filter("u", "r")
        self.assertEqual([1, 1, 0, 1, 3], self.shown())
        self.filter("t")
        # The card with nothing else is gone.
        self.assertEqual([1, 1, 0, 0, 2], self.shown())
        self.filter("a")
        self.assertEqual([1, 0, 0, 0, 1], self.shown())
        self.filter("r", "t", "a")
        self.assertEqual([1, 1, 2, 1, 3], self.shown())
        # There are no other agents.
        self.assertFalse(self.browser.run("return document.querySelector('[data-filter=g]').checkVisibility()"))
        self.browser.press("Escape")
        self.assertFalse(self.browser.run("return document.getElementById('filters').open"))
        self.quiet()

    def test_the_search_leaves_out_what_is_hidden(self):
        self.talk()
        count = "return document.getElementById('count').textContent"
        self.browser.type("#search", "noon")
        self.wait(count, "1 of 2")
        self.filter("t")
        self.wait(count, "1 of 1")
        self.quiet()

    def test_the_name_of_a_tool_is_found_in_the_closed_line(self):
        self.talk()
        self.browser.type("#search", "get_forecast")
        self.wait("return document.getElementById('count').textContent", "1 of 1")
        self.assertFalse(self.browser.run("return document.querySelector('details.step').open"))

    def test_a_model_is_found(self):
        self.page(json.dumps({"model": "barometer-7", "messages": [{"role": "user", "content": "Will it rain?"}]}) + "\n" +
                  json.dumps({"model": "barometer-7", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes."}}]}))
        self.browser.type("#search", "barometer-7")
        self.wait("return document.getElementById('count').textContent.length > 0", True)
        self.assertNotEqual("nothing found", self.browser.run("return document.getElementById('count').textContent"))

    def test_lanes_lead_to_messages(self):
        calls = [{**self.CALL, "id": name} for name in ("c1", "c2")]
        turn = [
            {"role": "user", "content": "Will it rain?"},
            {"role": "assistant", "content": "I look. " * 40, "tool_calls": calls},
            *({"role": "tool", "tool_call_id": name, "content": "rain at noon"} for name in ("c1", "c2")),
        ]
        self.page(json.dumps({"messages": turn * 40}))
        self.assertEqual(["user", "assistant", "parallel calls"], self.browser.run(
            "return Array.from(document.querySelectorAll('.lanes li > a'), (a) => a.textContent)"))
        link = "[...document.querySelectorAll('.lanes li:nth-child(2) svg a')].at(-1)"
        target = self.browser.run(f"const a = {link}; a.dispatchEvent(new MouseEvent('click', {{ bubbles: true, cancelable: true }}));"
                                  "return a.getAttribute('href')")
        self.wait("return location.hash", target)
        self.wait(f"const b = document.querySelector('{target}').getBoundingClientRect(); return b.top < innerHeight && b.bottom > 0",
                  True)
        self.assertGreater(int(target[2:]), 150)
        self.quiet()


class Safety(Pages):
    def test_nothing_of_the_input_acts(self):
        folder = SHARED / "hard/hard/html"
        files = sorted(folder.glob("*.txt")) if folder.is_dir() else []
        if not files and os.environ.get("UNTHINK_REQUIRE_SHARED"):
            self.fail(f"{folder} is not there")
        own = [b"<think>\"><img src=x onerror=alert(1)></think><svg onload=alert(1)>[x](javascript:alert(1))"]
        for number, text in enumerate([path.read_bytes() for path in files] + own):
            name = files[number].name if number < len(files) else "own.txt"
            with self.subTest(name):
                self.page(text, name=name)
                self.browser.click("#expand")
                time.sleep(0.02)
                active = "a[href]:not([href^='#']):not([rel='noreferrer noopener']), [src], script:not(head script), form, " \
                    "iframe, object, embed, main style, main link, main img, base, main input, meta[http-equiv=refresh]"
                found = self.browser.run("return Array.from(document.querySelectorAll(arguments[0]), (e) => e.outerHTML)", active)
                self.assertEqual([], found)
                handlers = "return Array.from(document.querySelectorAll('*')).flatMap((e) => e.getAttributeNames()" \
                    ".filter((name) => name.startsWith('on') || name === 'style'))"
                self.assertEqual([], self.browser.run(handlers))
                self.quiet()

    def test_the_policy_stops_a_script(self):
        self.page(conversation(1))
        self.browser.run("""const script = document.createElement('script');
            try { script.textContent = 'window.broken = 1'; document.body.append(script); } catch (error) {}""")
        self.assertIsNone(self.browser.run("return window.broken ?? null"))
        # The browser complains of it, which shows that complaints are seen.
        self.assertTrue(self.browser.log("browser"))

    def test_hidden_reasoning_is_not_in_the_file(self):
        path = self.page(conversation(2), "--set", "reasoning.includeInResponse=false")
        self.assertNotIn("barometer", pathlib.Path(path).read_text())
        self.assertEqual([], self.state())


class Large(Pages):
    def test_ten_thousand_messages(self):
        self.page(conversation(5000))
        timing = "const [t] = performance.getEntriesByType('navigation'); return t.loadEventEnd"
        load = self.browser.run(timing)
        frame = """const done = arguments[arguments.length - 1]; const from = performance.now();
            {}; requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)));"""
        toggle = self.browser.run_later(frame.format("document.querySelector('[data-ai-reasoning-toggle]').click()"))
        look = """const done = arguments[arguments.length - 1]; const field = document.getElementById('search');
            const from = performance.now(); field.value = arguments[0];
            const count = document.getElementById('count'); count.textContent = '';
            new MutationObserver(() => { if (count.textContent) requestAnimationFrame(() => setTimeout(() =>
                done([performance.now() - from, count.textContent]))); }).observe(count, { childList: true, characterData: true, subtree: true });
            field.dispatchEvent(new Event('input', { bubbles: true }));"""
        one, found = self.browser.run_later(look, "barometer4999x")
        self.assertEqual("1 of 1", found)
        many, found = self.browser.run_later(look, "front")
        self.assertEqual("1 of 5000", found)
        everything = self.browser.run_later(frame.format("document.getElementById('expand').click()"))
        print(f"\n10,001 messages: load {load:.0f} ms, toggle {toggle:.0f} ms, search {one:.0f} ms, "
              f"search with 5,000 matches {many:.0f} ms, expand all {everything:.0f} ms")
        self.assertLess(load, 2000 * SLOW)
        self.assertLess(toggle, 100 * SLOW)
        self.assertLess(max(one, many), 1000 * SLOW)
        self.assertLess(everything, 2000 * SLOW)


# A busy machine gets more time than the page may take on an idle one.
SLOW = 3


class Looks(Pages):
    def test_it_fits_the_screen_in_both_themes(self):
        path = self.page(conversation(8))
        for width, height in ((390, 844), (1280, 900)):
            for theme in ("light", "dark"):
                self.browser.screen(width, height, theme)
                self.browser.open(path)
                self.assertEqual(width, self.browser.run("return document.documentElement.scrollWidth"))
                self.browser.click("[data-ai-reasoning-toggle]")
                low = self.browser.run(CONTRAST)
                self.assertEqual([], low, f"{theme}: text that is hard to read")
                if PICTURES:
                    self.browser.screenshot(os.path.join(PICTURES, f"page-{width}-{theme}.png"))
        self.browser.devtools("Emulation.setEmulatedMedia", media="print", features=[])
        tools = self.browser.run("return getComputedStyle(document.querySelector('.tools')).display")
        self.assertEqual("none", tools)
        self.browser.devtools("Emulation.setEmulatedMedia", media="", features=[])


# The texts whose contrast with what is behind them is below 4.5 to 1.
CONTRAST = """
const number = (color) => color.match(/[\\d.]+/g).map(Number);
const light = (color) => number(color).slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
        const color = getComputedStyle(e).backgroundColor;
        if ((number(color)[3] ?? 1) > 0) return color;
    }
};
const low = [];
for (const e of document.querySelectorAll('body *')) {
    const own = Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || e.closest('svg, :disabled, .skip') || !e.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) low.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)} ${e.textContent.slice(0, 20)}`);
}
return low"""


if __name__ == "__main__":
    unittest.main()
