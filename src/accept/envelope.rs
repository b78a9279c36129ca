//! Finds the request in an object: the list of its messages, and what may stand around it.

use super::targets::RequestShape;
use super::value::{Object, Value};

/// Members that a request may stand in, in the files of batches and in logs.
const ENVELOPES: &[&str] = &["body", "request", "params", "modelInput"];

/// The members that hold messages, and what shape that means.
const LISTS: &[(&str, Option<RequestShape>)] =
    &[("contents", Some(RequestShape::Contents)), ("messages", None), ("input", Some(RequestShape::Items))];

/// Whether a member of this name may make a request of an object: it is one of those above.
pub fn request_has(key: &[u8]) -> bool {
    matches!(key, b"contents" | b"messages" | b"input" | b"body" | b"request" | b"params" | b"modelInput")
}

/// The request that an object is, or holds in its envelope: with its list of messages, and its shape if that is clear.
pub fn request<'a>(object: &Object<'a>) -> Option<(Object<'a>, Value<'a>, Option<RequestShape>)> {
    let own = |object: &Object<'a>| {
        let is_it = |value: &Value<'_>| value.is_list() || value.is_string();
        LISTS.iter().find_map(|(key, shape)| Some((object.get(key).filter(is_it)?, *shape)))
    };
    if let Some((list, shape)) = own(object) {
        return Some((object.clone(), list, shape));
    }
    ENVELOPES.iter().find_map(|key| {
        let inner = object.inner(key)?;
        let (list, shape) = own(&inner)?;
        Some((inner, list, shape))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_requests_are_known() {
        let lists = LISTS.iter().map(|(key, _)| *key);
        assert!(lists.chain(ENVELOPES.iter().copied()).all(|key| request_has(key.as_bytes())));
        assert!(!request_has(b"message"));
    }
}
