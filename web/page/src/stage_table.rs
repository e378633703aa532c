//! The table as it lies on the stage: the opponent's plate above, the reader's below, and between them what is fought for.
//!
//! It is the same for every game: a game says what it has as figures and panels, and each kind has its place.

use app::views::VisibleMatch;
use askama::Template;
use engine::dmn::quotes::{texts, unquoted};
use engine::{BySeat, Duel, Effect, Figure, Lamp, Panel, Seat, View, Word};

use record::History;

use super::board::PanelView;
use super::cards::CardTable;
use super::{ActionIcon, Played, SeatName};

/// More chips than these are told by the number alone.
const CHIPS_MAX: u32 = 40;
const STACK: u32 = 8;

#[derive(Clone, Debug, Template)]
#[template(path = "stage_table.html")]
pub struct StageTable {
    them: Plate,
    me: Plate,
    shared: Vec<Count>,
    /// What lies between the seats.
    table: Vec<PanelView>,
    /// What was played last, by its row: "Round 11".
    last: Option<(String, BySeat<Vec<Played>>)>,
    headline: Option<String>,
    /// What is being played, for those who see nothing of it.
    note: Option<String>,
    /// What the umpire said last, in a game that the umpire decides.
    spoken: Vec<String>,
    /// What the reader sent in this round, face up to the reader alone.
    sent: Option<Played>,
    is_reader: bool,
}

/// One end of the table.
#[derive(Clone, Debug)]
struct Plate {
    name: SeatName,
    counts: Vec<Count>,
    /// Each with what stops its action, if something does.
    lamps: Vec<(Lamp, Option<String>)>,
    held: Vec<CardTable>,
    notices: Vec<(Word, String)>,
    in_play: Vec<CardTable>,
    /// The hands that it showed, each under the name of its worth.
    shown: Vec<CardTable>,
    /// What it said last, such as a bet.
    said: Option<String>,
}

/// A figure with its change since the last row.
#[derive(Clone, Debug)]
struct Count {
    label: Word,
    value: i32,
    change: Option<String>,
    has_chips: bool,
}

impl Count {
    fn of(figure: &Figure, old: &[Figure]) -> Self {
        let was = old.iter().find(|was| was.name == figure.name && was.seat == figure.seat);
        Self {
            label: figure.label.clone(),
            value: figure.value,
            change: was.and_then(|was| super::board::change(was.value, figure.value)),
            has_chips: super::chips::counts(figure),
        }
    }

    /// The chips to draw, in stacks.
    fn stacks(&self) -> Vec<u32> {
        let drawn = u32::try_from(self.value).ok().filter(|_| self.has_chips).map_or(0, |value| value.min(CHIPS_MAX));
        (0..drawn.div_ceil(STACK)).map(|at| STACK.min(drawn - at * STACK)).collect()
    }

    fn lower(&self) -> String {
        self.label.to_lowercase()
    }
}

impl StageTable {
    /// The newest state, seen from this seat's end; `reader` says whether it is the reader's own.
    #[must_use]
    pub fn of(visible: &VisibleMatch<'_>, duel: &Duel, since: Option<&Duel>, below: Seat, is_reader: bool) -> Self {
        let (view, names) = (visible.view(duel), SeatName::of(visible.history));
        let old = since.map(|duel| duel.figures()).unwrap_or_default();
        let plate = |seat| Plate::of(&view, &old, seat, &names);
        let between = view.panels.iter().filter(|panel| super::board::owner(panel).is_none());
        Self {
            them: plate(below.other()),
            me: plate(below),
            shared: counts(&view, &old, None),
            table: between.map(|panel| PanelView::of(panel, &names)).filter(PanelView::is_in_play).collect(),
            last: None,
            headline: None,
            note: None,
            spoken: spoken(visible.history),
            sent: None,
            is_reader,
        }
    }

    #[must_use]
    pub(super) fn after(mut self, row: String, played: &[Played], headline: Option<String>) -> Self {
        let of = |seat| played.iter().filter(|one| one.seat() == seat).cloned().collect();
        self.last = (!played.is_empty()).then(|| (row, BySeat::from_fn(of)));
        self.headline = headline;
        self
    }

    /// With the hands that these effects show, until something else happens.
    #[must_use]
    pub(super) fn with_hands<'e>(mut self, effects: impl IntoIterator<Item = &'e Effect>) -> Self {
        for effect in effects {
            let Some((seat, hand)) = effect.seat.zip(effect.hand.as_ref()) else { continue };
            let plate = if self.me.name.seat == seat { &mut self.me } else { &mut self.them };
            plate.shown.push(CardTable::of("Hand", plate.name.name.clone(), std::slice::from_ref(hand)));
        }
        self
    }

    /// With a note on what is being played.
    #[must_use]
    pub fn noting(mut self, note: Option<String>) -> Self {
        self.note = note;
        self
    }

    fn has_hands(&self) -> bool {
        !self.me.shown.is_empty() || !self.them.shown.is_empty()
    }

    /// With what the reader sent, in the place of the last round. The opponent's place is empty, whatever was sent.
    #[must_use]
    pub fn with_sent(mut self, sent: Option<Played>) -> Self {
        self.sent = sent;
        self
    }

    /// Without what the question draws itself: a board whose cells are chosen.
    #[must_use]
    pub fn without_grid(mut self) -> Self {
        self.table.retain(|panel| !matches!(panel, PanelView::Grid(_)));
        self
    }

    /// Without cards that are laid into places by a question.
    #[must_use]
    pub fn without_things(mut self, things: &[&str]) -> Self {
        self.table.retain(|panel| match panel {
            PanelView::Cards(cards) => !cards.are_all(things),
            _ => true,
        });
        self
    }

    /// What came of the last row, in a few words: all cards of the opponent's move and of the reader's.
    fn last_of(&self, plate: &Plate) -> &[Played] {
        self.last.as_ref().map_or(&[], |(_, played)| played[plate.name.seat].as_slice())
    }

    fn has_oval(&self) -> bool {
        self.table.iter().any(|panel| matches!(panel, PanelView::Cards(_)))
    }
}

impl Plate {
    fn of(view: &View, old: &[Figure], seat: Seat, names: &BySeat<SeatName>) -> Self {
        let mut plate = Self {
            name: names[seat].clone(),
            counts: counts(view, old, Some(seat)),
            lamps: Vec::new(),
            held: Vec::new(),
            notices: Vec::new(),
            in_play: Vec::new(),
            shown: Vec::new(),
            said: said(view, seat),
        };
        for panel in view.panels.iter().filter(|panel| super::board::owner(panel) == Some(seat)) {
            match panel {
                Panel::Lamps { lamps, .. } => plate.lamps.extend(lamps.iter().map(|lamp| (*lamp, None))),
                Panel::Cards { title, groups, in_play, .. } => {
                    let cards = CardTable::of(&**title, names[seat].name.clone(), groups);
                    if *in_play {
                        plate.in_play.push(cards);
                    } else if !cards.is_sorted() {
                        plate.held.push(cards);
                    }
                }
                Panel::Notice { title, text, .. } => {
                    let named = engine::name_seats(text, names.as_ref().map(|name| name.name.as_str()));
                    plate.notices.push((title.clone(), named));
                }
                Panel::Grid { .. } | Panel::Track { .. } => {}
            }
        }
        // What stops an action is told by its lamp, where it has one.
        for (lamp, stopped) in &mut plate.lamps {
            let of_lamp = |(_, text): &(Word, String)| text.split(' ').next() == Some(lamp.name);
            let found = plate.notices.iter().position(of_lamp);
            *stopped = found.map(|at| plate.notices.remove(at).1);
        }
        plate
    }

    fn gained(&self) -> bool {
        self.score().and_then(|score| score.change.as_deref()).is_some_and(|change| change.starts_with('+'))
    }

    fn score(&self) -> Option<&Count> {
        self.counts.first()
    }

    fn other_counts(&self) -> &[Count] {
        self.counts.get(1..).unwrap_or_default()
    }
}

fn said(view: &View, seat: Seat) -> Option<String> {
    let tracks = view.panels.iter().filter_map(|panel| match panel {
        Panel::Track { said, .. } => Some(said),
        _ => None,
    });
    let words = tracks.flatten().rfind(|(by, _)| *by == seat);
    words.map(|(_, words)| record::words::capital(words))
}

fn spoken(history: &History) -> Vec<String> {
    let said = history.steps.iter().rfind(|step| step.is_said());
    let line = said.map_or("", |step| step.text.as_deref().unwrap_or(&step.public));
    texts(line).filter_map(unquoted).collect()
}

fn counts(view: &View, old: &[Figure], seat: Option<Seat>) -> Vec<Count> {
    view.figures.iter().filter(|figure| figure.seat == seat).map(|figure| Count::of(figure, old)).collect()
}

/// One end of the table by itself, for whoever sits between the seats: the umpire.
#[derive(Clone, Debug, Template)]
#[template(
    source = r#"{% import "stage_table.html" as table %}{% call table::plate(plate, "apart", false) %}{% endcall %}"#,
    ext = "html"
)]
pub struct SeatPlate {
    plate: Plate,
}

/// What lies between the seats, in a line: the pot, common cards, a statement for both.
#[derive(Clone, Debug, Template)]
#[template(
    source = r#"{% import "stage_table.html" as table %}{% for count in shared %}<span class="shared">{% if count.has_chips %}<i class="chip" aria-hidden="true"></i>{% endif %}{{ count.lower() }} <b>{{ count.value }}</b></span>{% endfor %}{% for panel in panels %}{% match panel %}{% when PanelView::Cards with (cards) %}<span class="shared">{% call table::cards(cards, "sm") %}{% endcall %}</span>{% when PanelView::Notice with (notice) %}<span class="shared">{{ notice.text }}</span>{% else %}{% endmatch %}{% endfor %}"#,
    ext = "html"
)]
pub struct BetweenSeats {
    shared: Vec<Count>,
    panels: Vec<PanelView>,
}

impl SeatPlate {
    /// Both ends, with what changed since an earlier state.
    #[must_use]
    pub fn both(visible: &VisibleMatch<'_>, since: Option<&Duel>) -> BySeat<Self> {
        let (view, names) = (visible.view(visible.history.duel()), SeatName::of(visible.history));
        let old = since.map(|duel| duel.figures()).unwrap_or_default();
        BySeat::from_fn(|seat| Self { plate: Plate::of(&view, &old, seat, &names) })
    }
}

impl SeatPlate {
    /// The figure that the seat is first known by, such as its chips.
    #[must_use]
    pub fn score(&self) -> String {
        self.plate.score().map(|count| count.value.to_string()).unwrap_or_default()
    }
}

impl BetweenSeats {
    /// As it is now.
    #[must_use]
    pub fn of(visible: &VisibleMatch<'_>) -> Self {
        let (view, names) = (visible.view(visible.history.duel()), SeatName::of(visible.history));
        let between = view.panels.iter().filter(|panel| super::board::owner(panel).is_none());
        let panels = between.map(|panel| PanelView::of(panel, &names)).filter(PanelView::is_in_play).collect();
        Self { shared: counts(&view, &[], None), panels }
    }
}
