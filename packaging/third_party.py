"""Prints what the crates that are part of the binary are licensed under, with the texts: most licences ask for that.

    python3 packaging/third_party.py x86_64-unknown-linux-musl > dist/THIRD-PARTY
"""

import json
import pathlib
import subprocess
import sys

# What `build.rs` puts into the program is part of it, though the crates are not: vocabularies, and classes of characters.
EMBEDDED = {"tiktoken-rs", "regex-syntax"}

MUSL = """\
Copyright © 2005-2020 Rich Felker, et al.

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def cargo(*args):
    return subprocess.run(["cargo", *args, "--locked"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def texts(folder):
    """The licence files of a crate, and of C sources that it carries."""
    for pattern in ("LICENSE*", "LICENCE*", "COPYRIGHT*", "NOTICE*", "UNLICENSE*", "*/LICENSE*"):
        for path in sorted(folder.glob(pattern)):
            if path.is_file():
                yield path.read_text(encoding="utf-8", errors="replace").strip() + "\n"


def main():
    target = sys.argv[1]
    linked = cargo("tree", "--edges", "normal,no-proc-macro", "--target", target, "--prefix", "none", "--format", "{p}").splitlines()
    linked = {tuple(line.split(" ")[:2]) for line in linked if line}
    metadata = json.loads(cargo("metadata", "--format-version", "1"))
    own = metadata["resolve"]["root"]
    by_text, rows, without = {}, [], []
    for package in sorted(metadata["packages"], key=lambda package: package["name"]):
        name = f"{package['name']} {package['version']}"
        part = (package["name"], f"v{package['version']}") in linked or package["name"] in EMBEDDED
        if not part or package["id"] == own:
            continue
        rows.append(f"{name}: {package['license'] or 'see below'}")
        found = list(texts(pathlib.Path(package["manifest_path"]).parent))
        if not found:
            without.append(name)
        for text in found:
            by_text.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    if len(rows) < 20:
        sys.exit(f"only {len(rows)} crates: cargo tree prints something else")
    if target.endswith("-musl"):
        rows.append("musl, the C library: MIT")
        by_text["musl"] = (MUSL, ["musl"])
    print("unthink is licensed under MIT OR Apache-2.0. Its binary has parts of others in it:\n")
    print("\n".join(rows + ["the standard library of Rust: MIT OR Apache-2.0"]))
    if without:
        print("\nThese come without a text of their licence:", ", ".join(without))
    for text, names in by_text.values():
        print(f"\n{'-' * 80}\n{', '.join(dict.fromkeys(names))}\n{'-' * 80}\n\n{text}", end="")


if __name__ == "__main__":
    main()
