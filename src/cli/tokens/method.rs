//! How tokens are counted: by a method of the program, or by the tokenizer in a file.

use crate::cli::failure::{Result, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;
use std::path::Path;
use unthink::count::{Counter, Method};
use unthink::nearest::meant;

/// Takes any name, and tells help and completions those of the methods.
#[derive(Clone)]
pub struct MethodNames;

impl TypedValueParser for MethodNames {
    type Value = String;

    fn parse_ref(&self, _: &clap::Command, _: Option<&clap::Arg>, name: &OsStr) -> Result<String, clap::Error> {
        let not_utf8 = || clap::Error::raw(clap::error::ErrorKind::InvalidUtf8, "--method: the name is not UTF-8\n");
        name.to_str().map(str::to_string).ok_or_else(not_utf8)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Method::ALL.into_iter().map(|method| PossibleValue::new(method.name()).help(method.about()))))
    }
}

/// The counter of this name, with the name that outputs have for it. What is no name of a method is a file.
pub fn counter(name: &str) -> Result<(String, Counter)> {
    if let Ok(method) = name.parse::<Method>() {
        return Ok((method.name().to_string(), Counter::new(method)));
    }
    let path = Path::new(name);
    if path.extension().is_none() && !name.contains(std::path::is_separator) && !path.exists() {
        let near = meant(name, Method::ALL.map(Method::name));
        bail!("--method {name}: no such method, and no such file{near}");
    }
    let file_name = path.file_name().unwrap_or(path.as_os_str());
    Ok((file_name.to_string_lossy().into_owned(), of_file(path)?))
}

/// A counter by a tokenizer of Hugging Face. Special tokens in a text count as what they are, and none is added.
#[cfg(feature = "tokenizer-file")]
fn of_file(path: &Path) -> Result<Counter> {
    use crate::cli::failure::misuse;
    use crate::cli::input::read_text;
    use crate::cli::path::printable;
    let name = printable(path);
    let wrong = |e| misuse!("--method {name}: this is no tokenizer.json: {e}");
    let mut tokenizer: tokenizers::Tokenizer = read_text(path)?.parse().map_err(wrong)?;
    // A text is counted whole, and as it is.
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(wrong)?;
    let count = move |text: &str| tokenizer.encode_fast(text, false).map_or(0, |tokens| tokens.len() as u64);
    Ok(Counter::given(Box::new(count)))
}

#[cfg(not(feature = "tokenizer-file"))]
fn of_file(path: &Path) -> Result<Counter> {
    bail!(
        "--method {}: this program was built without tokenizers: cargo install unthink --features tokenizer-file",
        path.display()
    );
}
