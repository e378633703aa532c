//! Reads a bundle. It is strict about our own lines, and leaves the entries to the verification.

use ledger::{Commitment, Head, SealKey, Seq};

use super::log_evidence::Lines;
use super::{Bundle, BundleError, FIRST_FORMAT, FORMAT, Header, TextLine};
use crate::text::{Text, Texts};

/// The beginnings of lines after the entries. No entry begins like one of these.
const TEXT: &[u8] = br#"{"commitment":"#;
const CHECKPOINT: &[u8] = br#"{"checkpoint":"#;
const TREE: &[u8] = br#"{"tree":"#;
const SEAL: &[u8] = br#"{"seal":"#;
const OPENED: &[u8] = br#"{"opened":"#;
const PLAYER: &[u8] = br#"{"player":"#;

impl Bundle {
    /// Reads a file. Entries are not checked here; that is for the verification.
    ///
    /// # Errors
    /// The header, a text or a line about the log does not read, or their number is not that of the header.
    pub fn read(bytes: &[u8]) -> Result<Self, BundleError> {
        let error = |line: usize, why: &dyn ToString| BundleError { line, why: why.to_string() };
        let count = || bytes.split(|byte| *byte == b'\n').count();
        let cut_off = || error(count(), &"the file is cut off: its last line has no line break");
        let body = bytes.strip_suffix(b"\n").ok_or_else(cut_off)?;
        let mut lines = body.split(|byte| *byte == b'\n');
        let header = lines.next().unwrap_or_default();
        let header: Header = serde_json::from_slice(header).map_err(|why| error(1, &why))?;
        let first = match header.matchbook.as_str() {
            FORMAT => false,
            FIRST_FORMAT => true,
            other => {
                return Err(error(
                    1,
                    &format!("this program reads {FORMAT} and {FIRST_FORMAT}, and this is {other:?}"),
                ));
            }
        };
        if first == header.more.is_some() {
            return Err(error(1, &format!("{} has no such header", header.matchbook)));
        }
        // The number of entries is only a claim: finding 1 reports one too few or too many.
        let mut entries = Vec::new();
        let mut texts = Texts::new();
        let mut logged = Lines::default();
        let (mut more, mut last) = (0_u32, 1);
        for (n, line) in (2..).zip(lines) {
            last = n;
            let done = match line {
                _ if line.starts_with(TEXT) => text(line, &mut texts),
                _ if line.starts_with(CHECKPOINT) && !first => logged.checkpoint(line),
                _ if line.starts_with(TREE) && !first => logged.tree(line),
                _ if line.starts_with(SEAL) && !first => logged.seal(line),
                _ if line.starts_with(OPENED) && !first => logged.opened(line),
                _ if line.starts_with(PLAYER) && !first => logged.player(line),
                _ => {
                    entries.push(line.to_vec());
                    continue;
                }
            };
            done.map_err(|why| error(n, &why))?;
            more = more.saturating_add(1);
        }
        if let Some(said) = header.more.filter(|said| *said != more) {
            let why = format!("{said} lines follow the entries by the header, and {more} are here");
            return Err(error(last, &why));
        }
        let logged = logged.done();
        let head = Head { next: Seq(header.entries), leaf: header.head };
        Ok(Self { origin: header.origin, match_id: header.match_id, lines: entries, head, texts, logged })
    }
}

fn text(line: &[u8], texts: &mut Texts) -> Result<(), String> {
    let (commitment, text) = text_line(line)?;
    match texts.insert(commitment, text) {
        None => Ok(()),
        Some(_) => Err("this text is here twice".to_owned()),
    }
}

fn text_line(line: &[u8]) -> Result<(Commitment, Text), String> {
    let line: TextLine = serde_json::from_slice(line).map_err(|why| why.to_string())?;
    let key = SealKey::from_hex(&line.key).map_err(|why| why.to_string())?;
    Ok((line.commitment, Text { key, text: line.text }))
}
