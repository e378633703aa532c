//! Reads a journal as a stream. The memory that this takes does not depend on the file: a line that is too long is passed over.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// The longest line, in bytes. The openings of a decision and their commitments need less than half of it.
pub(crate) const LINE_MAX: usize = 256 << 10;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'a> {
    Line(&'a [u8]),
    TooLong,
    /// The end of a file that does not end with a line: a crash cut it off, or it is being written.
    Rest(&'a [u8]),
}

/// True if a line ends here. Zeros are no part of a line: a disk has them where something was to be written and was not.
pub(crate) const fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | 0)
}

pub(crate) fn read_pieces(file: File, mut each: impl FnMut(Piece<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufReader::with_capacity(64 << 10, file);
    let (mut line, mut is_long) = (Vec::new(), false);
    loop {
        let read = file.fill_buf()?;
        if read.is_empty() {
            break;
        }
        let part = read.iter().position(|byte| is_end(*byte)).unwrap_or(read.len());
        let (part, rest) = read.split_at(part);
        is_long |= line.len() + part.len() > LINE_MAX;
        if is_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let ends = rest.iter().take_while(|byte| is_end(**byte)).count();
        let used = part.len() + ends;
        file.consume(used);
        if ends > 0 {
            match (is_long, line.as_slice()) {
                (true, _) => each(Piece::TooLong)?,
                (false, []) => {}
                (false, line) => each(Piece::Line(line))?,
            }
            line.clear();
            is_long = false;
        }
    }
    if line.is_empty() { Ok(()) } else { each(Piece::Rest(&line)) }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::{Seek, SeekFrom, Write};
    use std::process::Command;

    use super::*;

    /// The pieces of a file, with lines as text.
    fn pieces(file: &std::path::Path) -> Vec<String> {
        let mut all = Vec::new();
        let said = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
        read_pieces(File::open(file).unwrap(), |piece| {
            all.push(match piece {
                Piece::Line(line) => said(line),
                Piece::TooLong => "too long".to_owned(),
                Piece::Rest(rest) => format!("the rest: {}", said(rest)),
            });
            Ok(())
        })
        .unwrap();
        all
    }

    /// The memory of this process, in kilobytes: the most that it ever had.
    fn peak() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    #[test]
    fn a_hole_of_128_mb_and_a_line_of_100_mb_take_no_memory_and_hide_no_line() {
        // Other tests of this process take memory, too: it runs once more, alone.
        if std::env::var_os("MATCHBOOK_TEST_ALONE").is_none() {
            let name = std::thread::current().name().unwrap().to_owned();
            let mut alone = Command::new(std::env::current_exe().unwrap());
            let ran = alone.args(["--exact", &name]).env("MATCHBOOK_TEST_ALONE", "1").output().unwrap();
            let said = String::from_utf8_lossy(&ran.stdout);
            assert!(ran.status.success() && said.contains("1 passed"), "{said}");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut file = OpenOptions::new().create_new(true).append(true).open(&path).unwrap();
        file.write_all(b"one\n\n").unwrap();
        file.set_len(128 << 20).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(b"two\n").unwrap();
        for _ in 0..1_600 {
            file.write_all(&[b'x'; 64 << 10]).unwrap();
        }
        file.write_all(b"\nthree\n").unwrap();
        file.write_all(&[b'y'; LINE_MAX]).unwrap();
        file.write_all(b"\ncut o").unwrap();
        let before = peak();
        let longest = "y".repeat(LINE_MAX);
        assert_eq!(pieces(&path), ["one", "two", "too long", "three", &longest, "the rest: cut o"]);
        let grown = peak() - before;
        assert!(grown < 8 << 10, "{grown} kB");
    }
}
