//! The README's recipes are executed: each `console` block holds commands behind `$ ` and what they print.

use crate::support::root;
use std::process::Command;

#[test]
#[cfg(unix)]
fn recipes_do_what_they_say() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let path = format!(
        "{}:{}",
        std::path::Path::new(env!("CARGO_BIN_EXE_unthink")).parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut count = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap();
        for recipe in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, want) = recipe.split_once('\n').unwrap_or((recipe, ""));
            let output =
                Command::new("sh").arg("-c").arg(command).current_dir(root()).env("PATH", &path).output().unwrap();
            let got = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            assert_eq!(got.trim_end(), want.trim_end(), "$ {command}");
            count += 1;
        }
    }
    assert!(count >= 8, "only {count} recipes");
}
