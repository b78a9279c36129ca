//! A call of a tool and its result as one step of the page: a line as long as it is closed, and all of both when it is
//! open.

use super::super::calls::{CallArguments, output};
use super::super::markup;
use super::super::{ShownMedia, Time};
use super::ansi::ansi;
use super::media::media;
use super::view::arguments;

/// How many characters of a call are in its line.
const LINE: usize = 90;

/// A call, and its result once it has come.
#[derive(Debug)]
pub struct Call {
    pub id: String,
    pub name: String,
    pub arguments: String,
    pub time: Option<Time>,
    pub answer: Option<CallResult>,
    /// It is written before its result can have come.
    pub is_early: bool,
}

/// The result of a call.
#[derive(Debug)]
pub struct CallResult {
    pub text: String,
    pub failed: bool,
    pub media: Vec<ShownMedia>,
    /// The place and the number of the message that it stands in; 0 if that has a card of its own.
    pub place: u64,
    pub number: u64,
    pub time: Option<Time>,
    /// It stands in its own message, and only a link to that is here.
    pub is_apart: bool,
}

impl Call {
    /// Writes the step.
    pub fn write(&self, out: &mut String) {
        let command = CallArguments::of(&self.arguments);
        out.push_str("<details class=\"step\"><summary>");
        name(&self.name, "call", out);
        out.push_str(" <code>");
        markup::text(out, &markup::first_words(command.line(), LINE));
        out.push_str("</code>");
        let read = self.answer.as_ref().map(|answer| output(&answer.text));
        if let (Some(answer), Some(read)) = (&self.answer, &read) {
            let failed = answer.failed || read.status.is_some_and(|status| status != 0);
            out.push_str(if failed {
                " <span class=\"failed\" role=\"img\" aria-label=\"failed\">✗</span>"
            } else {
                " <span class=\"done\" role=\"img\" aria-label=\"done\">✓</span>"
            });
            let between = answer.time.zip(self.time).map(|(after, before)| (after.0 - before.0) as f64);
            let took = read.seconds.filter(|seconds| *seconds >= 0.1).or(between.filter(|seconds| *seconds >= 1.0));
            if let Some(took) = took {
                out.push_str(&format!(" <span class=\"took\">{}</span>", seconds(took)));
            }
        } else if !self.is_early {
            out.push_str(" <span class=\"took\">no result</span>");
        }
        out.push_str("</summary>\n");
        arguments(&command, out);
        if let (Some(answer), Some(read)) = (&self.answer, &read) {
            answer.write(&read.text, &read.rest, out);
        }
        out.push_str("</details>\n");
    }
}

impl CallResult {
    fn write(&self, text: &str, rest: &str, out: &mut String) {
        if self.is_apart {
            let Self { place, number, .. } = self;
            return out.push_str(&format!("<p class=\"label\">Result <a href=\"#m{place}\">{number}</a></p>\n"));
        }
        if self.place > 0 {
            out.push_str(&format!(
                "<div class=\"result\" id=\"m{0}\"><p class=\"label\">Result <a href=\"#m{0}\">{1}</a></p>\n",
                self.place, self.number
            ));
        } else {
            out.push_str("<div class=\"result\"><p class=\"label\">Result</p>\n");
        }
        result(text, rest, &self.media, out);
        out.push_str("</div>\n");
    }
}

fn result(text: &str, rest: &str, images: &[ShownMedia], out: &mut String) {
    if !text.is_empty() {
        out.push_str("<pre>");
        ansi(out, text);
        out.push_str("</pre>\n");
    }
    if !rest.is_empty() {
        out.push_str("<pre class=\"rest\">");
        markup::text(out, rest);
        out.push_str("</pre>\n");
    }
    if text.trim().is_empty() && rest.is_empty() && images.is_empty() {
        out.push_str("<p class=\"note\">It is empty.</p>\n");
    }
    images.iter().for_each(|image| media(image, out));
}

/// Writes a result whose call is not known, or stands too far away.
pub fn alone(of: &str, text: &str, failed: bool, images: &[ShownMedia], out: &mut String) {
    let read = output(text);
    let (what, class) = if failed { ("Failed", "call failed") } else { ("Result", "call") };
    out.push_str("<details class=\"step\"><summary>");
    name(what, class, out);
    if !of.is_empty() {
        out.push_str(" <span class=\"name\">");
        markup::attribute(out, of);
        out.push_str("</span>");
    }
    out.push_str(" <code>");
    markup::text(out, &markup::first_words(if read.text.is_empty() { &read.rest } else { &read.text }, LINE));
    out.push_str("</code></summary>\n<div class=\"result\">\n");
    result(&read.text, &read.rest, images, out);
    out.push_str("</div></details>\n");
}

fn name(name: &str, class: &str, out: &mut String) {
    out.push_str(&format!("<span class=\"{class}\">"));
    markup::attribute(out, if name.is_empty() { "Call" } else { name });
    out.push_str("</span>");
}

/// A duration in words.
pub fn seconds(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 9.95 && seconds.fract() > 0.0 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_for_people() {
        for (from, to) in [(0.0, "0 s"), (1.24, "1.2 s"), (59.0, "59 s"), (61.0, "1 min 1 s"), (7260.0, "2 h 1 min")] {
            assert_eq!(seconds(from), to);
        }
    }
}
