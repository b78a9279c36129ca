//! The tree of sequences of reasoning and delegations: each with its agent, its messages in order, and the tracks that
//! began inside of it.

use super::super::{MessageHead, Role, Track, TrackKind, TrackPart, markup, words};
use super::colors::Colors;
use std::collections::BTreeMap;

/// The greatest depth that is shown: deeper tracks are listed at this depth.
const MAX_TRACK_DEPTH: usize = 24;

/// The number of an input on the page, and the number of a track in the input.
type TrackNumber = (u64, u64);

#[derive(Debug)]
struct TreeNode {
    agent: String,
    label: String,
    kind: TrackKind,
    color: u8,
    lines: Vec<TreeLine>,
}

#[derive(Clone, Copy, Debug)]
enum TreeLine {
    Message { place: u64, number: u64, role: Role, part: TrackPart },
    Track(TrackNumber),
}

/// The tracks of the page.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: BTreeMap<TrackNumber, TreeNode>,
    /// The tracks without a parent, in order.
    roots: Vec<TrackNumber>,
}

impl Tree {
    /// Adds a message of this input, at this place on the page.
    pub fn message(&mut self, input: u64, place: u64, head: &MessageHead, colors: &mut Colors) {
        let line = TreeLine::Message { place, number: head.number, role: head.role, part: head.part };
        let own = head.track.map(|number| (input, number));
        // In the list of its track, the message comes before a track that it begins, unless it is the first of that
        // track.
        let known = own.and_then(|own| self.nodes.get_mut(&own)).map(|node| node.lines.push(line)).is_some();
        for track in &head.tracks {
            self.track(input, track, colors.of_track(track));
        }
        if !known && let Some(node) = own.and_then(|own| self.nodes.get_mut(&own)) {
            node.lines.push(line);
        }
    }

    fn track(&mut self, input: u64, track: &Track, color: u8) {
        let key = (input, track.number);
        if let Some(node) = self.nodes.get_mut(&key) {
            if node.agent.is_empty() {
                node.agent.clone_from(&track.agent);
            }
            return;
        }
        // Only a track that is known already can be a parent, so that this is a tree.
        let parent = track.parent.map(|number| (input, number)).filter(|parent| self.nodes.contains_key(parent));
        match parent.and_then(|parent| self.nodes.get_mut(&parent)) {
            Some(node) => node.lines.push(TreeLine::Track(key)),
            None => self.roots.push(key),
        }
        let (agent, label) = (track.agent.clone(), markup::first_words(&track.label, 60));
        self.nodes.insert(key, TreeNode { agent, label, kind: track.kind, color, lines: Vec::new() });
    }

    /// Writes the tree, if there are tracks.
    pub fn write(&self, out: &mut String) {
        if self.roots.is_empty() {
            return;
        }
        out.push_str("<section aria-labelledby=\"tree\"><h2 id=\"tree\">Sequences and delegations</h2>\n<ul>\n");
        // What remains to be written, the next item last. `None` ends a list.
        let mut open: Vec<Option<TreeLine>> = self.roots.iter().rev().map(|key| Some(TreeLine::Track(*key))).collect();
        let mut depth = 0;
        while let Some(line) = open.pop() {
            match line {
                None => {
                    depth -= 1;
                    out.push_str("</ul></li>\n");
                }
                Some(TreeLine::Message { place, number, role, part: of }) => {
                    let name = words::part(of).unwrap_or(words::role(role));
                    let class = if of == TrackPart::Dialogue { " class=\"k2 agent\"" } else { "" };
                    out.push_str(&format!(
                        "<li><a href=\"#m{place}\"><span>{number}</span> <i{class}>{name}</i></a></li>\n"
                    ));
                }
                Some(TreeLine::Track(key)) => {
                    let Some(node) = self.nodes.get(&key) else { continue };
                    head(node, out);
                    if depth < MAX_TRACK_DEPTH {
                        depth += 1;
                        out.push_str("<ul>\n");
                        open.push(None);
                    } else {
                        out.push_str("</li>\n");
                    }
                    open.extend(node.lines.iter().rev().copied().map(Some));
                }
            }
        }
        out.push_str("</ul></section>\n");
    }
}

fn head(node: &TreeNode, out: &mut String) {
    let what = words::track(node.kind);
    out.push_str(&format!("<li><span class=\"agent k{}\">", node.color));
    if node.agent.is_empty() {
        let mut letters = what.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
        out.push_str("</span>");
    } else {
        markup::attribute(out, &node.agent);
        out.push_str(&format!("</span> <span>{what}</span>"));
    }
    if !node.label.is_empty() {
        out.push_str(" <span>");
        markup::attribute(out, &node.label);
        out.push_str("</span>");
    }
    out.push('\n');
}
