//! Products: programs, services and data sets whose files are known, and the signs by which a file of theirs is told.
//!
//! A product whose files are read stands in the row of its format; one whose files are not read, in the table of formats
//! that are known and not read (`suspect`).

/// A program, a service or a data set.
#[derive(Debug)]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub struct Product {
    /// Its name.
    pub name: &'static str,
    /// Where its files have reasoning, if they are not read: JSON Pointers from the record, with a step `*` for every
    /// index or identifier. One with three or more steps may also stand deeper, as in a list of conversations; behind it,
    /// more steps may follow.
    pub places: &'static [&'static str],
    /// Signs of its files: any of them is enough.
    pub signs: &'static [Sign],
    /// A command that takes the reasoning out of a file of this product, or reads what is in it, if no options of `strip`
    /// do. FILE stands for the file. Empty: there is none.
    pub remedy: &'static str,
    /// The beginnings of files of this product: each is told by its signs.
    pub examples: &'static [&'static str],
}

/// A sign of a product.
#[derive(Debug)]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub enum Sign {
    /// One value of a JSON file has members at all of these places: JSON Pointers with a step `*` for every index or key.
    /// Behind `=` stands the text that the member must be, or must begin with if it ends with `*`. The elements of
    /// an array are values, and so are the lines and events of a file.
    Members(&'static [&'static str]),
    /// A text, or the tables of a database, have all of these words in their first bytes. A word that begins with a line end
    /// begins a line.
    Words(&'static [&'static str]),
}

/// A product without anything but its name, for the others to fill in.
pub(super) const fn product(name: &'static str) -> Product {
    Product { name, places: &[], signs: &[], remedy: "", examples: &[] }
}
