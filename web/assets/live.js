// A match as it is played: the parts of the page follow its stream of events, a round is revealed as it closes, and what
// happened is told as it comes. Without this script the page shows the newest moment, and a link looks again.
import { follow } from "./follow.js";
import { hear as hearTime, learn, now as serverNow, tick } from "./play-clock.js";
import { again, reveal, tableNow } from "./play-reveal.js";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page || !window.EventSource) return;
  const [said, lamp, happened] = ["[data-said]", ".lamp[data-signal]", "[data-happened]"].map((css) => document.querySelector(css));
  const KEPT = 30, OVER_MS = 10 * 60_000, JUST_MS = 5_000, TOAST_MS = 5_000;
  let [leaving, signal, revealed] = [0, null, false];

  const say = (words) => { said.textContent = words; };
  // The dock says whether the page is up to date; the server draws it for those who look again.
  const stand = () => {
    const mark = document.querySelector("[data-standing]");
    if (!mark || signal === null) return;
    document.querySelector("[data-look]")?.remove();
    mark.dataset.standing = signal ? "live" : "lost";
    mark.nextElementSibling.textContent = signal ? "Updates by itself" : "The connection is lost. Trying again.";
  };

  const toast = (words) => {
    const note = Object.assign(document.createElement("p"), { className: "toast", textContent: words });
    document.querySelector(".toasts").append(note);
    setTimeout(() => note.remove(), TOAST_MS);
  };

  const tell = (name, event) => {
    const item = document.createElement("li");
    const link = document.createElement(event.address ? "a" : "span");
    if (event.address) link.href = event.address;
    link.textContent = event.says;
    // A round is told by its moves: what they did is told once, beside the table.
    const told = event.moves.length ? [`${event.moves.join(". ")}.`] : event.details;
    item.append(link, ...told.length ? [` ${told.join(" ")}`] : []);
    const list = happened.querySelector("ol");
    list.prepend(item);
    while (list.children.length > KEPT) list.lastElementChild.remove();
    happened.hidden = false;
    const all = [event.says, ...event.moves.map((move) => `${move}.`), ...event.details].join(" ");
    say(all);
    if (["ruled", "struck", "ended"].includes(name)) toast(all);
  };

  const show = (html) => {
    const before = tableNow();
    const focus = document.activeElement?.closest("[data-region]") && document.activeElement.getAttribute("href");
    for (const part of new DOMParser().parseFromString(html, "text/html").querySelectorAll("[data-region]")) {
      const old = document.querySelector(`[data-region="${part.dataset.region}"]`);
      if (!old || old.innerHTML === part.innerHTML) continue;
      part.querySelector("details")?.toggleAttribute("open", Boolean(old.querySelector("details[open]")));
      old.replaceWith(part);
    }
    if (focus) [...document.querySelectorAll("[data-region] a")].find((link) => link.getAttribute("href") === focus)?.focus();
    stand();
    count();
    if (revealed) reveal(before);
    revealed = false;
  };

  const count = () => tick(say, "Time is up.");
  const [opened] = performance.getEntriesByType("navigation");
  if (opened) learn(Number(page.dataset.now), opened.requestStart, opened.responseStart);
  setInterval(count, 200);
  again();

  const hear = (name, data) => {
    if (data.time) hearTime(Date.parse(data.time));
    if (name === "open" || name === "lost") {
      signal = name === "open";
      lamp.dataset.signal = signal ? "on" : "off";
      stand();
    } else if (name === "now") show(data.html);
    else if (name !== "time") {
      tell(name, data);
      // What closed while nobody looked is there at once.
      if (name === "resolved") revealed = serverNow() - Date.parse(data.at) < JUST_MS;
      if (name === "ended") leaving ||= setTimeout(() => leave(), OVER_MS);
    }
  };
  const leave = "over" in page.dataset ? () => {} : follow(page.dataset.events, hear, undefined, Number(page.dataset.entry));
})();
