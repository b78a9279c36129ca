//! The lines that an edit takes out and puts in.

/// The longest texts, in lines, that are compared line by line. Of longer ones all lines go, and all come.
const MAX_COMPARED_LINES: usize = 600;

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Stays,
    Goes,
    Comes,
}

/// The lines of both texts, in order, each with what happens to it.
pub fn lines<'a>(old: &'a str, new: &'a str) -> Vec<(Change, &'a str)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (split(old), split(new));
    let same = |(a, b): &(&&str, &&str)| a == b;
    let front = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (&old[front..], &new[front..]);
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let (middle_old, middle_new) = (&old_rest[..old_rest.len() - back], &new_rest[..new_rest.len() - back]);
    let mut all: Vec<(Change, &str)> = old[..front].iter().map(|line| (Change::Stays, *line)).collect();
    middle(middle_old, middle_new, &mut all);
    all.extend(old_rest[old_rest.len() - back..].iter().map(|line| (Change::Stays, *line)));
    all
}

fn split(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.strip_suffix('\n').unwrap_or(text).split('\n').collect() }
}

fn middle<'a>(old: &[&'a str], new: &[&'a str], all: &mut Vec<(Change, &'a str)>) {
    if old.len() > MAX_COMPARED_LINES || new.len() > MAX_COMPARED_LINES {
        all.extend(old.iter().map(|line| (Change::Goes, *line)));
        all.extend(new.iter().map(|line| (Change::Comes, *line)));
        return;
    }
    // The length of the longest common sequence of the lines from each pair on.
    let wide = new.len() + 1;
    let mut longest = vec![0_u16; (old.len() + 1) * wide];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * wide + j] = match old[i] == new[j] {
                true => longest[(i + 1) * wide + j + 1] + 1,
                false => longest[(i + 1) * wide + j].max(longest[i * wide + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let both = i < old.len() && j < new.len();
        if both && old[i] == new[j] {
            all.push((Change::Stays, old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (!both || longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]) {
            all.push((Change::Goes, old[i]));
            i += 1;
        } else {
            all.push((Change::Comes, new[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_lines_that_go_and_come() {
        for (old, new, want) in [
            ("", "", ""),
            ("a\nb\nc", "a\nc", " a|-b| c"),
            ("a\n", "a\nb\n", " a|+b"),
            ("a", "b", "-a|+b"),
            ("", "x\n\ny", "+x|+|+y"),
            ("a\nb\nc\nd", "a\nx\nc\ny\nd", " a|-b|+x| c|+y| d"),
        ] {
            let sign = |(change, line): (Change, &str)| {
                let sign = match change {
                    Change::Stays => ' ',
                    Change::Goes => '-',
                    Change::Comes => '+',
                };
                format!("{sign}{line}")
            };
            let made: Vec<String> = lines(old, new).into_iter().map(sign).collect();
            assert_eq!(made.join("|"), want, "{old:?} {new:?}");
        }
    }

    #[test]
    fn both_texts_can_be_made_of_the_lines() {
        let texts = ["a\nb\na\nc\nb\na", "b\na\nb\nb\nc", "c\nc\na", "a", &"x\n".repeat(700), &"y\n".repeat(601)];
        for (old, new) in texts.iter().flat_map(|old| texts.iter().map(move |new| (*old, *new))) {
            let all = lines(old, new);
            let without = |other: Change| -> Vec<&str> {
                all.iter().filter(|(change, _)| *change != other).map(|(_, line)| *line).collect()
            };
            assert_eq!((without(Change::Comes), without(Change::Goes)), (split(old), split(new)));
        }
    }
}
