//! Which rows are in force: one rule for the command and for users of the crate.

use super::{Row, TAGS, Tags, sound};
use crate::nearest::meant;

/// What was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagChoice<'a> {
    /// Names of rows, or `OPEN,CLOSE`. Empty: all rows that need no naming.
    pub named: &'a [String],
    /// The rows of files.
    pub files: &'a [Row],
    /// One row more, if it is not among these: its delimiters are written.
    pub too: Option<&'a str>,
    /// All text up to this one is reasoning. It replaces the table.
    pub marker: Option<&'a str>,
}

/// Why rows cannot be in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChoice {
    /// A name, and what is wrong with it.
    Name(String, String),
    /// The marker is empty.
    Marker,
    /// There are more of them than can be: so many.
    Many(usize),
}

impl TagChoice<'_> {
    /// The rows in force.
    ///
    /// # Errors
    /// When a name is not that of a row, a delimiter could not be found, or there are too many rows.
    pub fn tags(self) -> Result<Tags, NoChoice> {
        let Self { named, files, too, marker } = self;
        if marker.is_some_and(|text| text.trim().is_empty()) {
            return Err(NoChoice::Marker);
        }
        let in_force: Vec<&Row> = if marker.is_some() { files.iter().collect() } else { table(files) };
        let unread = |name: &&str| in_force.iter().all(|row| row.name != **name || !row.default);
        let too = too.filter(unread);
        let mut rows: Vec<Row> = match named {
            [] if files.is_empty() && marker.is_none() && too.is_none() => return Ok(Tags::default()),
            [] => in_force.into_iter().filter(|row| row.default).cloned().collect(),
            names => names.iter().map(|name| row(name, files)).collect::<Result<_, _>>()?,
        };
        if let Some(name) = too.filter(|name| rows.iter().all(|row| row.name != **name)) {
            rows.push(row(name, files)?);
        }
        rows.extend(marker.map(Row::marker));
        if rows.len() > Tags::MAX_ROWS { Err(NoChoice::Many(rows.len())) } else { Ok(Tags::new(rows)) }
    }
}

/// The tag table, with the rows of files in front, which replace rows of the same name.
pub fn table(files: &[Row]) -> Vec<&Row> {
    let rest = TAGS.iter().filter(|row| files.iter().all(|other| other.name != row.name));
    files.iter().chain(rest).collect()
}

/// The row with this name in the tag table or a file, or a row of two delimiters with a comma between them.
///
/// # Errors
/// When it is neither.
pub fn row(name: &str, files: &[Row]) -> Result<Row, NoChoice> {
    let table = table(files);
    match (table.iter().find(|row| row.name == *name), name.split_once(',')) {
        (Some(row), _) => Ok((*row).clone()),
        (None, Some((open, close))) => {
            let row = Row::custom(open, close);
            sound(&row).map_err(|e| NoChoice::Name(name.into(), e.to_string()))?;
            Ok(row)
        }
        (None, None) => {
            let opens = |row: &&&Row| row.open == *name || row.opens.iter().any(|open| open == name);
            let near = match table.iter().find(opens) {
                Some(row) => format!("; did you mean {}?", row.name),
                None => meant(name, table.iter().map(|row| row.name.as_ref())),
            };
            Err(NoChoice::Name(name.into(), format!("no such row of the tag table{near} (OPEN,CLOSE adds one)")))
        }
    }
}
