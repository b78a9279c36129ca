//! Which reasoning a policy is about, in a log in which several speak: that of some agents, or in some contexts.

use crate::model::Sent;
use crate::model::sequences::Sequence;

/// What is named. Nothing is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrow {
    /// Those whose reasoning it is.
    pub agents: Vec<String>,
    /// Contexts: names, or paths of names with `/` between them; what stands in one belongs to it.
    pub contexts: Vec<String>,
}

impl Narrow {
    /// Whether anything is named.
    pub fn is_all(&self) -> bool {
        self.agents.is_empty() && self.contexts.is_empty()
    }

    /// Whether a message, of this sequence if it is known, is among what is named.
    pub(super) fn holds(&self, sent: &Sent<'_>, sequence: Option<&Sequence>) -> bool {
        let is = |agent: &[u8]| self.agents.iter().any(|name| name.as_bytes() == agent);
        let agent = self.agents.is_empty() || is(sent.from) || sequence.is_some_and(|known| is(&known.agent));
        let named = |path: &[u8]| self.contexts.iter().any(|context| stands_in(path, context.as_bytes()));
        let own = [sent.context, sent.name, sent.id];
        let known = sequence.is_some_and(|known| named(&known.path) || named(&known.name));
        agent && (self.contexts.is_empty() || known || own.into_iter().any(named))
    }
}

/// Whether a path has these names one behind the other.
fn stands_in(path: &[u8], names: &[u8]) -> bool {
    let starts = memchr::memmem::find_iter(path, names);
    let whole = |at: usize| {
        let end = at + names.len();
        (at == 0 || path[at - 1] == b'/') && (end == path.len() || path[end] == b'/')
    };
    !names.is_empty() && starts.into_iter().any(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_paths() {
        for (path, names, want) in [
            ("a/b/c", "a", true),
            ("a/b/c", "b", true),
            ("a/b/c", "a/b", true),
            ("a/b/c", "b/c", true),
            ("a/b/c", "a/c", false),
            ("ab/c", "b", false),
            ("ab/b", "b", true),
            ("a", "", false),
            ("", "a", false),
        ] {
            assert_eq!(stands_in(path.as_bytes(), names.as_bytes()), want, "{names} in {path}");
        }
    }
}
