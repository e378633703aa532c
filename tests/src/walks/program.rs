//! Programs in a walk: what they ask the API, and their tokens.

use anyhow::{Context, Result, ensure};
use app::account::{self, OPERATOR, Scope};
use reqwest::Method;

use super::text::word;
use super::walk::Walk;
use crate::api::Program;
use crate::page::Page;

impl Walk {
    /// `program p1 {token}`, or `program hers of Vera`: a program with a token that was made, or of an umpire.
    async fn introduces(&mut self, name: &str, whose: &str) -> Result<()> {
        let site = self.site().await?;
        let token = match whose.strip_prefix("of ") {
            Some(umpire) => {
                let (pool, system) = (site.app.pool(), site.app.system());
                let umpire = account::named(pool, umpire).await?;
                let made = account::make_token(pool, system, &OPERATOR, &umpire, "theirs", Scope::Umpire, None).await?;
                account::reveal_token(&made.0)
            }
            None => whose.to_owned(),
        };
        let program = Program::with(site, token);
        self.programs.insert(name.to_owned(), program);
        Ok(())
    }

    /// A program of the first umpire, unless another was introduced under this name.
    async fn program(&mut self, name: &str) -> Result<&Program> {
        if !self.programs.contains_key(name) {
            let scope = match name {
                "reader" => Scope::Read,
                "admin" => Scope::Admin,
                _ => Scope::Umpire,
            };
            let program = Program::of(self.site().await?, scope).await?;
            self.programs.insert(name.to_owned(), program);
        }
        self.programs.get(name).context("a program")
    }

    /// `umpire GET /api/v1/me`, `umpire POST KEY /api/v1/matches {"ruleset": "x"}`: a program asks something.
    pub(crate) async fn asks(&mut self, kind: &str, rest: &str) -> Result<()> {
        let (name, rest) = word(rest);
        if kind == "program" {
            return self.introduces(name, rest).await;
        }
        let program = self.program(name).await?;
        let (method, rest) = word(rest);
        let answer = match method {
            "GET" => program.get(rest).await?,
            "DELETE" => program.send(Method::DELETE, rest, None, "", String::new()).await?,
            "POST" => {
                let (key, rest) = word(rest);
                let (path, body) = word(rest);
                program.send(Method::POST, path, Some(key), "application/json", body.to_owned()).await?
            }
            _ => anyhow::bail!("{method} is no method of the API"),
        };
        let is_problem = answer.kind == "application/problem+json";
        ensure!(answer.status.is_success() || is_problem, "{} is {}: {}", answer.status, answer.kind, answer.text);
        let path = rest.split(' ').find(|part| part.starts_with('/')).unwrap_or_default();
        self.reads(Page::new(answer.status, path.to_owned(), answer.text));
        self.headers = answer.headers;
        Ok(())
    }
}
