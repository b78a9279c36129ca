//! Messages that go whole, and messages of which only their instructions stay.

use super::*;

impl Splice {
    /// Notes the marks of a message. `verdict`: that on its content.
    pub(super) fn marks(&mut self, lane: Lane, content: Span, verdict: Verdict) {
        if let Some(open) = self.messages.open.get_mut(&lane) {
            // What the message does is needed even if its content goes.
            open.visible = true;
        }
        if verdict == Verdict::Drop && !content.is_empty() {
            self.stats.messages.1 += 1;
            self.edit(content, Act::Emptied);
        }
    }

    /// Ends a message. `verdict`: that on the whole message.
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
