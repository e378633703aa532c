//! Decimal numbers in a single notation, as the C2SP formats write sizes, indexes and widths.

/// Reads ASCII digits without leading zeros, below 2^64; `0` is zero.
pub(crate) fn read_decimal(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    if digits && !leading_zero { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_notation() {
        assert_eq!(read_decimal("0"), Some(0));
        assert_eq!(read_decimal("18446744073709551615"), Some(u64::MAX));
        for text in ["", "00", "01", "+1", "-1", " 1", "1 ", "1_0", "٣", "18446744073709551616"] {
            assert_eq!(read_decimal(text), None, "{text:?}");
        }
    }
}
