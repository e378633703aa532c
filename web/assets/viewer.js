// One match as a file of its own: draws its rounds from the states that the module replays, and checks it as it opens.
// Nothing is fetched; the module and the bundle stand in the page, and what is shown is only ever text.
"use strict";
(() => {
  const { make, check, beacon, run, stamp } = matchbook;
  const at = (id) => document.getElementById(id);
  const BEATS = [["before", "i", "Before"], ["choices", "ii", "Choices"], ["after", "iii", "After"]];
  const MARKS = { new: ", new", gone: ", gone", hidden: ", face down to the players", perhaps: ", perhaps gone" };
  const KEYS = { new: "Heavy frame: new with the last step", gone: "Struck out: gone", hidden: "Dashed frame: face down to the players", perhaps: "Question mark: perhaps gone" };

  const bytes = (id) => Uint8Array.from(atob(at(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const unpacked = async (packed) => new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());

  let names = { p1: "Player 1", p2: "Player 2" }, checking = null, rows = [], first = 0, shown = null;

  // Pictures
  const sign = (piece) => {
    const drawn = at("signs").content.querySelector(`[data-name="${piece.shape || "sign"}-${piece.sign}"] > svg`);
    return drawn ? drawn.cloneNode(true) : null;
  };
  const mark = (seat) => make("span", { class: "seat-mark", "data-seat": seat, "aria-hidden": "true" }, seat === "p1" ? "1" : "2");
  const named = (seat) => make("span", { class: "seat" }, mark(seat), make("bdi", null, names[seat]));
  const spoken = (piece) => make("span", { class: "sr" }, piece.name, MARKS[piece.mark] ?? "");

  const card = (piece) => make("li", { class: "card", "data-sign": piece.sign, "data-mark": piece.mark || null },
    make("span", { class: "card-face", "aria-hidden": "true" }, make("b", null, piece.face), sign(piece)), spoken(piece));
  const empty = () => make("li", { class: "card is-empty" });
  const group = (panel, group) => make("div", { class: "group" },
    group.label ? make("p", { class: "group-label" }, group.label) : null,
    group.cards.length + group.empty === 0 ? make("p", { class: "none" }, "no cards")
      : make("ul", { class: group.cards.length + group.empty > 13 ? "hand is-broken" : "hand", "aria-label": [panel.title, group.label, panel.seat ? names[panel.seat] : ""].filter(Boolean).join(", ") },
        group.cards.map(card), Array.from({ length: group.empty }, empty)));
  const cell = (piece) => make("td", { class: piece.up ? "is-up" : null, "data-mark": piece.mark || null },
    make("span", { class: "cell", "aria-hidden": "true" }, sign(piece), piece.face ? make("b", null, piece.face) : null), spoken(piece));
  const grid = (panel) => {
    const headed = panel.rows.some((row) => row.label);
    return make("div", { class: panel.current ? "grid-of-cells is-current" : "grid-of-cells" }, make("table", { class: "grid" },
      make("caption", null, panel.title),
      panel.columns.length ? make("thead", null, make("tr", null, headed ? make("td") : null, panel.columns.map((name) => make("th", { scope: "col" }, name)))) : null,
      make("tbody", null, panel.rows.map((row) => make("tr", null, headed ? make("th", { scope: "row" }, row.label) : null, row.cells.map(cell))))));
  };
  const draw = {
    lamps: (panel) => make("ul", { class: "lamps named", "aria-label": `${panel.title} of ${names[panel.seat]}` },
      panel.lamps.map((lamp) => make("li", null, make("span", { class: lamp.lit ? "lamp is-lit" : "lamp", "aria-hidden": "true" }, lamp.letters), ` ${lamp.name}`, make("span", { class: "sr" }, lamp.lit ? ": on" : ": off")))),
    notice: (panel) => make("p", { class: "told" }, make("b", null, `${panel.title}:`), ` ${panel.text}`),
    cards: (panel) => make("div", { class: "cards" }, panel.title ? make("h4", null, panel.title) : null, make("div", { class: "groups" }, panel.groups.map((one) => group(panel, one)))),
    grid,
    track: (panel) => make("div", { class: "track" }, make("h4", null, panel.title),
      panel.said.length ? make("ol", null, panel.said.map((one) => make("li", null, mark(one.seat), make("span", { class: "sr" }, `${names[one.seat]}: `), one.words))) : make("p", { class: "none" }, "nothing yet")),
  };
  const signed = (change) => change > 0 ? `+${change}` : `\u2212${-change}`;
  const amount = (one) => [make("b", null, String(one.value)), one.change ? [" ", make("span", { class: "change", "data-way": one.change > 0 ? "in" : "out" }, signed(one.change))] : null];
  const count = (one) => make("p", { class: "count" }, `${one.label} `, amount(one));
  const score = (one) => make("p", { class: "count is-score" }, make("span", { class: "label" }, `${one.label} `), amount(one));
  const pot = (one) => make("p", { class: "count", "data-label": one.label }, make("span", { class: "label" }, `${one.label} `), amount(one));

  const board = (picture) => {
    const of = (seat) => picture.panels.filter((panel) => (panel.seat ?? null) === seat);
    const counts = (seat) => picture.counts.filter((one) => one.seat === seat);
    const is = (cards) => (panel) => (panel.panel === "cards") === cards;
    const plate = (seat) => make("div", { class: "state-seat", "data-seat": seat }, make("h3", null, named(seat)), counts(seat).slice(0, 1).map(score),
      make("div", { class: "rest" }, counts(seat).slice(1).map(count), of(seat).filter(is(false)).map((panel) => draw[panel.panel](panel))));
    const held = (seat) => make("div", { class: "state-held", "data-seat": seat }, of(seat).filter(is(true)).map(draw.cards));
    const shared = of(null), aside = (panel) => panel.panel === "grid" && !panel.current;
    const middle = [counts(null).map(pot), shared.filter((panel) => panel.panel === "notice").map(draw.notice)].flat();
    const table = shared.filter((panel) => panel.panel !== "notice" && !aside(panel)).map((panel) => draw[panel.panel](panel));
    const grids = shared.filter(aside).map(grid);
    const marks = new Set(picture.panels.flatMap((panel) => [...(panel.groups ?? []).flatMap((one) => one.cards), ...(panel.rows ?? []).flatMap((row) => row.cells)]).map((piece) => piece.mark).filter(Boolean));
    return [
      make("section", { class: "board felt" }, make("div", { class: middle.length ? "state" : "state is-open" }, plate("p1"), plate("p2"),
        middle.length ? make("div", { class: "state-mid" }, make("div", { class: "state-pot" }, middle)) : null, held("p1"), held("p2"),
        table.length || grids.length ? make("div", { class: "state-table" }, table, grids.length ? make("div", { class: "grids" }, grids) : null) : null),
      marks.size ? make("p", { class: "fine keys" }, `${[...marks].map((name) => KEYS[name]).join(" \u00b7 ")}.`) : null),
      make("details", null, make("summary", { class: "fine" }, "The state as text"), make("pre", null, picture.state)),
    ];
  };

  // A round
  const words = (label) => label.replace(/^0$/, "Before round 1").replace(/^0\./, "Turn ").replace(/^(\d)/, "Round $1").replace(".", ", part ");
  const address = (row, beat) => `#r${encodeURIComponent(rows[row])}/${BEATS[beat][0]}`;
  const sealed = () => make("p", { class: "none" }, "This state cannot be shown: values before it are still sealed.");
  const sent = (step) => step.sent.map((one) => make("div", { class: "choice", "data-seat": one.seat }, make("h3", null, named(one.seat)), make("p", { class: "words" }, one.words)));
  const effects = (step) => make("ol", { class: "margined effects prose" }, step.effects.map((effect, n) => make("li", { class: "effect" }, make("span", null, String(n + 1)), make("p", null, `${effect.text} `, make("span", { class: "rule hint" }, `rule ${effect.rule}`)))));
  const told = (steps, after) => make("ol", { class: steps.length === 1 ? "told-steps is-one" : "told-steps" }, steps.map((step) => make("li", null,
    step.sent.length ? make("div", { class: step.sent.length > 1 ? "sides" : "side" }, sent(step)) : null,
    after && step.effects.length ? effects(step) : null,
    make("p", { class: "fine" }, "As recorded: ", make("span", { class: "dmn" }, step.line), ", ", make("a", { href: `#e${step.entry}` }, `entry ${step.entry}`)))));

  const way = (row, beat, arrow, side) => {
    const there = row >= 0 && row < rows.length;
    const text = there ? (row === shown[0] ? BEATS[beat][2] : words(rows[row])) : side === "prev" ? "Start" : "End";
    const parts = [make("span", { "aria-hidden": "true" }, arrow), make("span", { class: "word" }, text)];
    return make(there ? "a" : "span", { class: "step", rel: there ? side : null, "aria-label": there ? text : null, href: there ? address(row, beat) : null, "aria-disabled": there ? null : "true" }, side === "prev" ? parts : parts.reverse());
  };

  const show = (row, beat) => {
    shown = [row, beat];
    const moment = checking.moment(row);
    const before = beat === 0 ? way(row - 1, 2, "\u2190", "prev") : way(row, beat - 1, "\u2190", "prev");
    const next = beat === 2 ? way(row + 1, 0, "\u2192", "next") : way(row, beat + 1, "\u2192", "next");
    const state = beat === 2 ? moment.after : moment.before;
    at("moment").replaceChildren(
      make("h2", null, words(moment.label), make("span", { class: "hint" }, ` of ${rows.at(-1).split(/[^0-9]/)[0]}`)),
      make("nav", { class: "beat-bar", "aria-label": "Beats" }, before,
        make("ol", { class: "beats" }, BEATS.map(([name, numeral, title], n) => make("li", null, make("a", { href: address(row, n), "aria-current": n === beat ? "page" : null }, make("span", { "aria-hidden": "true" }, numeral), ` ${title}`)))), next),
      ...(beat === 1 ? [told(moment.steps, false)] : []),
      ...(state ? board(state) : [sealed()]).filter(Boolean),
      ...(beat === 2 ? [make("h3", null, "What happened"), told(moment.steps, true)] : []),
      make("nav", { "aria-label": "Rounds" }, make("ol", { class: "rounds" }, rows.map((label, n) => make("li", null, make("a", { href: address(n, beat), "aria-current": n === row ? "true" : null }, label))))));
  };

  const follow = () => {
    const [, label, beat] = /^#r([^/]+)(?:\/(\w+))?$/.exec(location.hash) ?? [];
    const row = label === undefined ? -1 : rows.indexOf(decodeURIComponent(label));
    if (row >= 0) return show(row, Math.max(0, BEATS.findIndex(([name]) => name === (beat ?? "after"))));
    const entry = /^#e\d+$/.test(location.hash) ? document.querySelector(location.hash) : null;
    if (entry) { entry.closest("details").open = true; entry.scrollIntoView(); }
    if (!shown && rows.length) show(first, 2);
  };

  document.addEventListener("keydown", (event) => {
    // Brackets take AltGr on many keyboards, which Windows calls Control with Alt, and a Mac's take Option.
    const bracket = (event.key === "[" || event.key === "]") && (event.getModifierState("AltGraph") || !event.ctrlKey);
    if (!shown || (!bracket && (event.altKey || event.ctrlKey || event.shiftKey)) || event.metaKey || event.target.closest("input, .scroll")) return;
    const [row, beat] = shown, to = (row, beat) => row >= 0 && row < rows.length ? address(row, beat) : null;
    const there = { ArrowLeft: beat ? to(row, beat - 1) : to(row - 1, 2), ArrowRight: beat < 2 ? to(row, beat + 1) : to(row + 1, 0), "[": to(row - 1, beat), "]": to(row + 1, beat), Home: to(0, beat), End: to(rows.length - 1, beat) }[event.key];
    if (there) { event.preventDefault(); location.hash = there; }
  });

  const entries = (bundle, count) => new TextDecoder().decode(bundle).split("\n").slice(1, count + 1).map((line, n) => make("section", { class: "stored", id: `e${n}` }, make("h3", null, `Entry ${n}`), make("pre", null, line)));

  const open = async () => {
    const bundle = bytes("bundle");
    const module = await WebAssembly.instantiate(await unpacked(bytes("verifier")), {});
    checking = matchbook.checking = check(module, bundle, at("policy").textContent);
    await beacon(checking, async () => WebAssembly.instantiate(await unpacked(bytes("beacon")), {}));
    const links = { entry: (entry) => `#e${entry}`, round: (round) => rows.includes(String(round)) ? `#r${round}/after` : null };
    const parts = { told: at("told"), bar: at("bar"), list: at("findings") };
    // The rounds are listed before the first finding is drawn, so that its links lead somewhere.
    const opening = checking.next();
    if (opening.say === "match") {
      if (opening.names.length) {
        names = { p1: opening.names[0], p2: opening.names[1] };
        at("title").textContent = opening.names.join(" \u2013 ");
        at("game").textContent = [opening.ruleset, opening.event].filter(Boolean).join(" \u00b7 ");
        document.title = `${at("title").textContent} \u00b7 Matchbook`;
      }
      const all = Array.from({ length: opening.rows }, (_, row) => checking.moment(row));
      rows = all.map((moment) => moment.label);
      first = Math.max(0, all.findLastIndex((moment) => moment.after));
      at("stored").append(...entries(bundle, opening.entries));
      at("entries").hidden = false;
    }
    const verdict = await run(checking, opening, parts, links);
    if (verdict) {
      at("verdict").replaceChildren(stamp(verdict));
      if (verdict.state !== "failed") at("result").textContent = opening.result;
      at("bar").hidden = true;
      at("told").textContent = "Checked by this file, in your browser, without any network.";
    }
    window.addEventListener("hashchange", follow);
    follow();
  };
  open().catch((error) => { at("told").textContent = `This browser could not check it: ${error.message}.`; });
})();
