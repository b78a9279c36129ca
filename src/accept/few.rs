//! A list that has one element, as a rule: that one needs no memory of its own.

use std::ops::Deref;

/// Some elements.
#[derive(Clone, Debug)]
pub enum Few<T> {
    One([T; 1]),
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// No element.
    pub fn new() -> Self {
        Self::Many(Vec::new())
    }

    /// A list of this element.
    pub fn of(one: T) -> Self {
        Self::One([one])
    }

    pub fn push(&mut self, next: T) {
        match std::mem::replace(self, Self::Many(Vec::new())) {
            Self::One([first]) => *self = Self::Many(vec![first, next]),
            Self::Many(all) if all.is_empty() => *self = Self::One([next]),
            Self::Many(mut all) => {
                all.push(next);
                *self = Self::Many(all);
            }
        }
    }

    /// Adds the elements of another list.
    pub fn append(&mut self, other: Self) {
        match other {
            Self::One([one]) => self.push(one),
            Self::Many(all) => all.into_iter().for_each(|one| self.push(one)),
        }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(one) => one,
            Self::Many(all) => all,
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut few = Self::new();
        all.into_iter().for_each(|one| few.push(one));
        few
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_in_their_order() {
        for n in 0..5 {
            for m in 0..5 {
                let mut few: Few<usize> = (0..n).collect();
                assert_eq!(few.len(), n);
                few.append((n..n + m).collect());
                assert_eq!(*few, (0..n + m).collect::<Vec<_>>());
            }
        }
        assert!(Few::<u8>::new().is_empty() && *Few::of(7) == [7]);
    }
}
