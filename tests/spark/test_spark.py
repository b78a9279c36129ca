"""The recipes for Spark, in local mode."""

import glob
import itertools
import os

import corpus
from base import Case
from pyspark import SparkConf, SparkContext


class Spark(Case):
    """A context with two workers."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        corpus.script(cls.folder / "strip-partition", "Spark, by line")
        before = os.getcwd()
        os.chdir(cls.folder)
        cls.addClassCleanup(os.chdir, before)
        # The recipes hand this on to what they start.
        os.environ.update(PATH=cls.path, TMPDIR=str(cls.folder / "tmp"), SPARK_LOCAL_IP="127.0.0.1")
        (cls.folder / "tmp").mkdir()
        conf = SparkConf().setMaster("local[2]").setAppName("unthink").set("spark.ui.enabled", "false")
        conf.set("spark.local.dir", str(cls.folder / "tmp")).set("spark.ui.showConsoleProgress", "false")
        cls.context = SparkContext(conf=conf)
        cls.context.setLogLevel("OFF")
        cls.addClassCleanup(cls.context.stop)
        cls.recipes = {}
        exec(corpus.recipe("Spark, by line", "python") + corpus.recipe("Spark, by file", "python"), cls.recipes)

    def stripped(self, partitions=6):
        clean, refused = self.recipes["strip"](self.context, "log.jsonl", partitions)
        self.assertGreaterEqual(clean.getNumPartitions(), partitions)
        return clean, refused

    def test_the_result_is_that_of_one_process(self):
        clean, _ = self.stripped()
        clean.saveAsTextFile("spark")
        parts = b"".join(self.read(name) for name in sorted(glob.glob("spark/part-*")))
        one = self.read("one.clean")
        self.assertFalse(one.endswith(b"\n"))
        self.assertEqual(parts, one + b"\n")

    def test_refused_records_are_told_with_their_places(self):
        _, refused = self.stripped()
        lines = self.context.textFile("log.jsonl", 6).mapPartitions(lambda part: [sum(1 for _ in part)]).collect()
        told = [(sum(lines[:part]) + number, record.encode()) for part, number, record in refused.collect()]
        self.assertEqual(told, sorted(self.refused.items()))

    def test_a_worker_that_is_killed_ends_the_job(self):
        lines = self.context.textFile("log.jsonl", 6)
        first = lines.mapPartitions(lambda part: list(itertools.islice(part, 1))).collect()[2]
        self.program(f"""for log; do :; done
if head -n 1 "$log" | grep --quiet --fixed-strings '{first[-20:]}'; then kill -9 $$; fi
exec '{os.environ["UNTHINK"]}' "$@" """)
        with self.assertRaisesRegex(Exception, "code 137"):
            self.stripped()[0].count()
        # What the page says of Spark without `checkCode`.
        silent = lines.pipe("./strip-partition", env=dict(os.environ)).count()
        self.assertLess(silent, lines.count())

    def test_a_program_that_is_missing_ends_the_job(self):
        self.program("exit 127")
        with self.assertRaisesRegex(Exception, "code 127"):
            self.stripped()[0].count()

    def test_a_refused_record_that_is_not_found_ends_the_job(self):
        """Status 3 passes only where its records are given back."""
        self.program("""while [ "$1" != --rejects ]; do shift; done; echo other > "$2"; exit 3""")
        with self.assertRaisesRegex(Exception, "code 3"):
            self.stripped()[0].count()

    def test_streams_are_cut_by_file(self):
        names = self.sessions()
        said = self.recipes["strip_files"](self.context, names, 2).collect()
        self.assertFalse([line for line in said if '"error"' in line])
        for name in names:
            self.assertEqual(self.read(f"clean/{name}"), self.one_by_one(name), name)

    def test_a_file_with_a_refused_record_is_told(self):
        names = self.sessions()
        with open(names[0], "ab") as log:
            log.write(corpus.REFUSED[0] % 1)
        said = self.recipes["strip_files"](self.context, names, 2).collect()
        self.assertTrue(any('"record":' in line and names[0] in line for line in said), said)
