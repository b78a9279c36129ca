//! The element of HTML for code, on a line: what stands in it is spoken of, as in a code span.

/// Follows the tags of the element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CodeElement {
    open: bool,
    /// Nothing stands in it so far.
    empty: bool,
    tag: CodeTag,
}

/// How far the text is in a tag of the element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CodeTag {
    #[default]
    None,
    /// So many characters of its name.
    Name { ends: bool, len: usize },
    /// Behind its name.
    Named { ends: bool },
}

const NAME: &[u8] = b"code";

impl CodeElement {
    /// Follows a character of the line.
    pub fn follow(&mut self, c: char) {
        self.empty &= self.tag != CodeTag::None;
        self.tag = match (self.tag, c) {
            (_, '<') => CodeTag::Name { ends: false, len: 0 },
            (CodeTag::Name { ends: false, len: 0 }, '/') => CodeTag::Name { ends: true, len: 0 },
            (CodeTag::Name { ends, len: 4 } | CodeTag::Named { ends }, '>') => {
                (self.open, self.empty) = (!ends, !ends);
                CodeTag::None
            }
            (CodeTag::Name { ends, len: 4 }, c) if c.is_whitespace() => CodeTag::Named { ends },
            (CodeTag::Name { ends, len }, c) if NAME.get(len).is_some_and(|b| c.eq_ignore_ascii_case(&(*b).into())) => {
                CodeTag::Name { ends, len: len + 1 }
            }
            (named @ CodeTag::Named { .. }, _) => named,
            _ => CodeTag::None,
        };
    }

    pub fn is_open(&self) -> bool {
        self.open
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
        ] {
            let mut code = CodeElement::default();
            text.chars().for_each(|c| code.follow(c));
            assert_eq!((code.is_open(), code.is_empty()), (open, empty), "{text:?}");
        }
    }
}
