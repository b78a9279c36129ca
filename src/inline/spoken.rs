//! Whether tags that nothing took for delimiters are only spoken of: what `check` asks of a text.

use super::line::LineTracker;
use super::shown::{Shown, ShownTracker};
use super::stand::{Around, Opens, Stand};
use std::ops::Range;

/// How a tag that nothing took for a delimiter stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoken {
    /// Like one that is used: it may be what is left of reasoning.
    Not,
    /// It is only spoken of.
    Of,
    /// Neither for certain.
    Perhaps,
}

/// How these tags of a text stand in it, in order. `true`: the tag closes.
pub fn spoken_of(text: &str, tags: &[(Range<usize>, bool)]) -> Vec<Spoken> {
    let (mut line, mut passed) = (LineTracker::default(), 0);
    let mut all: Vec<Spoken> = Vec::with_capacity(tags.len());
    let mut opened = None;
    let (mut shown, mut code, mut perhaps) = (ShownTracker::default(), 0, 0);
    for (n, (tag, closes)) in tags.iter().enumerate() {
        line.pass(&text.as_bytes()[passed.min(tag.start)..tag.start]);
        shown.pass(&text.as_bytes()[passed.min(tag.start)..tag.start]);
        passed = passed.max(tag.start);
        line.catch_up();
        let margin = !line.has_ink();
        let (indented, literal) = (line.is_indented(), line.is_in_literal());
        let (bytes, at) = (text.as_bytes(), (tag.start, tag.end));
        let pair = |end: usize| {
            let mut behind = tags[n + 1..].iter().take_while(|(other, _)| other.end <= end);
            behind.any(|(_, closes)| *closes)
        };
        let pair: Option<&dyn Fn(usize) -> bool> = if *closes { None } else { Some(&pair) };
        let place = match tag.start {
            at if at < code => Some(Spoken::Of),
            at if at < perhaps => Some(Spoken::Perhaps),
            _ => match shown.look(bytes, at, (tag.end, true), pair) {
                Shown::Code(end) => {
                    code = end;
                    Some(Spoken::Of)
                }
                Shown::Perhaps(end) => {
                    perhaps = end;
                    Some(Spoken::Perhaps)
                }
                Shown::No | Shown::Later(_) => None,
            },
        };
        if let Some(place) = place {
            opened = None;
            all.push(place);
            continue;
        }
        let around = Around { line: &mut line, text: bytes, at, margin, eof: true, messages: false };
        let stand = if *closes { around.closes() } else { around.opens() };
        // An empty pair in a sentence is one that is spoken of.
        if let (true, Some(end), Some(before)) = (closes, opened.take(), all.last_mut())
            && text[end..tag.start.max(end)].chars().all(|c| c.is_whitespace() || ".…".contains(c))
        {
            *before = Spoken::Of;
            all.push(Spoken::Of);
            continue;
        }
        opened =
            matches!(stand, Some(Stand::Undecided | Stand::Opens(Opens::Hugs | Opens::HugsApart))).then_some(tag.end);
        all.push(match stand {
            _ if indented => Spoken::Of,
            Some(Stand::Mention | Stand::Pattern) => Spoken::Of,
            _ if literal => Spoken::Perhaps,
            Some(Stand::Undecided | Stand::Contested) => Spoken::Perhaps,
            Some(Stand::Opens(_) | Stand::Closes(_)) | None => Spoken::Not,
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spoken_of() {
        use Spoken::{Not, Of, Perhaps};
        for (text, want) in [
            ("Use <t> to open, and </t> to close.", [Perhaps, Perhaps]),
            ("Use \"<t>\" and “</t>”.", [Of, Of]),
            ("Write <t></t> for that.", [Of, Of]),
            ("Write <t>…</t> for that.", [Of, Of]),
            ("Rain. <t>Or snow?\nSo it is.</t>", [Not, Not]),
            ("Rain.\n</t>\n\nSo <t> it is", [Not, Perhaps]),
            ("See:\n\n    <t>\n    </t>\n", [Of, Of]),
        ] {
            let mut tags: Vec<(Range<usize>, bool)> = Vec::new();
            tags.extend(text.match_indices("<t>").map(|(at, tag)| (at..at + tag.len(), false)));
            tags.extend(text.match_indices("</t>").map(|(at, tag)| (at..at + tag.len(), true)));
            tags.sort_by_key(|(at, _)| at.start);
            assert_eq!(spoken_of(text, &tags), want, "{text:?}");
        }
    }
}
