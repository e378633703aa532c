//! Reading a policy file.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{Group, KnownLog, Member, Policy, Witness, Word};
use crate::beacon::{BeaconError, Network};
use crate::checkpoint::OriginLine;
use crate::decimal::read_decimal;
use crate::hash::Hash;
use crate::id::TreeSize;
use crate::note::{SignatureType, VerifierKey, VkeyError};
use crate::tree::Tree;

/// A wrong or a missing line of a policy file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line} of the policy: {fault}")]
pub struct PolicyError {
    /// The line, from 1; for a missing one, the line after the last.
    pub line: usize,
    /// The fault.
    pub fault: PolicyFault,
}

/// A fault of a policy file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PolicyFault {
    /// A control character other than tab and line break.
    #[error("it holds a control character other than a tab")]
    ControlCharacter,
    /// The last line does not end. The file may have been cut, and `quorum none` may be half of a line.
    #[error("it does not end with a line break, so that the file may have been cut short")]
    CutShort,
    /// Not one of the kinds of lines.
    #[error("a line begins with log, ended, witness, group, quorum, beacon or #")]
    UnknownLine,
    /// Missing words, or too many words.
    #[error("it is written {0}")]
    WrongWords(&'static str),
    /// The key does not read.
    #[error(transparent)]
    Key(#[from] VkeyError),
    /// The last tree of a log does not read, or the log has one.
    #[error("a log ends once, with a number of entries and their root in base64")]
    End,
    /// The key of a witness is not of a cosigner's type.
    #[error("the key of a witness is one for cosignatures, of type 0x04 or 0x06")]
    NotACosigner,
    /// The same public key in two lines for logs, or in two for witnesses.
    #[error("the same public key stands in an earlier line")]
    SameKey,
    /// A beacon's network does not read.
    #[error(transparent)]
    Beacon(#[from] BeaconError),
    /// Two lines for one network of a beacon.
    #[error("the beacon stands in an earlier line")]
    SameBeacon,
    /// A name that is taken, or that is `none`.
    #[error("the name {0} is taken")]
    NameTaken(Word),
    /// A name that no earlier line defines.
    #[error("no earlier line defines {0}")]
    UnknownName(Word),
    /// A member of two groups, or twice of one.
    #[error("{0} is a member of a group already, and may be of one only")]
    MemberTwice(Word),
    /// The number is not between 1 and the number of members.
    #[error("a group asks for all, any, or a number from 1 to that of its members")]
    Threshold,
    /// Two quorum lines.
    #[error("the quorum is defined by an earlier line")]
    SecondQuorum,
    /// No quorum line.
    #[error("a line with quorum is missing")]
    NoQuorum,
}

const LOG: &str = "log <key> [<url>]";
const ENDED: &str = "ended <name of a log> <entries> <root>";
const WITNESS: &str = "witness <name> <key> [<url>]";
const GROUP: &str = "group <name> all|any|<number> <name>...";
const QUORUM: &str = "quorum <name>, or quorum none";
const BEACON: &str = "beacon <name> <hash> <key> <genesis> <period>";

#[derive(Default)]
struct Reader {
    logs: Vec<KnownLog>,
    witnesses: Vec<Witness>,
    groups: Vec<Group>,
    names: BTreeMap<Word, Member>,
    members: BTreeSet<Word>,
    /// The quorum line, if there was one, with none for `quorum none`.
    quorum: Option<Option<Member>>,
    networks: Vec<Network>,
    ends: Vec<(OriginLine, Tree)>,
}

impl Policy {
    /// Reads a policy file, exactly as specified; lines for the networks of a beacon, and for the
    /// end of a log, are our own.
    pub fn read(file: &[u8]) -> Result<Self, PolicyError> {
        let mut reader = Reader::default();
        let mut count = 0_usize;
        for line in file.split_inclusive(|byte| *byte == b'\n') {
            count = count.saturating_add(1);
            let read = line.strip_suffix(b"\n").ok_or(PolicyFault::CutShort).and_then(|line| reader.line(line));
            read.map_err(|fault| PolicyError { line: count, fault })?;
        }
        let missing = PolicyError { line: count.saturating_add(1), fault: PolicyFault::NoQuorum };
        let quorum = reader.quorum.ok_or(missing)?;
        Ok(Self {
            logs: reader.logs,
            witnesses: reader.witnesses,
            groups: reader.groups,
            quorum,
            networks: reader.networks,
            ends: reader.ends,
        })
    }
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<(), PolicyFault> {
        if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
            return Err(PolicyFault::ControlCharacter);
        }
        let words: Vec<&[u8]> =
            line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Ok(()),
            [first, ..] if first.starts_with(b"#") => Ok(()),
            [b"log", words @ ..] => self.log(words),
            [b"ended", words @ ..] => self.ended(words),
            [b"witness", words @ ..] => self.witness(words),
            [b"group", words @ ..] => self.group(words),
            [b"quorum", words @ ..] => self.quorum(words),
            [b"beacon", words @ ..] => self.beacon(words),
            _ => Err(PolicyFault::UnknownLine),
        }
    }

    fn log(&mut self, words: &[&[u8]]) -> Result<(), PolicyFault> {
        let (key, url) = match words {
            [key] => (key, None),
            [key, url] => (key, Some(word(url))),
            _ => return Err(PolicyFault::WrongWords(LOG)),
        };
        let key = read_key(key)?;
        if self.logs.iter().any(|log| log.key.public() == key.public()) {
            return Err(PolicyFault::SameKey);
        }
        self.logs.push(KnownLog { key, url });
        Ok(())
    }

    fn ended(&mut self, words: &[&[u8]]) -> Result<(), PolicyFault> {
        let [name, size, root] = words else { return Err(PolicyFault::WrongWords(ENDED)) };
        let log = self.logs.iter().find(|log| log.key.name().as_str().as_bytes() == *name);
        let origin = OriginLine::from(log.ok_or_else(|| PolicyFault::UnknownName(word(name)))?.key.name());
        let text = |bytes| std::str::from_utf8(bytes).map_err(|_| PolicyFault::End);
        let size = read_decimal(text(size)?).map(TreeSize).ok_or(PolicyFault::End)?;
        let root = Hash::from_base64(text(root)?).map_err(|_| PolicyFault::End)?;
        if self.ends.iter().any(|(known, _)| *known == origin) {
            return Err(PolicyFault::End);
        }
        self.ends.push((origin, Tree { size, root }));
        Ok(())
    }

    fn witness(&mut self, words: &[&[u8]]) -> Result<(), PolicyFault> {
        let (name, key, url) = match words {
            [name, key] => (word(name), key, None),
            [name, key, url] => (word(name), key, Some(word(url))),
            _ => return Err(PolicyFault::WrongWords(WITNESS)),
        };
        let key = read_key(key)?;
        if !matches!(key.signature_type(), SignatureType::CosignatureV1 | SignatureType::Other(0x06)) {
            return Err(PolicyFault::NotACosigner);
        }
        if self.witnesses.iter().any(|witness| witness.key.public() == key.public()) {
            return Err(PolicyFault::SameKey);
        }
        self.define(&name, Member::Witness(self.witnesses.len()))?;
        self.witnesses.push(Witness { name, key, url });
        Ok(())
    }

    fn group(&mut self, words: &[&[u8]]) -> Result<(), PolicyFault> {
        let [name, threshold, names @ ..] = words else { return Err(PolicyFault::WrongWords(GROUP)) };
        if names.is_empty() {
            return Err(PolicyFault::WrongWords(GROUP));
        }
        let mut members = Vec::with_capacity(names.len());
        for member in names.iter().map(|name| word(name)) {
            let stands_for = self.names.get(&member).ok_or_else(|| PolicyFault::UnknownName(member.clone()))?;
            members.push(*stands_for);
            if !self.members.insert(member.clone()) {
                return Err(PolicyFault::MemberTwice(member));
            }
        }
        let at_least = match *threshold {
            b"all" => members.len(),
            b"any" => 1,
            number => std::str::from_utf8(number)
                .ok()
                .and_then(read_decimal)
                .and_then(|number| usize::try_from(number).ok())
                .filter(|number| (1..=members.len()).contains(number))
                .ok_or(PolicyFault::Threshold)?,
        };
        self.define(&word(name), Member::Group(self.groups.len()))?;
        self.groups.push(Group { at_least, members });
        Ok(())
    }

    fn quorum(&mut self, words: &[&[u8]]) -> Result<(), PolicyFault> {
        let [name] = words else { return Err(PolicyFault::WrongWords(QUORUM)) };
        if self.quorum.is_some() {
            return Err(PolicyFault::SecondQuorum);
        }
        let stands_for = match *name {
            b"none" => None,
            _ => Some(*self.names.get(&word(name)).ok_or_else(|| PolicyFault::UnknownName(word(name)))?),
        };
        self.quorum = Some(stands_for);
        Ok(())
    }

    fn beacon(&mut self, words: &[&[u8]]) -> Result<(), PolicyFault> {
        if words.len() != 5 {
            return Err(PolicyFault::WrongWords(BEACON));
        }
        let network: Network = std::str::from_utf8(&words.join(&b' ')).map_err(|_| BeaconError::Network)?.parse()?;
        if self.networks.iter().any(|known| known.hash == network.hash) {
            return Err(PolicyFault::SameBeacon);
        }
        self.networks.push(network);
        Ok(())
    }

    /// Witnesses and groups share their names, and `none` is always taken.
    fn define(&mut self, name: &Word, stands_for: Member) -> Result<(), PolicyFault> {
        if name.bytes() == b"none" || self.names.contains_key(name) {
            return Err(PolicyFault::NameTaken(name.clone()));
        }
        self.names.insert(name.clone(), stands_for);
        Ok(())
    }
}

fn word(bytes: &[u8]) -> Word {
    Word(bytes.into())
}

fn read_key(bytes: &[u8]) -> Result<VerifierKey, PolicyFault> {
    // A key with bytes that are not UTF-8 has a name that no note can have.
    Ok(std::str::from_utf8(bytes).map_err(|_| VkeyError::NotAVkey)?.parse()?)
}
