"""What a page leaves out, in a browser: the view without reasoning, the index of a folder, and two conversations side by side."""

import pathlib
import subprocess
import tempfile

from test_page import CONTRAST, PICTURES, UNTHINK, Pages, conversation

SEEN = """return Array.from(document.querySelectorAll('[data-ai-reasoning]'), (box) => box.checkVisibility())"""


class WithoutReasoning(Pages):
    def test_a_button_hides_reasoning_and_says_that_the_file_has_it(self):
        self.page(conversation(2))
        self.assertEqual([True, True], self.browser.run(SEEN))
        self.browser.click("#without")
        self.assertEqual([False, False], self.browser.run(SEEN))
        self.assertIn("the file still has it", self.browser.run("return document.querySelector('#view').innerText"))
        self.assertEqual("true", self.browser.run("return document.querySelector('#without').ariaPressed"))
        # What is hidden is not found either.
        self.browser.run("document.querySelector('#search').value = 'barometer1x';"
                         "document.querySelector('#search').dispatchEvent(new Event('input', { bubbles: true }))")
        self.wait("return document.querySelector('#count').textContent", "nothing found")
        self.browser.click("#without")
        self.assertEqual([True, True], self.browser.run(SEEN))
        self.wait("return document.querySelector('#count').textContent", "1 of 1")
        self.assertIs(False, self.browser.run("return document.querySelector('#view').checkVisibility()"))
        self.quiet()

    def test_where_there_is_no_reasoning_there_is_no_button(self):
        self.page(conversation(2), "--no-reasoning")
        self.assertIs(None, self.browser.run("return document.querySelector('#without')"))
        foot = self.browser.run("return document.querySelector('.left-out').innerText")
        self.assertIn("Reasoning: 2 blocks", foot)
        self.quiet()


class Files(Pages):
    def open(self, target, name):
        self.target = "file://" + str(target)
        self.browser.requests(self.target)
        self.browser.log("browser")
        for width in (390, 1280):
            for theme in ("light", "dark"):
                self.browser.screen(width, 900, theme)
                self.browser.open(str(target))
                self.assertEqual(width, self.browser.run("return document.documentElement.scrollWidth"), name)
                self.assertEqual([], self.browser.run(CONTRAST), f"{name}, {theme}: text that is hard to read")
                if PICTURES:
                    self.browser.screenshot(str(pathlib.Path(PICTURES, f"{name}-{width}-{theme}.png")))
        self.quiet()

    def test_an_index_leads_to_its_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            logs = pathlib.Path(folder, "logs")
            logs.mkdir()
            for name in ("a b#c?.json", "100%25.json", "größe.json"):
                (logs / name).write_text(conversation(2))
            (logs / "bad.json").write_text('{"role":')
            pages = pathlib.Path(folder, "pages")
            ran = subprocess.run([UNTHINK, "show", "--html", "-O", pages, logs], capture_output=True)
            self.assertEqual(3, ran.returncode, ran.stderr)
            self.open(pages / "index.html", "index")
            # No cell is beyond the edge of a phone, and each is a cell for a screen reader, too.
            self.browser.screen(390, 900, "light")
            self.assertEqual([], self.browser.run(
                "return Array.from(document.querySelectorAll('main tbody *'), (e) => e.getBoundingClientRect().right)"
                ".filter((right) => right > innerWidth)"))
            self.browser.devtools("Accessibility.enable")
            tree = self.browser.devtools("Accessibility.getFullAXTree")["nodes"]
            roles = [node.get("role", {}).get("value") for node in tree]
            self.assertEqual((1, 4, 15), (roles.count("table"), roles.count("row"), roles.count("cell")), roles)
            links = self.browser.run("return Array.from(document.querySelectorAll('main a'), (link) => link.href)")
            self.assertEqual(3, len(links))
            for link in links:
                self.browser.command("POST", "/url", {"url": link})
                self.assertEqual(4, self.browser.run("return document.querySelectorAll('article.user, article.assistant').length"), link)

    def test_two_conversations_side_by_side(self):
        with tempfile.TemporaryDirectory() as folder:
            before, after = pathlib.Path(folder, "before.json"), pathlib.Path(folder, "after.json")
            before.write_text(conversation(3))
            subprocess.run([UNTHINK, "strip", "--policy", "all", "-O", after, before], check=True)
            ran = subprocess.run([UNTHINK, "show", "--html", "--against", after, before], capture_output=True, check=True)
            target = pathlib.Path(folder, "pair.html")
            target.write_bytes(ran.stdout)
            self.open(target, "pair")
            self.assertEqual(3, self.browser.run("return document.querySelectorAll('.pair.changed .went').length"))
