//! Every ruleset that has statistics.

use app::views::ruleset_name;
use askama::Template;
use axum::response::Response;

use crate::http::Problem;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(
    source = r#"{% extends "page/base.html" %}
{% block page %}
<h1>Statistics</h1>
<p class="lead">Statistics of finished matches, ruleset by ruleset: results by seat, common moves, typical replies, match length.</p>
<ul class="prose">{% for (name, address) in rulesets %}<li><a href="{{ address }}">{{ name }}</a></li>
{% endfor %}</ul>
{% endblock %}
"#,
    ext = "html"
)]
struct List {
    frame: Frame,
    rulesets: Vec<(String, String)>,
}

/// `GET /statistics`
pub(super) async fn list(visitor: Visitor) -> Result<Response, Problem> {
    let frame = Frame::titled("Statistics").in_section("statistics").described(
        "Statistics of finished Death Matches, ruleset by ruleset, with the number of matches behind each figure.",
    );
    let ids = engine::rulesets().map(|ruleset| ruleset.card().id);
    let rulesets = ids.map(|id| (ruleset_name(id), format!("/statistics/{id}")));
    page(&List { frame: Frame { umpire: visitor.name(), ..frame }, rulesets: rulesets.collect() })
}
