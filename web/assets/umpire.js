// Comforts for the umpire's forms; every form works without them.
// A line is read back while it is typed; Enter goes from seat to seat and then to the button that records.
"use strict";
(() => {
  const PAUSE_MS = 120;
  const phrase = { nothing: "nothing yet", valid: "valid", invalid: "not valid", defaulted: "nothing came" };
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

  for (const form of document.querySelectorAll("form[data-question]")) {
    const inputs = [...form.querySelectorAll("input.dmn")];
    const record = form.querySelector("[data-record]");
    const said = form.querySelector("[data-said]");
    if (!inputs.length || !record) continue;
    let asked = 0, waiting = 0, latest = Promise.resolve(), sending = false;

    const show = (input, line) => {
      const box = input.closest(".line");
      box.dataset.state = line.state;
      box.querySelector(".entered").textContent = phrase[line.state] ?? line.state;
      box.querySelector(".readback").replaceChildren(...readback(line));
      if (line.error) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    };
    const counts = (input) => ["valid", "defaulted"].includes(input.closest(".line").dataset.state);

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
      said.textContent = inputs.every(counts) ? "Ready. Nothing is recorded yet." : "";
    };
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(() => { latest = read(); }, PAUSE_MS); };
    const now = () => { clearTimeout(waiting); latest = read(); return latest; };

    for (const input of inputs) {
      input.addEventListener("input", soon);
      input.addEventListener("keydown", async (event) => {
        if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        event.preventDefault();
        const next = inputs[inputs.indexOf(input) + 1];
        if (next) { next.focus(); next.select(); void now(); return; }
        // The last line: on to the button once all is well, else back to the first line that is not.
        record.focus();
        await now();
        const wrong = inputs.find((input) => !counts(input));
        if (wrong && document.activeElement === record) { wrong.focus(); wrong.select(); }
      });
    }
    // One press, one request; the form's own id makes a second one harmless anyway.
    form.addEventListener("submit", (event) => {
      if (sending) { event.preventDefault(); return; }
      sending = true;
    });
    addEventListener("pageshow", () => { sending = false; });
  }

  // A live match: what the players sent shows by itself; the page changes under nobody who types.
  const live = document.querySelector("form[data-live]");
  const LOOK_MS = 2000;
  const look = async () => {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    const next = page?.querySelector("form[data-live]");
    const typed = [...document.querySelectorAll("main input, main textarea")].some((input) => "defaultValue" in input && input.value !== input.defaultValue);
    const moved = page && next?.elements.head.value !== live.elements.head.value;
    if (moved && !typed && !document.querySelector("main details[open]")) { location.replace(location.pathname); return; }
    for (const line of moved ? [] : next?.querySelectorAll(".line") ?? []) {
      const here = live.querySelector(`.line[data-seat="${line.dataset.seat}"]`);
      if (!here || here.dataset.state === line.dataset.state) continue;
      here.dataset.state = line.dataset.state;
      here.querySelector(".entered").textContent = line.querySelector(".entered").textContent;
      live.querySelector(".buttons").replaceWith(next.querySelector(".buttons"));
    }
    setTimeout(look, LOOK_MS);
  };
  if (live) setTimeout(look, LOOK_MS);

  // Opening a match: show only what the chosen rules ask for.
  const open = document.querySelector("form[data-open]");
  const ruleset = open?.querySelector("select[name=ruleset]");
  if (ruleset) {
    const about = document.getElementById("ruleset-about");
    const fit = () => {
      const chosen = ruleset.selectedOptions[0];
      about.textContent = chosen?.dataset.about ?? "";
      for (const field of open.querySelectorAll("[data-when]")) {
        // Nothing that was filled in is hidden: it would be sent unseen.
        const filled = [...field.querySelectorAll("select, input:checked")].some((input) => input.value);
        const wanted = !chosen?.value || field.dataset.when in chosen.dataset;
        field.hidden = !wanted && !filled && !field.classList.contains("is-wrong");
      }
    };
    ruleset.addEventListener("change", fit);
    fit();
  }
})();
