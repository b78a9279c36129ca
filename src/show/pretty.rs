//! JSON with a line for each member: its keys, numbers and escapes are those of the input, in their order.

/// The deepest level that is indented.
const MAX_INDENTED_DEPTH: usize = 40;

/// The JSON text with line ends and indents; all other text as it is.
pub fn pretty(text: &str) -> String {
    if crate::json::scan::validate(text.as_bytes()).is_err() {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    let mut chars = text.chars().filter(|c| !c.is_ascii_control()).peekable();
    while let Some(c) = chars.next() {
        if inside {
            out.push(c);
            inside = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            ' ' => (),
            '{' | '[' => {
                out.push(c);
                while chars.next_if_eq(&' ').is_some() {}
                match chars.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => out.push(end),
                    None => {
                        depth += 1;
                        line(depth, &mut out);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(depth, &mut out);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(depth, &mut out);
            }
            ':' => out.push_str(": "),
            c => {
                inside = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn line(depth: usize, out: &mut String) {
    out.push('\n');
    (0..depth.min(MAX_INDENTED_DEPTH)).for_each(|_| out.push_str("  "));
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn json_has_a_line_for_each_member() {
        for (from, to) in [
            ("{}", "{}"),
            ("[ ]", "[]"),
            (r#"{"b":1.50,"a":[1,{}]}"#, "{\n  \"b\": 1.50,\n  \"a\": [\n    1,\n    {}\n  ]\n}"),
            ("{\n \"a\" : true\t}", "{\n  \"a\": true\n}"),
            (r#"{"a":"x, \"{}\\"}"#, "{\n  \"a\": \"x, \\\"{}\\\\\"\n}"),
            ("no { json", "no { json"),
        ] {
            assert_eq!(pretty(from), to, "{from:?}");
        }
    }
}
