// Vouching for a seat's key: a registered player whom this browser knows is asked, before the key is registered.
import { loadPlayer, vouches } from "./player-key.js";
import { makeKey, register } from "./play-seal.js";

const seat = document.querySelector("[data-play]");
const panel = document.querySelector("[data-vouch]");
const { origin, match, seat: place, opened } = seat?.dataset ?? {};
const find = (part) => panel.querySelector(`[data-vouch-${part}]`);
let decided = false;

const say = (words) => { find("wrong").textContent = words; };

// Sends the key with a vouching. The server judges it as every verifier does.
const send = async (session, vouching, then) => {
  const { ok, detail } = await register(session, vouching);
  if (!ok) { say(detail); return; }
  decided = true;
  panel.hidden = true;
  await then();
};

// True if the player is to be asked first. `then` goes on once that is decided.
export const asks = async (then) => {
  if (!panel || decided) return false;
  const player = await loadPlayer(origin).catch(() => null);
  if (!player) return false;
  if (!panel.hidden) return true;
  const mine = await makeKey().catch(() => null);
  if (!mine || mine.public === seat.dataset.key) return false;
  const session = mine.public;
  find("id").textContent = player.id;
  find("id").href = `/registered/${player.id}`;
  find("here").hidden = !player.key;
  find("command").hidden = Boolean(player.key);
  find("line").textContent = `matchbook player vouch my-player.json "matchbook/vouch/1 ${origin} ${match} ${place} ${opened} ${session}"`;
  panel.hidden = false;
  find("yes").addEventListener("click", async () => {
    say("");
    try {
      await send(session, await vouches(origin, player, { match, seat: place, opened, session }), then);
    } catch { say("The server could not be reached. Nothing was entered; try again."); }
  });
  find("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    say("");
    try {
      await send(session, find("typed").value.trim(), then);
    } catch { say("The server could not be reached. Nothing was entered; try again."); }
  });
  find("no").addEventListener("click", async () => {
    decided = true;
    panel.hidden = true;
    await then();
  });
  return true;
};
