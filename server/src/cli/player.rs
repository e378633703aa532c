//! `matchbook player`: the long-lived key of a registered player, on the player's own machine. No database, no network:
//! what is signed is printed, and handed in on the site.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use app::system::System;
use clap::{Args, Subcommand};
use ledger::ed25519::SecretKey;
use ledger::{
    ChainAct, ChainMessage, Hash, KeyCode, NextKeyHash, Origin, PlayerId, PlayerKey, VouchMessage, VouchRequest,
    leaf_hash,
};
use record::body::{PlayerKeyEntry, RevokedChain, SignedAct};
use record::verify::Check;
use record::{Bundle, Vouching};
use serde::{Deserialize, Serialize};

use super::verify::plain;

/// Keep a key of your own, and vouch with it for what you play.
///
/// The key stays in a file on your machine, and the site never has it. The key after it is your recovery code, on paper:
/// with it you go on where the file is lost or stolen. Needs no database and no network. Each command prints one line,
/// which you hand in on the site; everything else goes to the standard error.
#[derive(Debug, Subcommand)]
pub(crate) enum Player {
    New(New),
    Vouch(Vouch),
    Next(Next),
    /// Revoke all keys, for good: none counts for a match that is opened from then on.
    Revoke(OfFile),
    /// Say whose key is in a file, and print once more what was signed last for the chain.
    Show(OfFile),
}

/// Make a key, and the line that registers it at the site's page /registered.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The log in which you register: the name on the site's page /registered.
    #[arg(long, value_name = "NAME")]
    origin: Origin,
    /// The new file for the key.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Vouch for the key of a seat: sign what the page of your seat shows.
#[derive(Debug, Args)]
pub(crate) struct Vouch {
    /// The file with the key.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What the page of your seat shows, from matchbook/vouch/1 on, in quotes.
    #[arg(value_name = "LINE")]
    line: String,
    /// The match's bundle, from its public page: says whose match it is, and refuses where the line is about another one.
    #[arg(long, value_name = "BUNDLE")]
    bundle: Option<PathBuf>,
}

/// Go on with the next key: type the recovery code on the standard input. Prints a new code.
#[derive(Debug, Args)]
pub(crate) struct Next {
    /// The file with the key. It may be lost: then it is made anew, for the player and the log that you name.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The player's id, where the file is lost.
    #[arg(long, value_name = "ID", requires = "origin")]
    player: Option<PlayerId>,
    /// The log's name, where the file is lost.
    #[arg(long, value_name = "NAME", requires = "player")]
    origin: Option<Origin>,
}

#[derive(Debug, Args)]
pub(crate) struct OfFile {
    /// The file with the key.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    matchbook: String,
    origin: Origin,
    player: PlayerId,
    key: String,
    next: NextKeyHash,
    /// The last thing that was signed for the chain, to be handed in again if it was not.
    last: SignedAct,
}

const FORMAT: &str = "player/1";

impl Player {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Self::New(arguments) => arguments.run()?,
            Self::Vouch(arguments) => arguments.run()?,
            Self::Next(arguments) => arguments.run()?,
            Self::Revoke(arguments) => revoke(&arguments.file)?,
            Self::Show(arguments) => show(&arguments.file)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl New {
    fn run(&self) -> anyhow::Result<()> {
        let system = System::real();
        let key = SecretKey::from_seed(&system.bytes32());
        let player = PlayerId::of(&self.origin, &PlayerKey::from(&key));
        let (code, file) = enters(&system, &self.origin, player, &key, true);
        file.write_new(&self.file)?;
        tell(&format!("Your id is {player}. The key is in {}.", self.file.display()));
        tell_code(&code);
        tell("Hand this line in at the site's page /registered:");
        say(&file.last)
    }
}

impl Next {
    fn run(&self) -> anyhow::Result<()> {
        let system = System::real();
        let lost = self.player.zip(self.origin.clone());
        let file = match &lost {
            Some(_) => {
                ensure!(!self.file.exists(), "{} is there: leave --player and --origin out", self.file.display());
                None
            }
            None => Some(KeyFile::read(&self.file)?),
        };
        tell("The recovery code:");
        let mut typed = String::new();
        std::io::stdin().read_line(&mut typed).context("the standard input")?;
        let key = KeyCode::read(&typed)?.key();
        if let Some(file) = &file {
            let fits = NextKeyHash::of(&PlayerKey::from(&key)) == file.next;
            ensure!(fits, "this is the code of another key: of an earlier one, or of another player");
        }
        let of = lost.or_else(|| file.as_ref().map(|file| (file.player, file.origin.clone())));
        let (player, origin) = of.context("no player is named")?;
        let (code, new) = enters(&system, &origin, player, &key, false);
        if file.is_some() {
            new.replace(&self.file)?;
        } else {
            new.write_new(&self.file)?;
        }
        tell_code(&code);
        tell(&format!("Hand this line in at the site's page /registered/{player}:"));
        say(&new.last)
    }
}

impl Vouch {
    fn run(&self) -> anyhow::Result<()> {
        let file = KeyFile::read(&self.file)?;
        let (origin, request) = request(&self.line)?;
        ensure!(origin == file.origin, "this is about the log {origin}, and you are registered in {}", file.origin);
        if let Some(path) = &self.bundle {
            tell(&about(path, &request)?);
        }
        let message = VouchMessage { origin: &file.origin, request, player: file.player };
        let vouching = Vouching { player: file.player, signature: message.sign(&file.secret()?) };
        tell(
            "Whoever signs in the site's page trusts it: the key could be the site's. Your own program's key does not depend on it.",
        );
        tell(&format!(
            "You vouch for seat {} of match {}. Hand this in on the page of your seat:",
            request.seat, request.match_id
        ));
        say!("{vouching}")?;
        Ok(())
    }
}

fn about(path: &Path, request: &VouchRequest) -> anyhow::Result<String> {
    let bytes = super::verify::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let bundle = Bundle::read(&bytes).with_context(|| format!("{} is no bundle", path.display()))?;
    let opened: Hash = bundle.lines.first().map(|line| leaf_hash(line)).unwrap_or_default();
    ensure!(
        bundle.match_id == request.match_id && opened == request.opened,
        "the line is about another match than the bundle: do not sign it"
    );
    let check = Check::of(&bundle, None);
    let history = check.history().context("the bundle's match cannot be read")?;
    Ok(plain(&format!("The match: {}, {}, opened {}.", history.bout(), history.opened.ruleset, history.opened_at)))
}

fn request(line: &str) -> anyhow::Result<(Origin, VouchRequest)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["matchbook/vouch/1", origin, match_id, seat, opened, session] = words.as_slice() else {
        bail!("copy the whole line of your seat's page: matchbook/vouch/1, and five words after it");
    };
    let request = VouchRequest {
        match_id: match_id.parse()?,
        seat: seat.parse()?,
        opened: opened.parse()?,
        session: session.parse()?,
    };
    ensure!(request.seat != ledger::Sealer::Host, "the host has no seat");
    Ok((origin.parse()?, request))
}

fn revoke(path: &Path) -> anyhow::Result<()> {
    let mut file = KeyFile::read(path)?;
    let secret = file.secret()?;
    let key = PlayerKey::from(&secret);
    let message = ChainMessage { origin: &file.origin, player: file.player, act: ChainAct::Revoke { key } };
    file.last = SignedAct::Revoked(RevokedChain { key, signature: message.sign(&secret) });
    file.replace(path)?;
    tell(&format!("Once this is handed in, no key of yours counts any more. At /registered/{}:", file.player));
    say(&file.last)
}

fn show(path: &Path) -> anyhow::Result<()> {
    let file = KeyFile::read(path)?;
    let key = PlayerKey::from(&file.secret()?);
    tell(&format!("Player {} of {}, with the key {key}. What was signed last:", file.player, file.origin));
    say(&file.last)
}

/// A key enters a player's chain: the code of the key after it, and the file.
fn enters(system: &System, origin: &Origin, player: PlayerId, secret: &SecretKey, first: bool) -> (KeyCode, KeyFile) {
    let code = KeyCode::new(system.bytes32());
    let (key, next) = (PlayerKey::from(secret), NextKeyHash::of(&PlayerKey::from(&code.key())));
    let act = if first { ChainAct::Register { key, next } } else { ChainAct::Rotate { key, next } };
    let signature = ChainMessage { origin, player, act }.sign(secret);
    let entry = PlayerKeyEntry { key, next, signature };
    let last = if first { SignedAct::Registered(entry) } else { SignedAct::Rotated(entry) };
    let seed = KeyFile::hex(secret);
    (code, KeyFile { matchbook: FORMAT.to_owned(), origin: origin.clone(), player, key: seed, next, last })
}

impl KeyFile {
    fn hex(secret: &SecretKey) -> String {
        Hash::new(*secret.seed()).to_string()
    }

    fn secret(&self) -> anyhow::Result<SecretKey> {
        let seed: Hash = self.key.parse().context("the key in the file")?;
        Ok(SecretKey::from_seed(seed.bytes()))
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file: Self =
            serde_json::from_str(&text).with_context(|| format!("{} is no file of a player", path.display()))?;
        ensure!(file.matchbook == FORMAT, "{} has another format than this program reads", path.display());
        Ok(file)
    }

    /// Writes a file that nobody else can read, and that is not there yet.
    fn write_new(&self, path: &Path) -> anyhow::Result<()> {
        let open = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let mut file = open.with_context(|| format!("cannot make {}", path.display()))?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.write_all(b"\n")?;
        Ok(file.sync_all()?)
    }

    /// Replaces a file. A crash leaves the old one or the new one.
    fn replace(&self, path: &Path) -> anyhow::Result<()> {
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        if new.exists() {
            fs::remove_file(&new)?;
        }
        self.write_new(&new)?;
        Ok(fs::rename(&new, path)?)
    }
}

fn say(act: &SignedAct) -> anyhow::Result<()> {
    say!("{}", serde_json::to_string(act)?)?;
    Ok(())
}

fn tell(words: &str) {
    eprintln!("{words}");
}

fn tell_code(code: &KeyCode) {
    tell("Your recovery code. Write it down now, and keep it where the file is not; it is shown once:");
    tell(&format!("  {}", code.letters()));
}
