//! The elements of HTML for code, on a line: what stands in one is spoken of, as in a code span.

/// Follows the tags of these elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CodeElement {
    /// The one that is open, by its number.
    open: Option<usize>,
    /// Nothing stands in it so far.
    empty: bool,
    tag: CodeTag,
}

/// How far the text is in a tag of such an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CodeTag {
    #[default]
    None,
    /// So many characters of a name; `fits`: the names that begin so, as bits.
    Name { ends: bool, len: usize, fits: u8 },
    /// Behind the name with this number.
    Named { ends: bool, name: usize },
}

/// The names of the elements, and the tags that end them.
const NAMES: [(&[u8], &str); 6] = [
    (b"code", "</code>"),
    (b"pre", "</pre>"),
    (b"kbd", "</kbd>"),
    (b"samp", "</samp>"),
    (b"tt", "</tt>"),
    (b"xmp", "</xmp>"),
];

impl CodeTag {
    /// The name that is whole.
    fn name(self) -> Option<(bool, usize)> {
        match self {
            CodeTag::Name { ends, len, fits } => {
                let is = |number: &usize| fits >> number & 1 == 1 && NAMES[*number].0.len() == len;
                (0..NAMES.len()).find(is).map(|number| (ends, number))
            }
            CodeTag::Named { ends, name } => Some((ends, name)),
            CodeTag::None => None,
        }
    }
}

impl CodeElement {
    /// Follows a character of the line.
    pub fn follow(&mut self, c: char) {
        if self.tag == CodeTag::None && c != '<' {
            self.empty = false;
            return;
        }
        self.empty &= self.tag != CodeTag::None;
        self.tag = match (self.tag, c) {
            (_, '<') => CodeTag::Name { ends: false, len: 0, fits: u8::MAX },
            (CodeTag::Name { ends: false, len: 0, fits }, '/') => CodeTag::Name { ends: true, len: 0, fits },
            (tag, '>') => {
                match tag.name() {
                    Some((false, name)) => (self.open, self.empty) = (Some(name), true),
                    // Another one in it may be a part of the code.
                    Some((true, name)) if self.open == Some(name) => (self.open, self.empty) = (None, false),
                    _ => (),
                }
                CodeTag::None
            }
            (tag @ CodeTag::Name { .. }, c) if c.is_whitespace() => {
                tag.name().map_or(CodeTag::None, |(ends, name)| CodeTag::Named { ends, name })
            }
            (CodeTag::Name { ends, len, fits }, c) => {
                let at = |number: usize| NAMES[number].0.get(len).is_some_and(|b| c.eq_ignore_ascii_case(&(*b).into()));
                let fits = (0..NAMES.len()).filter(|n| fits >> n & 1 == 1 && at(*n)).fold(0, |all, n| all | 1 << n);
                if fits == 0 { CodeTag::None } else { CodeTag::Name { ends, len: len + 1, fits } }
            }
            (tag, _) => tag,
        };
    }

    /// The tag that ends the open element.
    pub fn end(&self) -> Option<&'static str> {
        self.open.map(|name| NAMES[name].1)
    }

    pub fn is_empty(&self) -> bool {
        self.empty && self.tag == CodeTag::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_code() {
        for (text, open, empty) in [
            ("", false, false),
            ("<code>", true, true),
            ("<CODE class=\"x\">", true, true),
            ("<code>a", true, false),
            ("<code>a</code>", false, false),
            ("<code>a</code> b <code>", true, true),
            ("<codex>", false, false),
            ("<cod>", false, false),
            ("< code>", false, false),
            ("<code", false, false),
            ("a <b><code><i>", true, false),
            ("<pre>", true, true),
            ("<kbd>a", true, false),
            ("<tt>a</samp>", true, false),
            ("<tt>a</tt>", false, false),
            ("<t>", false, false),
            ("<ttt>", false, false),
        ] {
            let mut code = CodeElement::default();
            text.chars().for_each(|c| code.follow(c));
            assert_eq!((code.end().is_some(), code.is_empty()), (open, empty), "{text:?}");
        }
    }
}
