//! A form of the console that was refused: what was typed in it, and why nothing was done.

use super::sent::Sent;

/// A form that was refused.
#[derive(Debug)]
pub(super) struct Duty {
    /// Which of the console's forms it is.
    name: &'static str,
    /// Why nothing was done.
    error: String,
    /// What was sent with it.
    sent: Sent,
}

impl Duty {
    /// A form that was refused.
    pub(super) const fn refused(name: &'static str, error: String, sent: Sent) -> Self {
        Self { name, error, sent }
    }
}

/// What the console knows of a refused form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Duties<'d>(pub(super) Option<&'d Duty>);

impl<'d> Duties<'d> {
    fn named(&self, name: &str) -> Option<&'d Duty> {
        self.0.filter(|duty| duty.name == name)
    }

    /// Why a form was refused, if it was.
    pub(super) fn error(&self, name: &str) -> Option<&'d str> {
        self.named(name).map(|duty| duty.error.as_str())
    }

    /// What was typed in a field of it.
    pub(super) fn typed(&self, name: &str, field: &str) -> &'d str {
        self.named(name).map_or("", |duty| duty.sent.text(field))
    }
}
