//! Readers of formats that are described by a shape ([`super::shape`]).

mod alike;
mod known;
mod walk;

pub(super) use alike::Alike;
pub(super) use known::{Root, is_known};
pub(super) use walk::{Node, Walked, walk};
