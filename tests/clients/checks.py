"""What has to hold between a reply and what is made of it."""

import difflib
import json
import re
from dataclasses import dataclass

from clients import READERS, traces_of_reasoning


@dataclass
class Source:
    """A reply that a provider sent."""

    name: str
    dialect: str
    framing: str
    body: bytes
    secrets: tuple = ()  # texts that stand in its reasoning only

    def read(self):
        return READERS[self.dialect](self.body, self.framing)

    def is_typed(self):
        """Whether it also keeps to the types that the client library declares."""
        try:
            READERS[self.dialect](self.body, self.framing, strict=True)
        except Exception:
            return False
        return True


class Failure(AssertionError):
    """Names the case, the direction and the difference."""


def _fail(source, direction, what):
    raise Failure("%s (%s, %s): %s: %s" % (source.name, source.dialect, source.framing, direction, what))


def _run(unthink, source, direction, arguments, body, allowed=(0,)):
    status, out, err = unthink(arguments, body)
    if status not in allowed:
        _fail(source, direction, "exit status %d\n%s" % (status, err.decode(errors="replace")))
    if not out:
        _fail(source, direction, "no output\n%s" % err.decode(errors="replace"))
    return out


def _read(source, direction, dialect, body, strict):
    try:
        return READERS[dialect](body, source.framing, strict=strict)
    except Exception as error:
        reason = error
    client = "the client that holds the reply to its types" if strict else "the client"
    cause = "\n".join(str(reason.__cause__ or "").splitlines()[:40])
    what = "%s cannot read it: %s: %s" % (client, type(reason).__name__, reason)
    _fail(source, direction, "%s\n%s" % (what, _excerpt(body, cause)))


def _excerpt(body, cause):
    text = body.decode(errors="replace")
    if len(text) > 6000:
        text = text[:3000] + "\n[...]\n" + text[-3000:]
    return cause + "\n--- output\n" + text


def _same(source, direction, what, wanted, found, body):
    if wanted == found:
        return
    lines = [json.dumps(value, ensure_ascii=False, indent=1).splitlines() for value in (wanted, found)]
    diff = "\n".join(difflib.unified_diff(*lines, "original", "result", lineterm=""))
    _fail(source, direction, "%s differs\n%s\n%s" % (what, diff, _excerpt(body, "")))


def same_blocks(wanted, found):
    """Whether two lists of texts say the same, when white space between blocks does not count."""
    if len(wanted) < 2 and len(found) < 2:
        return wanted == found
    return _fits(wanted, found) or _fits(found, wanted)


def _fits(blocks, others):
    """Whether the others, joined, are the blocks with any white space between them."""
    pattern = r"\s*%s\s*" % r"\s*".join(re.escape(text.strip()) for text in blocks)
    return any(re.fullmatch(pattern, joined) for joined in ("".join(others), "\n".join(others)))


def _same_but_for_line_ends(wanted, found):
    """Whether two lists of texts say the same, when line ends do not count."""
    return "".join(wanted).replace("\n", "") == "".join(found).replace("\n", "")


def _same_reply(source, direction, wanted, found, body, order=False, parted=False):
    """The same text, calls, stop reason and reasoning; parted: blocks of reasoning became lines of one field."""
    for what in ("text", "reasoning"):
        texts = (getattr(wanted, what), getattr(found, what))
        if parted and what == "reasoning" and _same_but_for_line_ends(*texts):
            continue
        if not same_blocks(*texts):
            _same(source, direction, what, getattr(wanted, what), getattr(found, what), body)
    _same(source, direction, "the calls", wanted.seen()["calls"], found.seen()["calls"], body)
    _same(source, direction, "the ids of the calls", wanted.call_ids, found.call_ids, body)
    if wanted.stop in ("end", "tool", "length"):
        _same(source, direction, "the stop reason", wanted.stop, found.stop, body)
    if order:
        _same(source, direction, "the order of the blocks", wanted.order, found.order, body)


def _same_deltas(source, direction, dialect, reply, body):
    """The deltas of a stream and its final object say the same."""
    if reply.deltas is None:
        return
    wanted = {"text": "".join(reply.text), "reasoning": "".join(reply.reasoning)}
    if dialect != "anthropic":
        wanted["arguments"] = reply.arguments
    found = {key: reply.deltas[key] for key in wanted}
    _same(source, direction, "what the deltas say (+) and what the final object says (-)", wanted, found, body)


def check_strip(unthink, source):
    """`strip --policy all` leaves what is visible, and nothing else."""
    direction = "strip --policy all"
    original = source.read()
    out = _run(unthink, source, direction, ["strip", "--policy", "all"], source.body)
    for strict in [False] + [True] * source.is_typed():
        reply = _read(source, direction, source.dialect, out, strict)
    _same(source, direction, "the text", "".join(original.text), "".join(reply.text), out)
    original.reasoning = []
    _same(source, direction, "the reply", original.seen(), reply.seen(), out)
    _same(source, direction, "what still is reasoning", [], traces_of_reasoning(reply.dump), out)
    if reply.deltas:
        _same(source, direction, "reasoning in deltas", "", reply.deltas["reasoning"], out)
    left = [secret for secret in source.secrets if _stands_in(secret, out)]
    _same(source, direction, "reasoning in the bytes", [], left, out)


def _stands_in(secret, body):
    """Whether a text stands in a body, written plainly or as a JSON string escapes it."""
    spellings = (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    return any(spelling.encode() in body for spelling in spellings)


def convert(unthink, source, target):
    """What `convert --to` makes of a reply; raises if it does not end well."""
    return _run(unthink, source, "convert --to " + target, ["convert", "--to", target], source.body)


def check_convert(unthink, source, target):
    """`convert --to TARGET` says the same in the words of another provider."""
    direction = "convert --to " + target
    original = source.read()
    out = convert(unthink, source, target)
    if target == source.dialect:
        _same(source, direction, "the same dialect", source.body.decode(), out.decode(), out)
        return
    for strict in (False, True):
        reply = _read(source, direction, target, out, strict)
    order = (target, source.framing) != ("reasoning-content", "json")  # which has one place for each kind
    _same_reply(source, direction, original, reply, out, order)
    _same_deltas(source, direction, target, reply, out)


def check_back(unthink, source, target):
    """`convert --to TARGET` and back again says the same as the original."""
    direction = "convert --to %s and back" % target
    original = source.read()
    there = Source(source.name, target, source.framing, convert(unthink, source, target))
    out = convert(unthink, there, source.dialect)
    for strict in [False] + [True] * source.is_typed():
        reply = _read(source, direction, source.dialect, out, strict)
    order = (target, source.framing) != ("reasoning-content", "json")  # which has one place for each kind
    # A chat stream has one field for reasoning, in which what were two blocks in between are two lines.
    parted = source.framing == "sse" and source.dialect not in ("anthropic", "responses")
    _same_reply(source, direction, original, reply, out, order, parted)
    _same_deltas(source, direction, source.dialect, reply, out)
