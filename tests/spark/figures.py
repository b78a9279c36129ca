"""Measures the recipes of docs/parallel.md on 200 MB: MB/s of the log, and seconds, medians of three runs.

Spark is measured without its start (about 5 s), from the log to files, with one worker and with two.
"""

import glob
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import corpus

UNTHINK = os.environ["UNTHINK"]
SIZE = 200_000_000


def measured(name, run, before=lambda: None):
    seconds = []
    for _ in range(3):
        before()
        start = time.monotonic()
        run()
        seconds.append(time.monotonic() - start)
    middle = statistics.median(seconds)
    spread = f"{min(seconds):.2f} to {max(seconds):.2f}"
    print(f"{name}: {SIZE / 1e6 / middle:.0f} MB/s, {middle:.2f} s ({spread})", flush=True)


def lines(folder, jobs):
    env = dict(os.environ, JOBS=str(jobs), BLOCK="-4", PARALLEL="--will-cite")
    done = subprocess.run(["./strip-lines", "log.jsonl"], cwd=folder, env=env)
    assert done.returncode == 3, done.returncode


def spark(folder, workers):
    from pyspark import SparkConf, SparkContext

    conf = SparkConf().setMaster(f"local[{workers}]").set("spark.ui.enabled", "false")
    conf.set("spark.local.dir", str(folder / "tmp")).set("spark.ui.showConsoleProgress", "false")
    context = SparkContext(conf=conf)
    context.setLogLevel("OFF")
    recipes = {}
    exec(corpus.recipe("Spark, by line", "python"), recipes)

    def run():
        clean, refused = recipes["strip"](context, "log.jsonl")
        clean.saveAsTextFile("spark")
        assert refused.count() > 100
        clean.unpersist()

    measured(f"Spark, {workers} workers", run, lambda: shutil.rmtree("spark", ignore_errors=True))
    context.stop()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "tmp").mkdir()
        (folder / "bin").mkdir()
        (folder / "bin" / "unthink").symlink_to(UNTHINK)
        os.environ.update(PATH=f"{folder / 'bin'}:{os.environ['PATH']}", TMPDIR=str(folder / "tmp"))
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        os.chdir(folder)
        corpus.script(folder / "strip-lines", "GNU parallel, by line")
        corpus.script(folder / "strip-partition", "Spark, by line")
        corpus.write("log.jsonl", SIZE)
        one = ["unthink", "--framing", "jsonl", "--rejects", "one.refused", "-O", "one.clean", "log.jsonl"]
        measured("one process", lambda: subprocess.run(one, stderr=subprocess.DEVNULL))
        for jobs in (1, 2):
            measured(
                f"GNU parallel, {jobs} workers",
                lambda: lines(folder, jobs),
                lambda: shutil.rmtree("parts", ignore_errors=True),
            )
            assert subprocess.run(["cmp", "clean.jsonl", "one.clean"]).returncode == 0
        for workers in (1, 2):
            spark(folder, workers)
            parts = sorted(glob.glob("spark/part-*"))
            text = b"".join(pathlib.Path(part).read_bytes() for part in parts)
            assert text == pathlib.Path("one.clean").read_bytes() + b"\n"


if __name__ == "__main__":
    main()
