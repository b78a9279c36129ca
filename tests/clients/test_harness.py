"""The tests of the tests: a converter that is right passes them, each one that is wrong is found out."""

import dataclasses
import unittest
from functools import lru_cache

import cases
import checks
from clients import READERS, traces_of_reasoning
from test_clients import DIALECTS, directions, written_sources


def right_unthink(arguments, body, change=lambda case: case, change_bytes=lambda text: text):
    """Does what `unthink` has to do, for the written cases only: it knows them all, in each form."""
    if body not in known_bodies():
        return 3, b"", b"not a case"
    return 0, _written(*known_bodies()[body], arguments, change, change_bytes), b""


@lru_cache(maxsize=None)
def known_bodies():
    """Each written case in each form, found by its bytes."""
    known = {}
    for make in (lambda case: case, in_one_message):  # the latter is what a whole chat message is
        for case in map(make, cases.CASES):
            for dialect, framing in cases.BUILDERS:
                known[cases.build(case, dialect, framing)] = (case, dialect, framing)
    return known


def in_one_message(case):
    """The case with one place for the reasoning, one for the text, and one for the calls."""
    kinds = [[part for part in case.parts if isinstance(part, kind)] for kind in (cases.Think, cases.Text, cases.Call)]
    thoughts, texts, calls = kinds
    parts = [cases.Think(["\n".join(part.text for part in thoughts)], raw=True)] if thoughts else []
    parts += [cases.Text("".join(part.text for part in texts))] if texts else []
    return dataclasses.replace(case, parts=parts + calls)


def _written(case, dialect, framing, arguments, change, change_bytes):
    if arguments == ["strip", "--policy", "all"]:
        return change_bytes(cases.build(change(without_reasoning(case)), dialect, framing).decode()).encode()
    target = arguments[arguments.index("--to") + 1]
    if target == dialect:
        return cases.build(case, dialect, framing)
    return change_bytes(cases.build(change(case), target, framing).decode()).encode()


def without_reasoning(case):
    """The case with its visible parts only."""
    parts = [part for part in case.parts if not isinstance(part, (cases.Think, cases.Redacted))]
    return dataclasses.replace(case, parts=parts)


def wrong_unthink(change=lambda case: case, change_bytes=lambda text: text):
    """A converter that makes one mistake."""
    return lambda arguments, body: right_unthink(arguments, body, change, change_bytes)


def changed(parts=None, stop=None):
    """A change of a case: its parts through a function, its stop reason."""

    def change(case):
        return dataclasses.replace(case, parts=parts(case.parts) if parts else case.parts, stop=stop or case.stop)

    return change


def each(kind, action):
    """A change of all parts of one kind."""

    def change(parts):
        return [action(part) if isinstance(part, kind) else part for part in parts]

    return changed(change)


def source_of(name, dialect, framing):
    """One written case."""
    case = next(case for case in cases.CASES if case.name == name)
    return checks.Source(name, dialect, framing, cases.build(case, dialect, framing), case.secrets)


MISTAKES = {
    "a text is lost": wrong_unthink(changed(lambda parts: [p for p in parts if not isinstance(p, cases.Text)])),
    "a text is changed": wrong_unthink(each(cases.Text, lambda p: cases.Text(p.text + "!"))),
    "a call is lost": wrong_unthink(changed(lambda parts: [p for p in parts if not isinstance(p, cases.Call)])),
    "arguments are changed": wrong_unthink(each(cases.Call, lambda p: cases.Call(p.id, p.name, {"other": 1}))),
    "a name is changed": wrong_unthink(each(cases.Call, lambda p: cases.Call(p.id, "other", p.arguments))),
    "an id is changed": wrong_unthink(each(cases.Call, lambda p: cases.Call("other", p.name, p.arguments))),
    "the stop reason is changed": wrong_unthink(changed(stop="length")),
}


# Things that the default client or its types insist on, and what is in their place.
DAMAGES = {
    ("anthropic", "json"): [
        ('"signature":"', '"other":"'),
        ('"id":"msg_0123",', ""),
    ],
    ("anthropic", "sse"): [
        ("event: content_block_start\n", ""),
        ('"usage":{"output_tokens":34}', '"other":0'),
        ('"signature":""', '"other":0'),
    ],
    ("responses", "json"): [
        ('"annotations": [],', ""),
        ('"object": "response",', ""),
        ('"parallel_tool_calls": true,', ""),
    ],
    ("responses", "sse"): [
        ("response.created", "response.in_progress"),
        ("response.completed", "response.in_progress"),
        ("response.content_part.added", "response.content_part.done"),
        ('"logprobs":[]', '"other":[]'),
        ('"sequence_number"', '"other"'),
    ],
    ("reasoning-content", "json"): [
        ('"finish_reason":"tool_calls"', '"finish_reason":null'),
        ('"created":1700000000,', ""),
    ],
    ("reasoning-content", "sse"): [
        ('"object":"chat.completion.chunk",', ""),
        ('"content":null', '"role":"assistant"'),
        ('"index":0,"id"', '"index":1,"id"'),
    ],
}


class OfTheTests(unittest.TestCase):
    """Whether the tests see what they have to."""

    def test_clients_read_what_was_written(self):
        for case in cases.CASES:
            for dialect, framing in cases.BUILDERS:
                with self.subTest(case=case.name, dialect=dialect, framing=framing):
                    body = cases.build(case, dialect, framing)
                    for strict in (False, True):
                        reply = READERS[dialect](body, framing, strict)
                    texts = [part.text for part in case.parts if isinstance(part, cases.Text)]
                    thoughts = [part.text for part in case.parts if isinstance(part, cases.Think)]
                    calls = [(part.name, part.arguments) for part in case.parts if isinstance(part, cases.Call)]
                    self.assertEqual("".join(reply.text), "".join(texts))
                    self.assertTrue(checks.same_blocks(reply.reasoning, [text for text in thoughts if text]))
                    self.assertEqual(reply.calls, calls)
                    self.assertEqual(reply.stop, case.stop)
                    hidden = any(isinstance(part, cases.Redacted) for part in case.parts)
                    if any(thoughts) or hidden and dialect != "reasoning-content":
                        self.assertTrue(traces_of_reasoning(reply.dump))
                    if any(thoughts) and framing == "sse":
                        self.assertTrue(reply.deltas["reasoning"])

    def test_right_converter_passes(self):
        for source in written_sources():
            for name, check in directions(source):
                with self.subTest(case=source.name, dialect=source.dialect, framing=source.framing, direction=name):
                    check(right_unthink)

    def test_mistakes_are_found(self):
        for dialect, framing in cases.BUILDERS:
            source = source_of("thinking-text-call", dialect, framing)
            for mistake, unthink in MISTAKES.items():
                for name, check in directions(source):
                    if name != "to " + dialect:
                        self.found(check, unthink, mistake, dialect, framing, name)

    def found(self, check, unthink, *labels):
        """The check must fail."""
        with self.subTest(labels):
            with self.assertRaises(checks.Failure):
                check(unthink)

    def test_reasoning_left_behind_is_found(self):
        def same(arguments, body):
            return 0, body, b""

        for source in written_sources():
            if traces_of_reasoning(source.read().dump):
                labels = (source.name, source.dialect, source.framing)
                self.found(lambda run: checks.check_strip(run, source), same, *labels)

    def test_lost_reasoning_is_found(self):
        unthink = wrong_unthink(without_reasoning)
        for dialect, framing in cases.BUILDERS:
            for target in set(DIALECTS) - {dialect}:
                source = source_of("interleaved", dialect, framing)
                self.found(lambda run: checks.check_convert(run, source, target), unthink, dialect, framing, target)

    def test_reasoning_that_became_text_is_found(self):
        unthink = wrong_unthink(each(cases.Think, lambda part: cases.Text(part.text)))
        for dialect, framing in cases.BUILDERS:
            for target in set(DIALECTS) - {dialect}:
                source = source_of("thinking-text", dialect, framing)
                self.found(lambda run: checks.check_convert(run, source, target), unthink, dialect, framing, target)

    def test_replies_that_clients_refuse_are_found(self):
        """Things that the default client or its types insist on, one each."""
        for (target, framing), pairs in DAMAGES.items():
            for old, new in pairs:
                unthink = wrong_unthink(change_bytes=lambda text: text.replace(old, new))
                self.assertIn(old, source_of("thinking-text-call", target, framing).body.decode())
                for dialect in set(DIALECTS) - {target}:
                    source = source_of("thinking-text-call", dialect, framing)
                    self.found(lambda run: checks.check_convert(run, source, target), unthink, target, framing, old)

    def test_other_order_is_found(self):
        unthink = wrong_unthink(changed(lambda parts: sorted(parts, key=lambda part: type(part).__name__)))
        for dialect, target in (("anthropic", "responses"), ("responses", "anthropic")):
            for framing in ("json", "sse"):
                source = source_of("interleaved", dialect, framing)
                self.found(lambda run: checks.check_convert(run, source, target), unthink, dialect, framing, target)

    def test_blocks_are_compared_but_for_space_between_them(self):
        self.assertTrue(checks.same_blocks(["a b", "c"], ["a b\nc"]))
        self.assertTrue(checks.same_blocks(["a b", "c\n"], ["a bc"]))
        self.assertFalse(checks.same_blocks(["a b", "c"], ["ab\nc"]))
        self.assertFalse(checks.same_blocks(["a b"], ["a b "]))
        self.assertFalse(checks.same_blocks(["a", "b"], ["b", "a"]))


if __name__ == "__main__":
    unittest.main()
