//! The routes of the site, from its sources and its OpenAPI document.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, ItemMod, Lit};

use crate::tidy::sources;

/// A method at an address with names in braces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    pub(super) path: String,
    pub(super) method: String,
}

impl Route {
    /// True if it is for programs, which send a token and no cookie.
    pub(super) fn is_api(&self) -> bool {
        self.path.starts_with("/api/v1/")
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

/// Every call of `.route(address, methods)` in a file.
#[derive(Default)]
struct Routers {
    found: BTreeSet<Route>,
    /// The file that is read.
    file: String,
    unknown: Vec<String>,
}

/// The methods in the second argument of a call, such as `get(show).post(send)`.
#[derive(Default)]
struct Methods(BTreeSet<String>);

impl Methods {
    fn of(methods: &Expr) -> BTreeSet<String> {
        let mut named = Self::default();
        named.visit_expr(methods);
        named.0
    }
}

impl<'f> Visit<'f> for Methods {
    fn visit_expr(&mut self, expr: &'f Expr) {
        let name = match expr {
            Expr::MethodCall(call) => {
                self.visit_expr(&call.receiver);
                Some(call.method.to_string())
            }
            Expr::Call(call) => match call.func.as_ref() {
                Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
                _ => None,
            },
            // Handlers are not looked into.
            _ => None,
        };
        self.0.extend(name.filter(|name| METHODS.contains(&name.as_str())));
    }
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
            match text {
                Some(path) => {
                    let named = Methods::of(methods);
                    self.found.extend(named.into_iter().map(|method| Route { path: path.clone(), method }));
                }
                None => self.unknown.push(format!("{} of {methods:?}", self.file, methods = Methods::of(methods))),
            }
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
pub(super) fn routes(document: &Value) -> Result<BTreeSet<Route>> {
    let mut routers = Routers::default();
    for (path, text) in sources("web/src") {
        if !path.components().any(|part| part.as_os_str() == "witness") {
            routers.file = path.display().to_string();
            routers.visit_file(&syn::parse_file(&text).with_context(|| path.display().to_string())?);
        }
    }
    ensure!(routers.unknown.is_empty(), "which address is an expression in {:#?}?", routers.unknown);
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
