//! The names of roles and parts in drawings, and amounts, the same in the terminal and on the page.

use super::{Role, TrackKind, TrackPart};

/// The name of a role.
pub fn role(role: Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        Role::User => "user",
        Role::System => "instructions",
        Role::Tool => "tool",
    }
}

/// The name of a part in a sequence or a delegation, if the message has a part.
pub fn part(part: TrackPart) -> Option<&'static str> {
    Some(match part {
        TrackPart::None => return None,
        TrackPart::Start => "begins to reason",
        TrackPart::Thought => "thought",
        TrackPart::Conclusion => "conclusion",
        TrackPart::Cancellation => "cancelled",
        TrackPart::Dialogue => "dialogue",
        TrackPart::Call => "tool call",
        TrackPart::Answer => "answer",
        TrackPart::Delegates => "delegates",
        TrackPart::Returns => "returns control",
        TrackPart::Intermediate => "intermediate",
        TrackPart::Task => "task",
    })
}

/// What a track is.
pub fn track(kind: TrackKind) -> &'static str {
    match kind {
        TrackKind::Sequence => "sequence",
        TrackKind::Delegation => "delegation",
        TrackKind::Chain => "side chain",
    }
}

/// An amount of US dollars: cents, or two digits of what is less.
pub fn dollars(cost: f64) -> String {
    let digits = if cost >= 0.1 { 2 } else { (1.0 - cost.log10().floor()).clamp(2.0, 8.0) as usize };
    format!("${cost:.digits$}")
}
