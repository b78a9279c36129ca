//! Messages that go whole, and those that go but for what they do beside what they say.

use super::*;

impl Splice {
    /// What a message does beside what it says; `verdict`: on its content.
    pub(super) fn marks(&mut self, lane: Lane, content: Span, verdict: Verdict) {
        if let Some(open) = self.messages.open.get_mut(&lane) {
            // What it does is needed where it says nothing.
            open.visible = true;
        }
        if verdict == Verdict::Drop && !content.is_empty() {
            self.stats.messages.1 += 1;
            self.edit(content, Act::Emptied);
        }
    }

    /// A message is over; `verdict`: on all of it.
    pub(super) fn message_end(&mut self, lane: Lane, element: Option<Element>, verdict: Verdict) {
        self.messages.joints.remove(&lane);
        self.messages.numbers.remove(&lane);
        let Some(open) = self.messages.open.remove(&lane) else {
            return;
        };
        let emptied = self.options.drop_empty && open.assistant && !open.visible;
        self.stats.messages.0 += u64::from(verdict == Verdict::Drop);
        let ticket = match open.verdict {
            _ if verdict == Verdict::Drop => Some(None),
            Some(Verdict::Drop) if emptied => Some(None),
            Some(Verdict::Hold(ticket)) if emptied => Some(Some(ticket)),
            _ => None,
        };
        match (element, ticket) {
            (Some(element), Some(ticket)) => self.edit(element.span, Act::Element(element, ticket)),
            (Some(element), None) => self.edit(element.span, Act::Stays(element)),
            (None, ticket) if open.bare => self.messages.emptied = ticket,
            (None, _) => (),
        }
    }
}
