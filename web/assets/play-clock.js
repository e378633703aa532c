// The server's time, as well as this browser can know it: its own clock is never asked, only how long things take.

// What was learned, newest last: the server's clock less performance.now(), and how far that may be off, in milliseconds.
const learned = [];
const KEPT = 12;

// Learns from an answer that held the server's clock, asked at `from` and here at `to`.
export const learn = (serverMs, from, to) => {
  learned.push({ less: serverMs - (from + to) / 2, off: (to - from) / 2, at: to });
  if (learned.length > KEPT) learned.shift();
};

// Learns from a time that came by itself: it may be late, and is never early.
let least = -Infinity;
export const hear = (serverMs) => { least = Math.max(least, serverMs - performance.now()); };

// The server's clock now in milliseconds, by the answer that came fastest; nothing before there was one.
export const now = () => {
  const best = learned.reduce((best, one) => (!best || one.off < best.off ? one : best), null);
  const less = Math.max(best?.less ?? least, least);
  return less === -Infinity ? null : performance.now() + less;
};

const two = (number) => String(number).padStart(2, "0");
const words = (seconds) => {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

// Shows for how long what is sealed has waited.
const count = (at) => {
  for (const shown of document.querySelectorAll("[data-elapsed]")) {
    shown.hidden = false;
    shown.querySelector("b").textContent = (Math.max(0, at - Date.parse(shown.dataset.elapsed)) / 1000).toFixed(1);
  }
};

// Moves the digits and the match to what is left. `announce` is told at 30, 10 and 5 seconds and at the end, never every second.
const HURRY_S = 10;
const told = new WeakMap();
export const tick = (announce, over = "Time is up. The last move that arrived counts.") => {
  const at = now();
  if (at === null) return;
  count(at);
  // What a question says of its time before the end of it and after.
  for (const rule of document.querySelectorAll("[data-until]")) {
    const over = at > Date.parse(rule.dataset.until);
    for (const part of rule.children) part.hidden = over !== (part === rule.lastElementChild);
  }
  for (const shown of document.querySelectorAll(":is(.clock, .countdown)[data-deadline]")) {
    const exact = Math.max(0, (Date.parse(shown.dataset.deadline) - at) / 1000), left = Math.ceil(exact);
    const match = shown.parentElement.querySelector(".match"), whole = shown.dataset.whole ?? 1, share = `${Math.min(100, exact * 100 / whole)}%`;
    match?.querySelector(".stick").setAttribute("width", share);
    match?.querySelector(".at").setAttribute("x", share);
    const before = told.get(shown);
    if (before === left) continue;
    told.set(shown, left);
    // On a paper page the words of it are in parts.
    const [part, rest] = [shown.querySelector("[data-left]"), shown.querySelector("span")];
    (part ?? shown).textContent = part && !left ? "Time is up" : words(left);
    if (rest) [rest.hidden, shown.hidden] = [!left, false];
    shown.toggleAttribute("data-short", left <= HURRY_S);
    for (const one of [shown, match]) if (one) one.dataset.state = !left ? "out" : left <= HURRY_S ? "hurry" : "burning";
    const state = left ? null : document.querySelector(".seat-state[data-state=to-move]");
    if (state) [state.textContent, state.dataset.state] = ["Time is up", "over"];
    if (left === 0 && before !== undefined) announce(over);
    else if ([30, 10, 5].includes(left)) announce(`${left} seconds left.`);
  }
};
