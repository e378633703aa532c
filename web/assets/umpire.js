// Comforts for the umpire's forms; every form works without them.
// A line is read back while it is typed; Enter goes from seat to seat and then to the button that records. The page looks
// for what others did, counts the time, and keys lead to its parts.
import { learn, now as serverNow, tick } from "./play-clock.js";
import { tone } from "./bell.js";
import { follow } from "./follow.js";

(() => {
  const PAUSE_MS = 120;
  const phrase = { nothing: "nothing yet", valid: "valid", invalid: "not valid", defaulted: "no move", late: "late" };
  const make = (name, text, kind) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const readback = (line) => {
    const parts = [];
    if (line.words) parts.push(make("b", line.words));
    for (const note of line.notes) parts.push(" ", note);
    if (line.error) {
      const error = make("span", "", "error");
      if (line.error.found) {
        const typed = make("span", line.error.before, "dmn");
        typed.append(make("mark", line.error.found), line.error.after);
        error.append(typed, " ");
      }
      error.append(line.error.text, line.error.rule ? ` (rule ${line.error.rule})` : "");
      parts.push(error);
    }
    return parts;
  };

  // What stands for a seat, with when it was sent where that may be known; times.js says it in the reader's zone.
  const stand = (word) => {
    word.textContent = word.dataset.stands;
    if (!word.dataset.sent) return;
    const time = make("time", word.dataset.said);
    time.dateTime = word.dataset.sent;
    word.append(" ", time);
  };

  for (const form of document.querySelectorAll("form[data-question]")) {
    const inputs = [...form.querySelectorAll("input.dmn:not([data-time])")];
    const said = form.querySelector("[data-said]");
    const live = Boolean(form.querySelector("[data-store]"));
    // The one button is renewed as the match moves on.
    const close = () => form.querySelector("[data-close]"), record = () => form.querySelector("[data-record]");
    const store = () => (inputs.find((input) => input.value.trim())?.closest(".line") ?? form).querySelector("[data-store]") ?? form.querySelector("[data-store]");
    if (!inputs.length || !(live || record())) continue;
    let asked = 0, waiting = 0, latest = Promise.resolve(), sending = false;

    // In a live match an empty line shows what stands for the seat; in another, that nothing is typed.
    const show = (input, line) => {
      const box = input.closest(".line"), word = box.querySelector(".entered");
      const stands = live && line.state === "nothing";
      box.dataset.state = stands ? box.dataset.stands : line.state;
      if (stands) stand(word); else word.textContent = `${live ? "typed: " : ""}${phrase[line.state] ?? line.state}`;
      box.querySelector(".readback").replaceChildren(...readback(line));
      if (line.error) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    };
    const good = live ? ["valid", "late", "nothing"] : ["valid", "defaulted"];
    const counts = (input) => good.includes(live && !input.value.trim() ? "nothing" : input.closest(".line").dataset.state);
    const typed = () => inputs.some((input) => input.value.trim());
    // Where every seat has an answer, or gets one now, closing is next; storing is only for what comes piece by piece.
    const goal = () => !live ? record()
      : inputs.every((input) => (input.value.trim() ? input.closest(".line").dataset.state : input.closest(".line").dataset.stands) === "valid") ? close()
      : typed() ? store() : close();

    const read = async () => {
      const mine = ++asked;
      const body = new URLSearchParams(new FormData(form));
      let answer = null;
      try {
        const response = await fetch(form.dataset.read, { method: "POST", body, headers: { Accept: "application/json" } });
        answer = response.ok ? await response.json()
          : { detail: response.status === 409 ? "The match has moved on since this page was opened. Record, and you are shown what happened." : (await response.json()).detail };
      } catch { /* The button reads back too. */ }
      if (mine !== asked) return;
      if (!answer?.seats) {
        said.textContent = answer?.detail ?? "This line could not be read back just now. You can still record; it is checked then.";
        return;
      }
      for (const line of answer.seats) {
        const input = inputs.find((input) => input.name === line.seat);
        if (input) show(input, line);
      }
      if (!live) said.textContent = inputs.every(counts) ? "Ready. Nothing is recorded yet." : "";
      else if (typed()) said.textContent = !inputs.every(counts) ? "" : goal() === close() ? "Ready to be closed: what is typed here is stored first." : "Ready to be stored. It can still be replaced.";
    };
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(() => { latest = read(); }, PAUSE_MS); };
    const now = () => { clearTimeout(waiting); latest = read(); return latest; };

    // On to the button once all is well, else back to the first line that is not.
    const finish = async (press) => {
      const first = goal();
      first.focus();
      await now();
      const wrong = inputs.find((input) => !counts(input));
      if (wrong) { if (document.activeElement === first) { wrong.focus(); wrong.select(); } return; }
      if (document.activeElement === first) goal().focus();
      if (press) form.requestSubmit(goal());
    };
    for (const time of form.querySelectorAll("[data-time]")) time.addEventListener("input", soon);
    for (const input of inputs) {
      input.addEventListener("input", soon);
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.isComposing || event.altKey || event.shiftKey) return;
        event.preventDefault();
        if (event.ctrlKey || event.metaKey) { void finish(true); return; }
        const next = inputs.slice(inputs.indexOf(input) + 1).find((other) => !other.closest("details:not([open])"));
        if (next) { next.focus(); next.select(); void now(); return; }
        void finish(false);
      });
    }
    // One press, one request; the form's own id makes a second one harmless anyway.
    form.addEventListener("submit", (event) => {
      if (sending) { event.preventDefault(); return; }
      sending = true;
    });
    addEventListener("pageshow", () => { sending = false; });
  }

  // What others do shows by itself: a page in which nothing is typed moves on, another says what happened and stays.
  // The answer to a form has the form's address, so the console's own is in the page.
  const board = document.querySelector("[data-console]");
  const LOOK_MS = 2000;
  let looking = 0, leaving = false, renewedAt = -Infinity;
  const busy = () => [...document.querySelectorAll("input:not([type=hidden], [data-keys]), textarea")].some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked)
    || document.querySelector("details:is(.more, .type, .words, .optional-question)[open]");
  // What holds nothing to fill in is renewed whatever else is being typed, unless it says the same: only the id of a form differs
  // each time.
  const renewed = new Map();
  const said = (part) => part.innerHTML.replace(/(name="form" value=")[^"]*/g, "$1");
  const act = (part) => { const button = part.querySelector("[data-go]"); return `${button?.dataset.go} ${button?.querySelector("span").firstChild.textContent}`; };
  const renew = (page) => {
    for (const part of page.querySelectorAll("[data-renewed]")) {
      const here = document.querySelector(`[data-renewed="${part.dataset.renewed}"]`);
      if (!here || (renewed.get(part.dataset.renewed) ?? said(here)) === said(part)) continue;
      // A question whether to close without a move waits for its answer, or for the move.
      if (here.querySelector("[data-unsure]") && here.dataset.stands === part.dataset.stands) continue;
      renewed.set(part.dataset.renewed, said(part));
      if (part.dataset.renewed === "go" && act(part) !== act(here)) renewedAt = performance.now();
      if (part.querySelector("[data-alarm]")) tone();
      const focus = here.contains(document.activeElement) ? document.activeElement.textContent : null, next = document.importNode(part, true);
      here.replaceWith(next);
      if (focus !== null && part.dataset.renewed === "go") next.querySelector("a, button")?.focus();
      else if (focus !== null) [...next.querySelectorAll("a, button, summary")].find((one) => one.textContent === focus)?.focus();
    }
  };
  // Who was named or dismissed as helper while something is typed reads of it beside what is typed.
  const permission = (foreign) => {
    const note = make("div", "", "notice toast");
    note.dataset.since = "";
    note.setAttribute("role", "status");
    note.append(make("h2", foreign === undefined ? "You may act in this match now" : "You may not act in this match any more"));
    return note;
  };
  const look = async () => {
    try { await compare(); } catch { /* It was cut off, and is asked for again. */ }
    clearTimeout(looking);
    // Whose match it is not any more is told so, and only waits to be named again.
    if (!leaving) looking = setTimeout(look, "foreign" in board.dataset ? 10 * LOOK_MS : LOOK_MS);
  };
  // The answer to a form of this page says what became of it, and the page of before would say that somebody did it.
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.method !== "dialog") leaving = true;
  });
  addEventListener("pageshow", (event) => { if (event.persisted) { leaving = false; look(); } });
  const compare = async () => {
    const from = performance.now();
    const answer = await fetch(`${board.dataset.home}?since=${board.dataset.head}`, { headers: { Accept: "text/html" } });
    const to = performance.now();
    if (leaving) return;
    // 403: the match became another umpire's, and the page says whose.
    const page = answer.ok || answer.status === 403 ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    const { head, now, foreign } = page?.querySelector("[data-console]")?.dataset ?? {};
    if (now) { learn(Number(now), from, to); renew(page); }
    if (head && (head !== board.dataset.head || foreign !== board.dataset.foreign)) {
      const address = `${board.dataset.home}?since=${board.dataset.head}`;
      if (!busy()) { leaving = true; location.replace(address); return; }
      const changed = foreign !== board.dataset.foreign;
      const told = page.querySelector("[data-since]") ?? (changed ? permission(foreign) : null), before = document.querySelector("[data-since]");
      if (told) {
        const link = make("a", "Load the current state?");
        link.href = address;
        const note = make("p", changed && foreign !== undefined ? "What you typed cannot be sent: copy it if it is still needed. " : "Your text is kept. ");
        note.append(link);
        told.append(note);
        told.classList.remove("passing");
      }
      // Whoever reads it, or is on its link, keeps it until it says something else.
      if (before?.textContent !== told?.textContent) {
        before?.remove();
        if (told) (document.querySelector(".toasts > :first-child") ?? board).after(told);
      }
    } else if (page) {
      for (const line of page.querySelectorAll("form[data-live] .line")) {
        const { decision } = line.closest("form").elements;
        const form = [...document.querySelectorAll("form[data-live]")].find((form) => form.elements.decision.value === decision.value);
        const here = form?.querySelector(`.line[data-seat="${line.dataset.seat}"]`);
        const [word, words] = [here, line].map((line) => line?.querySelector(".entered"));
        if (!here || (word.dataset.stands === words.dataset.stands && word.dataset.sent === words.dataset.sent)) continue;
        here.dataset.stands = line.dataset.stands;
        here.closest(".optional-question")?.setAttribute("open", "");
        for (const name of ["stands", "sent", "said"]) {
          if (name in words.dataset) word.dataset[name] = words.dataset[name]; else delete word.dataset[name];
        }
        if (!here.querySelector("input.dmn").value.trim()) { here.dataset.state = line.dataset.stands; stand(word); }
        here.querySelector(".stands")?.remove();
        const stands = line.querySelector(".stands");
        if (stands) here.querySelector("input.dmn").before(stands);
        const [close, closes] = [here, line].map((line) => line.closest("form").querySelector("[data-close]"));
        if (close.closest("[data-renewed], .clock-tools")) continue;
        // A question whether to close without this move is answered by it: the button asks anew, if one is missing still.
        [close.className, close.textContent] = [closes.className, closes.textContent];
        for (const name of ["name", "value"]) close.removeAttribute(name);
        for (const unsure of close.parentElement.querySelectorAll("[data-unsure], a.btn")) unsure.remove();
        if (!busy()) close.parentElement.querySelector("[data-said]").textContent = closes.parentElement.querySelector("[data-said]").textContent;
      }
    }
  };
  if (board) looking = setTimeout(look, LOOK_MS);
  // What is in the record comes at once, and that a seat has sent comes to its umpire.
  if (board) follow(board.dataset.home, (_name, { match }) => { if (!match) return; clearTimeout(looking); void look(); });

  // The page of links says who has opened one. Only these words are renewed: a link that is shown once stays.
  const links = document.querySelector("[data-links]");
  const awaitPlayers = async () => {
    try {
      const answer = await fetch(links.dataset.links, { headers: { Accept: "text/html" } });
      if (answer.ok) renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch { /* It was cut off, and is asked for again. */ }
    if (document.querySelector("[data-unopened]")) setTimeout(awaitPlayers, LOOK_MS);
  };
  if (links && document.querySelector("[data-unopened]")) setTimeout(awaitPlayers, LOOK_MS);

  // What is left of each clock. Where a seat has no link, nothing closes at its end: the page rings for the umpire.
  const ring = () => {
    for (const bell of document.querySelectorAll("[data-rings][hidden]")) {
      if (serverNow() === null || serverNow() < Date.parse(bell.dataset.rings)) continue;
      bell.hidden = false;
      document.title = `Time is up: ${document.title}`;
      tone();
    }
  };
  if (board) {
    const [page] = performance.getEntriesByType("navigation");
    if (page) learn(Number(board.dataset.now), page.requestStart, page.responseStart);
    const speaker = document.querySelector("[data-announce]");
    setInterval(() => { tick((words) => { speaker.textContent = words; }, "Time is up."); ring(); }, 200);
  }

  // The first number of the umpire's word is typed over. Enter goes from field to field, and then to the button that says it.
  const word = document.querySelector("form.word");
  word?.querySelector("[autofocus]")?.select();
  word?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.target.matches("button, summary")) return;
    event.preventDefault();
    const fields = [...word.querySelectorAll("input:not([type=hidden]), select, [data-go]")].filter((field) => field.checkVisibility());
    const next = fields[fields.indexOf(event.target) + 1];
    next?.focus();
    if (next?.type === "number") next.select();
  });

  // A press right after the one button became another one was meant for the one before: Enter twice does one thing.
  const GUARD_MS = 700, PRESSED = "matchbook.desk.pressed";
  const remembered = () => { try { return Number(sessionStorage.getItem(PRESSED)); } catch { return 0; } };
  if (board && Date.now() - remembered() < 2 * GUARD_MS) renewedAt = performance.now();
  // Whoever has typed since means this one.
  document.addEventListener("input", () => { renewedAt = -Infinity; });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-go]")) return;
    if (performance.now() - renewedAt < GUARD_MS) { event.preventDefault(); return; }
    try { sessionStorage.setItem(PRESSED, String(Date.now())); } catch { /* Then the next page takes a press at once. */ }
  });

  // Keys, outside of fields; Escape leaves a field. The switch that turns keys off is the whole site's.
  const at = (css) => {
    const field = document.querySelector(css);
    for (let fold = field?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    field?.focus();
    return Boolean(field);
  };
  const unfold = (id) => at(`#${id}`);
  const line = (number) => {
    const css = `form[data-question] .line[data-seat="p${number}"] input.dmn`, found = at(css);
    document.querySelector(css)?.select();
    return found;
  };
  const next = () => {
    const field = document.querySelector("main [autofocus]:not(.notice)") ?? document.querySelector("form[data-question] input.dmn, main form button");
    field?.focus();
    return Boolean(field);
  };
  const press = (css) => { const button = document.querySelector(css); button?.click(); return Boolean(button); };
  const keys = { g: () => press("[data-go]"), p: () => press("[data-pause]"), t: () => press("[data-give]"), u: () => press("[data-undo]"), m: () => press("[data-more]"), a: () => press("[data-all]"), h: () => unfold("pause-reason"), x: () => at("[data-extend]"), 1: () => line(1), 2: () => line(2), n: next, r: () => unfold("ruling"), w: () => unfold("warning"), j: () => unfold("private-note"), s: () => unfold("from"), c: () => unfold("step"),
    y: () => { const copy = document.querySelector("[data-newest] [data-copy]"); copy?.click(); return Boolean(copy); },
    "?": () => { const keys = document.getElementById("keys"); if (keys) { keys.open = !keys.open; keys.querySelector("summary").focus(); } return Boolean(keys); } };
  const off = () => { try { return localStorage.getItem("matchbook.keys.off") === "1"; } catch { return false; } };
  // All running matches: a key opens each, and what changed is shown; the tiles keep their places under a pointer or the focus.
  const wall = document.querySelector("[data-wall]");
  let walling = 0;
  const followed = new Set();
  const followTiles = () => {
    for (const { dataset: { tile } } of wall.querySelectorAll("[data-tile]")) {
      if (followed.has(tile)) continue;
      followed.add(tile);
      follow(`/umpire/m/${tile}`, (_name, { match }) => { if (!match) return; clearTimeout(walling); walling = setTimeout(renewWall, 50); });
    }
  };
  const renewWall = async () => {
    clearTimeout(walling);
    try {
      const from = performance.now(), answer = await fetch("/umpire", { headers: { Accept: "text/html" } }), to = performance.now();
      const page = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null, next = page?.querySelector("[data-wall]");
      if (next) {
        learn(Number(next.dataset.now), from, to);
        [document.title, document.querySelector("[data-need-count]").textContent] = [page.title, page.querySelector("[data-need-count]").textContent];
        if (wall.matches(":hover, :focus-within")) {
          for (const tile of next.querySelectorAll("[data-tile]")) {
            const here = [...wall.querySelectorAll("[data-tile]")].find((one) => one.dataset.tile === tile.dataset.tile);
            if (here && here.dataset.state !== tile.dataset.state && !here.contains(document.activeElement)) here.replaceWith(document.importNode(tile, true));
          }
        } else wall.replaceChildren(...document.importNode(next, true).childNodes);
      }
    } catch { /* It was cut off, and is asked for again. */ }
    followTiles();
    clearTimeout(walling);
    walling = setTimeout(renewWall, LOOK_MS);
  };
  if (wall) {
    const [page] = performance.getEntriesByType("navigation");
    if (page) learn(Number(wall.dataset.now), page.requestStart, page.responseStart);
    setInterval(() => tick(() => {}), 200);
    walling = setTimeout(renewWall, LOOK_MS);
    followTiles();
    for (let n = 1; n <= 9; n += 1) keys[n] = () => press(`[data-tile]:nth-child(${n}) [data-open]`);
    Object.assign(keys, { n: () => press("[data-new]"), "?": () => false });
  }
  if (board || wall) document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || off()) return;
    const field = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select");
    if (field) { if (event.key === "Escape") field.blur(); return; }
    if (event.key === "Escape") for (const fold of document.querySelectorAll("details:is(.more, .type, .words)[open]")) fold.open = false;
    if (Object.hasOwn(keys, event.key) && keys[event.key]()) event.preventDefault();
  });

  // Times are typed in the umpire's own zone, and sent in UTC.
  const shift = (value, toUtc) => {
    const day = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d(?::\d\d)?)$/.exec(value.trim()), parts = /^(\d\d?):(\d\d)(?::(\d\d))?$/.exec(value.trim());
    const local = (at) => new Date(at - at.getTimezoneOffset() * 60_000).toISOString();
    if (day) {
      const [, date, between, time] = day, at = new Date(`${date}T${time}${toUtc ? "" : "Z"}`);
      return Number.isNaN(at.valueOf()) ? value : (toUtc ? at.toISOString() : local(at)).slice(0, date.length + 1 + time.length).replace("T", between);
    }
    if (!parts) return value;
    const at = new Date(), [, hour, minute, second = "0"] = parts;
    at[toUtc ? "setHours" : "setUTCHours"](Number(hour), Number(minute), Number(second), 0);
    return (toUtc ? at.toISOString() : local(at)).slice(11, parts[3] ? 19 : 16);
  };
  if (new Date().getTimezoneOffset() !== 0) for (const form of document.querySelectorAll("form:has([data-time], [data-day])")) {
    const fields = [...form.querySelectorAll("[data-time], [data-day]")];
    for (const field of fields) field.value = field.defaultValue = shift(field.value, false);
    for (const zone of form.querySelectorAll("[data-zone]")) zone.textContent = "your time";
    form.addEventListener("formdata", (event) => {
      for (const field of fields) event.formData.set(field.name, shift(field.value, true));
    });
  }

  // The day that is offered is the reader's own.
  for (const date of document.querySelectorAll("input[data-today]")) {
    const now = new Date();
    if (date.value === date.defaultValue) date.value = date.defaultValue = new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  }

  // Opening a match: show only what the chosen rules ask for.
  const open = document.querySelector("form[data-open]");
  const ruleset = open?.querySelector("select[name=ruleset]");
  if (ruleset) {
    const [about, clock] = ["ruleset-about", "clock-length"].map((id) => document.getElementById(id));
    const fit = () => {
      const chosen = ruleset.selectedOptions[0];
      about.textContent = chosen?.dataset.about ?? "";
      clock.textContent = chosen?.dataset.clock ? `By the rules: ${chosen.dataset.clock} ` : "";
      for (const field of open.querySelectorAll("[data-when]")) {
        // Nothing that was filled in is hidden: it would be sent unseen.
        const filled = [...field.querySelectorAll("textarea, select:not(#declare-kind), input:checked:not([data-usual])")].some((input) => input.value);
        const wanted = Boolean(chosen?.value) && field.dataset.when in chosen.dataset;
        field.hidden = !wanted && !filled && !field.classList.contains("is-wrong");
      }
      // Where the rules need the DMO, it is one of the seats.
      const needed = "dmo" in (chosen?.dataset ?? {});
      for (const seat of open.querySelectorAll("input[name=dmo]")) {
        seat.required = needed;
        if (seat.value) continue;
        seat.closest("label").hidden = needed;
        if (needed) seat.checked = false;
      }
    };
    // A declaration is written while its fields are filled in, by the server, which reads it back as well: while there is no
    // other text than what was written here. An example, or what was typed, is only written over by a press of the button.
    const declares = open.querySelector("[data-declares]");
    const { game } = open.elements;
    let writing = 0, asked = 0, wrote = "";
    declares.addEventListener("input", ({ target }) => {
      if (target.name === "declare-kind") declares.querySelector("#declare-of").placeholder = target.selectedOptions[0].dataset.example;
      const reads = target === game, mine = ++asked;
      clearTimeout(writing);
      if (!reads && ![wrote, ""].includes(game.value.trim())) return;
      writing = setTimeout(async () => {
        const body = new URLSearchParams(new FormData(open));
        body.set("do", reads ? "read" : "write");
        const answer = await fetch(open.action, { method: "POST", body }).catch(() => null);
        const text = answer?.ok ? await answer.text().catch(() => null) : null;
        // What was typed since is asked about by itself.
        if (text === null || mine !== asked) return;
        const page = new DOMParser().parseFromString(text, "text/html");
        if (!reads) wrote = (game.value = page.querySelector("textarea[name=game]").value).trim();
        declares.querySelector("[data-read-back]").replaceWith(page.querySelector("[data-read-back]"));
      }, 300);
    });
    // A clock is only for moves that the players send.
    const { live, clocks } = open.elements;
    live.addEventListener("change", () => { clocks.checked = live.checked; });
    ruleset.addEventListener("change", fit);
    fit();
  }
})();
