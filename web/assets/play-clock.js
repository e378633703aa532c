// The server's time, as well as this browser can know it: its own clock is never asked, only how long things take.

// What was learned, newest last: the server's clock less performance.now(), and how far that may be off, in milliseconds.
const learned = [];
const KEPT = 12;

// Learns from an answer that held the server's clock, asked at `from` and here at `to`.
export const learn = (serverMs, from, to) => {
  learned.push({ less: serverMs - (from + to) / 2, off: (to - from) / 2, at: to });
  if (learned.length > KEPT) learned.shift();
};

// The server's clock now in milliseconds, by the answer that came fastest; nothing before there was one.
export const now = () => {
  const best = learned.reduce((best, one) => (!best || one.off < best.off ? one : best), null);
  return best && performance.now() + best.less;
};

const words = (seconds) => {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => String(number).padStart(2, "0");
  if (hours) return `${hours}:${two(minutes)}:${two(rest)}`;
  return minutes ? `${minutes}:${two(rest)}` : `${rest} s`;
};

// Shows for how long what is sealed has waited.
const count = (at) => {
  for (const shown of document.querySelectorAll("[data-elapsed]")) {
    shown.hidden = false;
    shown.querySelector("b").textContent = (Math.max(0, at - Date.parse(shown.dataset.elapsed)) / 1000).toFixed(1);
  }
};

// Shows what is left of every countdown. `announce` is told at 30, 10 and 5 seconds and at the end, never every second.
const told = new WeakMap();
export const tick = (announce, over = "Time is up. The last move that arrived counts.") => {
  const at = now();
  if (at !== null) count(at);
  // What a question says of its time before the end of it and after.
  for (const rule of at === null ? [] : document.querySelectorAll("[data-until]")) {
    const over = at > Date.parse(rule.dataset.until);
    [rule.firstElementChild.hidden, rule.lastElementChild.hidden] = [over, !over];
  }
  for (const shown of document.querySelectorAll(".countdown[data-deadline]")) {
    if (at === null) continue;
    const left = Math.max(0, Math.ceil((Date.parse(shown.dataset.deadline) - at) / 1000));
    const before = told.get(shown);
    if (before === left) continue;
    told.set(shown, left);
    shown.hidden = false;
    shown.toggleAttribute("data-short", left <= 10);
    shown.querySelector("[data-left]").textContent = left ? words(left) : "Time is up";
    shown.querySelector("span").hidden = !left;
    shown.toggleAttribute("data-over", !left);
    // In the bar of a seat it stands in the place of "Your turn", which is not true any more.
    const turn = left ? null : shown.closest(".bar-status")?.querySelector(".seat-state[data-state=to-move]");
    if (turn) [turn.textContent, turn.dataset.state, shown.hidden] = ["Time is up", "over", true];
    if (left === 0 && before !== undefined) announce(over);
    else if ([30, 10, 5].includes(left)) announce(`${left} seconds left.`);
  }
};
