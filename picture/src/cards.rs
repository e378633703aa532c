//! Cards in groups, one after the other as there is room.

use engine::{CardFace, CardGroup, Mark, Sign};

use crate::panels::Room;
use crate::pen::{Anchor, Look, Pen, Rect};
use crate::sign;
use crate::text::{Style, fit};

const HIGH: i32 = 60;
const FACE: i32 = 42;
const SIGN: i32 = 28;
/// The space on either side of a card's content.
const MARGIN: i32 = 8;
/// The space between two cards.
const GAP: i32 = 6;
const RADIUS: i32 = 8;
/// The space between two groups, and after a label.
const WIDE_GAP: i32 = 16;

pub(crate) fn draw(pen: &mut Pen, title: &str, groups: &[CardGroup], room: Room) -> i32 {
    let sizes = Sizes::of(groups, room);
    let labels = Style::medium(room.px(32).max(24));
    let colours = pen.palette;
    let right = room.x + room.w;
    // Many groups are a list, with their cards below each other; a few are in a row.
    let widest = groups.iter().map(|group| labels.width(label(title, group, groups))).max().unwrap_or(0);
    let widest = widest.min(room.w / 3);
    let listed = groups.len() > 1 && groups.iter().all(|group| sizes.row(group) + widest + room.px(WIDE_GAP) <= room.w);
    let alone = groups.iter().map(|group| sizes.row(group) + widest + 2 * room.px(WIDE_GAP)).sum::<i32>() > room.w;
    let listed = listed && alone && groups.len() <= 4;
    let (mut x, mut y) = (room.x, room.y);
    for (n, group) in groups.iter().enumerate() {
        let text = fit(label(title, group, groups), labels, room.w / 3);
        let named = if listed { widest } else { labels.width(&text) };
        let needs = named + room.px(WIDE_GAP) + sizes.row(group);
        if n > 0 && (listed || x + needs > right) {
            (x, y) = (room.x, y + sizes.high + room.px(GAP));
        }
        if !text.is_empty() {
            let base = y + sizes.high / 2 + labels.size * 36 / 100;
            pen.text((x, base), Anchor::Start, labels, colours.muted, &text);
            x += named + room.px(WIDE_GAP);
        }
        let begin = x;
        let places = group.cards.iter().map(Some).chain((0..group.empty).map(|_| None));
        for place in places {
            if x > begin && x + sizes.wide > right {
                (x, y) = (begin.min(room.x + room.w / 3), y + sizes.high + room.px(GAP));
            }
            let rect = Rect { x, y, w: sizes.wide, h: sizes.high };
            match place {
                Some(tile) => card(pen, tile, rect, &sizes),
                None => pen.rounded(rect.inset(2), RADIUS, Look::outlined("none", colours.rule_5, 2).dashed()),
            }
            x += sizes.wide + room.px(GAP);
        }
        if group.cards.is_empty() && group.empty == 0 {
            pen.text((x, y + sizes.high / 2 + labels.size * 36 / 100), Anchor::Start, labels, colours.muted, "none");
            x += labels.width("none");
        }
        x += room.px(WIDE_GAP);
    }
    if groups.is_empty() { 0 } else { y + sizes.high - room.y }
}

fn label<'l>(title: &'l str, group: &'l CardGroup, groups: &[CardGroup]) -> &'l str {
    if group.label.is_empty() && groups.len() == 1 { title } else { &group.label }
}

struct Sizes {
    wide: i32,
    high: i32,
    gap: i32,
    face: Style,
    sign: i32,
    space: i32,
}

impl Sizes {
    fn of(groups: &[CardGroup], room: Room) -> Self {
        let (face, sign, space) = (Style::bold(room.px(FACE)), room.px(SIGN), room.px(4));
        let cards = groups.iter().flat_map(|group| &group.cards);
        let shows = |tile: &CardFace| shown(tile, face, sign, space);
        let shows = cards.map(shows).max().unwrap_or(0).max(face.width("0") + sign);
        Self { wide: shows + 2 * room.px(MARGIN), high: room.px(HIGH), gap: room.px(GAP), face, sign, space }
    }

    fn row(&self, group: &CardGroup) -> i32 {
        let places = i32::try_from(group.cards.len()).unwrap_or(i32::MAX / 1000) + i32::from(group.empty);
        places.min(1000) * (self.wide + self.gap)
    }
}

/// The style of a card's face: narrower for two digits, so that all cards have the same width.
fn set(tile: &CardFace, face: Style) -> Style {
    if tile.face.chars().count() > 1 { Style { size: face.size * 84 / 100, ..face } } else { face }
}

fn shown(tile: &CardFace, face: Style, sign: i32, space: i32) -> i32 {
    let doubt = if tile.mark == Mark::Perhaps { face.width("?") * 7 / 10 } else { 0 };
    set(tile, face).width(&tile.face) + if has_sign(tile) { sign + space } else { 0 } + doubt
}

const fn has_sign(tile: &CardFace) -> bool {
    !matches!(tile.sign, Sign::None | Sign::Back)
}

fn card(pen: &mut Pen, tile: &CardFace, rect: Rect, sizes: &Sizes) {
    let colours = pen.palette;
    let gone = tile.mark == Mark::Gone;
    let (fill, edge, width) = match tile.mark {
        Mark::New => (colours.sheet, colours.ink, 5),
        Mark::Gone => ("none", colours.rule, 2),
        Mark::None | Mark::Hidden | Mark::Perhaps => (colours.sheet, colours.edge, 2),
    };
    let look = Look::outlined(fill, edge, width);
    pen.rounded(rect.inset(2), RADIUS, if tile.mark == Mark::Hidden { look.dashed() } else { look });
    if tile.sign == Sign::Back && tile.face.is_empty() {
        sign::back(pen, rect.inset(7));
        return;
    }
    let face = &tile.face;
    let (style, wide) = (set(tile, sizes.face), shown(tile, sizes.face, sizes.sign, sizes.space));
    let (middle, level) = rect.centre();
    let mut x = middle - wide / 2;
    let ink = if gone { colours.muted } else { ink(tile.sign, colours) };
    pen.text((x, level + style.size * 36 / 100), Anchor::Start, style, ink, face);
    x += style.width(face) + sizes.space;
    sign::sign(pen, (x, level - sizes.sign / 2), sizes.sign, tile.sign);
    if tile.mark == Mark::Perhaps {
        let doubt = Style::bold(sizes.face.size * 7 / 10);
        pen.text((middle + wide / 2, level + doubt.size * 36 / 100), Anchor::End, doubt, colours.ink, "?");
    }
    if gone {
        let Rect { x, y, w, h } = rect.inset(3);
        pen.path(&format!("M{x} {}L{} {y}", y + h, x + w), Look::outlined("none", colours.edge, 4));
    }
}

const fn ink(sign: Sign, colours: &crate::theme::Palette) -> &'static str {
    match sign {
        Sign::Diamonds | Sign::Hearts | Sign::Red => colours.red,
        Sign::Green => colours.green,
        Sign::Blue => colours.blue,
        _ => colours.ink,
    }
}
