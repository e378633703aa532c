//! Whole matches over HTTP, with a real PostgreSQL and a real browser. One binary; each test has a database of its own.
//!
//! The database server is the one at MATCHBOOK_TEST_DATABASE_URL, as `make test` sets it; by hand:
//! `matchbook db with --temporary -- cargo test`.

mod accounts;
mod api;
mod archive;
mod authorization;
mod backup;
mod browser;
mod cosigning;
mod crash;
mod database;
mod deploy;
mod discord;
mod draws;
mod dump;
mod foreign_log;
mod held_witness;
mod histories;
mod importing;
mod kept;
mod live;
mod log;
mod oembed;
mod page;
mod pages;
mod paging;
mod pictures;
mod play;
mod practice;
mod program;
mod reads;
mod refusals;
mod replay;
mod security;
mod served_log;
mod shutdown;
mod site;
mod statistics;
mod tampered;
mod tidy;
mod twins;
mod umpire;
mod umpire_duties;
mod umpire_names;
mod wait;
mod waiting;
mod watch;
mod ways_in;
mod webhooks;
mod what_if;
mod whole_match;
mod whose;
mod wire;
mod witness;
mod workers;
