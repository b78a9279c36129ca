//! The text of deltas with blocks: a delimiter of the target in it is escaped, or refused. It is written before the tags in it
//! are decided, so that a mention in code is escaped, too. Uncertain tags of other kinds are refused where the text is read
//! ([`ConversionTarget::moves`]).

use super::ConversionTarget;
use super::delimiters::{CONTAINS_TOKENS, behind};
use super::deltas::{DeltaRewriter, StreamMessageId, WRITTEN};
use super::edits::Plan;
use super::reading::{Layout, Reading};
use crate::frame::Body;
use crate::json::text::decode;
use crate::model::{Bit, Loss};

impl DeltaRewriter {
    /// The text of a delta, if it must be escaped behind the reasoning of its message; `reasons`: the delta has some of it.
    ///
    /// # Errors
    /// When it holds a token that would end its message, and may not be escaped.
    pub(super) fn said(
        &mut self,
        body: &Body<'_>,
        name: &StreamMessageId,
        reading: &Reading,
        (reasons, target): (bool, &ConversionTarget),
        plan: &mut Plan,
    ) -> Result<Option<Bit>, &'static str> {
        let harmony = target.placement.is_headed();
        if reading.layout == Layout::Chat || !harmony && !target.escape {
            return Ok(None);
        }
        let known = self.behind.iter().position(|(other, _)| other == name);
        if known.is_none() {
            if !reasons && !harmony {
                return Ok(None);
            }
            self.behind.truncate(WRITTEN - 1);
            self.behind.push_front((name.clone(), Vec::new()));
        }
        let (_, tail) = &mut self.behind[known.unwrap_or(0)];
        let mut plain = Vec::new();
        reading.texts.iter().for_each(|words| decode(words.literal.raw(body.text), &mut plain));
        let Some(harmless) = behind(tail, &plain, target, true) else { return Ok(None) };
        if !target.escape {
            return Err(CONTAINS_TOKENS);
        }
        plan.losses.push(Loss::Escaped);
        let bit = harmless.bit();
        *tail = harmless.tail;
        Ok(Some(bit))
    }
}
