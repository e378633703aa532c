//! A page from the site, read as a browser reads it, and its forms.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use reqwest::StatusCode;
use scraper::{ElementRef, Html, Selector};

use crate::site::Guest;

/// A page from the site.
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) address: String,
    pub(crate) text: String,
    /// The text as a browser reads it, once somebody asks for a part of it.
    html: OnceCell<Html>,
}

/// A form of a page: its hidden fields, and everything that was filled in.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// Where it is sent.
    address: String,
    fields: Vec<(String, String)>,
    /// The names of all its fields and buttons.
    names: BTreeSet<String>,
}

impl Page {
    pub(crate) const fn new(status: StatusCode, address: String, text: String) -> Self {
        Self { status, address, text, html: OnceCell::new() }
    }

    /// Fails unless the page has this status.
    pub(crate) fn is(&self, status: StatusCode) -> Result<&Self> {
        ensure!(self.status == status, "{} is {}, and not {status}:\n{}", self.address, self.status, self.text);
        Ok(self)
    }

    /// Fails unless the page contains this.
    pub(crate) fn says(&self, words: &str) -> Result<&Self> {
        if self.text.contains(words) {
            Ok(self)
        } else {
            bail!("{} does not say {words:?}:\n{}", self.address, self.text)
        }
    }

    /// An attribute of each element that has it and that this selector finds.
    pub(crate) fn attributes(&self, css: &str, name: &str) -> Result<Vec<String>> {
        self.read(css, |found| found.attr(name).map(str::to_owned))
    }

    /// An attribute of the first element that has it and that this selector finds.
    pub(crate) fn attribute(&self, css: &str, name: &str) -> Result<String> {
        self.attributes(css, name)?
            .into_iter()
            .next()
            .with_context(|| format!("no {css} with {name} in:\n{}", self.text))
    }

    /// The texts of the elements that this selector finds.
    pub(crate) fn contents(&self, css: &str) -> Result<Vec<String>> {
        self.read(css, |found| Some(found.text().collect()))
    }

    /// The text of the first element that this selector finds.
    pub(crate) fn content(&self, css: &str) -> Result<String> {
        self.contents(css)?.into_iter().next().with_context(|| format!("no {css} in:\n{}", self.text))
    }

    /// The address of the first link with exactly this text.
    pub(crate) fn link(&self, words: &str) -> Result<Option<String>> {
        self.with_text("a", words, "href")
    }

    /// The value of the choice with this text.
    pub(crate) fn option(&self, words: &str) -> Result<String> {
        let found = self.with_text("option", words, "value")?;
        found.with_context(|| format!("{words} is not offered in:\n{}", self.text))
    }

    /// The value that the button with this label sends.
    pub(crate) fn button(&self, label: &str) -> Result<String> {
        self.with_text("button", label, "value")?.with_context(|| format!("no button {label} in:\n{}", self.text))
    }

    /// Every address on the page with this beginning, in the order of the page.
    pub(crate) fn addresses(&self, begins: &str) -> Result<Vec<String>> {
        self.attributes(&format!("[href^=\"{begins}\"]"), "href")
    }

    /// The address with this relation to the page.
    pub(crate) fn related(&self, rel: &str) -> Result<Option<String>> {
        Ok(self.attributes(&format!("link[rel=\"{rel}\"]"), "href")?.into_iter().next())
    }

    /// The first words beside a term of a list, or beside the heading of a table's row.
    pub(crate) fn beside(&self, term: &str) -> Result<String> {
        let found = self.read("dt, th", |found| {
            let is_it = found.text().collect::<String>() == term;
            let next = found.next_siblings().find_map(ElementRef::wrap).filter(|_| is_it)?;
            next.text().map(str::trim).find(|words| !words.is_empty()).map(str::to_owned)
        });
        found?.into_iter().next().with_context(|| format!("nothing beside {term} in:\n{}", self.text))
    }

    /// The private link that was just made.
    pub(crate) fn private_link(&self) -> Result<String> {
        self.content("#link")
    }

    /// The value of the first field of this name.
    pub(crate) fn field(&self, name: &str) -> Result<String> {
        self.attribute(&format!("[name=\"{name}\"]"), "value")
    }

    /// The first fields of these names, to be sent as one form.
    pub(crate) fn fields(&self, names: &[&str]) -> Result<Form> {
        let fields = names.iter().map(|name| Ok(((*name).to_owned(), self.field(name)?))).collect::<Result<_>>()?;
        Ok(Form { address: String::new(), fields, names: BTreeSet::new() })
    }

    /// The last form with this address, or with a button that has it.
    pub(crate) fn form_to(&self, address: &str) -> Result<Form> {
        let css = format!("form[action=\"{address}\"], form:has([formaction=\"{address}\"])");
        let css = selector(&css)?;
        let last = self.html().select(&css).next_back();
        Form::of(last.with_context(|| format!("no form to {address} in:\n{}", self.text))?)
    }

    /// The first form with a field of this name.
    pub(crate) fn form_with(&self, name: &str) -> Result<Form> {
        let mut forms = self.forms()?.into_iter();
        forms.find(|form| form.has(name)).with_context(|| format!("no form with {name} in:\n{}", self.text))
    }

    /// The forms of a console that ask exactly these parties, of `p1`, `p2` and `host`.
    pub(crate) fn questions(&self, asked: &[&str]) -> Result<Vec<Form>> {
        let asks = |form: &Form| ["p1", "p2", "host"].iter().all(|who| form.has(who) == asked.contains(who));
        Ok(self.forms()?.into_iter().filter(|form| form.has("decision") && asks(form)).collect())
    }

    /// An attribute of the first element that this selector finds with exactly this text.
    fn with_text(&self, css: &str, words: &str, name: &str) -> Result<Option<String>> {
        let read = |found: ElementRef<'_>| {
            let is_it = found.text().collect::<String>().trim() == words;
            is_it.then(|| found.attr(name).map(str::to_owned)).flatten()
        };
        Ok(self.read(css, read)?.into_iter().next())
    }

    fn forms(&self) -> Result<Vec<Form>> {
        let css = selector("form")?;
        self.html().select(&css).map(Form::of).collect()
    }

    fn read<T>(&self, css: &str, read: impl Fn(ElementRef<'_>) -> Option<T>) -> Result<Vec<T>> {
        let css = selector(css)?;
        Ok(self.html().select(&css).filter_map(read).collect())
    }

    fn html(&self) -> &Html {
        self.html.get_or_init(|| Html::parse_document(&self.text))
    }
}

impl Form {
    fn of(form: ElementRef<'_>) -> Result<Self> {
        let attribute = |field: ElementRef<'_>, name: &str| field.attr(name).unwrap_or_default().to_owned();
        let (hidden, named) = (selector("input[type=hidden]")?, selector("[name]")?);
        let fields = form.select(&hidden).map(|field| (attribute(field, "name"), attribute(field, "value"))).collect();
        let names = form.select(&named).map(|field| attribute(field, "name")).collect();
        Ok(Self { address: attribute(form, "action"), fields, names })
    }

    /// True if it has a field or a button of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The value of a hidden field, or of one that was filled in.
    pub(crate) fn value(&self, name: &str) -> Result<&str> {
        let found = self.fields.iter().find(|(other, _)| other == name);
        Ok(found.with_context(|| format!("no {name} in {self:?}"))?.1.as_str())
    }

    /// The form with this field filled in.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(other, _)| other != name);
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The form with all these fields filled in. A name may be there several times, as for boxes that are ticked.
    pub(crate) fn with_all(mut self, typed: &[(&str, &str)]) -> Self {
        self.fields.retain(|(name, _)| !typed.iter().any(|(other, _)| name == other));
        self.fields.extend(typed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self
    }

    /// Its fields, as they are sent.
    pub(crate) fn filled_in(&self) -> &[(String, String)] {
        &self.fields
    }

    /// Sends it to its own address, with these fields filled in.
    pub(crate) async fn sends(&self, guest: &Guest, typed: &[(&str, &str)]) -> Result<Page> {
        guest.sends(&self.address, &self.clone().with_all(typed)).await
    }
}

fn selector(css: &str) -> Result<Selector> {
    Selector::parse(css).map_err(|error| anyhow::anyhow!("{css}: {error}"))
}
