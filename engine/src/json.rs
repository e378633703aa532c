//! Writes the state object of the notation: integers, words and lists, without spaces. Words never need escaping.

use alloc::string::String;
use core::fmt::Write;

use crate::BySeat;

/// An object that is being written into a string.
pub struct Object<'a> {
    out: &'a mut String,
    any: bool,
}

impl<'a> Object<'a> {
    pub(crate) fn open(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, any: false }
    }

    /// Begins a member; its value is written by the caller.
    pub fn key(&mut self, key: &str) -> &mut String {
        if self.any {
            self.out.push(',');
        }
        self.any = true;
        word(self.out, key);
        self.out.push(':');
        self.out
    }

    /// An integer.
    pub fn number(&mut self, key: &str, value: u32) {
        number(self.key(key), value);
    }

    /// A word, or null.
    pub fn word(&mut self, key: &str, value: Option<&str>) {
        word_or_null(self.key(key), value);
    }

    /// `{"p1":…,"p2":…}`, each written by `write`.
    pub fn by_seat<T>(&mut self, key: &str, value: &BySeat<T>, mut write: impl FnMut(&mut String, &T)) {
        let mut inner = Object::open(self.key(key));
        for (seat, value) in value.each() {
            write(inner.key(seat.word()), value);
        }
        inner.close();
    }

    pub(crate) fn close(self) {
        self.out.push('}');
    }
}

pub(crate) fn number(out: &mut String, value: u32) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{value}");
}

fn word(out: &mut String, word: &str) {
    out.push('"');
    out.push_str(word);
    out.push('"');
}

pub(crate) fn word_or_null(out: &mut String, value: Option<&str>) {
    match value {
        Some(value) => word(out, value),
        None => out.push_str("null"),
    }
}

pub(crate) fn words<'w>(out: &mut String, list: impl Iterator<Item = &'w str>) {
    out.push('[');
    for (n, item) in list.enumerate() {
        if n > 0 {
            out.push(',');
        }
        word(out, item);
    }
    out.push(']');
}
