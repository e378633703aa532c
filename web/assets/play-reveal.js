// The reveal of a round, in under two seconds: cards that came turn up, what failed is torn, and chips go to the seat that
// got them. It is drawn over what the page already says and takes no room. Where motion is not wanted there is none.
const CHIPS_MAX = 5;
const [TRAVEL_MS, AFTER_MS, APART_MS] = [600, 800, 80];

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const middle = (one) => { const { left, top, width, height } = one.getBoundingClientRect(); return { x: left + width / 2, y: top + height / 2 }; };

// Every card and turned cell in sight, by its place: a card by its name in its hand, a cell by its row and column.
const faces = () => new Map([...document.querySelectorAll(".board .hand > .card:not(.is-empty), .grid td.is-up")].map((one) => {
  const [row, name] = [one.closest("tr"), one.querySelector(".sr")?.textContent.split(",")[0]];
  return [row ? `${one.closest("table").caption?.textContent} ${row.rowIndex} ${one.cellIndex}` : `${one.parentElement.getAttribute("aria-label")} ${name}`, one];
}));

// The figures on the table, by whose they are and what they count.
const figures = () => new Map([...document.querySelectorAll("[data-region=board] .count")].map((one) => {
  const of = one.closest("[data-seat]")?.dataset.seat ?? "";
  return [`${of} ${one.firstChild.textContent.trim()}`, { of, value: Number(one.querySelector("b").textContent), number: one.querySelector("b") }];
}));

// The table before something happens.
export const tableNow = () => ({ faces: new Set(faces().keys()), figures: new Map([...figures()].map(([name, { value }]) => [name, value])) });

// Two halves of each card that failed; the style sheet moves them apart.
const tear = () => {
  for (const card of document.querySelectorAll(".last > .last-moves .played-card:is([data-fate=failed], [data-fate=blocked], [data-fate=cancelled])")) {
    const torn = Object.assign(document.createElement("span"), { className: "torn" });
    // The tear is between the name and the sign of its fate, so that both can be read; where that is, no turn changes.
    const [name, fate] = [card.querySelector(".act-name"), card.querySelector(".fate")];
    const left = name?.offsetParent === card ? -card.clientLeft : card.offsetLeft;
    if (name?.offsetWidth && fate) torn.style.setProperty("--tear", `${(name.offsetLeft + name.offsetWidth + fate.offsetLeft) / 2 - left}px`);
    card.replaceWith(torn);
    // It is one card, and is read out once.
    torn.append(card, Object.assign(card.cloneNode(true), { ariaHidden: "true" }));
  }
};

// A chip for each one that a seat got, from where they were: the figure that fell most, or else the pot.
const travel = (before) => {
  const table = document.querySelector("[data-region=board] .board");
  const all = [...figures()].map(([name, figure]) => ({ ...figure, name, change: figure.value - (before.get(name) ?? figure.value) }));
  const gave = all.filter(({ change }) => change < 0).sort((one, other) => one.change - other.change)[0] ?? all.find(({ of }) => !of);
  const at = table?.getBoundingClientRect();
  for (const got of all.filter(({ of, name, change }) => of && change > 0 && /(Chips|Points)$/.test(name))) {
    const to = middle(got.number);
    const from = gave && gave !== got ? middle(gave.number) : { x: at.left + at.width / 2, y: at.top };
    for (let n = 0; n < Math.min(got.change, CHIPS_MAX); n += 1) {
      const chip = Object.assign(document.createElement("span"), { className: "flying-chip", ariaHidden: "true" });
      chip.dataset.seat = got.of;
      table.append(chip);
      const place = (point) => `translate(${point.x - at.left}px, ${point.y - at.top}px) translate(-50%, -50%)`;
      const steps = [{ transform: place(from), opacity: 0 }, { transform: place(from), opacity: 1, offset: .15 }, { transform: place(to), opacity: 1, offset: .9 }, { transform: place(to), opacity: 0 }];
      const moves = chip.animate(steps, { duration: TRAVEL_MS, delay: AFTER_MS + n * APART_MS, easing: "ease-in-out", fill: "both" });
      moves.onfinish = () => chip.remove();
    }
  }
};

// Shows what happened since then.
export const reveal = (before) => {
  for (const name of ["last", "board"]) document.querySelector(`[data-region=${name}]`).classList.add("is-new");
  if (still()) return;
  for (const [place, one] of faces()) if (!before.faces.has(place)) one.classList.add("is-turned");
  tear();
  travel(before.figures);
};
