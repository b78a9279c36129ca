//! Images as images, if the input has their bytes; all other media as a line.

use super::super::ShownMedia;
use super::super::markup;

/// The types that a page shows. All are plain images, which hold nothing that runs or loads.
const SHOWN_TYPES: [&str; 5] = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];

/// Writes an image or a line.
pub fn media(media: &ShownMedia, out: &mut String) {
    let is_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    let mime = SHOWN_TYPES.iter().find(|mime| **mime == media.mime);
    if let Some(mime) = mime.filter(|_| !media.base64.is_empty() && media.base64.bytes().all(is_base64)) {
        out.push_str("<figure class=\"media\"><img alt=\"");
        markup::attribute(out, if media.name.is_empty() { "An image" } else { &media.name });
        out.push_str(&format!("\" src=\"data:{mime};base64,{}\"></figure>\n", media.base64));
        return;
    }
    let what = match media.what {
        "image" => "An image",
        "sound" => "A sound",
        "film" => "A film",
        _ => "A document",
    };
    out.push_str(&format!("<p class=\"note\">{what}"));
    let size = match media.base64.len() as u64 * 3 / 4 {
        0 => String::new(),
        few @ ..2048 => format!("{few} bytes"),
        many => format!("{} KiB", many / 1024),
    };
    let facts = [&media.name, &media.mime, &size, &media.address].into_iter().filter(|fact| !fact.is_empty());
    for (at, fact) in facts.enumerate() {
        out.push_str(if at == 0 { ": " } else { ", " });
        markup::attribute(out, fact);
    }
    out.push_str("</p>\n");
}
