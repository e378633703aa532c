//! The routes of the site, from its sources and its OpenAPI document.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, ItemMod, Lit};

use crate::tidy::sources;

/// Whether the match of a request runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Running,
    Ended,
}

/// A line of the table: a route, the match in its address, and an act if the rights depend on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    pub(super) route: Route,
    pub(super) stage: Stage,
    pub(super) act: Option<&'static str>,
}

/// A method at an address with names in braces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Route {
    pub(crate) path: String,
    pub(crate) method: String,
}

impl Route {
    /// True if it is for programs, which send a token and no cookie.
    pub(super) fn is_api(&self) -> bool {
        self.path.starts_with("/api/v1/")
    }

    /// True if it is about one match.
    pub(crate) fn is_of_a_match(&self) -> bool {
        self.path.contains("{slug}") || self.path == "/m/{name}"
    }

    /// True if it only reads, also by a body.
    pub(super) fn reads(&self) -> bool {
        self.method == "get" || self.path.ends_with("/read")
    }

    /// True if the next caller would find something else there.
    pub(super) fn changes_what_it_names(&self) -> bool {
        let again = REPEATABLE.iter().any(|end| self.path.ends_with(end));
        self.method != "get" && !again
    }

    /// True if it deletes a practice match, or asks whether to.
    pub(super) fn deletes_a_match(&self) -> bool {
        self.path == "/umpire/m/{slug}/delete" || (self.path == "/api/v1/matches/{slug}" && self.method == "delete")
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = if self.stage == Stage::Ended { " (ended)" } else { "" };
        let act = self.act.map(|act| format!(" ({act})")).unwrap_or_default();
        write!(f, "{}{act}{stage}", self.route)
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<6} {}", self.method.to_uppercase(), self.path)
    }
}

/// Addresses that a router makes from an expression. An unknown expression is an error.
const EXPRESSIONS: [(&str, &str); 3] = [
    ("format ! (\"/archive.{}\" , format . extension ())", "/archive.{format}"),
    ("NOTATION . address", "/api/notation"),
    ("RECORD . address", "/api/record-format"),
];

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The ends of the addresses of acts that can be done again and again, and leave the match as it was for all others.
const REPEATABLE: [&str; 14] = [
    "/comments",
    "/note",
    "/notes",
    "/play/{token}",
    "/private-note",
    "/private-notes",
    "/read",
    "/ready",
    "/submissions",
    "/submit",
    "/type",
    "/typed",
    "/warn",
    "/warnings",
];

/// Calls that add routes which cannot be read off here.
const HIDDEN: [&str; 3] = ["nest", "nest_service", "route_service"];

/// Every call of `.route(address, methods)` in a file.
#[derive(Default)]
struct Routers {
    found: BTreeSet<Route>,
    /// The file that is read.
    file: String,
    unknown: Vec<String>,
}

/// The methods in the second argument of a call, such as `get(show).post(send)`; none if something else is in it, such as
/// `any(show)` or a variable, which could answer to methods that nobody asks here.
fn methods_of(methods: &Expr) -> Option<BTreeSet<String>> {
    let (mut known, name) = match methods {
        Expr::MethodCall(call) => (methods_of(&call.receiver)?, call.method.to_string()),
        Expr::Call(call) => match call.func.as_ref() {
            Expr::Path(path) => (BTreeSet::new(), path.path.get_ident()?.to_string()),
            _ => return None,
        },
        _ => return None,
    };
    if METHODS.contains(&name.as_str()) {
        known.insert(name);
    } else if name != "layer" || known.is_empty() {
        return None;
    }
    Some(known)
}

impl<'f> Visit<'f> for Routers {
    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'f ExprMethodCall) {
        if call.method == "route"
            && let [address, methods] = call.args.iter().collect::<Vec<_>>().as_slice()
        {
            let text = match address {
                Expr::Lit(lit) => match &lit.lit {
                    Lit::Str(text) => Some(text.value()),
                    _ => None,
                },
                Expr::Reference(inner) => expression(&inner.expr),
                other => expression(other),
            };
            match (text, methods_of(methods)) {
                (Some(path), Some(named)) => {
                    self.found.extend(named.into_iter().map(|method| Route { path: path.clone(), method }));
                }
                (path, named) => self.unknown.push(format!("{}: {path:?} with {named:?}", self.file)),
            }
        }
        if HIDDEN.iter().any(|hidden| call.method == hidden) {
            self.unknown.push(format!("{}: .{}(\u{2026})", self.file, call.method));
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// The address of an expression that is known here.
fn expression(expr: &Expr) -> Option<String> {
    let words = match expr {
        Expr::Macro(called) => {
            let name = called.mac.path.get_ident().map(ToString::to_string).unwrap_or_default();
            format!("{name} ! ({})", called.mac.tokens)
        }
        Expr::Field(field) => match (field.base.as_ref(), &field.member) {
            (Expr::Path(base), syn::Member::Named(member)) => format!("{} . {member}", base.path.get_ident()?),
            _ => return None,
        },
        _ => return None,
    };
    EXPRESSIONS.iter().find(|(known, _)| *known == words).map(|(_, path)| (*path).to_owned())
}

/// All of them. A witness is another server, and not one of this site.
pub(crate) fn routes(document: &Value) -> Result<BTreeSet<Route>> {
    let mut routers = Routers::default();
    for (path, text) in sources("web") {
        if !path.components().any(|part| part.as_os_str() == "witness") {
            routers.file = path.display().to_string();
            routers.visit_file(&syn::parse_file(&text).with_context(|| path.display().to_string())?);
        }
    }
    ensure!(routers.unknown.is_empty(), "which addresses and methods are these? {:#?}", routers.unknown);
    let mut all = routers.found;
    for (path, operations) in document["paths"].as_object().context("the paths of the document")? {
        for method in operations.as_object().into_iter().flatten().map(|(method, _)| method) {
            if METHODS.contains(&method.as_str()) {
                all.insert(Route { path: path.clone(), method: method.clone() });
            }
        }
    }
    ensure!(all.len() > 200, "only {} routes were found", all.len());
    Ok(all)
}

#[test]
fn a_route_that_cannot_be_read_off_is_refused() {
    let found = |call: &str| {
        let mut routers = Routers::default();
        routers.visit_expr(&syn::parse_str(call).unwrap());
        (routers.found.len(), routers.unknown.len())
    };
    for (call, routes) in [
        ("Router::new().route(\"/a\", get(show))", 1),
        ("Router::new().route(\"/a\", get(show).post(send).layer(limit)).merge(others())", 2),
    ] {
        assert_eq!(found(call), (routes, 0), "{call}");
    }
    for call in [
        "Router::new().route(\"/a\", any(show))",
        "Router::new().route(\"/a\", on(MethodFilter::TRACE, show))",
        "Router::new().route(\"/a\", get(show).on(MethodFilter::PUT, send))",
        "Router::new().route(\"/a\", methods)",
        "Router::new().route(address, get(show))",
        "Router::new().nest(\"/a\", others())",
        "Router::new().nest_service(\"/a\", files)",
        "Router::new().route_service(\"/a\", files)",
    ] {
        assert_eq!(found(call), (0, 1), "{call}");
    }
}
