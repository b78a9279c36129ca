"""The recipes for GNU parallel."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import corpus
from base import Case


class Lines(Case):
    """A log that is cut between its lines."""

    def setUp(self):
        super().setUp()
        self.fresh()
        self.recipe = corpus.script(self.folder / "strip-lines", "GNU parallel, by line")

    def fresh(self):
        """Works in a folder of its own: a worker of another test may still be at its part."""
        self.place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))

    def made(self, name):
        return (self.place / name).read_bytes()

    def strip(self, log="log.jsonl", block="300k", **more):
        env = dict(os.environ, PATH=self.path, BLOCK=block, JOBS="2", PARALLEL="--will-cite", **more)
        return subprocess.run([self.recipe, self.folder / log], cwd=self.place, env=env, stderr=subprocess.DEVNULL).returncode

    def test_the_result_is_that_of_one_process(self):
        for block in ("300k", "1M", "-1", "-3"):
            self.fresh()
            self.assertEqual(self.strip(block=block), 3, block)
            self.assertGreater(len(list((self.place / "parts").glob("*.clean"))), 1, block)
            self.assertEqual(self.made("clean.jsonl"), self.read("one.clean"), block)
            self.assertEqual(self.made("refused.jsonl"), self.read("one.refused"), block)

    def test_refused_records_are_told_with_their_lines(self):
        self.strip()
        command = "LC_ALL=C grep -anxFf refused.jsonl ../log.jsonl"
        told = subprocess.run(command, shell=True, cwd=self.place, stdout=subprocess.PIPE, check=True).stdout
        told = [line.split(b":", 1) for line in told.splitlines()]
        self.assertEqual({int(number): line for number, line in told}, self.refused)
        self.assertEqual(len(told), len(self.refused))
        said = b"".join(path.read_bytes() for path in (self.place / "parts").glob("*.said"))
        self.assertEqual(said.count(b"unthink: error: <stdin>:"), len(self.refused))

    def test_without_refused_records_the_status_is_0(self):
        corpus.write(self.folder / "fine.jsonl", 1_000_000, every=0)
        self.assertEqual(self.strip("fine.jsonl"), 0)
        self.assertEqual(self.made("refused.jsonl"), b"")
        self.assertNotEqual(self.made("clean.jsonl"), b"")

    def test_an_empty_log(self):
        (self.folder / "empty.jsonl").write_bytes(b"")
        self.assertEqual(self.strip("empty.jsonl"), 0)
        self.assertEqual(self.made("clean.jsonl"), b"")

    def test_a_worker_that_is_killed(self):
        self.program('case "$*" in *parts/3.*) kill -9 $$ ;; esac\nexec "$REAL" "$@"')
        self.assertEqual(self.strip(REAL=os.environ["UNTHINK"]), 4)
        self.assertFalse((self.place / "parts" / "3.clean").exists())

    def test_a_worker_that_cannot_write(self):
        self.program('case "$*" in *parts/2.*) ulimit -f 8; trap "" XFSZ ;; esac\nexec "$REAL" "$@"')
        self.assertEqual(self.strip(REAL=os.environ["UNTHINK"]), 4)
        self.assertFalse((self.place / "parts" / "2.clean").exists())

    def test_a_program_that_is_missing(self):
        self.program("exit 127")
        self.assertEqual(self.strip(), 4)

    def test_parallel_itself_is_ended(self):
        self.program("""case "$*" in *parts/4.*)
    above=$PPID
    until grep --quiet --text bin/parallel /proc/$above/cmdline; do above=$(ps -o ppid= $above | tr -d ' '); done
    kill -9 $above
esac
exec "$REAL" "$@" """)
        self.assertEqual(self.strip(REAL=os.environ["UNTHINK"]), 4)
        # It is the number of failed jobs that tells: none of those in its log was ended.
        jobs = [line.split(b"\t") for line in self.made("parts/jobs").splitlines()[1:]]
        self.assertNotEqual(jobs, [])
        self.assertTrue(all(job[6] in (b"0", b"3") and job[7] == b"0" for job in jobs), jobs)

    def test_parts_of_another_run_are_left(self):
        (self.place / "parts").mkdir()
        self.assertEqual(self.strip(), 4)


class Files(Case):
    """Files that are read whole."""

    def strip(self):
        recipe = corpus.script(self.folder / "strip-files", "GNU parallel, by file")
        shutil.rmtree(self.folder / "clean", ignore_errors=True)
        env = dict(os.environ, PATH=self.path, PARALLEL="--will-cite")
        return subprocess.run([recipe, "sessions"], cwd=self.folder, env=env, capture_output=True)

    def test_streams_are_those_of_one_process(self):
        names = self.sessions()
        self.assertEqual(self.strip().returncode, 0)
        for name in names:
            self.assertEqual(self.read(f"clean/{name}"), self.one_by_one(name), name)
            self.assertNotIn(b"S3CRET", self.read(f"clean/{name}"), name)

    def test_a_refused_record_is_told_and_its_file_not_written(self):
        names = self.sessions()
        with open(self.folder / names[0], "ab") as log:
            log.write(corpus.REFUSED[0] % 1)
        done = self.strip()
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"{names[0]}: not written".encode(), done.stderr)
        self.assertFalse((self.folder / "clean" / names[0]).exists())
        self.assertTrue((self.folder / "clean" / names[1]).exists())

    def test_a_stream_must_not_be_cut_by_line(self):
        """Why the page says so: each line by itself is understood, and reasoning remains."""
        name = self.sessions()[0]
        command = [os.environ["UNTHINK"], "--no-config", "--framing", "jsonl"]
        left = b""
        for line in self.read(name).splitlines(keepends=True):
            left += subprocess.run(command, input=line, stdout=subprocess.PIPE, check=True).stdout
        self.assertIn(b"S3CRET", left)
