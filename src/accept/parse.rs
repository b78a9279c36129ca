//! Reads a line of a log in one pass, which also checks that it is JSON: its members, those of the message in it, and
//! those of the blocks of that message.

use super::conversation::{RequestBlock, RequestItemKind};
use super::envelope::request_has;
use super::few::Few;
use super::value::{Object, Value, ValueMember};
use crate::error::Error;
use crate::json::{Scanner, Token};
use std::ops::Range;

/// A line that is an object.
#[derive(Debug)]
pub struct Parsed<'a> {
    pub object: Object<'a>,
    /// The last message in it.
    inner: Option<Inner<'a>>,
    /// It has a member that makes a request of it, or one that may do so by its escapes.
    pub may_be_request: bool,
}

/// What stands in a line and may be a message, and what was read of it on the way.
#[derive(Debug)]
pub struct Inner<'a> {
    pub object: Object<'a>,
    /// Where the last list of blocks begins, and the blocks.
    blocks: Option<(usize, Few<RequestBlock<'a>>)>,
}

/// Memory for members that are being read, to be used again: of a line, of what stands in it, and of a block.
#[derive(Debug, Default)]
pub struct Spare {
    pub line: Vec<ValueMember>,
    inner: Vec<ValueMember>,
    block: Vec<ValueMember>,
}

/// The members of a line that have a message.
const INNER: &[&str] = &["message", "payload"];

impl<'a> Parsed<'a> {
    /// Reads the object at this place, behind which only white space may stand. The text is UTF-8 there. `spare`: memory,
    /// of which that for the line becomes part of the object.
    ///
    /// # Errors
    /// When it is not JSON; the offset is one of the text.
    pub fn read(text: &'a [u8], at: Range<usize>, spare: &mut Spare) -> Result<Self, Error> {
        let text = &text[..at.end];
        let mut s = Scanner::within(text, at.start);
        s.token()?;
        let (mut members, mut inner, mut may_be_request) = (std::mem::take(&mut spare.line), None, false);
        members.clear();
        while let Some((key, start, token)) = s.member()? {
            may_be_request |= key.escaped || request_has(key.raw(text));
            if token == Token::ObjectStart && INNER.iter().any(|name| key.is(text, name)) {
                inner = Some(Inner::read(text, start, &mut s, spare)?);
            } else {
                s.skip(token)?;
            }
            members.push(ValueMember::new(key, token, start..s.at()));
        }
        let end = s.at();
        s.token()?;
        Ok(Self { object: Object::new(text, at.start..end, members), inner, may_be_request })
    }

    /// The object that is the value of this member, if it is one that may be a message.
    pub fn inner(&mut self, key: &str) -> Option<Inner<'a>> {
        let value = self.object.get(key).filter(|value| value.is_object())?;
        match self.inner.take_if(|inner| inner.object.at().start == value.at().start) {
            Some(inner) => Some(inner),
            None => Some(Inner { object: value.object()?, blocks: None }),
        }
    }
}

impl<'a> Inner<'a> {
    /// Reads the members of the object that the scanner has just begun.
    fn read(text: &'a [u8], start: usize, s: &mut Scanner<'a>, spare: &mut Spare) -> Result<Self, Error> {
        let mut blocks = None;
        spare.inner.clear();
        while let Some((key, at, token)) = s.member()? {
            if token == Token::ArrayStart && key.is(text, "content") {
                blocks = Some((at, list(text, s, &mut spare.block)?));
            } else {
                s.skip(token)?;
            }
            spare.inner.push(ValueMember::new(key, token, at..s.at()));
        }
        Ok(Self { object: Object::new(text, start..s.at(), spare.inner.to_vec()), blocks })
    }

    /// The blocks in a list, if it is the one that was read.
    pub fn blocks_of(&mut self, content: Value<'a>) -> Option<Few<RequestBlock<'a>>> {
        self.blocks.take_if(|(start, _)| *start == content.at().start).map(|(_, blocks)| blocks)
    }
}

/// The blocks in the list that the scanner has just begun.
fn list<'a>(text: &'a [u8], s: &mut Scanner<'a>, spare: &mut Vec<ValueMember>) -> Result<Few<RequestBlock<'a>>, Error> {
    let mut blocks = Few::new();
    while let Some(token) = s.element()? {
        if token != Token::ObjectStart {
            s.skip(token)?;
            continue;
        }
        let start = s.from();
        spare.clear();
        while let Some((key, at, token)) = s.member()? {
            s.skip(token)?;
            spare.push(ValueMember::new(key, token, at..s.at()));
        }
        let object = Object::new(text, start..s.at(), std::mem::take(spare));
        let kind = RequestItemKind::of_block(&object);
        // Of calls and results, which are many, most rules ask no more than that they are there.
        let is_asked = !matches!(kind, RequestItemKind::Call | RequestItemKind::Result);
        let kept = if is_asked { object.clone() } else { Object::unread(text, object.at()) };
        blocks.push(RequestBlock { kind, object: kept });
        *spare = object.into_spare();
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::scan;

    /// A line read in one pass has the members that reading it member by member finds.
    #[test]
    fn a_line_is_read_as_by_its_members() {
        for line in [
            r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"a"},7,{"b":[{}]}]},"n":1}"#,
            r#"{"message":{"content":[{"a":1}]},"message":{"content":[{"a":2}],"cont\u0065nt":[{"a":3},{"a":4}]}}"#,
            r#"{"message":{"content":[{"a":1}]},"message":"text"}"#,
            r#"{"message":{"content":[{"type":"tool_use","a":{}},{"type":"t\u0065xt","text":""},{"type":"tool_result"}]}}"#,
            r#"{"message":[{"content":[]}],"payload":{"content":"x","parts":[{"text":"y"}]}}"#,
            " {} ",
        ] {
            let start = line.len() - line.trim_start().len();
            let mut parsed = Parsed::read(line.as_bytes(), start..line.len(), &mut Spare::default()).unwrap();
            let object = Object::read(line.as_bytes(), start..line.trim_end().len());
            assert_eq!(format!("{:?}", parsed.object.shown()), format!("{:?}", object.shown()), "{line}");
            for key in INNER {
                let want = object.inner(key);
                let got = parsed.inner(key);
                assert_eq!(got.is_some(), want.is_some(), "{line}");
                let (Some(mut got), Some(want)) = (got, want) else { continue };
                assert_eq!(got.object.shown(), want.shown(), "{line}");
                let Some(content) = want.get("content") else { continue };
                let of =
                    |objects: Vec<Object<'_>>| objects.iter().map(|it| format!("{:?}", it.shown())).collect::<Vec<_>>();
                let blocks = got.blocks_of(content).map(|all| of(all.iter().map(|it| it.object.clone()).collect()));
                let all = of(content.list().filter_map(Value::object).collect());
                assert!(blocks.is_none_or(|blocks| blocks == all), "{line}");
            }
        }
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_ends() {
        for (line, offset) in
            [("{\"a\":1} x", 8), ("{\"a\":", 5), ("{\"message\":{\"content\":[{]}}", 24), ("{\"a\" 1}", 5)]
        {
            let e = Parsed::read(line.as_bytes(), 0..line.len(), &mut Spare::default()).unwrap_err();
            assert_eq!((e.offset, scan::validate(line.as_bytes()).unwrap_err().offset), (offset, offset), "{line}");
        }
    }
}
