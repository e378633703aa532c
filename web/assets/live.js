// A match as it is played: the page's state follows its stream of events, and what happened is told as it comes.
// Without this script the page shows the newest moment, and a link looks again.
import { follow } from "./follow.js";

(() => {
  const now = document.querySelector("[data-events]");
  const mark = document.querySelector("[data-standing]");
  if (!now || !mark || !window.EventSource) return;
  const said = document.querySelector("[data-said]");
  const happened = document.querySelector("[data-happened]");
  const KEPT = 30, OVER_MS = 10 * 60_000, LAST_SECONDS = 10;
  let leaving = 0;

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

  const hear = (name, data) => {
    if (name === "open") standing("live", "Live: this page updates by itself.");
    else if (name === "lost") standing("lost", "The connection is lost. This page tries again by itself.");
    else if (name === "time") clock(data.time);
    else if (name === "now") { clock(data.time); show(data.html); }
    else {
      tell(data);
      if (name === "ended") leaving ||= setTimeout(() => { leave(); standing("over", "This match is over."); }, OVER_MS);
    }
  };
  document.querySelector("[data-again]")?.remove();
  const leave = mark.dataset.standing === "over" ? () => {} : follow(now.dataset.events, hear, undefined, Number(now.dataset.entry));
})();
