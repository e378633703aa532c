// A seat's key on another device: the player carries it there, as a code that one browser shows and the other is given.
// docs/record-format.md has the code. The server sees nothing of it: no field here has a name, and nothing is asked for.
import { alter, hash, hex, subtle, text, unbase64 } from "./play-seal.js";

const seat = document.querySelector("[data-play]");
const [give, take] = ["give", "take"].map((side) => document.querySelector(`[data-${side}]`));
const [code, shows] = [give?.querySelector("[data-code]"), give?.querySelector("[data-show]")];
const [field, wrong] = [take?.querySelector("input"), take?.querySelector(".error")];

// The code ---------------------------------------------------------------------------------------------------------------

// Without I, L, O and U; who reads 1 or 0 as a letter is understood.
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 56;
const SEED_BYTES = 32;
const bytes = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
const check = async (seed) => (await hash(text.encode("matchbook/seat-key/1\n"), seed)).slice(0, 3);

const write = async (key) => {
  const { d } = await subtle.exportKey("jwk", key);
  const seed = unbase64(d.replaceAll("-", "+").replaceAll("_", "/"));
  let number = BigInt(`0x${hex(seed)}${hex(await check(seed))}`);
  let letters = "";
  for (let at = 0; at < LENGTH; at += 1) {
    letters = LETTERS[Number(number & 31n)] + letters;
    number >>= 5n;
  }
  return letters.match(/..../g).join(" ");
};

// What is wrong with a code, for whoever typed it.
class Wrong extends Error {}

const read = async (typed) => {
  const letters = [...typed.toUpperCase().replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1")];
  const strange = letters.find((letter) => !LETTERS.includes(letter));
  if (strange) throw new Wrong(`No code has “${strange}” in it: codes are digits and capital letters, without I, L, O and U.`);
  if (letters.length !== LENGTH) throw new Wrong(`A code has 14 groups of four; here are ${letters.length} letters and digits instead of ${LENGTH}.`);
  const number = letters.reduce((sum, letter) => (sum << 5n) | BigInt(LETTERS.indexOf(letter)), 0n);
  const all = bytes(number.toString(16).padStart(70, "0"));
  const [seed, sum] = [all.slice(0, SEED_BYTES), all.slice(SEED_BYTES)];
  if (hex(await check(seed)) !== hex(sum)) throw new Wrong("There is a slip in this code: compare it with the other browser, group by group.");
  return seed;
};

// The key of a code, if it is the seat's: what it signs fits the seat's public half. RFC 8410 has the form around the seed.
const keyOf = async (seed) => {
  const info = new Uint8Array([...bytes("302e020100300506032b657004220420"), ...seed]);
  const key = await subtle.importKey("pkcs8", info, { name: "Ed25519" }, true, ["sign"]);
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
  give.hidden = !found.signs;
  if (give.hidden) hide();
  take.hidden = !found.elsewhere;
  const stays = Boolean(found.signs && !mine.key.extractable);
  give.querySelector("[data-stays]").hidden = !stays;
  give.querySelector("[data-goes]").hidden = stays;
};

shows?.addEventListener("click", async () => {
  if (!code.hidden) { hide(); return; }
  code.querySelector("pre").textContent = await write(mine.key);
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
    const key = await keyOf(await read(field.value));
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
