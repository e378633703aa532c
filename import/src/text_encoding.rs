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
