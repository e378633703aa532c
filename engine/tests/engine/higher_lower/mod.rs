//! Higher or Lower: filling the boards, placing them in any order, and whole random matches. `fixtures/scripts/higher-lower`
//! has the rest.

mod filling;
mod layout;
mod placing;
mod random;
mod table;
