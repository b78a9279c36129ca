//! Texts in which tokens are escaped that a reader would take for delimiters.

use crate::model::content::Unwritten;
use crate::model::{Leaf, Loss, Losses};

/// Escapes tokens in a text. `refused`: the error if they may not be escaped.
pub(super) fn harmless(
    text: &Leaf,
    tokens: &[String],
    escape: bool,
    refused: Unwritten,
    losses: &mut Losses,
) -> Result<Leaf, Unwritten> {
    let mut escaped = Losses::default();
    let out = harmless_piece(&mut Vec::new(), text, tokens, &mut escaped);
    if !escape && !escaped.is_empty() {
        return Err(refused);
    }
    losses.append(&mut escaped);
    Ok(out)
}

/// The same for a piece of a text. `last`: the last bytes written, since a token may span several pieces.
pub(super) fn harmless_piece(last: &mut Vec<u8>, text: &Leaf, tokens: &[String], losses: &mut Losses) -> Leaf {
    let plain = text.decoded();
    let (out, longest) = (last.len(), tokens.iter().map(String::len).max().unwrap_or(0));
    let joined = [last.as_slice(), &plain].concat();
    let lower = joined.to_ascii_lowercase();
    let mut places: Vec<usize> = Vec::new();
    for token in tokens {
        let found = memchr::memmem::find_iter(&lower, token.as_bytes());
        places.extend(found.filter(|at| at + token.len() > out).map(|at| out.max(at + 1)));
    }
    places.sort_unstable();
    places.dedup();
    *last = joined[joined.len() - longest.min(joined.len())..].to_vec();
    if places.is_empty() {
        return text.clone();
    }
    losses.push(Loss::Escaped);
    let (mut whole, mut from) = (Vec::with_capacity(plain.len() + places.len()), out);
    for place in places {
        whole.extend_from_slice(&joined[from..place]);
        whole.push(b'\\');
        from = place;
    }
    whole.extend_from_slice(&joined[from..]);
    whole.into()
}
