"""What the tests of both programs share: a folder with the binary, and one process's answer."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import corpus

UNTHINK = os.environ["UNTHINK"]


def log_of(folder):
    """The log of the tests, the refused lines by their numbers, and what one process makes of it."""
    refused = corpus.write(folder / "log.jsonl", 3_000_000)
    command = [UNTHINK, "--no-config", "--framing", "jsonl", "--rejects", "one.refused", "-O", "one.clean", "log.jsonl"]
    status = subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL).returncode
    assert status == 3, f"one process ends with {status}"
    return refused


class Case(unittest.TestCase):
    """A folder in which `unthink` is the binary that is tested, or what a test puts in its place."""

    @classmethod
    def setUpClass(cls):
        held = tempfile.TemporaryDirectory()
        cls.addClassCleanup(held.cleanup)
        cls.folder = pathlib.Path(held.name)
        cls.bin = cls.folder / "bin"
        cls.bin.mkdir()
        cls.refused = log_of(cls.folder)
        cls.path = f"{cls.bin}:{os.environ['PATH']}"

    def setUp(self):
        self.program(None)

    def program(self, text):
        """Puts a script in the place of `unthink`, or the binary itself."""
        place = self.bin / "unthink"
        place.unlink(missing_ok=True)
        if text is None:
            place.symlink_to(UNTHINK)
        else:
            place.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            place.chmod(0o755)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def sessions(self):
        """Streams, whose lines depend on each other, a folder each; returns their names."""
        names = []
        for source in ("chat/deltas", "anthropic/events", "claude-code/partial", "codex/rollout", "mew/agents"):
            place = self.folder / "sessions" / source.replace("/", "-") / "log.jsonl"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((corpus.ROOT / "testdata" / f"{source}.jsonl").read_bytes())
            names.append(str(place.relative_to(self.folder)))
        return names

    def one_by_one(self, name):
        """What one process makes of a file."""
        command = [UNTHINK, "--no-config", name]
        return subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, check=True).stdout
