// A registered player's long-lived key in this browser, and what is signed with it. docs/record-format.md has the bytes.
// The present key cannot be read out of this browser. The next one leaves it at once, as the recovery code.
import { base64, hash, hex, stored, subtle, text, unbase64 } from "./crypto.js";
import { codes, keyOf } from "./key-code.js";

const kept = (mode, work) => stored("matchbook-players", "players", mode, work);
// The player of this browser in a log: its id, and its key unless that is in a file of the command.
export const loadPlayer = (origin) => kept("readonly", (players) => players.get(origin));
export const keepPlayer = (origin, player) => kept("readwrite", (players) => players.put(player, origin));

const code = codes("matchbook/player-key/1");
export const writeCode = code.write;
export const readCode = (typed) => code.read(typed, "There is a slip in this code: compare it with your paper, group by group.");

const publicOf = async (seed) => {
  const { x } = await subtle.exportKey("jwk", await keyOf(seed, true));
  return base64(unbase64(x.replaceAll("-", "+").replaceAll("_", "/")));
};

// A key of a seed: for signing, and its public half.
export const pairOf = async (seed) => ({ key: await keyOf(seed, false), public: await publicOf(seed) });

const line = (...lines) => text.encode(lines.join("\n"));
export const nextHash = async (half) => hex(await hash(line("matchbook/next-key/1", half)));

// The id of the player with this first key.
export const idOf = async (origin, first) => {
  const half = (await hash(line("matchbook/player-id/1", origin, first))).slice(0, 16);
  half[6] = (half[6] & 15) | 64;
  half[8] = (half[8] & 63) | 128;
  return hex(half).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
};

const sign = async (key, ...lines) => base64(new Uint8Array(await subtle.sign({ name: "Ed25519" }, key, line(...lines))));

// A key enters a player's chain, with the commitment to the next one: the entry, and the code of the next key.
export const enters = async (origin, player, pair) => {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const next = await nextHash(await publicOf(seed));
  const id = player ?? await idOf(origin, pair.public);
  const kind = player ? "rotated" : "registered";
  const signature = await sign(pair.key, `matchbook/${player ? "rotate" : "register"}/1`, origin, id, pair.public, next);
  return { id, code: await writeCode(seed), act: { kind, key: pair.public, next, signature } };
};

// The end of a chain, signed by the present key or the next.
export const revokes = async (origin, player, present, pair) => ({
  kind: "revoked", key: pair.public, signature: await sign(pair.key, "matchbook/revoke/1", origin, player, present),
});

// A vouching, as the server takes it.
export const vouches = async (origin, player, { match, seat, opened, session }) =>
  `${player.id} ${await sign(player.key, "matchbook/vouch/1", origin, match, seat, opened, session, player.id)}`;
