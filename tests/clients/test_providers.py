"""The client libraries of further providers read what `unthink convert` writes, and take its requests.

Every reply of `cases`, in each format in which a provider sends it, is converted to each of these formats; what the client
finds there is what the original says. Requests are checked by the types of the libraries.
"""

import json
import re
import unittest

import cases
import providers
from checks import Failure, same_blocks
from test_clients import unthink, written_sources

# Formats whose streams are a JSON object a line, or are logged so.
LINES = ("ollama", "bedrock")
# Formats whose clients do not tell the identifiers of calls.
NAMELESS = ("ollama",)


def convert(target, body):
    status, out, err = unthink(["convert", "--to", target], body)
    if status != 0 or not out:
        raise Failure("convert --to %s: exit status %d\n%s" % (target, status, err.decode(errors="replace")))
    return out


def lines(body):
    """The events of a stream as lines."""
    data = [line[len("data: "):] for line in body.decode().split("\n") if line.startswith("data: ")]
    return "".join(line + "\n" for line in data if line != "[DONE]").encode()


def places(names):
    """Of each name where it comes first."""
    return [names.index(name) for name in names]


class Replies(unittest.TestCase):
    """Replies of one provider in the words of another."""


class Requests(unittest.TestCase):
    """Requests of one provider in the words of another."""


def _reply(source, target):
    def test(self):
        body, framing = source.body, source.framing
        if framing == "sse" and target in LINES:
            body, framing = lines(body), "jsonl"
        wanted, out = source.read(), convert(target, body)
        try:
            seen = providers.READERS[target](out, framing)
        except Exception as error:
            text = "%s: %s\n%s" % (type(error).__name__, error, out.decode(errors="replace")[:4000])
            self.fail("the client cannot read it: " + text)
        what = "\n" + out.decode(errors="replace")[:4000]
        self.assertTrue(same_blocks(wanted.text, [seen.text] if seen.text else []), (wanted.text, seen.text, what))
        # Formats with one field for reasoning have a line end between two blocks.
        bare = "".join(wanted.reasoning).replace("\n", "")
        self.assertEqual(bare, seen.reasoning.replace("\n", ""), what)
        self.assertEqual([tuple(call) for call in wanted.calls], seen.calls, what)
        if target == "mistral":
            # Its API takes nine letters and digits only.
            self.assertTrue(all(re.fullmatch("[a-zA-Z0-9]{9}", name) for name in seen.call_ids), what)
            self.assertEqual(places(wanted.call_ids), places(seen.call_ids), what)
        elif target not in NAMELESS:
            self.assertEqual(wanted.call_ids, seen.call_ids, what)
        if wanted.stop in ("end", "tool", "length"):
            self.assertEqual(wanted.stop, seen.stop, what)

    return test


# A request with everything that several formats have.
REQUESTS = {
    "anthropic": {
        "model": "m",
        "max_tokens": 64,
        "temperature": 0.5,
        "top_p": 0.9,
        "system": "Be brief.",
        "tools": [
            {
                "name": "get_weather",
                "description": "The weather of a city",
                "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
            }
        ],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Will it rain there?"},
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
                    },
                    {
                        "type": "document",
                        "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
                        "title": "year",
                    },
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Ask for the weather.", "signature": "c2lnbmF0dXJlLW9uZQ=="},
                    {"type": "text", "text": "Let me look."},
                    {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}},
                    {"type": "tool_use", "id": "toolu_2", "name": "get_weather", "input": {"city": "Rome"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_2", "content": "sun"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_1",
                        "content": [{"type": "text", "text": "rain"}, {"type": "text", "text": "wind"}],
                        "is_error": True,
                    },
                    {"type": "text", "text": "And tomorrow?"},
                ],
            },
        ],
    },
    "chat": {
        "model": "m",
        "max_tokens": 64,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "https://example.org/map.png"}},
                    {"type": "text", "text": "Will it rain there?"},
                ],
            },
            {
                "role": "assistant",
                "reasoning_content": "Ask for the weather.",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "get_weather", "arguments": '{"city":"Oslo"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": '{"sky":"rain"}'},
            {"role": "assistant", "content": "Rain."},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}},
            },
            {"type": "custom", "custom": {"name": "run", "description": "Runs a line"}},
        ],
    },
}


def _request(name, target):
    def test(self):
        out = convert(target, json.dumps(REQUESTS[name]).encode())
        try:
            providers.CHECKS[target](json.loads(out))
        except Exception as error:
            self.fail("%s: %s\n%s" % (type(error).__name__, error, out.decode()))

    return test


def _add(group, name, test):
    setattr(group, "test_" + "".join(letter if letter.isalnum() else "_" for letter in name), test)


for _source in written_sources():
    for _target in providers.READERS:
        _add(Replies, " ".join((_source.name, _source.dialect, _source.framing, _target)), _reply(_source, _target))
for _name in REQUESTS:
    for _target in providers.CHECKS:
        _add(Requests, "%s %s" % (_name, _target), _request(_name, _target))

assert cases.CASES, "the replies come from there"


if __name__ == "__main__":
    unittest.main()
