//! Readers of formats that are described by a shape ([`super::shape`]).

mod again;
mod alike;
mod conditions;
mod known;
mod origin;
mod searched;
mod walk;
mod walked;

pub(super) use again::Again;
pub(super) use alike::{EventTemplate, closes, value};
pub(super) use known::Root;
pub(super) use origin::Origins;
pub(super) use searched::SearchedMembers;
pub(super) use walk::{object_of_pairs, walk, walk_as};
pub(super) use walked::{Entry, FreeKind, FreeValue, Node, UnnamedMember, Walked};
