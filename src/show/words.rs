//! The names of roles and parts in drawings, and amounts, the same in the terminal and on the page.

use super::{Part, Role, TrackKind};

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
pub fn part(part: Part) -> Option<&'static str> {
    Some(match part {
        Part::None => return None,
        Part::Start => "begins to reason",
        Part::Thought => "thought",
        Part::Conclusion => "conclusion",
        Part::Cancellation => "cancelled",
        Part::Dialogue => "dialogue",
        Part::Call => "tool call",
        Part::Answer => "answer",
        Part::Delegates => "delegates",
        Part::Returns => "returns control",
        Part::Intermediate => "intermediate",
        Part::Task => "task",
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
