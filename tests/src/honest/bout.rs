//! One match: random acts, and after each the check of everything that was recorded so far.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use app::account::Token;
use app::views::HeadJson;
use engine::{BySeat, Seat, SplitMix64, Stream};
use ledger::{Entry, Head, Kind, MatchId};
use record::History;
use record::body::Body;
use reqwest::Method;
use serde_json::{Value, json};
use store::SubmitId;
use verifier::Session;

use super::acts::{Deed, answer, one_in, one_of, seat, weighed};
use super::coverage::Covered;
use super::hall::{DONE, Done, Hall, OVERTAKEN, REFUSED};
use super::signer::{Signer, of_page, seen};
use crate::discord::arena::{ADA, BO, UMPIRE, slash, text, umpires};

/// A player: what their browsers and programs have.
#[derive(Default)]
struct Player {
    /// The codes of all links to the seat.
    links: Vec<String>,
    cookie: Option<String>,
    signer: Option<Signer>,
    /// True if this player's browser makes a key before the first move. Whoever sends one without plays without.
    signs: bool,
}

pub(super) struct Bout<'c> {
    /// None only while it is started again.
    hall: Option<Hall>,
    dice: SplitMix64,
    seed: u64,
    forms: u64,
    id: MatchId,
    slug: String,
    players: BySeat<Player>,
    covered: &'c Mutex<Covered>,
    /// The acts, in words.
    pub(super) told: Vec<String>,
}

impl<'c> Bout<'c> {
    /// Opens a match under one of the rulesets.
    pub(super) async fn open(hall: Hall, seed: u64, covered: &'c Mutex<Covered>) -> Result<Self> {
        let mut dice = SplitMix64(seed);
        let rulesets: Vec<_> = engine::rulesets().collect();
        let ruleset = rulesets[usize::try_from(seed)? % rulesets.len()];
        let card = ruleset.card();
        let live = !one_in(&mut dice, 5);
        let clocks = *one_of(&mut dice, &["off", "posted", "at-once"]).context("clocks")?;
        let mut new = json!({
            "ruleset": card.id, "players": { "p1": "Ada", "p2": "Bo" }, "mode": if live { "live" } else { "recorded" },
            "draws": if one_in(&mut dice, 4) { "umpire" } else { "host" }, "looks": live && one_in(&mut dice, 4),
        });
        if live {
            new["clocks"] = json!(clocks);
            new["early"] = json!(clocks != "off" && one_in(&mut dice, 2));
        }
        if card.needs_dmo {
            new["dmo"] = json!(seat(&mut dice).word());
        }
        if let Some((name, values)) = one_of(&mut dice, ruleset.choices()).filter(|_| seed.is_multiple_of(3)) {
            new["options"] = json!({});
            new["options"][*name] = json!(one_of(&mut dice, values));
        }
        let token = hall.officials[0].token.clone();
        let open = async |key: &str, new: &Value| hall.json(&token, (Method::POST, "/api/v1/matches", key), new).await;
        let mut answer = open(&format!("open-{seed}"), &new).await?;
        if answer.status == REFUSED {
            // Not all options go together.
            new["options"] = json!({});
            answer = open(&format!("open-{seed}-plain"), &new).await?;
        }
        ensure!(answer.status == 201, "{new}: {} {}", answer.status, answer.text);
        let slug = serde_json::from_str::<Value>(&answer.text)?["match"].as_str().context("a match")?.to_owned();
        let id = hall.site.app.matches.match_of(&slug).await?;
        let told = vec![format!("Ursula opens {new}")];
        let players = BySeat::from_fn(|_| Player { signs: !one_in(&mut dice, 3), ..Player::default() });
        Ok(Self { hall: Some(hall), dice, seed, forms: 0, id, slug, players, covered, told })
    }

    fn hall(&self) -> &Hall {
        self.hall.as_ref().expect("the site is there between its starts")
    }

    async fn history(&self) -> Result<std::sync::Arc<History>> {
        Ok(self.hall().site.app.recorder.settle(self.id).await?)
    }

    /// A new id of a form.
    fn form(&mut self) -> SubmitId {
        self.forms += 1;
        app::form_of(&["honest", &self.seed.to_string(), &self.forms.to_string()])
    }

    /// Plays until it is ended, and gives the site back.
    pub(super) async fn play(&mut self) -> Result<()> {
        let acts = 8 + self.dice.below(40);
        for _ in 0..acts {
            self.act().await?;
            if self.history().await?.is_ended() && !one_in(&mut self.dice, 4) {
                break;
            }
        }
        self.finish().await?;
        let (app, last) = (&self.hall().site.app, self.history().await?.head.next.0 - 1);
        let place = app.public_log.place(self.id, ledger::Seq(last)).await?.context("a place in the log")?;
        app.signer().covering(place.covered_by()).await?;
        let bundle = app.public_log.bundle(self.id).await?.write();
        let policy = app.public_log.policy_text();
        let said = Session::start(&bundle, policy.as_bytes()).last().context("a verdict")?.to_json();
        ensure!(said.contains("\"good\":true"), "the module of the browser: {said}");
        let entries = app.matches.entries_since(self.id, ledger::Seq(0)).await?;
        let mut covered = self.covered.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in &entries {
            covered.entries.insert(entry.kind.to_string());
            if let Ok(Body::Ruled(ruled)) = Body::read(entry) {
                covered.entries.extend(ruled.does.map(|does| format!("ruled: {}", effect(&does))));
            }
        }
        Ok(())
    }

    pub(super) fn leave(self) -> Hall {
        self.hall.expect("the site is there between its starts")
    }

    /// The newest entries are those of a match that is over, or the umpire ends it.
    async fn finish(&mut self) -> Result<()> {
        for _ in 0..12 {
            let history = self.history().await?;
            if history.is_ended() {
                return Ok(());
            }
            let name = match () {
                () if history.open_objections().next().is_some() => "answer",
                () if history.outcome().is_over() => "end",
                () => "decide a result",
            };
            self.umpire_does(name, true).await?;
        }
        bail!("the match does not end")
    }

    /// One act of anybody, and its check.
    async fn act(&mut self) -> Result<()> {
        let before = self.closes().await?;
        let act = self.dice.below(100);
        let done = match act {
            0..40 => self.player_does().await?,
            40..52 => self.time_passes().await?,
            52 => Some(self.fails().await?),
            _ => {
                let name = weighed(&mut self.dice);
                return self.umpire_does(name, false).await;
            }
        };
        self.check(before, done).await
    }

    /// The head, and the number of closes that are stored of open questions: what a refused act must leave.
    async fn closes(&self) -> Result<(Head, usize)> {
        let history = self.history().await?;
        let mut closes = 0;
        for open in &history.open {
            let rows = self.hall().site.app.submissions.received(self.id, &open.asked.decision).await?;
            closes += rows.iter().filter(|row| row.closes()).count();
        }
        Ok((history.head, closes))
    }

    async fn check(&mut self, before: (Head, usize), done: Option<Done>) -> Result<()> {
        let Some(done) = done else { return Ok(()) };
        self.told.push(done.words);
        if done.status >= 400 {
            let after = self.closes().await?;
            let new = self.hall().site.app.matches.entries_since(self.id, before.0.next).await?;
            // That a browser offered another key is told to the record. Whoever came too late finds the others' answers.
            let answers = [Kind::Sealed, Kind::Resolved, Kind::Asked, Kind::Extended, Kind::Key];
            let others = |entry: &Entry| done.status == OVERTAKEN && answers.contains(&entry.kind);
            let kinds = || new.iter().map(|one| one.kind).collect::<Vec<_>>();
            let may = |entry: &Entry| entry.kind == Kind::Linked || others(entry);
            ensure!(new.iter().all(may), "it was refused, and entered {:?}", kinds());
            ensure!(!new.is_empty() || after == before, "it was refused, and closed a question");
        } else {
            self.covered.lock().unwrap_or_else(PoisonError::into_inner).ways.insert(done.way);
        }
        self.closes_in_time().await?;
        let report = self.hall().site.app.checks.check(self.id).await?.1;
        if !report.is_good() {
            let details = report.findings.iter().flat_map(|finding| &finding.details);
            let wrong: Vec<_> = details.filter(|detail| detail.expected.is_some()).collect();
            bail!("{}: {wrong:#?}", report.verdict);
        }
        Ok(())
    }

    /// Lets the deadlines close what is due.
    async fn closes_in_time(&self) -> Result<()> {
        let app = &self.hall().site.app;
        loop {
            let history = self.history().await?;
            for open in &history.open {
                app.recorder.close_due(self.id, &open.asked.decision).await?;
            }
            if self.history().await?.head == history.head {
                return Ok(());
            }
        }
    }

    async fn time_passes(&mut self) -> Result<Option<Done>> {
        let most = *one_of(&mut self.dice, &[5_000, 40_000, 200_000]).context("a time")?;
        let mut ms = 1 + self.dice.below(most);
        // Around a deadline most can go wrong.
        let (history, now) = (self.history().await?, self.hall().site.app.system().now().micros());
        let deadlines = history.open.iter().filter_map(|open| history.clock(&open.asked.decision)?.deadline());
        if let Some(left) = deadlines.map(|at| at.micros() - now).min().filter(|_| one_in(&mut self.dice, 2)) {
            let beside = *one_of(&mut self.dice, &[-300, 500, 1_100, 2_500]).context("a time")?;
            ms = u64::try_from(left / 1_000 + beside).unwrap_or(ms);
        }
        self.hall().passes(Duration::from_millis(ms));
        let words = format!("{ms} ms pass");
        Ok(Some(Done { words, way: "time".to_owned(), status: DONE }))
    }

    /// The site is started again, or is away for a while before.
    async fn fails(&mut self) -> Result<Done> {
        let hall = self.hall.take().context("a site")?;
        let (hall, way) = if one_in(&mut self.dice, 2) {
            (hall.starts_again().await?, "restart")
        } else {
            let time = Duration::from_secs(2 + self.dice.below(60));
            (hall.goes_away(time, self.id).await?, "outage")
        };
        self.hall = Some(hall);
        Ok(Done { words: format!("the site: {way}"), way: way.to_owned(), status: DONE })
    }

    /// An act of an umpire: of the match's own, or of any.
    async fn umpire_does(&mut self, name: &str, own: bool) -> Result<()> {
        let before = self.closes().await?;
        let history = self.history().await?;
        let now = self.hall().site.app.system().now();
        let ids: Vec<String> = self.hall().officials.iter().map(|one| one.umpire.id.clone()).collect();
        let deed = match name {
            "record" | "type" | "type late" | "close" | "draw" | "draw by hand" | "extend" | "admit" | "read" => {
                Deed::of_question(name, &mut self.dice, &history, now)
            }
            "answer" | "strike" | "correct" | "comment" => Deed::of_steps(name, &mut self.dice, &history),
            _ => {
                let others: Vec<&str> = ids.iter().map(String::as_str).collect();
                let links = app::account::player::links(self.hall().site.app.pool(), self.id).await?;
                let link = one_of(&mut self.dice, &links).map(|link| link.name.as_str());
                Some(Deed::of_match(name, &mut self.dice, &others, link))
            }
        };
        let Some(deed) = deed else { return Ok(()) };
        let whose = ids.iter().position(|id| app::by_umpire(id) == *history.umpire_now()).unwrap_or(0);
        let other = !own && one_in(&mut self.dice, 12);
        let by = if other { (whose + 1) % ids.len() } else { whose };
        let done = self.send(deed, by, &history).await?;
        self.check(before, done).await
    }

    /// Sends an act in one of the ways that it has.
    async fn send(&mut self, deed: Deed, by: usize, history: &History) -> Result<Option<Done>> {
        let form = self.form().to_string();
        let mut ways = Vec::new();
        ways.extend(deed.page.is_some().then_some(0));
        ways.extend(deed.api.is_some().then_some(1));
        ways.extend((deed.chat.is_some() && by == 0).then_some(2));
        let official = &self.hall().officials[by];
        let (name, head) = (&official.umpire.name, history.head);
        let mut dice = self.dice.clone();
        let way = one_of(&mut dice, &ways).copied();
        let done = match (way, deed) {
            (Some(0), Deed { page: Some((end, mut fields)), .. }) => {
                let (path, route) = match end {
                    "comments" => (format!("/m/{}/comments", self.slug), "/m/{slug}/comments".to_owned()),
                    "withdraw" => (format!("/withdraw/m/{}", self.slug), "/withdraw/m/{slug}".to_owned()),
                    end => (format!("/umpire/m/{}/{end}", self.slug), format!("/umpire/m/{{slug}}/{end}")),
                };
                fields.extend([("form", form), ("head", format!("{}:{}", head.next.0, head.leaf))]);
                let answer = self.hall().form(&official.cookie, &path, &fields).await?;
                let done = Done::of(format!("post {route}"), &(name, &fields), &answer)?;
                (done, answer.text)
            }
            (Some(1), Deed { api: Some((method, end, mut body)), .. }) => {
                if body.get("head").is_some() {
                    body["head"] = json!(HeadJson::of(head));
                }
                let path = format!("/api/v1/matches/{}/{end}", self.slug);
                let end = if method == Method::DELETE { "links/{id}" } else { &end };
                let route = format!("{} /api/v1/matches/{{slug}}/{end}", method.as_str().to_lowercase());
                let answer = self.hall().json(&official.token, (method, &path, &form), &body).await?;
                (Done::of(route, &(name, &body), &answer)?, answer.text)
            }
            (Some(_), Deed { chat: Some((sub, mut options, says)), .. }) => {
                options.push(text("match", &self.slug));
                let said = self.hall().command(UMPIRE, umpires(sub, &options)).await?;
                let status = if said.contains(says) { DONE } else { REFUSED };
                let words = format!("/match {sub} {options:?}: {said}");
                (Done { words, way: format!("/match {sub}"), status }, String::new())
            }
            _ => return Ok(None),
        };
        self.dice = dice;
        self.finds_links(&done.1, &done.0.words);
        Ok(Some(done.0))
    }

    /// Keeps the code of a link that an answer shows.
    fn finds_links(&mut self, text: &str, words: &str) {
        for (at, _) in text.match_indices("/play/") {
            let code: String = text[at + 6..].chars().take_while(char::is_ascii_hexdigit).collect();
            let seat = if words.contains("p1") { Seat::P1 } else { Seat::P2 };
            if code.len() == 64 && !self.players[seat].links.contains(&code) {
                self.players[seat].links.push(code);
            }
        }
    }

    /// An act of a player.
    async fn player_does(&mut self) -> Result<Option<Done>> {
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
            (7, _, Some(link)) => {
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
            _ if history.awaited_openings().is_some() => self.opens_share(whose, &history, form).await,
            (.., Some(link)) if open.is_some() => self.submits(whose, &history, form, &link).await,
            _ => Ok(None),
        }
    }

    async fn follows(&mut self, whose: Seat, link: &str) -> Result<Done> {
        let answer = self.hall().form("", &format!("/play/{link}"), &[]).await?;
        if let Some(cookie) = &answer.cookie {
            self.players[whose].cookie = Some(cookie.clone());
        }
        Done::of("post /play/{token}".to_owned(), &whose, &answer)
    }

    /// The seat's browser offers its key, or sometimes another one.
    async fn offers_key(&mut self, whose: Seat) -> Result<Done> {
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

    async fn opens_share(&mut self, whose: Seat, history: &History, form: SubmitId) -> Result<Option<Done>> {
        let tree = seen(self.hall(), history).await?;
        let Some(signer) = &self.players[whose].signer else { return Ok(None) };
        let Some(opening) = signer.opening(history, tree)? else { return Ok(None) };
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
    async fn submits(&mut self, whose: Seat, history: &History, form: SubmitId, link: &str) -> Result<Option<Done>> {
        let asked: Vec<_> = history.open.iter().filter(|open| app::recorder::asks(open, whose)).collect();
        let Some(open) = one_of(&mut self.dice, &asked).copied() else { return Ok(None) };
        if self.players[whose].signs && self.players[whose].signer.is_none() && !one_in(&mut self.dice, 10) {
            return if self.players[whose].cookie.is_some() {
                self.offers_key(whose).await.map(Some)
            } else {
                self.follows(whose, link).await.map(Some)
            };
        }
        let line = answer(&mut self.dice, history, open, whose);
        let decision = open.asked.decision.to_string();
        let is_final = one_in(&mut self.dice, 2) && open.asked.closes == record::body::Closing::AllIn;
        let way = self.dice.below(5);
        if way == 0 {
            let user = if whose == Seat::P1 { ADA } else { BO };
            let data = slash("submit", &[text("move", &line), text("match", &self.slug)]);
            let said = self.hall().command(user, data).await?;
            let words = format!("/submit {line} ({whose}): {said}");
            return Ok(Some(Done {
                words,
                way: "/submit".to_owned(),
                status: if said.contains("move received") { DONE } else { REFUSED },
            }));
        }
        let key = form.to_string();
        let submit = if way < 3 { form } else { app::form_of(&["api", &link.parse::<Token>()?.name(), &key]) };
        let signs = self.players[whose].signer.is_some() && !one_in(&mut self.dice, 8);
        let tree = if signs { Some(seen(self.hall(), history).await?) } else { None };
        let sealed = match (&mut self.players[whose].signer, tree) {
            // What the rules refuse is not sealed.
            (Some(signer), Some(tree)) => signer.sealed(history, open, tree, submit, (&line, is_final)).ok(),
            _ => None,
        };
        let signed = if sealed.is_some() { "signed" } else { "not signed" };
        let words = (whose, &decision, &line, signed, is_final);
        if way < 3 {
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
        let answer = self.hall().json(link, (Method::POST, route, &key), &body).await?;
        Done::of(format!("post {route}"), &words, &answer).map(Some)
    }
}

/// The word of a ruling's effect.
fn effect(does: &record::body::RulingEffect) -> String {
    let written = format!("{does:?}");
    written.split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
}
