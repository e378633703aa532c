//! One match: random acts, and after each the check of everything that was recorded so far.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use app::views::HeadJson;
use engine::games::declared::Declaration;
use engine::{BySeat, Ruleset, Seat, SplitMix64, Stream, To};
use ledger::{DecisionId, Entry, Head, Kind, MatchId};
use record::History;
use record::body::Body;
use record::share::SHARE;
use reqwest::Method;
use serde_json::{Value, json};
use store::SubmitId;
use verifier::Session;

use super::acts::{Deed, one_in, one_of, seat, weighed};
use super::coverage::Covered;
use super::games::ODD;
use super::hall::{DONE, Done, Hall, OVERTAKEN, REFUSED};
use super::player::Player;
use crate::declared::shelf;
use crate::discord::arena::{UMPIRE, text, umpires};

pub(super) struct Bout<'c> {
    /// None only while it is started again.
    pub(super) hall: Option<Hall>,
    pub(super) dice: SplitMix64,
    pub(super) seed: u64,
    pub(super) forms: u64,
    pub(super) id: MatchId,
    pub(super) slug: String,
    pub(super) players: BySeat<Player>,
    pub(super) covered: &'c Mutex<Covered>,
    /// The acts, in words.
    pub(super) told: Vec<String>,
}

impl<'c> Bout<'c> {
    /// Opens a match under one of the rulesets.
    pub(super) async fn open(hall: Hall, seed: u64, covered: &'c Mutex<Covered>) -> Result<Self> {
        let mut dice = SplitMix64(seed);
        let rulesets: Vec<_> = engine::rulesets().collect();
        // Behind the rulesets comes a declared game, another one each time.
        let (at, of) = (usize::try_from(seed)?, rulesets.len() + 1);
        let games: Vec<_> = shelf()?.into_iter().map(|shelved| shelved.game).collect();
        let games: Vec<_> = ODD.into_iter().map(str::to_owned).chain(games).collect();
        let declared = (at % of == rulesets.len()).then(|| games[at / of % games.len()].clone());
        let game = declared.as_ref().map(|game| Declaration::read(game.lines()).map(Arc::new)).transpose();
        let game = game.map_err(|fault| anyhow::anyhow!("{fault}"))?.map(engine::games::declared::ruleset);
        let ruleset: &dyn Ruleset = match &game {
            Some(game) => game,
            None => rulesets[at % of],
        };
        let card = ruleset.card();
        let live = !one_in(&mut dice, 5);
        let clocks = *one_of(&mut dice, &["off", "posted", "at-once"]).context("clocks")?;
        let mut new = json!({
            "ruleset": card.id, "players": { "p1": "Ada", "p2": "Bo" }, "mode": if live { "live" } else { "recorded" },
            "draws": if one_in(&mut dice, 4) { "umpire" } else { "host" }, "looks": live && one_in(&mut dice, 4),
        });
        if let Some(game) = &declared {
            new["game"] = json!(game);
        }
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

    pub(super) fn hall(&self) -> &Hall {
        self.hall.as_ref().expect("the site is there between its starts")
    }

    pub(super) async fn history(&self) -> Result<Arc<History>> {
        Ok(self.hall().site.app.recorder.settle(self.id).await?)
    }

    /// A new id of a form.
    pub(super) fn form(&mut self) -> SubmitId {
        self.forms += 1;
        app::form_of(&["honest", &self.seed.to_string(), &self.forms.to_string()])
    }

    /// Plays until it is ended, and gives the site back.
    pub(super) async fn play(&mut self) -> Result<()> {
        let shares = self.history().await?.open.iter().any(|open| open.asked.what == SHARE);
        if shares || one_in(&mut self.dice, 2) {
            self.sit_down().await?;
        }
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

    /// Both players have a link each, open it, and offer a key, before anything else.
    async fn sit_down(&mut self) -> Result<()> {
        for whose in Seat::BOTH {
            let (before, history) = (self.closes().await?, self.history().await?);
            let done = self.send(Deed::link(whose), 0, &history).await?;
            self.check(before, done).await?;
            if let Some(link) = self.players[whose].links.first().cloned() {
                let before = self.closes().await?;
                let done = self.follows(whose, &link).await?;
                self.check(before, Some(done)).await?;
            }
            if self.players[whose].signs && self.players[whose].cookie.is_some() {
                let before = self.closes().await?;
                let done = self.offers_key(whose).await?;
                self.check(before, Some(done)).await?;
            }
            let (before, history, form) = (self.closes().await?, self.history().await?, self.form());
            let link = self.players[whose].links.first().cloned();
            if history.open.iter().any(|open| open.asked.what == SHARE) && !one_in(&mut self.dice, 4) {
                let done = self.submits(whose, &history, form, link).await?;
                self.check(before, done).await?;
            }
        }
        // The shares are listed once their question is closed, and then opened.
        if self.history().await?.open.iter().all(|open| open.asked.what == SHARE) && !one_in(&mut self.dice, 4) {
            self.umpire_does("close", true).await?;
        }
        for _ in Seat::BOTH {
            let before = self.closes().await?;
            if self.history().await?.awaited_openings().is_some() {
                let done = self.opens_share().await?;
                self.check(before, done).await?;
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
        let history = self.history().await?;
        let awaited = history.awaited_openings().is_some();
        let players = if history.open.iter().any(|open| open.asked.what == SHARE) { 70 } else { 40 };
        let done = match self.dice.below(100) {
            _ if awaited && !one_in(&mut self.dice, 4) => self.opens_share().await?,
            act if act < players => self.player_does().await?,
            act if act < players + 12 => {
                let done = self.time_passes().await?;
                self.check(before, done).await?;
                // Once a question has no time left, what comes is late.
                if !one_in(&mut self.dice, 3) && self.has_passed().await? {
                    return self.umpire_does("type late", true).await;
                }
                return Ok(());
            }
            99 => Some(self.fails().await?),
            _ => {
                let fitting = self.fitting(&history).await?;
                let name = one_of(&mut self.dice, &fitting).copied().filter(|_| !one_in(&mut self.dice, 3));
                let name = name.unwrap_or_else(|| weighed(&mut self.dice));
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
            *self.covered.lock().unwrap_or_else(PoisonError::into_inner).ways.entry(done.way).or_default() += 1;
        }
        self.closes_in_time().await?;
        let report = self.hall().site.app.checks.check(self.id).await?.1;
        if !report.is_good() {
            let details = report.findings.iter().flat_map(|finding| &finding.details);
            let wrong: Vec<_> = details.filter(|detail| detail.expected.is_some()).collect();
            let entries = self.hall().site.app.matches.entries_since(self.id, ledger::Seq(0)).await?;
            let said = |entry: &Entry| format!("{} {} {} {}", entry.seq, entry.by, entry.kind, entry.body);
            bail!("{}: {wrong:#?}\n{:#?}", report.verdict, entries.iter().map(said).collect::<Vec<_>>());
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

    /// The acts for which there is an occasion now: at random they would mostly be refused.
    async fn fitting(&self, history: &History) -> Result<Vec<&'static str>> {
        let clocks = history.open.iter().filter_map(|open| history.clock(&open.asked.decision));
        let (running, stopped): (Vec<_>, Vec<_>) = clocks.partition(|clock| clock.deadline().is_some());
        let late = self.hall().site.app.recorder.all_late_inputs(self.id).await?;
        let is_open = |decision: &DecisionId| history.open.iter().any(|open| open.asked.decision == *decision);
        let occasions = [
            (!stopped.is_empty(), ["run", "run"]),
            (!running.is_empty(), ["pause", "extend"]),
            (late.iter().any(|late| is_open(&late.decision)), ["admit", "admit"]),
            (!late.is_empty(), ["leave out", "admit"]),
            (history.open_objections().next().is_some(), ["answer", "answer"]),
            (history.asks().iter().any(|ask| ask.to == To::Host), ["draw", "draw by hand"]),
            (history.may_begin_shares(), ["shares", "shares"]),
            (Deed::of_word(&mut self.dice.clone(), history).is_some(), ["announce", "announce"]),
        ];
        Ok(occasions.into_iter().filter(|(fits, _)| *fits).flat_map(|(_, names)| names).collect())
    }

    /// True if the deadline of an open question has passed.
    async fn has_passed(&self) -> Result<bool> {
        let (history, now) = (self.history().await?, self.hall().site.app.system().now());
        let mut deadlines = history.open.iter().filter_map(|open| history.clock(&open.asked.decision)?.deadline());
        Ok(deadlines.any(|deadline| deadline < now))
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
            "admit" | "leave out" => {
                let late = self.hall().site.app.recorder.all_late_inputs(self.id).await?;
                match (one_of(&mut self.dice, &late), name) {
                    (Some(late), "admit") => Some(Deed::admission(&late.decision, late.seat)),
                    (Some(late), _) => Some(Deed::of_late(&late.form.to_string())),
                    (None, _) => Deed::of_question("admit", &mut self.dice, &history, now),
                }
            }
            "record" | "type" | "type late" | "close" | "draw" | "draw by hand" | "extend" | "read" => {
                Deed::of_question(name, &mut self.dice, &history, now)
            }
            "announce" => Deed::of_word(&mut self.dice, &history),
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
                    "comments" | "recordings" => (format!("/m/{}/{end}", self.slug), format!("/m/{{slug}}/{end}")),
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
}

/// The word of a ruling's effect.
fn effect(does: &record::body::RulingEffect) -> String {
    let written = format!("{does:?}");
    written.split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
}
