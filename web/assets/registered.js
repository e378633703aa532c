// Registering as a player, taking the next key, and revoking: keys are made and used here, and only what they signed is sent.
import { subtle } from "./crypto.js";
import { Wrong, letters } from "./key-code.js";
import { enters, keepPlayer, loadPlayer, nextHash, pairOf, readCode, revokes } from "./player-key.js";

const place = document.querySelector("[data-register], [data-player]");
const { origin, player, key, next } = place?.dataset ?? {};
const NO_KEYS = "This browser can make no such key. It needs https (or this computer itself), and a newer browser. The command works everywhere.";

const failed = (form, error) => {
  form.querySelector("[data-wrong]").textContent = error instanceof Wrong ? error.message : NO_KEYS;
};
const keep = async (record) => { await keepPlayer(origin, record); };

// A form that makes a key and shows a code. It is sent once the code was read back from paper, and the key is kept first:
// one that is entered and lost could not sign.
const makes = (form, made) => {
  const [make, shows, again, enter] = ["make", "made", "repeat", "enter"].map((part) => form.querySelector(`[data-${part}]`));
  let ready = null;
  make.addEventListener("click", async () => {
    form.querySelector("[data-wrong]").textContent = "";
    try {
      ready = await made(form);
      form.elements.signed.value = JSON.stringify(ready.act);
      shows.querySelector("[data-code]").textContent = ready.code;
      shows.hidden = false;
      make.hidden = true;
      document.dispatchEvent(new Event("matchbook:shown"));
      again.focus();
    } catch (error) { failed(form, error); }
  });
  again.addEventListener("input", () => { enter.disabled = !ready || letters(again.value) !== letters(ready.code).slice(-4); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (enter.disabled) return;
    try {
      await keep(ready.record);
      form.submit();
    } catch (error) { failed(form, error); }
  });
  // A page that is left does not come back with the code on it.
  addEventListener("pagehide", () => { shows.querySelector("[data-code]").textContent = ""; });
};

const fresh = async () => {
  const pair = await pairOf(crypto.getRandomValues(new Uint8Array(32)));
  const { id, code, act } = await enters(origin, null, pair);
  return { code, act, record: { id, key: pair.key, public: pair.public } };
};

// The key of a typed code, if it is the one after the present key.
const recovered = async (form) => {
  const pair = await pairOf(await readCode(form.querySelector("[data-typed]").value));
  if (await nextHash(pair.public) !== next) throw new Wrong("This is the code of another key: of an earlier one, or of another player.");
  return pair;
};

const register = async () => {
  const form = place.querySelector("[data-new]");
  if (!subtle || !globalThis.indexedDB) { form.replaceChildren(NO_KEYS); form.hidden = false; return; }
  const own = await loadPlayer(origin);
  if (own) {
    form.querySelector("[data-have]").hidden = false;
    form.querySelector("[data-own]").href = `/registered/${own.id}`;
  }
  makes(form, fresh);
  form.hidden = false;
};

const own = async () => {
  const here = place.querySelector("[data-here]");
  const [command, rotates, ends] = ["command", "rotates", "revokes"].map((part) => place.querySelector(`[data-${part}]`));
  if (!subtle || !globalThis.indexedDB) { here.textContent = NO_KEYS; return; }
  const mine = await loadPlayer(origin);
  const has = mine?.id === player && mine.public === key && mine.key;
  here.textContent = has ? "This browser has the key. The page of your seat offers to vouch with it."
    : mine?.id === player ? "This browser plays with this player, and the key is elsewhere."
    : "This browser does not have the key.";
  command.hidden = Boolean(has);
  rotates.hidden = ends.hidden = false;
  command.querySelector("[data-remember]").addEventListener("click", async () => {
    await keep({ id: player });
    location.reload();
  });
  makes(rotates.querySelector("form"), async (form) => {
    const pair = await recovered(form);
    const { code, act } = await enters(origin, player, pair);
    return { code, act, record: { id: player, key: pair.key, public: pair.public } };
  });
  const end = ends.querySelector("form");
  end.querySelector("[data-with-code]").hidden = Boolean(has);
  end.querySelector("[data-make]").addEventListener("click", async () => {
    try {
      const pair = has ? { key: mine.key, public: mine.public } : await recovered(end);
      end.elements.signed.value = JSON.stringify(await revokes(origin, player, key, pair));
      end.submit();
    } catch (error) { failed(end, error); }
  });
};

if (place) await ("player" in place.dataset ? own() : register());
