//! Numbers as people read them, and those at the ends of scales.

/// The share of reasoning in percent; 0 if there are no tokens.
pub fn share(visible: u64, reasoning: u64) -> f64 {
    let all = visible.saturating_add(reasoning);
    if all == 0 { 0.0 } else { 100.0 * reasoning as f64 / all as f64 }
}

/// A whole number with commas.
pub fn commas(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number of things.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", commas(number), if number == 1 { "" } else { "s" })
}

/// A place in a list.
pub fn ordinal(number: u64) -> String {
    let end = match (number % 10, number % 100) {
        (1, not) if not != 11 => "st",
        (2, not) if not != 12 => "nd",
        (3, not) if not != 13 => "rd",
        _ => "th",
    };
    format!("{}{end}", commas(number))
}

/// The least of 2, 4, 6 and 10 times a power of ten that is not less than `most`.
pub fn round_up(most: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for digit in [2, 4, 6, 10] {
            let top = power.saturating_mul(digit);
            if top >= most {
                return top;
            }
        }
        power = power.saturating_mul(10);
    }
}
