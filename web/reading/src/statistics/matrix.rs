//! The pairs of kinds of moves as a drawing: a row for each kind of seat 1, a column for each of seat 2, and the count
//! in each cell. The table of pairs says the same, so the picture is only decoration.

use std::collections::BTreeMap;

use askama::Template;

const KINDS: usize = 16;
const WIDE: usize = 32;
const TALL: usize = 24;
const HEAD: usize = 144;
const SIDE: usize = 188;
const EDGE: usize = 128;
/// The number of characters of a kind's name that fit, and the number of leading ones kept in a shortened name: names
/// begin alike more often than they end alike.
const SIGNS: usize = 28;
const FIRST: usize = 6;
pub(super) const NOT_ASKED: &str = "Not asked";
const SHADES: i64 = 5;

#[derive(Debug, Template)]
#[template(
    source = r#"<svg class="matrix" viewBox="0 0 {{ width }} {{ height }}" width="{{ width }}" height="{{ height }}" aria-hidden="true" focusable="false">{% for (y, words) in rows %}<text class="row" x="{{ SIDE - 8 }}" y="{{ y + 16 }}">{{ words }}</text>{% endfor %}{% for (x, words) in columns %}<text transform="translate({{ x + 14 }} {{ HEAD - 8 }}) rotate(-45)">{{ words }}</text>{% endfor %}{% for cell in cells %}<rect class="shade-{{ cell.shade }}" x="{{ cell.x }}" y="{{ cell.y }}" width="{{ WIDE - 1 }}" height="{{ TALL - 1 }}"/>{% endfor %}{% for cell in cells %}{% if cell.shade > 0 %}<text class="n" x="{{ cell.x + 15 }}" y="{{ cell.y + 16 }}">{{ cell.n }}</text>{% endif %}{% endfor %}</svg>"#,
    ext = "html"
)]
pub(super) struct Matrix {
    pub(super) what: String,
    /// The position of a kind, and its name.
    rows: Vec<(usize, String)>,
    columns: Vec<(usize, String)>,
    cells: Vec<Cell>,
    width: usize,
    height: usize,
    pub(super) left_out: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct Cell {
    x: usize,
    y: usize,
    /// From 0, for never played, to the most frequent.
    shade: i64,
    n: String,
}

pub(super) struct KindPair<'a> {
    pub(super) what: &'a str,
    pub(super) p1: &'a str,
    pub(super) p2: &'a str,
    pub(super) n: i64,
}

impl Matrix {
    pub(super) fn all(pairs: &[KindPair<'_>]) -> Vec<Self> {
        let mut questions: BTreeMap<&str, Vec<&KindPair<'_>>> = BTreeMap::new();
        // If only one seat was asked, there is no pair.
        let both_asked = pairs.iter().filter(|pair| ![pair.p1, pair.p2].contains(&NOT_ASKED));
        both_asked.for_each(|pair| questions.entry(pair.what).or_default().push(pair));
        let mut questions: Vec<_> = questions.into_iter().collect();
        questions.sort_by_key(|(_, pairs)| -pairs.iter().map(|pair| pair.n).sum::<i64>());
        questions.into_iter().filter_map(|(what, pairs)| Self::of(what, &pairs)).collect()
    }

    fn of(what: &str, pairs: &[&KindPair<'_>]) -> Option<Self> {
        let (first, second) = (kinds(pairs, |pair| pair.p1), kinds(pairs, |pair| pair.p2));
        if first.len() < 2 || second.len() < 2 {
            return None;
        }
        let left_out = first.len().saturating_sub(KINDS) + second.len().saturating_sub(KINDS);
        let (first, second) = (first.get(..KINDS).unwrap_or(&first), second.get(..KINDS).unwrap_or(&second));
        let mut counts: BTreeMap<(&str, &str), i64> = BTreeMap::new();
        pairs.iter().for_each(|pair| *counts.entry((pair.p1, pair.p2)).or_default() += pair.n);
        let most = counts.values().copied().max().unwrap_or(1).max(1);
        let (y, x) = (|row: usize| HEAD + row * TALL, |column: usize| SIDE + column * WIDE);
        let cell = |row, p1, column, p2| {
            let n = counts.get(&(p1, p2)).copied().unwrap_or(0);
            Cell { x: x(column), y: y(row), shade: (n * SHADES + most - 1) / most, n: short(n) }
        };
        let cells = first
            .iter()
            .enumerate()
            .flat_map(|(row, p1)| second.iter().enumerate().map(move |(column, p2)| (row, *p1, column, *p2)));
        let words = |kinds: &[&str], at: &dyn Fn(usize) -> usize| {
            kinds.iter().enumerate().map(|(place, kind)| (at(place), cut(kind))).collect()
        };
        Some(Self {
            what: what.to_owned(),
            rows: words(first, &y),
            columns: words(second, &x),
            cells: cells.map(|(row, p1, column, p2)| cell(row, p1, column, p2)).collect(),
            width: x(second.len()) + EDGE,
            height: y(first.len()),
            left_out,
        })
    }
}

fn kinds<'a>(pairs: &[&KindPair<'a>], of: impl Fn(&KindPair<'a>) -> &'a str) -> Vec<&'a str> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    pairs.iter().for_each(|pair| *counts.entry(of(pair)).or_default() += pair.n);
    let mut kinds: Vec<_> = counts.into_iter().collect();
    kinds.sort_by_key(|(_, n)| -n);
    kinds.into_iter().map(|(kind, _)| kind).collect()
}

fn cut(words: &str) -> String {
    if words.chars().count() <= SIGNS {
        return words.to_owned();
    }
    let last = words.chars().count() - (SIGNS - FIRST - 1);
    words.chars().take(FIRST).chain(['\u{2026}']).chain(words.chars().skip(last)).collect()
}

fn short(n: i64) -> String {
    match n {
        ..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{}k", n / 1_000),
        _ => format!("{}M", n / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_pair<'a>(p1: &'a str, p2: &'a str, n: i64) -> KindPair<'a> {
        KindPair { what: "round", p1, p2, n }
    }

    #[test]
    fn every_pair_has_its_cell_and_the_most_frequent_the_darkest() {
        let pairs = [kind_pair("a", "a", 1), kind_pair("a", "b", 50), kind_pair("b", "a", 20)];
        let [drawn] = Matrix::all(&pairs).try_into().unwrap();
        let told: Vec<_> = drawn.cells.iter().map(|cell| (cell.shade, cell.n.as_str())).collect();
        // Seat 1 sent "a" more often, and seat 2 "b".
        assert_eq!(told, [(5, "50"), (1, "1"), (0, "0"), (2, "20")], "by rows");
        assert_eq!(
            drawn.rows.iter().map(|(y, kind)| (*y, kind.as_str())).collect::<Vec<_>>(),
            [(HEAD, "a"), (HEAD + TALL, "b")]
        );
        assert_eq!(drawn.columns[0], (SIDE, "b".to_owned()));
    }

    #[test]
    fn a_question_without_a_choice_for_both_is_not_drawn() {
        assert!(Matrix::all(&[kind_pair("a", "x", 3), kind_pair("b", "x", 4)]).is_empty());
        assert!(Matrix::all(&[]).is_empty());
        let alone = [
            kind_pair("a", NOT_ASKED, 1),
            kind_pair("b", NOT_ASKED, 2),
            kind_pair(NOT_ASKED, "a", 3),
            kind_pair(NOT_ASKED, "b", 4),
        ];
        assert!(Matrix::all(&alone).is_empty());
    }

    #[test]
    fn rare_kinds_have_no_room_and_are_counted() {
        let names: Vec<String> = (0..20).map(|n| format!("kind {n}")).collect();
        let pairs: Vec<_> = names.iter().zip(1..).map(|(name, n)| kind_pair(name, name, n)).collect();
        let [drawn] = Matrix::all(&pairs).try_into().unwrap();
        assert_eq!((drawn.rows.len(), drawn.columns.len(), drawn.left_out), (KINDS, KINDS, 8));
        assert!(drawn.rows.iter().all(|(_, kind)| kind != "kind 0"));
    }

    #[test]
    fn long_words_and_great_counts_are_shortened() {
        assert_eq!(cut("Selects the four of clubs"), "Selects the four of clubs");
        assert_eq!(cut("Says that the card to the south is higher"), "Says t\u{2026}o the south is higher");
        assert_eq!([9_999, 10_000, 999_999, 2_500_000].map(short), ["9999", "10k", "999k", "2M"]);
    }
}
