//! Devil's Deal, as a referee would try it.

mod defaults;
mod draws;
mod endings;
mod forms;
mod poker;
mod random;
mod reading;
mod refill;
mod refusals;
mod secrets;
mod shown;
mod table;
mod typed;
