//! JSON as different programs write it. A serializer would give one spelling; logs come in several, and the order of
//! keys is part of them.

/// A value; a record keeps the order of its keys.
pub enum Json {
    /// `null`
    Null,
    /// Whole numbers are enough here.
    Number(u64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Record(Vec<(&'static str, Json)>),
}

/// How a program spells JSON.
#[derive(Clone, Copy)]
pub struct Style {
    comma: &'static str,
    colon: &'static str,
    /// Whether all that is not ASCII is written as `\uXXXX`.
    ascii: bool,
    /// Whether every element has its own line.
    lines: bool,
}

/// As JavaScript writes it.
pub const COMPACT: Style = Style { comma: ",", colon: ":", ascii: false, lines: false };

/// As Python writes it with `ensure_ascii=False`.
pub const SPACED: Style = Style { comma: ", ", colon: ": ", ascii: false, lines: false };

/// As Python writes it if not told otherwise.
pub const ESCAPED: Style = Style { comma: ", ", colon: ": ", ascii: true, lines: false };

/// For people: two spaces a level.
pub const PRETTY: Style = Style { comma: ",", colon: ": ", ascii: false, lines: true };

impl Json {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Json::Text(text.into())
    }

    /// Appends the value in a style; `depth` is how far it is from the margin.
    pub fn write(&self, style: Style, depth: usize, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::Text(text) => quote(text, style.ascii, out),
            Json::List(items) => enclose(['[', ']'], items, style, depth, out, |item, out| {
                item.write(style, depth + 1, out);
            }),
            Json::Record(entries) => enclose(['{', '}'], entries, style, depth, out, |(key, value), out| {
                quote(key, style.ascii, out);
                out.push_str(style.colon);
                value.write(style, depth + 1, out);
            }),
        }
    }
}

/// Starts a line.
pub fn line(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

fn enclose<T>(
    [open, close]: [char; 2],
    items: &[T],
    style: Style,
    depth: usize,
    out: &mut String,
    write: impl Fn(&T, &mut String),
) {
    out.push(open);
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            out.push_str(style.comma);
        }
        if style.lines {
            line(depth + 1, out);
        }
        write(item, out);
    }
    if style.lines && !items.is_empty() {
        line(depth, out);
    }
    out.push(close);
}

fn quote(text: &str, ascii: bool, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\0'..' ' => unit(character as u16, out),
            _ if ascii && !character.is_ascii() => {
                character.encode_utf16(&mut [0; 2]).iter().for_each(|half| unit(*half, out));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

fn unit(unit: u16, out: &mut String) {
    out.push_str(&format!("\\u{unit:04x}"));
}
