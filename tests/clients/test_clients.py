"""The client libraries of the providers read what `unthink` writes.

Every reply is served by a loopback server to the client of its provider, as it is and as `unthink strip`
and `unthink convert` make it; the client has to find the same in both.
"""

import os
import subprocess
import unittest

import cases
import checks
from recordings import ROOT, SAMPLES, recordings

UNTHINK = os.environ.get("UNTHINK") or str(ROOT / "target" / "release" / "unthink")
DIALECTS = ("anthropic", "responses", "reasoning-content")


def unthink(arguments, body):
    """Run the binary: its status, what it wrote, and its messages."""
    done = subprocess.run([UNTHINK, *arguments], input=body, capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def directions(source):
    """All that is checked of one reply: names and checks, each to be called with a way to run `unthink`."""
    yield "strip", lambda run: checks.check_strip(run, source)
    for target in DIALECTS:
        yield "to " + target, lambda run, target=target: checks.check_convert(run, source, target)
        if target != source.dialect:
            yield "back from " + target, lambda run, target=target: checks.check_back(run, source, target)


def written_sources():
    """The replies of `cases`, in each format and framing."""
    for case in cases.CASES:
        for dialect, framing in cases.BUILDERS:
            yield checks.Source(case.name, dialect, framing, cases.build(case, dialect, framing), case.secrets)


class Written(unittest.TestCase):
    """Replies written for these tests."""


class Recorded(unittest.TestCase):
    """Replies that providers sent."""

    if not recordings():

        def test_recordings(self):
            self.skipTest("no recordings in %s" % SAMPLES)


def _written(check):
    return lambda self: check(unthink)


def _recorded(check, source, entry):
    def test(self):
        try:
            reply = source.read()
        except Exception as error:
            self.skipTest("the client cannot read the recording: %s: %.80s" % (type(error).__name__, error))
        found = ("".join(reply.text), "".join(reply.reasoning))
        if found != (entry["expected_content"], entry["expected_reasoning"]):
            self.skipTest("the client reads the recording otherwise than its index says")
        check(unthink)

    return test


def _add(group, name, test):
    name = "test_" + "".join(letter if letter.isalnum() else "_" for letter in name)
    assert not hasattr(group, name), name
    setattr(group, name, test)


for _source in written_sources():
    for _name, _check in directions(_source):
        _add(Written, " ".join((_source.name, _source.dialect, _source.framing, _name)), _written(_check))
for _source, _entry in recordings():
    for _name, _check in directions(_source):
        _add(Recorded, "%s %s" % (_source.name, _name), _recorded(_check, _source, _entry))


if __name__ == "__main__":
    unittest.main()
