//! A rate with its confidence interval.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    pub k: i64,
    pub n: i64,
}

/// With fewer cases, a rate says nothing and only the counts are shown.
const LEAST: i64 = 10;
/// The quantile of the normal distribution for a 95 % interval.
const Z: f64 = 1.959_964;

impl Rate {
    /// True if it is at least 95 % of them, or if there are none.
    pub const fn is_nearly_all(self) -> bool {
        self.k * 20 >= self.n * 19
    }

    pub fn percent(self) -> Option<f64> {
        (self.n >= LEAST).then(|| 100.0 * self.k as f64 / self.n as f64)
    }

    /// Wilson's score interval in percent (E. B. Wilson, 1927). It stays between 0 and 100 even for rates close to
    /// them.
    pub fn interval(self) -> Option<(f64, f64)> {
        if self.n < LEAST {
            return None;
        }
        let (n, p) = (self.n as f64, self.k as f64 / self.n as f64);
        let (z2, denominator) = (Z * Z, 1.0 + Z * Z / n);
        let middle = (p + z2 / (2.0 * n)) / denominator;
        let half = Z / denominator * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        Some((100.0 * (middle - half).max(0.0), 100.0 * (middle + half).min(1.0)))
    }
}

impl Rate {
    pub fn share(self) -> String {
        self.percent().map(|percent| format!("{percent:.0}\u{a0}%")).unwrap_or_default()
    }

    pub fn between(self) -> String {
        self.interval().map(|(low, high)| format!("{low:.0}\u{a0}to\u{a0}{high:.0}")).unwrap_or_default()
    }

    pub fn short(self) -> String {
        match self.percent() {
            Some(percent) => format!("{percent:.0}\u{a0}%"),
            None => format!("{}/{}", self.k, self.n),
        }
    }
}

/// `42 of 100, 42 % (33 to 52)`, or `3 of 7` if there are too few cases for a rate.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.k, self.n)?;
        match (self.percent(), self.interval()) {
            (Some(percent), Some((low, high))) => write!(f, ", {percent:.0}\u{a0}% ({low:.0}\u{a0}to\u{a0}{high:.0})"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        // Published: 8 of 10 gives 0.4902 to 0.9433; 0 of 10 gives 0 to 0.2775.
        let near = |(low, high): (f64, f64), (a, b): (f64, f64)| (low - a).abs() < 0.01 && (high - b).abs() < 0.01;
        assert!(near(Rate { k: 8, n: 10 }.interval().unwrap(), (49.02, 94.33)));
        assert!(near(Rate { k: 0, n: 10 }.interval().unwrap(), (0.0, 27.75)));
        assert!(near(Rate { k: 10, n: 10 }.interval().unwrap(), (72.25, 100.0)));
    }

    #[test]
    fn nineteen_of_twenty_are_nearly_all() {
        assert!([(19, 20), (20, 20), (0, 0)].into_iter().all(|(k, n)| Rate { k, n }.is_nearly_all()));
        assert!(![(18, 20), (0, 1)].into_iter().any(|(k, n)| Rate { k, n }.is_nearly_all()));
    }

    #[test]
    fn too_few_cases_have_no_rate() {
        assert_eq!(Rate { k: 3, n: 9 }.to_string(), "3 of 9");
        assert_eq!(Rate { k: 0, n: 0 }.to_string(), "0 of 0");
        assert_eq!(Rate { k: 42, n: 100 }.to_string(), "42 of 100, 42\u{a0}% (33\u{a0}to\u{a0}52)");
    }
}
