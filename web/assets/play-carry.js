// A seat's key on another device: the player carries it there, as a code that one browser shows and the other is given.
// docs/record-format.md has the code. The server sees nothing of it: no field here has a name, and nothing is asked for.
import { subtle, text, unbase64 } from "./crypto.js";
import { Wrong, codes, keyOf as imported, seedOf } from "./key-code.js";
import { alter } from "./play-seal.js";

const seat = document.querySelector("[data-play]");
const [give, take] = ["give", "take"].map((side) => document.querySelector(`[data-${side}]`));
const [code, shows] = [give?.querySelector("[data-code]"), give?.querySelector("[data-show]")];
const [field, wrong] = [take?.querySelector("input"), take?.querySelector(".error")];

const { write, read } = codes("matchbook/seat-key/1");
const SLIP = "There is a slip in this code: compare it with the other browser, group by group.";

// The key of a code, if it is the seat's: what it signs fits the seat's public half.
const keyOf = async (seed) => {
  const key = await imported(seed, true);
  const half = await subtle.importKey("raw", unbase64(seat.dataset.key), { name: "Ed25519" }, false, ["verify"]);
  const tried = text.encode("matchbook/seat-key/1");
  const fits = await subtle.verify({ name: "Ed25519" }, half, await subtle.sign({ name: "Ed25519" }, key, tried), tried);
  if (!fits) throw new Wrong("This is the code of another key: of another seat, or of another match. Take the one that this seat’s page shows in the browser that signs.");
  return key;
};

// The page ---------------------------------------------------------------------------------------------------------------

let [mine, carried] = [null, async () => {}];

const hide = () => {
  code.hidden = true;
  code.querySelector("pre").textContent = "";
  code.querySelector("output").textContent = "";
  shows.textContent = "Show the code";
  shows.setAttribute("aria-expanded", "false");
};

// Offers what this browser can do: show the code of the key that it has, or be given one. `then` says who signs now.
export const carry = (found, then) => {
  if (!give) return;
  [mine, carried] = [found.mine, then];
  const carries = give.querySelector("[data-carries]");
  carries.hidden = !found.signs;
  if (carries.hidden) hide();
  take.hidden = !found.elsewhere;
  const stays = Boolean(found.signs && !mine.key.extractable);
  give.querySelector("[data-stays]").hidden = !stays;
  give.querySelector("[data-goes]").hidden = stays;
};

shows?.addEventListener("click", async () => {
  if (!code.hidden) { hide(); return; }
  code.querySelector("pre").textContent = await write(await seedOf(mine.key));
  code.hidden = false;
  shows.textContent = "Hide the code";
  shows.setAttribute("aria-expanded", "true");
  document.dispatchEvent(new Event("matchbook:shown"));
});
// A page that is left does not come back with the code on it.
addEventListener("pagehide", () => { if (code) hide(); });

take?.addEventListener("submit", async (event) => {
  event.preventDefault();
  wrong.textContent = "";
  try {
    const key = await keyOf(await read(field.value, SLIP));
    await alter((now) => Object.assign(now, { key, public: seat.dataset.key }));
    field.value = "";
    field.removeAttribute("aria-invalid");
    await carried();
    (seat.querySelector("form[data-asked] :is(input:not([type=hidden]), select)") ?? give.querySelector("summary")).focus();
  } catch (error) {
    wrong.textContent = error instanceof Wrong ? error.message : "This browser could not keep the key.";
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
});
