//! Later
pub struct Bundle;
