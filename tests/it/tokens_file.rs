//! `tokens --method FILE`: the counts are those of Hugging Face's Python library, over the texts of `testdata/tokens`.

use crate::support::root;
use assert_cmd::Command;
use predicates::str::contains;

fn tokens(file: &str) -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.args(["tokens", "--method", file]).current_dir(root());
    command
}

#[test]
#[cfg(feature = "tokenizer-file")]
fn counts_are_those_of_the_python_library() {
    use std::collections::BTreeMap;
    let folder = root().join("testdata/tokens");
    let counts = std::fs::read(folder.join("tokenizer/counts.json")).unwrap();
    let counts: BTreeMap<String, BTreeMap<String, u64>> = serde_json::from_slice(&counts).unwrap();
    for tokenizer in ["bpe", "wordpiece", "unigram"] {
        let texts = counts.keys().map(|name| std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap());
        let log: String =
            texts.map(|text| serde_json::json!({"role": "user", "content": text}).to_string() + "\n").collect();
        let mut command = tokens(&format!("testdata/tokens/tokenizer/{tokenizer}.json"));
        let out = command.args(["--by", "record"]).write_stdin(log).assert().success().get_output().stdout.clone();
        let rows: Vec<serde_json::Value> = out
            .split(|b| *b == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        assert_eq!(rows.len(), counts.len());
        for (row, (name, want)) in rows.iter().zip(&counts) {
            assert_eq!(row["other_tokens"], want[tokenizer], "{tokenizer}: {name}");
            assert_eq!(row["method"], format!("{tokenizer}.json"));
        }
    }
}

#[test]
#[cfg(feature = "tokenizer-file")]
fn a_file_that_is_no_tokenizer() {
    let said = "--method README.md: this is no tokenizer.json";
    tokens("README.md").write_stdin("").assert().code(2).stderr(contains(said));
    tokens("none/tokenizer.json").write_stdin("").assert().code(4).stderr(contains("none/tokenizer.json"));
}

#[test]
#[cfg(not(feature = "tokenizer-file"))]
fn without_the_feature_the_error_says_how_to_get_it() {
    let said = "this program was built without tokenizers: cargo install unthink --features tokenizer-file";
    tokens("testdata/tokens/tokenizer/bpe.json").write_stdin("").assert().code(2).stderr(contains(said));
}
