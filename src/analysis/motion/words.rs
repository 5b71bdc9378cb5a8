//! Numbers and names for reading.

/// `21.0°`.
pub(super) fn degrees(value: f64) -> String {
    format!("{value:.1}°")
}

/// `0.042 s`, `1 s`: milliseconds are as fine as anybody keys.
pub(super) fn secs(value: f32) -> String {
    format!("{} s", number(f64::from(value), 3))
}

/// `1.2 m`, `0.0042 m`: three digits that say something.
pub(super) fn metres(value: f64) -> String {
    let digits = if value > 0.0 {
        (2.0 - value.log10().floor()).clamp(0.0, 9.0) as usize
    } else {
        0
    };
    format!("{} m", number(value, digits))
}

/// A number of at most so many decimals, without zeros at its end.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// `1 joint`, `2 joints`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// With a capital, for the beginning of a sentence.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Three names, and how many more there are: `"hips", "spine", "head" and 12 more`.
pub(super) fn some_of(names: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 3;
    let count = names.len();
    // A fourth name is no longer than "and 1 more".
    let shown = if count == SHOWN + 1 { count } else { SHOWN };
    let text = names.take(shown).collect::<Vec<_>>().join(", ");
    match count.saturating_sub(shown) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(secs(0.0), "0 s");
        assert_eq!(secs(1.0 / 24.0), "0.042 s");
        assert_eq!(secs(10.0), "10 s");
        assert_eq!(metres(1.204_4), "1.2 m");
        assert_eq!(metres(0.004_21), "0.00421 m");
        assert_eq!(metres(1234.0), "1234 m");
        assert_eq!(metres(0.0), "0 m");
        assert_eq!(metres(f64::NAN), "NaN m");
        assert_eq!(degrees(20.96), "21.0°");
    }

    #[test]
    fn a_few_names_stand_for_many() {
        let names = |count: usize| some_of((0..count).map(|i| i.to_string()));
        assert_eq!(names(0), "");
        assert_eq!(names(3), "0, 1, 2");
        assert_eq!(names(4), "0, 1, 2, 3");
        assert_eq!(names(5), "0, 1, 2 and 2 more");
    }
}
