//! A refused form of the console: its input and the reason.

use super::sent::Sent;

/// A form that was refused.
#[derive(Debug)]
pub(super) struct Duty {
    /// The name of the form.
    name: &'static str,
    /// The reason of the refusal.
    error: String,
    /// The input.
    sent: Sent,
}

impl Duty {
    pub(super) const fn refused(name: &'static str, error: String, sent: Sent) -> Self {
        Self { name, error, sent }
    }
}

/// The console's view of a refused form, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct Duties<'d>(pub(super) Option<&'d Duty>);

impl<'d> Duties<'d> {
    fn named(&self, name: &str) -> Option<&'d Duty> {
        self.0.filter(|duty| duty.name == name)
    }

    /// The reason why a form was refused, if it was.
    pub(super) fn error(&self, name: &str) -> Option<&'d str> {
        self.named(name).map(|duty| duty.error.as_str())
    }

    /// The input in one of its fields.
    pub(super) fn typed(&self, name: &str, field: &str) -> &'d str {
        self.named(name).map_or("", |duty| duty.sent.text(field))
    }
}
