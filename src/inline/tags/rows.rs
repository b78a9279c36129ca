//! How the rows of the tag table are written.

macro_rules! texts {
    ($($text:literal),* $(,)?) => {
        Cow::Borrowed(&[$(Cow::Borrowed($text)),*])
    };
}

macro_rules! pairs {
    ($(($a:literal, $b:literal $(,)?)),* $(,)?) => {
        Cow::Borrowed(&[$((Cow::Borrowed($a), Cow::Borrowed($b))),*])
    };
}

macro_rules! row {
    ($base:ident, $name:literal, $open:literal, $close:literal $(, $field:ident: $value:expr)* $(,)?) => {
        Row {
            name: Cow::Borrowed($name),
            open: Cow::Borrowed($open),
            close: Cow::Borrowed($close),
            $($field: $value,)*
            ..$base
        }
    };
}

/// A word tag that stands for nothing else, whose opening may be missing. Behind its name stand further examples.
macro_rules! kin {
    ($name:literal $(, ($text:literal, $left:literal))*) => {
        Row {
            name: Cow::Borrowed($name),
            open: Cow::Borrowed(concat!("<", $name, ">")),
            close: Cow::Borrowed(concat!("</", $name, ">")),
            missing_open: Missing::Yes,
            examples: Cow::Borrowed(&[
                (
                    Cow::Borrowed(concat!("Write `<", $name, ">` or „</", $name, ">“ for that.")),
                    Cow::Borrowed(concat!("Write `<", $name, ">` or „</", $name, ">“ for that.")),
                ),
                (Cow::Borrowed(concat!("<", $name, ">\nr\n</", $name, ">\na")), Cow::Borrowed("a")),
                (Cow::Borrowed(concat!("<", $name, ">r</", $name, ">a")), Cow::Borrowed("a")),
                (Cow::Borrowed(concat!("r</", $name, ">a")), Cow::Borrowed("a")),
                (
                    Cow::Borrowed(concat!("<un", $name, ">a</un", $name, ">")),
                    Cow::Borrowed(concat!("<un", $name, ">a</un", $name, ">")),
                ),
                $((Cow::Borrowed($text), Cow::Borrowed($left)),)*
            ]),
            ..WORD
        }
    };
}
