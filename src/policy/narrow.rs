//! Restricts a policy to the reasoning of some agents, or in some contexts, of a log in which several speak.

use crate::agents::sequences::OpenSequence;
use crate::model::Sent;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The agents and contexts that are named. If none is named, all are meant.
#[derive(Clone, Debug, Default)]
pub struct Narrow {
    agents: NarrowNames,
    contexts: NarrowNames,
}

/// Names, and for each whether a message matched it. Clones share that.
#[derive(Clone, Debug, Default)]
struct NarrowNames {
    names: Vec<String>,
    found: Arc<[AtomicBool]>,
}

impl NarrowNames {
    fn new(names: Vec<String>) -> Self {
        let found = names.iter().map(|_| AtomicBool::new(false)).collect();
        Self { names, found }
    }

    #[cfg(feature = "cli")]
    fn add(&self, other: &Self) {
        for (found, too) in self.found.iter().zip(other.found.iter()) {
            found.fetch_or(too.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Whether a name fits, or there are no names.
    fn any(&self, fits: impl Fn(&[u8]) -> bool) -> bool {
        let mut any = self.names.is_empty();
        for (name, found) in self.names.iter().zip(self.found.iter()) {
            if fits(name.as_bytes()) {
                any = true;
                found.store(true, Ordering::Relaxed);
            }
        }
        any
    }

    fn unknown(&self) -> Vec<String> {
        let all = self.names.iter().zip(self.found.iter());
        all.filter(|(_, found)| !found.load(Ordering::Relaxed)).map(|(name, _)| name.clone()).collect()
    }
}

impl Narrow {
    /// The reasoning of these agents in these contexts, which are names, or paths of names with `/` between them. A
    /// context includes the contexts inside of it.
    pub fn new(agents: Vec<String>, contexts: Vec<String>) -> Self {
        Self { agents: NarrowNames::new(agents), contexts: NarrowNames::new(contexts) }
    }

    /// The same names, none of them matched yet: for one input of several that are read at once.
    #[cfg(feature = "cli")]
    pub fn fresh(&self) -> Self {
        Self::new(self.agents.names.clone(), self.contexts.names.clone())
    }

    /// Takes over which names were matched in an input.
    #[cfg(feature = "cli")]
    pub fn add(&self, input: &Self) {
        self.agents.add(&input.agents);
        self.contexts.add(&input.contexts);
    }

    /// Whether nothing is named.
    pub fn is_all(&self) -> bool {
        self.agents.names.is_empty() && self.contexts.names.is_empty()
    }

    /// The named agents without a message, and the named contexts without one.
    pub fn unknown(&self) -> (Vec<String>, Vec<String>) {
        (self.agents.unknown(), self.contexts.unknown())
    }

    /// Whether a message is meant. `sequence`: the one that it belongs to, if that is known.
    pub(super) fn holds(&self, sent: &Sent<'_>, sequence: Option<&OpenSequence>) -> bool {
        let agent = self.agents.any(|name| name == sent.from || sequence.is_some_and(|known| name == known.agent));
        let own = [sent.context, sent.name, sent.id];
        let context = self.contexts.any(|name| {
            let known = sequence.is_some_and(|known| stands_in(&known.path, name) || stands_in(&known.name, name));
            known || own.into_iter().any(|path| stands_in(path, name))
        });
        agent && context
    }
}

/// Whether a path has these names in a row.
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
