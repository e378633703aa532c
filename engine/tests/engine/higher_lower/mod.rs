//! Higher or Lower as a referee would try it: preparing the boards, filling them, playing them, and whole random
//! matches.

mod filling;
mod placing;
mod play;
mod prepare;
mod random;
mod table;
