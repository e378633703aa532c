// A match as it is played: the page's state follows its stream of events, and what happened is told as it comes.
// Without this script the page shows the newest moment, and a link looks again.
"use strict";
(() => {
  const now = document.querySelector("[data-events]");
  const mark = document.querySelector("[data-standing]");
  if (!now || !mark || !window.EventSource) return;
  const said = document.querySelector("[data-said]");
  const happened = document.querySelector("[data-happened]");
  const KEPT = 30, OVER_MS = 10 * 60_000, LAST_SECONDS = 10;
  let entry = Number(now.dataset.entry), source = null, coming = 0, failed = 0, leaving = 0;
  let over = mark.dataset.standing === "over";

  // The server's clock minus this one's. A message is late and never early, so the largest difference is the best.
  let ahead = -Infinity;
  const clock = (time) => { const at = Date.parse(time); if (at) ahead = Math.max(ahead, at - Date.now()); };

  const standing = (state, words) => { mark.dataset.standing = state; mark.textContent = words; };
  const say = (words) => { said.textContent = words; };

  const tell = (event) => {
    const item = document.createElement("li");
    const link = document.createElement(event.address ? "a" : "span");
    if (event.address) link.href = event.address;
    link.textContent = event.says;
    // A round is told by its moves: what they did is told once, by the state above.
    const told = event.moves.length ? [`${event.moves.join(". ")}.`] : event.details;
    item.append(link, ...told.length ? [` ${told.join(" ")}`] : []);
    const list = happened.querySelector("ol");
    list.prepend(item);
    while (list.children.length > KEPT) list.lastElementChild.remove();
    happened.hidden = false;
    say([event.says, ...event.moves.map((move) => `${move}.`), ...event.details].join(" "));
  };

  const show = (html) => {
    const at = now.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const open = Boolean(now.querySelector(".aside-fold[open]"));
    now.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    now.querySelector(".aside-fold")?.toggleAttribute("open", open);
    if (at) [...now.querySelectorAll("a")].find((link) => link.getAttribute("href") === at)?.focus();
    tick();
  };

  const tick = () => {
    const waits = now.querySelector("[data-elapsed]");
    if (waits && ahead !== -Infinity) {
      waits.hidden = false;
      waits.querySelector("b").textContent = (Math.max(0, Date.now() + ahead - Date.parse(waits.dataset.elapsed)) / 1000).toFixed(1);
    }
    const due = now.querySelector("[data-due]");
    if (!due || ahead === -Infinity) return;
    const left = Math.max(0, Math.ceil((Date.parse(due.dataset.due) - Date.now() - ahead) / 1000));
    const words = left >= 3600 ? `${Math.floor(left / 3600)} h ${Math.floor(left / 60) % 60} min`
      : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const place = due.querySelector("[data-left]");
    if (place.textContent !== words) place.textContent = words;
    if (left <= LAST_SECONDS && left > 0 && !due.dataset.warned) { due.dataset.warned = ""; say(`${left} seconds are left.`); }
  };
  setInterval(tick, 250);

  const leave = () => { source?.close(); source = null; clearTimeout(coming); };
  const soon = (least, most) => { leave(); coming = setTimeout(come, least + Math.random() * (most - least)); };

  const come = () => {
    leave();
    if (over) return;
    source = new EventSource(`${now.dataset.events}?after=${entry}`);
    source.addEventListener("open", () => { failed = 0; standing("live", "Live: this page updates by itself."); });
    source.addEventListener("error", () => {
      standing("lost", "The connection is lost. This page tries again by itself.");
      // A browser comes back by itself, unless it was refused.
      if (source?.readyState === EventSource.CLOSED) soon(5000 * 2 ** Math.min(failed, 4), 10_000 * 2 ** Math.min(failed++, 4));
    });
    // Everybody is sent away at once; they come back one after the other.
    source.addEventListener("bye", () => soon(500, 5000));
    source.addEventListener("time", (message) => clock(JSON.parse(message.data).time));
    for (const name of ["asked", "clock", "sealed", "resolved", "ruled", "struck", "ended"]) {
      source.addEventListener(name, (message) => {
        const event = JSON.parse(message.data);
        entry = Math.max(entry, event.entry);
        tell(event);
        if (name === "ended") leaving ||= setTimeout(() => { over = true; leave(); standing("over", "This match is over."); }, OVER_MS);
      });
    }
    source.addEventListener("now", (message) => {
      const state = JSON.parse(message.data);
      entry = Math.max(entry, state.entry);
      clock(state.time);
      show(state.html);
    });
  };

  // A page that nobody looks at holds no connection: a browser has few for one site.
  let hidden = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(leave, 60_000);
    else if (!source) come();
  });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => { if (event.persisted) come(); });
  document.querySelector("[data-again]")?.remove();
  come();
})();
