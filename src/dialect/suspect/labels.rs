//! Files of other programs that only use a word of the vocabulary: scripts of a package that are called `think`, words of
//! a user interface under `thinking`. Such values are known by the file around them, and are left out of the search.

use super::keys::Vocabulary;
use super::words::{is_text, words};
use crate::json::{Literal, Scanner, Token, text};

/// The longest file that is looked at, in bytes.
const MAX_FILE_BYTES: usize = 4 << 20;

/// A member of a package's description with commands, by name, and what else such a file has.
const COMMANDS: [&[u8]; 2] = [b"scripts", b"tasks"];
const PACKAGE: &[&[u8]] = &[b"name", b"version", b"private", b"dependencies", b"devDependencies", b"imports"];

/// Words in the keys of a user interface.
const INTERFACE: &str = "back button btn cancel close collapse confirm copy delete dismiss edit expand export hide language \
    loading login logout menu placeholder regenerate rename retry save send settings share show submit theme tooltip welcome";

/// Keys of conversations and of their traces: a small file with one of them is no user interface.
const TALK: &str = "action answer args arguments assistant choices completion content conversation final function id input \
    message messages model observation output prompt query question response result role session state step task text \
    timestamp tool turn type user";

/// From this number of texts on, a file of texts only is a translation by itself.
const MIN_TEXTS: usize = 20;

/// A string in the file.
struct LabelString {
    /// The key of the outermost object that it stands under, and its own.
    outermost: Vec<u8>,
    key: String,
    literal: Literal,
    depth: usize,
    in_array: bool,
}

/// The strings of a file, and what else is in it.
#[derive(Default)]
struct Leaves {
    list: Vec<LabelString>,
    roots: Vec<Vec<u8>>,
    /// It has values that are neither strings nor objects nor arrays.
    others: bool,
}

/// The file with blanks for the strings that are labels or commands; `None`: it has none.
pub(super) fn without_labels(record: &[u8]) -> Option<Vec<u8>> {
    let whole = record.trim_ascii_start().first() == Some(&b'{') && record.len() <= MAX_FILE_BYTES;
    let leaves = if whole { leaves(record)? } else { return None };
    let commands = COMMANDS.iter().find(|_| leaves.roots.iter().any(|root| PACKAGE.contains(&root.as_slice())));
    let is_command = |leaf: &&LabelString| leaf.depth == 2 && COMMANDS.contains(&leaf.outermost.as_slice());
    let blanks: Vec<Literal> = match commands {
        Some(_) => leaves.list.iter().filter(is_command).map(|leaf| leaf.literal).collect(),
        None if is_interface(&leaves, record) => {
            leaves.list.iter().filter(|leaf| is_known(&leaf.key)).map(|leaf| leaf.literal).collect()
        }
        None => Vec::new(),
    };
    if blanks.is_empty() {
        return None;
    }
    let mut record = record.to_vec();
    blanks.iter().for_each(|literal| record[literal.start..literal.end].fill(b' '));
    Some(record)
}

fn is_known(key: &str) -> bool {
    Vocabulary::get().facts(key).weight.is_some()
}

/// Whether a file has nothing but the texts of a user interface.
fn is_interface(leaves: &Leaves, record: &[u8]) -> bool {
    let Leaves { list, others, .. } = leaves;
    if *others || list.len() < 3 {
        return false;
    }
    let texts: Vec<String> =
        list.iter().map(|leaf| text::utf8(&text::decoded(leaf.literal.raw(record))).into_owned()).collect();
    let many = list.len() >= MIN_TEXTS;
    let has = |all: &str, key: &str| words(key).iter().any(|word| all.split_ascii_whitespace().any(|one| one == word));
    let labels = |is: &dyn Fn(&str) -> bool| {
        let mut found = list.iter().zip(&texts).filter(|(leaf, _)| is(&leaf.key)).peekable();
        found.peek().is_some() && found.all(|(leaf, text)| !leaf.in_array && is_label(text, many))
    };
    let interface = labels(&|key| has(INTERFACE, key) && !is_known(key));
    let known = labels(&is_known);
    let talks = list.iter().any(|leaf| TALK.split_ascii_whitespace().any(|key| key == leaf.key));
    let short = texts.iter().all(|text| text.len() <= 600);
    known && short && interface && (many || !talks)
}

/// Whether a text is a label: a few words that are no sentence. `many`: one of many, which may be a sentence.
fn is_label(label: &str, many: bool) -> bool {
    if !is_text(label) {
        return true;
    }
    let (words, characters) = (label.split_whitespace().count(), label.chars().count());
    let open = label.trim_end().trim_end_matches(['…', '.']).len() < label.trim_end().len();
    let waits = open && (label.contains('…') || label.contains("..."));
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '\n' | '<');
    let is_sentence = label.trim_end().contains(ends) && !waits;
    match many {
        true => characters <= 160,
        false => words <= 6 && characters <= 48 && !is_sentence,
    }
}

/// The strings of a value; `None` if it is no JSON.
fn leaves(record: &[u8]) -> Option<Leaves> {
    let mut s = Scanner::new(record).ok()?;
    let (mut out, mut path) = (Leaves::default(), Vec::<(bool, Option<Literal>)>::new());
    loop {
        match s.token().ok()? {
            Token::End => return Some(out),
            Token::ObjectStart => path.push((false, None)),
            Token::ArrayStart => path.push((true, None)),
            Token::ObjectEnd | Token::ArrayEnd => drop(path.pop()),
            Token::Key(key) => {
                if let (1, name) = (path.len(), key) {
                    out.roots.push(name.decoded(record).into_owned());
                }
                path.last_mut()?.1 = Some(key);
            }
            Token::String(literal) => {
                let decoded = |key: &Option<Literal>| key.map(|key| key.decoded(record).into_owned());
                let key = path.iter().rev().find_map(|(_, key)| decoded(key)).unwrap_or_default();
                out.list.push(LabelString {
                    outermost: path.first().and_then(|(_, key)| decoded(key)).unwrap_or_default(),
                    key: text::utf8(&key).into_owned(),
                    literal,
                    depth: path.len(),
                    in_array: path.last()?.0,
                });
            }
            Token::Number | Token::True | Token::False | Token::Null => out.others = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Search;
    use crate::inline::Tags;

    fn found(file: &str) -> bool {
        Search::new(&Tags::default()).record(file.as_bytes()).is_some()
    }

    #[test]
    fn files_of_other_programs() {
        let many: String = (0..20).map(|n| format!("\"key_{n}\":\"Some words {n}.\",")).collect();
        for file in [
            r#"{"name":"a","version":"1.0.0","scripts":{"think":"node think.js --fast","build":"tsc -p ."}}"#,
            r#"{"tasks":{"reasoning":"deno run -A main.ts"},"imports":{"a":"jsr:a"}}"#,
            r#"{"chat":{"thinking":"Thinking hard…","send":"Send","cancel":"Cancel"},"title":"Weather"}"#,
            r#"{"thinking":"Denkt gerade nach ...","send":"Senden","reasoning":"Gedankengang anzeigen"}"#,
            &format!("{{{many}\"settings\":\"Settings\",\"thinking_note\":\"When on, the model thinks first.\"}}"),
        ] {
            assert!(!found(file), "{file}");
        }
    }

    #[test]
    fn reasoning_is_no_label() {
        for file in [
            r#"{"thought":"Need weather data","action":"search","input":"Oslo"}"#,
            r#"{"thinking":"I look at the wind first, then at the sea","send":"Send","cancel":"Cancel"}"#,
            r#"{"thinking":"Rain. And wind.","send":"Send","cancel":"Cancel"}"#,
            r#"{"thinking":"Let me see","question":"Rain?","copy":"Rain"}"#,
            r#"{"thinking":["Let me see"],"send":"Send","cancel":"Cancel"}"#,
            r#"{"thinking":"Let me see","send":true,"cancel":"Cancel"}"#,
            r#"{"name":"a","scripts":{"think":"a b"},"thinking":"I look at the wind."}"#,
            r#"{"scripts":{"think":"I look at the wind."}}"#,
            r#"{"chat":{"thinking":"Thinking hard…","send":"<think>Wind.</think>Rain","cancel":"Cancel"}}"#,
        ] {
            assert!(found(file), "{file}");
        }
    }
}
