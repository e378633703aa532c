//! Reads a bundle. It is strict about our own lines, and leaves the entries to the verification.

use ledger::{Commitment, Head, SealKey, Seq};

use super::log_evidence::Lines;
use super::{Bundle, BundleError, FORMAT, Header, TextLine};
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
    pub fn read(bytes: &[u8]) -> Result<Self, BundleError> {
        let error = |line: usize, why: &dyn ToString| BundleError { line, why: why.to_string() };
        let count = || bytes.split(|byte| *byte == b'\n').count();
        let cut_off = || error(count(), &"the file is cut off: its last line has no line break");
        let body = bytes.strip_suffix(b"\n").ok_or_else(cut_off)?;
        let mut lines = body.split(|byte| *byte == b'\n');
        let header = lines.next().unwrap_or_default();
        let header: Header = serde_json::from_slice(header).map_err(|why| error(1, &why))?;
        if header.matchbook != FORMAT {
            return Err(error(1, &format!("this program reads {FORMAT}, and this is {:?}", header.matchbook)));
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
                _ if line.starts_with(CHECKPOINT) => logged.checkpoint(line),
                _ if line.starts_with(TREE) => logged.tree(line),
                _ if line.starts_with(SEAL) => logged.seal(line),
                _ if line.starts_with(OPENED) => logged.opened(line),
                _ if line.starts_with(PLAYER) => logged.player(line),
                _ => {
                    entries.push(line.to_vec());
                    continue;
                }
            };
            done.map_err(|why| error(n, &why))?;
            more = more.saturating_add(1);
        }
        if header.more != more {
            let why = format!("{} lines follow the entries by the header, and {more} are here", header.more);
            return Err(error(last, &why));
        }
        let logged = logged.done();
        let head = Head { next: Seq(header.entries), leaf: header.head };
        Ok(Self { origin: header.origin, match_id: header.match_id, lines: entries, head, texts, logged })
    }
}

fn text(line: &[u8], texts: &mut Texts) -> Result<(), String> {
    let (commitment, text) = text_line(line)?;
    match texts.last_key_value() {
        Some((last, _)) if *last == commitment => Err("this text is here twice".to_owned()),
        Some((last, _)) if *last > commitment => Err("the texts are not sorted by their commitments".to_owned()),
        _ => {
            texts.insert(commitment, text);
            Ok(())
        }
    }
}

fn text_line(line: &[u8]) -> Result<(Commitment, Text), String> {
    let line: TextLine = serde_json::from_slice(line).map_err(|why| why.to_string())?;
    let key = SealKey::from_hex(&line.key).map_err(|why| why.to_string())?;
    Ok((line.commitment, Text { key, text: line.text }))
}
