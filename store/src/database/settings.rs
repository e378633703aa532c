//! The private server's settings files, written again at every start. The settings for durability come last, so that
//! the operator's own file can tune the server but not endanger the record.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::place::Place;

pub(super) const OWNER: &str = "matchbook_owner";
/// The login role of the serving connections. Its only right is to become [`SERVE`].
pub(super) const SERVE_LOGIN: &str = "matchbook_serve_login";
pub(super) const SERVE: &str = "matchbook_serve";
pub(super) const DATABASE: &str = "matchbook";
/// Part of the socket's name only; the server listens on no network.
pub(super) const PORT: u16 = 5432;

#[derive(Debug)]
pub(super) struct SettingsFiles {
    pub(super) main: PathBuf,
    pub(super) hba: PathBuf,
    pub(super) ident: PathBuf,
}

pub(super) fn write(place: &Place, socket_folder: &Path) -> io::Result<SettingsFiles> {
    let files = SettingsFiles {
        main: place.settings("postgresql.conf"),
        hba: place.settings("pg_hba.conf"),
        ident: place.settings("pg_ident.conf"),
    };
    let local = place.settings("local.conf");
    fs::write(&files.main, main(local.exists().then_some(local.as_path()), socket_folder))?;
    fs::write(&files.hba, HBA)?;
    fs::write(&files.ident, ident(&place.account.name))?;
    Ok(files)
}

fn main(local: Option<&Path>, socket_folder: &Path) -> String {
    let local = local.map(|local| format!("include {}", quoted(&local.to_string_lossy()))).unwrap_or_default();
    // The option is a list separated by commas; its items are in double quotes inside the single ones.
    let folder = format!("\"{}\"", socket_folder.to_string_lossy().replace('"', "\"\""));
    let folder = quoted(&folder);
    format!(
        "# Written by Matchbook at every start. Your own settings go into local.conf beside this file.

# Modest, for a small machine.
max_connections = 300
shared_buffers = '128MB'
max_wal_size = '512MB'
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
log_line_prefix = '%m [%p] '
log_checkpoints = off

{local}

# A private server: no network, one socket in a folder of mode 0700.
listen_addresses = ''
port = {PORT}
unix_socket_directories = {folder}
unix_socket_permissions = 0700
cluster_name = 'matchbook'
logging_collector = off
# A restored server lets nobody in before it has replayed what was archived.
hot_standby = off

# What was answered is on the disk.
fsync = on
full_page_writes = on
synchronous_commit = on
"
    )
}

const HBA: &str = "# Written by Matchbook at every start: whoever comes through the socket is who the system says.
local all all peer map=matchbook
host all all all reject
";

fn ident(account: &str) -> String {
    let mut text = String::from("# Written by Matchbook at every start.\n");
    for user in [account, "root"] {
        let user = user.replace('"', "\"\"");
        for role in [OWNER, SERVE_LOGIN] {
            text.push_str(&format!("matchbook \"{user}\" {role}\n"));
        }
    }
    text
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_quotes_and_commas_stay_one_path() {
        let text = main(Some(Path::new("/home/o'hara/local.conf")), Path::new("/home/o'hara, \"jr\"/socket"));
        assert!(text.contains("include '/home/o''hara/local.conf'\n"), "{text}");
        assert!(text.contains("unix_socket_directories = '\"/home/o''hara, \"\"jr\"\"/socket\"'\n"), "{text}");
    }

    #[test]
    fn the_operators_file_cannot_endanger_the_record() {
        let text = main(Some(Path::new("/d/local.conf")), Path::new("/d/socket"));
        let (_, after) = text.split_once("include ").unwrap();
        for line in [
            "fsync = on",
            "full_page_writes = on",
            "synchronous_commit = on",
            "listen_addresses = ''",
            "unix_socket_permissions = 0700",
        ] {
            assert!(after.lines().any(|l| l == line), "{line} must come after the operator's file");
        }
    }

    #[test]
    fn the_account_and_root_may_be_both_roles_and_nobody_else() {
        assert_eq!(
            ident("ada"),
            "# Written by Matchbook at every start.\n\
             matchbook \"ada\" matchbook_owner\n\
             matchbook \"ada\" matchbook_serve_login\n\
             matchbook \"root\" matchbook_owner\n\
             matchbook \"root\" matchbook_serve_login\n"
        );
        assert_eq!(
            HBA.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>(),
            ["local all all peer map=matchbook", "host all all all reject"]
        );
    }
}
