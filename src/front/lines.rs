//! Parses the JSON lines that outputs write: a writer that calls a function for each line.
//!
//! So a [`Message`](super::Message) or a row has the members that the command prints, and only one place makes them.

use serde_json::Value;
use std::io::{Error, ErrorKind, Result, Write};

/// Reads lines, and hands on what a function makes of each.
pub(super) struct Lines<T, F> {
    /// The beginning of an incomplete line.
    rest: Vec<u8>,
    make: fn(&Value) -> Option<T>,
    each: F,
}

impl<T, F: FnMut(T)> Lines<T, F> {
    pub fn new(make: fn(&Value) -> Option<T>, each: F) -> Self {
        Self { rest: Vec::new(), make, each }
    }
}

impl<T, F: FnMut(T)> Write for Lines<T, F> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for part in bytes.split_inclusive(|b| *b == b'\n') {
            self.rest.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let value: Value = serde_json::from_slice(&self.rest)?;
                let made = (self.make)(&value);
                // This would be a bug of this crate, but losing a line silently would be worse.
                (self.each)(made.ok_or_else(|| Error::new(ErrorKind::InvalidData, "a line lacks a member"))?);
                self.rest.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A member that is a string.
pub(super) fn text(value: &Value, member: &str) -> Option<String> {
    value.get(member)?.as_str().map(str::to_string)
}

/// A member that is a number.
pub(super) fn number(value: &Value, member: &str) -> Option<u64> {
    value.get(member)?.as_u64()
}
