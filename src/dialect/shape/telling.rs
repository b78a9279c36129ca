//! What a record must have if a node in it is one that only its format has: a record without it need not be walked to see that
//! it is of another format.

use super::{ANY_KEY, Case, Key, Shape, Slot, State, To, When};

/// What one of the conditions of a case needs: any of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeNeed {
    /// Members with these keys in the record itself.
    Members(Vec<&'static str>),
    /// Bytes anywhere in the record: keys and types, each with its quotes.
    Words(Vec<String>),
}

/// For each case of such nodes ([`Case::sure`]), what all of its conditions need, if keys and types are spelled without escapes,
/// the record is an object and stands in no event with a name. None if the conditions of the row do not say it.
pub fn telling_needs(shape: &'static Shape) -> Option<Vec<Vec<NodeNeed>>> {
    let (mut needs, root) = (Vec::new(), shape.record);
    if root.paths {
        return None;
    }
    let (keys, mut seen) = (members(root), Vec::new());
    for case in root.cases.iter().filter(|case| case.sure) {
        needs.push(of_case(case, &keys, true)?);
    }
    keys.iter().try_for_each(|(key, _)| inside(key, &mut seen, &mut needs))?;
    Some(needs)
}

/// Adds what the nodes need that a key leads to.
fn inside(key: &Key, seen: &mut Vec<*const State>, needs: &mut Vec<Vec<NodeNeed>>) -> Option<()> {
    match key.to {
        To::One(_, inner) | To::Each(_, inner) => of_state(inner, seen, needs),
        To::Either(_, inner, other) => of_state(inner, seen, needs).and_then(|()| of_state(other, seen, needs)),
        _ => Some(()),
    }
}

/// Adds what nodes in a state need, and those in them.
fn of_state(state: &'static State, seen: &mut Vec<*const State>, needs: &mut Vec<Vec<NodeNeed>>) -> Option<()> {
    if seen.contains(&std::ptr::from_ref(state)) {
        return Some(());
    }
    seen.push(state);
    if state.paths {
        return None;
    }
    let keys = members(state);
    for case in state.cases.iter().filter(|case| case.sure) {
        needs.push(of_case(case, &keys, false)?);
    }
    keys.iter().try_for_each(|(key, _)| inside(key, seen, needs))
}

/// The keys of a node in a state, also of those in objects whose members are members of the node: each with the key of the
/// outermost of these objects, or its own.
fn members(state: &'static State) -> Vec<(&'static Key, &'static str)> {
    fn add(
        state: &'static State,
        outer: Option<&'static str>,
        seen: &mut Vec<*const State>,
        keys: &mut Vec<(&'static Key, &'static str)>,
    ) {
        if seen.contains(&std::ptr::from_ref(state)) {
            return;
        }
        for key in state.all_keys() {
            let outer = outer.unwrap_or(key.name);
            keys.push((key, outer));
            if let To::Same(inner) | To::Into(_, inner) | To::Pairs(_, inner) = key.to {
                seen.push(state);
                add(inner, Some(outer), seen, keys);
                seen.pop();
            }
        }
    }
    let mut keys = Vec::new();
    add(state, None, &mut Vec::new(), &mut keys);
    keys
}

/// What a case needs. `root`: of the record itself.
fn of_case(case: &Case, keys: &[(&'static Key, &'static str)], root: bool) -> Option<Vec<NodeNeed>> {
    let of = |when: &When| match when {
        When::Type(names) | When::Kind(names) => all(names, |name| word(name, false)),
        When::Class(names) => all(names, |name| word(name, true)),
        When::Has(slot) | When::Several(slot) | When::Is(slot, _) | When::ThinksIn(slot) | When::Under(slot, _) => {
            let under = if let When::Under(_, name) = when { Some(*name) } else { None };
            of_slot((*slot, under), keys, root)
        }
        _ => None,
    };
    let needs: Vec<NodeNeed> = case.when.iter().filter_map(of).collect();
    (!needs.is_empty()).then_some(needs)
}

fn all(names: &[&'static str], word: impl Fn(&'static str) -> Option<String>) -> Option<NodeNeed> {
    names.iter().map(|name| word(name)).collect::<Option<_>>().map(NodeNeed::Words)
}

/// The keys that fill a slot. `under`: only this one.
fn of_slot((slot, under): (Slot, Option<&str>), keys: &[(&'static Key, &'static str)], root: bool) -> Option<NodeNeed> {
    let fills = |(key, _): &&(&Key, &str)| match key.to {
        To::Is(own) | To::Into(own, _) | To::One(own, _) | To::Either(own, ..) | To::Each(own, _) => own == slot,
        To::Record => slot == Slot::Record,
        _ => false,
    };
    let names = keys.iter().filter(fills).filter(|(key, _)| under.is_none_or(|name| key.name == name));
    let mut names: Vec<&str> = names.map(|(_, outer)| *outer).collect();
    names.sort_unstable();
    names.dedup();
    match root {
        _ if names.contains(&ANY_KEY) => None,
        true => Some(NodeNeed::Members(names)),
        false => all(&names, |name| word(name, false)),
    }
}

/// How a key, or a word with this pattern, stands in JSON. `class`: it may have more words before it. None for one that JSON may
/// spell in several ways.
fn word(pattern: &str, class: bool) -> Option<String> {
    let (front, back) = (pattern.starts_with('*') || class, pattern.ends_with('*'));
    let name = pattern.trim_matches('*');
    let plain = name.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\' | b'/'));
    let quote = |none: bool| if none { "" } else { "\"" };
    (plain && !name.is_empty()).then(|| format!("{}{name}{}", quote(front), quote(back)))
}

#[cfg(test)]
mod tests {
    use super::super::{ANY, BASE, Does, Kind, LIST, OBJECT, STRING, case, each, into, is, one, same, state, sure, ty};
    use super::*;

    fn words(words: &[&str]) -> NodeNeed {
        NodeNeed::Words(words.iter().map(|word| (*word).to_string()).collect())
    }

    #[test]
    fn needs_of_a_row() {
        static PART: State = state(
            "part",
            &[is("type", STRING, Slot::Type), is("data", STRING, Slot::Ciphertext), is("text", STRING, Slot::Text)],
            &[
                sure(&[ty(&["sealed", "x_*", "*_y"]), When::Has(Slot::Ciphertext)], Does::Block(Kind::Text)),
                sure(&[When::Class(&["Thought"]), When::Lacks(Slot::Text)], Does::Block(Kind::Text)),
                case(&[When::Has(Slot::Text)], Does::Block(Kind::Text)),
            ],
        );
        static INNER: State =
            state("inner", &[is("model", STRING, Slot::Model), each("parts", Slot::List, &PART)], &[]);
        static RECORD: State = state(
            "record",
            &[
                is("model", STRING, Slot::Model),
                same("info", &INNER),
                into("flag", Slot::Flag, &INNER),
                one("again", Slot::Inner, &RECORD),
            ],
            &[sure(&[When::Has(Slot::Model), When::Lacks(Slot::Id), When::Under(Slot::Flag, "flag")], Does::Request)],
        );
        let needs = telling_needs(Box::leak(Box::new(Shape { record: &RECORD, ..BASE }))).unwrap();
        let part = [vec![words(&["\"sealed\"", "\"x_", "_y\""]), words(&["\"data\""])], vec![words(&["Thought\""])]];
        assert_eq!(needs[0], [NodeNeed::Members(vec!["flag", "info", "model"]), NodeNeed::Members(vec!["flag"])]);
        assert_eq!(needs[1..3], part);
        // A record in it has them under any key.
        assert_eq!(needs[3..], [vec![words(&["\"flag\"", "\"info\"", "\"model\""]), words(&["\"flag\""])]]);
    }

    #[test]
    fn rows_that_do_not_say_it() {
        static ANY_ONE: State =
            state("any", &[is(ANY_KEY, ANY, Slot::Model)], &[sure(&[When::Has(Slot::Model)], Does::Nothing)]);
        static NOTHING: State = state("nothing", &[], &[sure(&[], Does::Nothing)]);
        static PATHS: State = state("paths", &[], &[]).paths();
        static SLASH: State =
            state("slash", &[is("a/b", LIST | OBJECT, Slot::Model)], &[sure(&[When::Has(Slot::Model)], Does::Nothing)]);
        static INNER: State = state("inner", &[one("inner", Slot::Inner, &SLASH)], &[]);
        for state in [&ANY_ONE, &NOTHING, &PATHS, &INNER] {
            assert_eq!(telling_needs(Box::leak(Box::new(Shape { record: state, ..BASE }))), None, "{}", state.name);
        }
    }
}
