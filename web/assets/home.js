// The first page. The match of the week plays by itself, unless somebody looks at it closely, looks away, or asked for less
// motion. Tiles of running matches follow their matches; without this script all shows what was there when it was made.
import { follow } from "./follow.js";
import { hear, tick } from "./play-clock.js";

const EACH_MS = 3400, AGAIN_MS = 1000, TRIES = 10;
const featured = document.querySelector("[data-frames]");
const frames = [...(featured?.querySelectorAll(".frame") ?? [])];
if (frames.length > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
  const label = featured.querySelector("figcaption [data-round]");
  let at = frames.length - 1;
  setInterval(() => {
    if (document.hidden || featured.matches(":hover, :focus-within")) return;
    frames[at].classList.remove("is-shown");
    at = (at + 1) % frames.length;
    frames[at].classList.add("is-shown");
    label.textContent = frames[at].dataset.round;
  }, EACH_MS);
}

// A tile is drawn by the server alone: what comes with the page again takes its place.
let asked = null;
const again = () => asked ??= fetch(location.href).then((answer) => answer.text()).then((text) => new DOMParser().parseFromString(text, "text/html"))
  .finally(() => setTimeout(() => { asked = null; }, AGAIN_MS));
const pause = () => new Promise((resume) => setTimeout(resume, AGAIN_MS));
for (const tile of document.querySelectorAll(".tile[data-events]")) follow(tile.dataset.events, async (name, { entry, time }) => {
  if (time) hear(Date.parse(time));
  if (name !== "now") return;
  // A page asked for a moment ago, for another entry, may not hold this one yet.
  for (let tries = 0; tries < TRIES && Number(tile.dataset.entry) < entry; tries += 1) {
    if (tries > 0) await pause();
    const fresh = (await again()).querySelector(`.tile[data-events="${tile.dataset.events}"]`);
    if (!fresh) return;
    if (Number(fresh.dataset.entry) <= Number(tile.dataset.entry)) continue;
    tile.replaceChildren(...fresh.childNodes);
    tile.dataset.entry = fresh.dataset.entry;
  }
}, undefined, Number(tile.dataset.entry));

setInterval(() => tick(() => {}), 250);
