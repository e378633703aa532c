//! The acts with private links to a player's seat: more than one link, or more than one browser, can mean that somebody
//! else acts for the seat.

use ledger::Seq;
use record::History;
use record::body::LinkAct;

use super::player::Player;
use page::When;

#[derive(Debug)]
pub(super) struct LinkNotice {
    pub(super) entry: Seq,
    pub(super) at: When,
    pub(super) says: String,
}

pub(super) fn link_notices(player: &Player, history: &History) -> Vec<LinkNotice> {
    let own: Vec<_> = history.links.iter().filter(|link| link.linked.seat.0 == player.chair.seat).collect();
    let count = |act| own.iter().filter(|link| link.linked.act == act).count();
    if count(LinkAct::Made) < 2 && count(LinkAct::Followed) < 2 && count(LinkAct::Refused) == 0 {
        return Vec::new();
    }
    let (now, names) = (player.app.system().now(), player.app.umpires.names());
    let notices = own.into_iter().map(|link| {
        let number = link.linked.link.saturating_add(1);
        let says = match link.linked.act {
            LinkAct::Made => format!("Link {number} was made by {}.", names.by(&link.by)),
            LinkAct::Followed => format!("A browser or a program began to use link {number}."),
            LinkAct::Refused => format!("A browser with link {number} offered another key, which does not sign."),
        };
        LinkNotice { entry: link.entry, at: When::second_on(link.at, now), says }
    });
    notices.collect()
}
