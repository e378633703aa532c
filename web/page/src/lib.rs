//! The parts of every page: the frame, and the panels for any match.
//!
//! There is one template for each kind of panel and none for a single game: every game describes itself with these
//! panels.

mod action_card;
mod address;
pub mod assets;
mod board;
mod card_text;
mod cards;
mod chips;
pub mod controls;
mod course;
mod cover;
mod effects;
mod event_data;
mod explorer_link;
pub mod form;
pub mod form_data;
mod frame;
mod graph;
mod graph_event;
mod graph_note;
mod grid;
mod highlights;
mod icon;
mod insight;
mod interval_bar;
mod last_row;
mod lead;
mod lost_notice;
mod match_end;
pub mod match_list;
mod name_pages;
mod near_names;
mod note;
mod party_move;
mod password_check;
mod played;
mod practice_mark;
mod preview;
mod problem;
mod qr;
mod question_list;
mod rate;
mod round_notice;
mod row_view;
mod seat;
mod sheet;
mod sheet_lines;
mod shuffle_notice;
mod stage_clock;
mod stage_table;
mod track;
mod urls;
mod verdict_badge;
pub mod vocabulary;
mod wait_cost;
mod wait_notice;
mod when;

#[cfg(test)]
#[path = "../../../record/tests/record/book.rs"]
#[expect(dead_code, reason = "fewer kinds of matches are drawn here than the record's own tests play")]
pub mod book;

pub use action_card::ActionCard;
pub use address::{
    archive_of, event_address, head_to_head_address, oembed_address, player_address, prepare_address, what_if_address,
};
pub use address::{escaped, with_parameters};
pub use board::{Board, BoardAside};
pub use card_text::CardText;
pub use cards::CardTable;
pub use course::Course;
pub use cover::Cover;
pub use effects::{EffectList, Sentence, sentence};
pub use event_data::event_data;
pub use explorer_link::explorer_address;
pub use form_data::FormData;
pub use frame::rendered;
pub use frame::{Frame, page};
pub use graph::Graph;
pub use graph_event::is_ruled;
pub use grid::Grid;
pub use highlights::HighlightList;
pub use icon::{ActionIcon, Icon};
pub use insight::InsightList;
pub use interval_bar::IntervalBar;
pub use lead::Lead;
pub use lost_notice::LostNotice;
pub use match_end::MatchEnd;
pub use match_list::MatchList;
pub use name_pages::{NamePage, query_key};
pub use near_names::{is_near, near_names, near_word};
pub use note::Note;
pub use party_move::{PartyMove, party_moves, sheet_moves};
pub use password_check::{CheckNotice, SentForm, password_check};
pub use played::Played;
pub use practice_mark::PracticeMark;
pub use preview::Preview;
pub use problem::problem_page;
pub use qr::Qr;
pub use question_list::{Question, QuestionList, barred_words, clock, prompt_head};
pub use rate::Rate;
pub use round_notice::RoundNotice;
pub use seat::{PartyMark, SeatName, bout_names};
pub use sheet::Sheet;
pub use sheet_lines::{Line, RoundLine};
pub use shuffle_notice::ShuffleNotice;
pub use stage_clock::StageClock;
pub use stage_table::{BetweenSeats, SeatPlate, StageTable};
pub use track::Track;
pub use urls::Link;
pub use urls::Urls;
pub use verdict_badge::VerdictBadge;
pub use wait_cost::WaitCost;
pub use wait_notice::WaitNotice;
pub use when::When;
