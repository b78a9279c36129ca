//! Writes the tables behind the token counts where `src/count` embeds them: the vocabularies of `tiktoken-rs`, as bare
//! tokens in the order of their ranks, and the classes of Unicode characters of `regex-syntax`, whose tables the regular
//! expressions of tiktoken use too. Neither crate is part of the program.

use regex_syntax::hir::{Class, HirKind};
use std::{error::Error, fs, path::Path};
use tiktoken_rs::CoreBPE;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = std::env::var("OUT_DIR")?;
    let folder = Path::new(&folder);
    fs::write(folder.join("o200k.bin"), vocabulary(&tiktoken_rs::o200k_base()?, 199_998)?)?;
    fs::write(folder.join("cl100k.bin"), vocabulary(&tiktoken_rs::cl100k_base()?, 100_256)?)?;
    fs::write(folder.join("classes.bin"), classes()?)?;
    if std::env::var_os("CARGO_FEATURE_CLI").is_some() && std::env::var_os("CARGO_CFG_UNIX").is_some() {
        closed_stdout();
    }
    Ok(())
}

/// Links what makes writing to a closed stdout fail into the program, and not into the library.
fn closed_stdout() {
    const SOURCE: &str = "src/cli/stdout.c";
    println!("cargo::rerun-if-changed={SOURCE}");
    for object in cc::Build::new().file(SOURCE).cargo_metadata(false).compile_intermediates() {
        println!("cargo::rustc-link-arg-bins={}", object.display());
    }
}

/// Each token as a byte for its length and then its bytes. The special tokens come behind a gap in the ranks.
fn vocabulary(bpe: &CoreBPE, size: u32) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut out = Vec::new();
    for rank in 0..size {
        let token = bpe.decode_bytes(&[rank])?;
        if token.len() > 128 {
            return Err("a token is longer than `count::bpe` looks for".into());
        }
        out.push(token.len() as u8);
        out.extend(token);
    }
    match bpe.decode_bytes(&[size]) {
        Err(_) => Ok(out),
        Ok(_) => Err("the vocabulary has more tokens than it should".into()),
    }
}

/// Ranges of characters as four bytes: the bit of the class in the high one, the first character in the others; then
/// the last character in the same way.
fn classes() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut out = Vec::new();
    // The order of the bits is that of `count::class`.
    let groups = [r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"\s"];
    for (bit, group) in groups.iter().enumerate() {
        for end in ends(group)? {
            out.extend((1 << (24 + bit) | end).to_le_bytes());
        }
    }
    Ok(out)
}

/// The first and the last character of each range of a class, in order.
fn ends(class: &str) -> Result<Vec<u32>, Box<dyn Error>> {
    let hir = regex_syntax::parse(class)?;
    let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
        return Err("not a class of characters".into());
    };
    Ok(class.ranges().iter().flat_map(|range| [range.start(), range.end()]).map(u32::from).collect())
}
