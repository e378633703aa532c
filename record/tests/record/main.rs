//! Matches written, folded, bundled and verified, and the results of tampering.

extern crate matchbook_record as record;

mod acts;
mod alterations;
mod audit;
mod book;
mod by_hand;
mod clocks;
mod draws;
mod evil;
mod evil_host;
mod examples;
mod fields;
mod forger;
mod forgery;
mod games;
mod host;
mod hostile;
mod incremental;
mod links;
mod log;
mod logged;
mod lying;
mod matrix;
mod objections;
mod receipts;
mod rulings;
mod secrets;
mod seeds;
mod signed;
mod tamper;
mod texts;
mod vectors;
mod verdicts;
mod waits;
mod whole;
