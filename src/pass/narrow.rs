//! Restricts a policy to the reasoning of some agents, or in some contexts, of a log in which several speak.

use crate::model::Sent;
use crate::model::sequences::Sequence;
use std::cell::RefCell;
use std::rc::Rc;

/// The agents and contexts that are named. If none is named, all are meant.
#[derive(Clone, Debug, Default)]
pub struct Narrow {
    agents: Names,
    contexts: Names,
}

/// Names, and for each whether a message matched it. Clones share that.
#[derive(Clone, Debug, Default)]
struct Names {
    names: Vec<String>,
    found: Rc<RefCell<Vec<bool>>>,
}

impl Names {
    fn new(names: Vec<String>) -> Self {
        let found = Rc::new(RefCell::new(vec![false; names.len()]));
        Self { names, found }
    }

    /// Whether a name fits, or there are no names.
    fn any(&self, fits: impl Fn(&[u8]) -> bool) -> bool {
        let mut any = self.names.is_empty();
        for (name, found) in self.names.iter().zip(self.found.borrow_mut().iter_mut()) {
            let fits = fits(name.as_bytes());
            any |= fits;
            *found |= fits;
        }
        any
    }

    fn unknown(&self) -> Vec<String> {
        let all = self.names.iter().zip(self.found.borrow().iter().copied().collect::<Vec<_>>());
        all.filter(|(_, found)| !found).map(|(name, _)| name.clone()).collect()
    }
}

impl Narrow {
    /// The reasoning of these agents in these contexts, which are names, or paths of names with `/` between them. A
    /// context includes the contexts inside of it.
    pub fn new(agents: Vec<String>, contexts: Vec<String>) -> Self {
        Self { agents: Names::new(agents), contexts: Names::new(contexts) }
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
    pub(super) fn holds(&self, sent: &Sent<'_>, sequence: Option<&Sequence>) -> bool {
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
