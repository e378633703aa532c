// The reveal of a round: both moves turn together, what failed tears, chips go to where they went. 1.5 s in all; a press on the
// table ends it. The page is already as it stays: the style sheet turns and tears, and this only flies chips.
const CHIPS_MAX = 8;
const [FROM_MS, APART_MS, TRAVEL_MS, ALL_MS] = [700, 45, 460, 1500];

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const centre = (one) => { const { left, top, width, height } = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
const board = () => document.querySelector("[data-region=board]");

// The figures that count chips, by whose they are: a seat's, or the pot's.
const piles = () => new Map([...(board()?.querySelectorAll("[data-figure]:has(.chip), .pot") ?? [])].map((one) => {
  const of = one.closest("[data-seat]")?.dataset.seat ?? "pot";
  return [of, { one, value: Number(one.querySelector("b").textContent) }];
}));

// How many cards lie with the seats.
const held = () => document.querySelectorAll(".plate .pc:not(.empty)").length;

// The table before something happens.
export const tableNow = () => new Map([...piles()].map(([of, { value }]) => [of, value])).set("cards", held());

const fly = (from, to, delay) => {
  const chip = Object.assign(document.createElement("i"), { className: "chip fly", ariaHidden: "true" });
  document.body.append(chip);
  const at = ([x, y]) => `translate(${x - 14}px, ${y - 14}px)`;
  const moves = chip.animate([{ transform: at(from), opacity: 1 }, { transform: at(to), opacity: 1 }], { delay, duration: TRAVEL_MS, easing: "cubic-bezier(.3,.1,.2,1)" });
  Object.assign(chip.style, { left: 0, top: 0, opacity: 0 });
  moves.onfinish = moves.oncancel = () => chip.remove();
};

// A chip for each one that came to a pile, from the pile that lost most, or else from the middle of the table.
const travel = (before) => {
  const all = [...piles()].map(([of, pile]) => ({ ...pile, of, change: pile.value - (before.get(of) ?? pile.value) }));
  const gave = all.filter(({ change }) => change < 0).sort((one, other) => one.change - other.change)[0] ?? all.find(({ of }) => of === "pot");
  if (!gave) return;
  for (const got of all.filter((pile) => pile !== gave && pile.change > 0)) {
    for (let n = 0; n < Math.min(got.change, CHIPS_MAX); n += 1) fly(centre(gave.one), centre(got.one), FROM_MS + n * APART_MS);
  }
};

let [ends, last] = [0, new Map()];
const finish = () => { for (const moves of document.getAnimations()) if (moves.effect.getTiming().iterations < Infinity) moves.finish(); };

// Shows what happened since then; nothing where motion is not wanted, or where nobody looks.
export const reveal = (before) => {
  last = before;
  const table = board();
  if (!table || still() || document.hidden) return;
  clearTimeout(ends);
  table.classList.remove("play");
  table.classList.toggle("dealt", before.get("cards") === 0 && held() > 0);
  void table.offsetWidth;
  table.classList.add("play");
  travel(before);
  navigator.vibrate?.(15);
  ends = setTimeout(() => table.classList.remove("play"), ALL_MS);
};

// A press on the table ends it, and so does a look at another tab; a button shows it again.
export const again = () => {
  document.addEventListener("pointerdown", ({ target }) => { if (target.closest(".mid, .plate")) finish(); });
  document.addEventListener("visibilitychange", finish);
  document.addEventListener("click", ({ target }) => { if (target.closest("[data-again]")) reveal(last); });
};
