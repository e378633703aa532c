//! How the bytes of a file become text. What is valid UTF-8 is UTF-8; else a byte order mark tells UTF-16; else it is
//! Windows-1252, as spreadsheets of the west write where they do not write UTF-8. That last one is a guess, which whoever sent
//! the file should see.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// A file as a text, and how it was written.
#[derive(Debug)]
pub struct DecodedText {
    /// The text, without a byte order mark.
    pub text: String,
    /// Says how it was read, for people; empty where it was UTF-8.
    pub read_as: String,
}

/// Why a file is no text.
pub const NO_TEXT: &str = "there are NUL signs in it, as no text has them; save it as text in UTF-8, and send that";

/// Reads the bytes of a file.
///
/// # Errors
/// [`NO_TEXT`].
pub fn read(bytes: Vec<u8>) -> Result<DecodedText, &'static str> {
    let (text, read_as) = match String::from_utf8(bytes) {
        Ok(text) => match text.strip_prefix('\u{feff}') {
            Some(marked) => (marked.to_owned(), String::new()),
            None => (text, String::new()),
        },
        Err(error) => decoded(error.as_bytes()),
    };
    if text.contains('\0') {
        return Err(NO_TEXT);
    }
    Ok(DecodedText { text, read_as })
}

fn decoded(bytes: &[u8]) -> (String, String) {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding).filter(|encoding| *encoding != UTF_8);
    let (text, _, broken) = marked.unwrap_or(WINDOWS_1252).decode(bytes);
    let read_as = match marked {
        None => {
            "The letters of the file are no UTF-8, so they were read as Windows-1252: look whether names are right."
        }
        Some(_) if broken => {
            "The letters of the file were read as UTF-16, and some of them are broken: they are shown as \u{fffd}."
        }
        Some(_) => "The letters of the file were read as UTF-16.",
    };
    (text.into_owned(), read_as.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn files_of_spreadsheets_are_read() {
        let text = "p1;Zoë “Ångström”\r\np2;Łukasz\r\n";
        for bytes in [text.as_bytes().to_vec(), [b"\xef\xbb\xbf", text.as_bytes()].concat()] {
            let read = read(bytes).unwrap();
            assert_eq!((read.text.as_str(), read.read_as.as_str()), (text, ""));
        }
        for bytes in [utf_16(text, u16::to_le_bytes), utf_16(text, u16::to_be_bytes)] {
            let read = read(bytes).unwrap();
            assert_eq!((read.text.as_str(), read.read_as.contains("as UTF-16.")), (text, true));
        }
        let read = read(b"p1;Zo\xeb \x93\xc5ngstr\xf6m\x94 \x80".to_vec()).unwrap();
        assert_eq!(read.text, "p1;Zoë “Ångström” €");
        assert!(read.read_as.contains("Windows-1252"), "{}", read.read_as);
    }

    #[test]
    fn what_is_no_text_is_refused_or_shows_where_it_is_broken() {
        // A half of a pair alone, and half of a letter at the end.
        let read_broken = read([utf_16("a", u16::to_le_bytes), vec![0x00, 0xd8, b'b', 0, b'c']].concat()).unwrap();
        assert_eq!(read_broken.text, "a\u{fffd}b\u{fffd}");
        assert!(read_broken.read_as.contains("broken"), "{}", read_broken.read_as);
        // UTF-16 without its mark is valid UTF-8, and no text.
        let unmarked: Vec<u8> = "abc".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [unmarked, b"\x89PNG\r\n\x1a\n\0\0".to_vec(), b"a\0".to_vec()] {
            assert_eq!(read(bytes).unwrap_err(), NO_TEXT);
        }
        assert_eq!(read(Vec::new()).unwrap().text, "");
    }
}
