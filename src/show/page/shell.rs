//! The parts of a page around the messages: the head with its policy, style and script, and the bar at the top.

use super::super::markup;
use super::safe;

/// The style of the page.
pub const STYLE: &str = include_str!("style.css");

/// The script of the page. It never has any part of the input.
pub const SCRIPT: &str = include_str!("script.js");

/// The content security policy of the page. It allows the page's own style and script, by their hashes (a test computes
/// them), and an empty icon, which browsers would request otherwise. The page can load nothing, send nothing, and turn
/// no text into markup.
pub const POLICY: &str = "default-src 'none'; style-src 'sha256-QY9vzN/jMSTZjQYD/ozH8XjT6HvjQbB67bFnC8zfW9Q='; script-src 'sha256-MvtJHJGCXiaRwt0tqa/CqT9dysmKjpcI3ND4LdGkQzc='; img-src data:; \
    base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Puts the contents and the overview before the messages, also for the keyboard and a screen reader: they stand behind the
/// messages in the file, which is written as these come. It needs no script; the style sees the parts as children of the body
/// all the same.
const SLOTS: &str = "<template shadowrootmode=\"open\"><slot name=\"top\"></slot><slot name=\"contents\"></slot>\
<slot name=\"overview\"></slot><slot></slot></template>\n";

/// Writes the page up to the first message. `title`: what the conversation is about, if that is known; `name`: that of the
/// input.
pub fn begin(out: &mut String, title: &str, name: &str) {
    let (mut about, mut called) = (String::new(), String::new());
    markup::attribute(&mut about, title);
    markup::attribute(&mut called, name);
    let both = if about.is_empty() { called.clone() } else { format!("{about} · {called}") };
    meta(out, &safe::policy(POLICY));
    out.push_str(&format!(
        "<title>{both}</title>\n<style>{STYLE}</style>\n<script>{SCRIPT}</script>\n{}</head>\n<body>\n{SLOTS}",
        safe::elements()
    ));
    out.push_str(
        "<a class=\"skip\" slot=\"top\" href=\"#messages\">To the messages</a>\n<header class=\"top\" slot=\"top\">",
    );
    match about.is_empty() {
        true => out.push_str(&format!("<h1>{called}</h1>\n")),
        false => out.push_str(&format!("<h1>{about} <small>{called}</small></h1>\n")),
    }
    out.push_str(&format!(
        "{TOOLS}{}</header>\n<main id=\"messages\">\n<h2 class=\"sr\">Messages</h2>\n",
        safe::SWITCH
    ));
}

/// Writes the first lines of the head of a page.
pub fn meta(out: &mut String, policy: &str) {
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy));
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str(
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n",
    );
    out.push_str("<meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">\n<link rel=\"icon\" href=\"data:,\">\n");
}

/// The search tools. They need the script, and are shown only if it runs.
const TOOLS: &str = "<div class=\"tools\" role=\"search\">\
<input type=\"search\" id=\"search\" placeholder=\"Search ( / )\" aria-label=\"Search the messages and the reasoning\" autocomplete=\"off\">\
<span id=\"count\" role=\"status\"></span>\
<button type=\"button\" id=\"previous\" disabled aria-label=\"Previous match\">↑</button>\
<button type=\"button\" id=\"next\" disabled aria-label=\"Next match\">↓</button>\
<details id=\"filters\"><summary>Filter</summary><fieldset><legend>What is shown</legend>\
<label><input type=\"checkbox\" data-filter=\"u\" checked autocomplete=\"off\"> User</label>\
<label><input type=\"checkbox\" data-filter=\"a\" checked autocomplete=\"off\"> Answer</label>\
<label><input type=\"checkbox\" data-filter=\"r\" checked autocomplete=\"off\"> Reasoning</label>\
<label><input type=\"checkbox\" data-filter=\"t\" checked autocomplete=\"off\"> Tools</label>\
<label><input type=\"checkbox\" data-filter=\"g\" checked autocomplete=\"off\"> Other agents</label></fieldset></details>\
<button type=\"button\" id=\"expand\">Expand all</button>\
<button type=\"button\" id=\"collapse\">Collapse all</button>\
<button type=\"button\" id=\"help\" aria-label=\"Keys\">?</button></div>\
<dialog id=\"keys\" aria-label=\"Keys\"><table>\
<tr><th scope=\"row\"><kbd>j</kbd> <kbd>k</kbd></th><td>next and previous message</td></tr>\
<tr><th scope=\"row\"><kbd>/</kbd></th><td>search</td></tr>\
<tr><th scope=\"row\"><kbd>n</kbd> <kbd>p</kbd></th><td>next and previous match</td></tr>\
<tr><th scope=\"row\"><kbd>?</kbd></th><td>these keys</td></tr></table>\
<button type=\"button\" id=\"close\">Close</button></dialog>";

/// Writes the head of an index. It has the style of a page, and nothing that runs.
pub fn index_head(out: &mut String, title: &str) {
    let mut called = String::new();
    markup::attribute(&mut called, title);
    meta(out, &safe::policy(POLICY));
    out.push_str(&format!(
        "<title>{called}</title>\n<style>{STYLE}</style>\n<style>{}</style>\n</head>\n<body>\n\
         <header class=\"top\"><h1>{called}</h1></header>\n<main class=\"index\">\n",
        safe::STYLE
    ));
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// The hash as a policy writes it.
    pub fn hash(text: &str) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let bits: String = Sha256::digest(text).iter().map(|byte| format!("{byte:08b}")).collect::<String>() + "00";
        let sixes = bits.as_bytes().chunks(6).map(|six| std::str::from_utf8(six).unwrap_or_default());
        let digits = sixes.map(|six| usize::from_str_radix(six, 2).unwrap_or_default());
        digits.map(|digit| char::from(alphabet[digit])).chain(['=']).collect()
    }

    #[test]
    fn the_policy_has_the_hashes() {
        for (name, text) in [("style", STYLE), ("script", SCRIPT)] {
            let source = format!("{name}-src 'sha256-{}'", hash(text));
            assert!(POLICY.contains(&source), "the policy must say {source}");
            assert!(!text.contains("</"), "{name} must not end its element");
        }
    }
}
