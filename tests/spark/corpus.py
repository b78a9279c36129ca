"""A log of independent records, made from the examples of this repository, and the recipes of docs/parallel.md."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Whole conversations, requests, responses and messages. No streams: their lines depend on each other.
SOURCES = (
    "anthropic/batch anthropic/messages anthropic/requests bedrock/requests chat/bare chat/conversations chat/escapes "
    "chat/messages examples/dataset gemini/requests harmony/messages ollama/answers reasoning-content/messages "
    "reasoning/messages responses/requests responses/responses sharegpt/conversations tagged/messages "
    "thinking-block/content thinking-block/icontent"
).split()
# Records that are refused, each for another reason; `%d` is the number of the line.
REFUSED = (
    b'{"n":%d,"role":"assistant","reasoning":"REFUSED, cut off',
    b'{"n":%d,"talk":[{"thinking":"REFUSED, in no format that is read"}]}',
    b'"n":%d, REFUSED, no value',
    b'{"n":%d,"role":"assistant","content":"REFUSED, in the middle <think> of a sentence"}',
)


def records():
    """The examples, a line each without its newline."""
    lines = []
    for source in SOURCES:
        lines += (ROOT / "testdata" / f"{source}.jsonl").read_bytes().splitlines()
    whole = [line for line in lines if line.startswith(b"{") and line.endswith(b"}")]
    assert len(whole) > 50, f"only {len(whole)} records"
    return whole


def write(path, size, every=997):
    """Writes a log of `size` bytes, in which no line stands twice, and returns the refused lines by their number.

    One record in `every` is refused, and one is longer than a block of the tests. The last line has no newline.
    """
    examples, refused, number, written = records(), {}, 0, 0
    with open(path, "wb") as log:
        while written < size:
            number += 1
            if every and number % every == 0:
                line = REFUSED[number // every % len(REFUSED)] % number
                refused[number] = line
            else:
                line = b"%s,\"n\":%d}" % (examples[number % len(examples)][:-1], number)
            if number == 1500:
                line = b'{"n":1500,"role":"assistant","reasoning":"%s","content":"Long."}' % (b"thought " * 100_000)
            written += log.write(b"\n" + line if number > 1 else line)
    return refused


def recipe(heading, language):
    """The code of a section of docs/parallel.md: what users copy is what is tested."""
    page = (ROOT / "docs" / "parallel.md").read_text(encoding="utf-8")
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    blocks = re.findall(rf"```{language}\n(.*?)```", section, re.S)
    assert len(blocks) == 1, f"{heading}: {len(blocks)} blocks of {language}"
    return blocks[0]


def script(path, heading):
    """Writes a recipe as a program."""
    path.write_text(recipe(heading, "sh"), encoding="utf-8")
    path.chmod(0o755)
    return path
