//! What players do: follow links, offer keys, send moves by page, API and Discord, open shares, object.

use anyhow::Result;
use app::account::Token;
use engine::{Seat, Stream};
use record::History;
use reqwest::Method;
use serde_json::json;
use store::SubmitId;

use super::acts::{answer, one_in, one_of, seat};
use super::bout::Bout;
use super::hall::{DONE, Done, REFUSED};
use super::signer::{Signer, of_page, seen};
use crate::discord::arena::{ADA, BO, slash, text};

/// A player: what their browsers and programs have.
#[derive(Default)]
pub(super) struct Player {
    /// The codes of all links to the seat.
    pub(super) links: Vec<String>,
    pub(super) cookie: Option<String>,
    pub(super) signer: Option<Signer>,
    /// True if this player's browser makes a key before the first move. Whoever sends one without plays without.
    pub(super) signs: bool,
}

impl Bout<'_> {
    /// An act of a player.
    pub(super) async fn player_does(&mut self) -> Result<Option<Done>> {
        let history = self.history().await?;
        let whose = seat(&mut self.dice);
        let asked: Vec<_> = history.open.iter().filter(|open| app::recorder::asks(open, whose)).collect();
        let open = one_of(&mut self.dice, &asked).copied();
        let base = format!("/play/m/{}/{whose}", self.slug);
        let cookie = self.players[whose].cookie.clone().unwrap_or_default();
        let link = one_of(&mut self.dice, &self.players[whose].links).cloned();
        let form = self.form();
        let step = history.steps.len().max(1).to_string();
        match (self.dice.below(20), open, link) {
            (0..2, _, Some(link)) => self.follows(whose, &link).await.map(Some),
            (2..4, ..) => self.offers_key(whose).await.map(Some),
            (4, ..) => {
                let answer = self.hall().form(&cookie, &format!("{base}/ready"), &[]).await?;
                Done::of("post /play/m/{slug}/{seat}/ready".to_owned(), &whose, &answer).map(Some)
            }
            (5, _, Some(link)) => {
                let way = (Method::POST, "/api/v1/seat/ready", form.to_string());
                let answer = self.hall().json(&link, (way.0, way.1, &way.2), &json!({})).await?;
                Done::of(format!("post {}", way.1), &whose, &answer).map(Some)
            }
            (6, ..) => {
                let fields = [("step", step), ("text", "It was another".to_owned()), ("submit", form.to_string())];
                let fields = [&fields[..], &[("form", form.to_string())]].concat();
                let answer = self.hall().form(&cookie, &format!("{base}/object"), &fields).await?;
                Done::of("post /play/m/{slug}/{seat}/object".to_owned(), &whose, &answer).map(Some)
            }
            (7 | 9, _, Some(link)) => {
                let body = json!({ "step": history.steps.len().max(1), "text": "It was another" });
                let way = (Method::POST, "/api/v1/seat/objections", form.to_string());
                let answer = self.hall().json(&link, (way.0, way.1, &way.2), &body).await?;
                Done::of(format!("post {}", way.1), &whose, &answer).map(Some)
            }
            (8, Some(open), _) => {
                let line = answer(&mut self.dice, &history, open, whose);
                let fields = [("decision", open.asked.decision.to_string()), ("move", line)];
                let answer = self.hall().form(&cookie, &format!("{base}/read"), &fields).await?;
                Done::of("post /play/m/{slug}/{seat}/read".to_owned(), &whose, &answer).map(Some)
            }
            (.., link) if open.is_some() => self.submits(whose, &history, form, link).await,
            _ => Ok(None),
        }
    }

    pub(super) async fn follows(&mut self, whose: Seat, link: &str) -> Result<Done> {
        let answer = self.hall().form("", &format!("/play/{link}"), &[]).await?;
        if let Some(cookie) = &answer.cookie {
            self.players[whose].cookie = Some(cookie.clone());
        }
        Done::of("post /play/{token}".to_owned(), &whose, &answer)
    }

    /// The seat's browser offers its key, or sometimes another one.
    pub(super) async fn offers_key(&mut self, whose: Seat) -> Result<Done> {
        let mut seed = [7; 32];
        seed[..8].copy_from_slice(&(self.seed * 2 + u64::from(whose == Seat::P2)).to_be_bytes());
        seed[8] = u8::from(one_in(&mut self.dice, 10));
        let signer = Signer::new(whose, seed);
        let fields = [("key", signer.key()?)];
        let cookie = self.players[whose].cookie.clone().unwrap_or_default();
        let answer = self.hall().form(&cookie, &format!("/play/m/{}/{whose}/key", self.slug), &fields).await?;
        let known = self.players[whose].signer.as_ref().map(Signer::key).transpose()?;
        if answer.status < 400 && known != Some(signer.key()?) {
            self.players[whose].signer = Some(signer);
        }
        Done::of("post /play/m/{slug}/{seat}/key".to_owned(), &whose, &answer)
    }

    pub(super) async fn opens_share(&mut self) -> Result<Option<Done>> {
        let (first, history, form) = (seat(&mut self.dice), self.history().await?, self.form());
        let tree = seen(self.hall(), &history).await?;
        let opening = |whose: Seat| Some((whose, self.players[whose].signer.as_ref()?.opening(&history, tree).ok()??));
        let Some((whose, opening)) = opening(first).or_else(|| opening(first.other())) else { return Ok(None) };
        let decision = opening["decision"].as_str().unwrap_or_default().to_owned();
        let link = self.players[whose].links.last().cloned().unwrap_or_default();
        if one_in(&mut self.dice, 2) {
            let way = (Method::POST, "/api/v1/seat/openings", form.to_string());
            let answer = self.hall().json(&link, (way.0, way.1, &way.2), &opening).await?;
            return Done::of(format!("post {}", way.1), &whose, &answer).map(Some);
        }
        let fields = [("decision", decision), ("submit", form.to_string()), ("opened", of_page(opening).to_string())];
        let cookie = self.players[whose].cookie.clone().unwrap_or_default();
        let answer = self.hall().form(&cookie, &format!("/play/m/{}/{whose}/open", self.slug), &fields).await?;
        Done::of("post /play/m/{slug}/{seat}/open".to_owned(), &whose, &answer).map(Some)
    }

    /// A player sends a move: by the page, by a program, or at Discord; sealed and signed where the seat has a key.
    async fn submits(
        &mut self,
        whose: Seat,
        history: &History,
        form: SubmitId,
        link: Option<String>,
    ) -> Result<Option<Done>> {
        let asked: Vec<_> = history.open.iter().filter(|open| app::recorder::asks(open, whose)).collect();
        let Some(open) = one_of(&mut self.dice, &asked).copied() else { return Ok(None) };
        let is_new = self.players[whose].signs && self.players[whose].signer.is_none();
        if let Some(link) = link.as_deref().filter(|_| is_new && !one_in(&mut self.dice, 10)) {
            return if self.players[whose].cookie.is_some() {
                self.offers_key(whose).await.map(Some)
            } else {
                self.follows(whose, link).await.map(Some)
            };
        }
        let line = answer(&mut self.dice, history, open, whose);
        let Some(link) = link.filter(|_| !one_in(&mut self.dice, 5)) else {
            return self.submits_at_discord(whose, &line).await.map(Some);
        };
        let decision = open.asked.decision.to_string();
        let is_final = one_in(&mut self.dice, 2) && open.asked.closes == record::body::Closing::AllIn;
        let way = self.dice.below(4);
        let key = form.to_string();
        let submit = if way < 2 { form } else { app::form_of(&["api", &link.parse::<Token>()?.name(), &key]) };
        let signs = self.players[whose].signer.is_some() && !one_in(&mut self.dice, 8);
        let tree = if signs { Some(seen(self.hall(), history).await?) } else { None };
        let sealed = match (&mut self.players[whose].signer, tree) {
            // What the rules refuse is not sealed.
            (Some(signer), Some(tree)) => signer.sealed(history, open, tree, submit, (&line, is_final)).ok(),
            _ => None,
        };
        let signed = if sealed.is_some() { "signed" } else { "not signed" };
        let words = (whose, &decision, &line, signed, is_final);
        if way < 2 {
            let mut fields = vec![("decision", decision.clone()), ("submit", key), ("move", line.clone())];
            fields.extend(sealed.map(|sealed| ("sealed", of_page(sealed).to_string())));
            fields.extend(is_final.then(|| ("final", "on".to_owned())));
            let cookie = self.players[whose].cookie.clone().unwrap_or_default();
            let answer = self.hall().form(&cookie, &format!("/play/m/{}/{whose}/submit", self.slug), &fields).await?;
            return Done::of("post /play/m/{slug}/{seat}/submit".to_owned(), &words, &answer).map(Some);
        }
        let mut body = json!({ "decision": decision, "final": is_final });
        match sealed {
            Some(sealed) => body["sealed"] = sealed,
            None => body["text"] = json!(line),
        }
        let route = "/api/v1/seat/submissions";
        let answer = self.hall().json(&link, (Method::POST, route, &key), &body).await?;
        Done::of(format!("post {route}"), &words, &answer).map(Some)
    }

    async fn submits_at_discord(&self, whose: Seat, line: &str) -> Result<Done> {
        let user = if whose == Seat::P1 { ADA } else { BO };
        let data = slash("submit", &[text("move", line), text("match", &self.slug)]);
        let said = self.hall().command(user, data).await?;
        let status = if said.contains("received") { DONE } else { REFUSED };
        Ok(Done { words: format!("/submit {line} ({whose}): {said}"), way: "/submit".to_owned(), status })
    }
}
