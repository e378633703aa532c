// A seat's keys and seals: makes a key in this browser, checks the log against what it saw before, seals and signs.
// docs/record-format.md has the bytes. Without this module the server seals, and nothing is signed.
import { base64, hash, hex, stored, subtle, text, unbase64 } from "./crypto.js";

const seat = document.querySelector("[data-play]");
const { origin, match, seat: place, home } = seat?.dataset ?? {};
export const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

// What this browser keeps for the seat: its key, what it has seen of the log, and receipts.
const kept = (mode, work) => stored("matchbook-play", "seats", mode, work);
const name = `${origin}/${match}/${place}`;
export const load = () => kept("readonly", (seats) => seats.get(name));
// Changes what is kept, and gives it: in one transaction, so that nothing that another window keeps meanwhile is lost.
export const alter = async (change) => {
  let mine = null;
  await kept("readwrite", (seats) => {
    const asked = seats.get(name);
    asked.onsuccess = () => {
      mine = asked.result ?? { log: seat.dataset.log, receipts: [] };
      change(mine);
      seats.put(mine, name);
    };
    return asked;
  });
  return mine;
};

// Who speaks for the seat, found without doing anything: this browser ("signs"), another one ("why"), or nobody for good ("free").
// A key binds once it is in the record; until then the browser that sends last signs.
export const LEFT_OUT = "The record leaves out the opening of your share that this browser sent. So this browser signs nothing more in this match. Keep its receipt, which is evidence, and tell the umpire.";
const ELSEWHERE = "Your seat’s key is in another browser: moves from here are sealed by the server, unsigned, and replace nothing that it signs. Enter the code from that browser, then both sign. If you do not know that browser, tell the umpire.";
export const voice = async () => {
  if (!seat || !("live" in seat.dataset)) return {};
  if (!subtle || !globalThis.indexedDB) return { why: "This browser offers no keys here (it needs https, or this computer itself)." };
  try {
    const mine = (await load()) ?? { log: seat.dataset.log, receipts: [] };
    if (mine.leftOut) return { mine, why: LEFT_OUT };
    const { key, unsigned } = seat.dataset;
    if (key && mine.public === key) return { mine, signs: true };
    if ("entered" in seat.dataset) return { mine, why: ELSEWHERE, elsewhere: true };
    return unsigned ? { mine, why: unsigned } : { mine, free: !("ended" in seat.dataset), elsewhere: Boolean(key) };
  } catch {
    return { why: "This browser keeps no key." };
  }
};

// The seat's key of this browser, made where there is none.
export const makeKey = async () => {
  const mine = await load();
  if (mine?.public) return mine;
  // It can be read out, so that the player can carry it to another browser (play-carry.js).
  const made = await subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  const half = base64(new Uint8Array(await subtle.exportKey("raw", made.publicKey)));
  // Kept first: with a key that is registered and lost nobody could sign any more. Another window may have kept one.
  return alter((now) => { if (!now.public) Object.assign(now, { key: made.privateKey, public: half }); });
};

// Offers the public half, with the vouching of a registered player if there is one. It enters with the first answer.
export const register = async (half, vouching) => {
  const body = new URLSearchParams(vouching ? { key: half, player: vouching } : { key: half });
  const answer = await fetch(`${home}/key`, { method: "POST", body, headers: { Accept: "application/json" } });
  if (answer.status >= 500) throw new Error("the key");
  if (answer.ok) seat.dataset.key = half;
  return { ok: answer.ok, detail: answer.ok ? "" : (await answer.json().catch(() => ({}))).detail ?? "" };
};

// Makes this browser's key and offers it, where none is in the record. Where it is refused, what is sent is unsigned.
const take = async () => {
  const { free, ...found } = await voice();
  if (!free) return found;
  let mine;
  try {
    mine = await makeKey();
  } catch (error) {
    return { why: error?.name === "NotSupportedError" ? "This browser cannot make an Ed25519 key." : "This browser keeps no key." };
  }
  const { ok, detail } = await register(mine.public);
  if (!ok) seat.dataset.unsigned = detail || "This browser’s key was refused: what you send from here is sealed by the server, unsigned.";
  return ok ? { mine, signs: true } : { mine, why: seat.dataset.unsigned };
};
let taking = null;
export const speak = () => (taking ??= take().finally(() => { taking = null; }));

export const node = (left, right) => hash([1], left, right);

// RFC 9162, section 2.1.4.2.
const extends_ = async (old, next, path) => {
  if (old.size === next.size) return path.length === 0 && same(old.root, next.root);
  const two = (size) => (size & (size - 1n)) === 0n;
  const way = two(old.size) ? [old.root, ...path] : [...path];
  if (!way.length || old.size > next.size) return false;
  let [first, last] = [old.size - 1n, next.size - 1n];
  while (first & 1n) { first >>= 1n; last >>= 1n; }
  let [before, after] = [way[0], way[0]];
  for (const beside of way.slice(1)) {
    if (last === 0n) return false;
    if (first & 1n || first === last) {
      [before, after] = [await node(beside, before), await node(beside, after)];
      while (first !== 0n && !(first & 1n)) { first >>= 1n; last >>= 1n; }
    } else {
      after = await node(after, beside);
    }
    first >>= 1n;
    last >>= 1n;
  }
  return last === 0n && same(before, old.root) && same(after, next.root);
};

// Whoever is refused for good is told so; anything else is tried again, and what waits for the log says so.
export class Refused extends Error {}
export class Waits extends Error {}

// True if the server proves that one tree is the beginning of a later one. A machine that is a moment behind another one cannot
// do so yet, and is asked again.
const PROOF_MS = 250, PROOF_TRIES = 20;
const begins = async (old, next) => {
  if (old.size === next.size) return extends_(old, next, []);
  for (let tries = 1; ; tries += 1) {
    const proof = await fetch(`/api/v1/proof/consistency?from=${old.size}&to=${next.size}`);
    if (proof.ok) return extends_(old, next, ((await proof.json()).path ?? []).map(unbase64));
    if (proof.status >= 500) throw new Error("the proof");
    if (tries === PROOF_TRIES) return false;
    await new Promise((done) => { setTimeout(done, PROOF_MS); });
  }
};

// True if a key of the log, in its notation (a name, a hash and a key; only the key may hold a plus itself), signed a text.
const signedBy = async (key, signature, signed) => {
  const log = await subtle.importKey("raw", unbase64(key.split("+").slice(2).join("+")).slice(1), { name: "Ed25519" }, false, ["verify"]);
  return subtle.verify({ name: "Ed25519" }, log, unbase64(signature).slice(4), text.encode(signed));
};

// The key under which the log goes on, from the one that was pinned: each names the next, in a line of the checkpoint. A lost key
// names none, and everybody can see that; the tree extends what was seen all the same.
const successor = async (key, lines) => {
  for (const line of lines) {
    const [word, before, , , next] = line.split(" ");
    if (word !== "succeeds" || before !== key.split("+")[0]) continue;
    const end = line.lastIndexOf(" ");
    const signature = line.slice(end + 1);
    if (signature !== "lost" && !(await signedBy(key, signature, `matchbook/successor/1\n${line.slice(0, end)}\n`))) return key;
    key = next;
  }
  return key;
};

// The log's newest tree: signed by the key that was pinned or one that follows it, and an extension of what this browser has seen
// before. Another machine of the site may show an older one: then it is what was seen before. An entry that it should hold is asked
// for, and no witness that is away holds that up.
export const tree = async (mine, index) => {
  const answer = await fetch(index === undefined ? "/checkpoint" : `/checkpoint?covers=${BigInt(index) + 1n}`, { cache: "no-store" });
  // A log that signs nothing just now shows no checkpoint: the move waits here until it does.
  if (answer.status >= 500) throw new Waits("The log shows no checkpoint just now.");
  const note = await answer.text();
  const blank = note.lastIndexOf("\n\n");
  const signed = note.slice(0, blank + 1);
  const [logOrigin, size, root, ...lines] = signed.split("\n");
  const line = note.slice(blank + 2).split("\n").find((line) => line.startsWith(`\u2014 ${logOrigin} `));
  const signs = async () => {
    const key = await successor(mine.log, lines);
    return key.split("+")[0] === logOrigin && signedBy(key, line.split(" ")[2], signed);
  };
  // What cannot be read as a signature is none.
  if (!(await signs().catch(() => false))) throw new Refused("The log's checkpoint is not signed by the key that this browser knows. Nothing was sent; tell the umpire.");
  const next = { size: BigInt(size), root: unbase64(root) };
  // Another window of this browser may have seen more, or kept something else.
  const kept = (await load()) ?? mine;
  mine.seen = kept.seen ?? mine.seen;
  if (mine.seen) {
    const old = { size: BigInt(mine.seen.size), root: unbase64(mine.seen.root) };
    const [first, second] = next.size < old.size ? [next, old] : [old, next];
    if (!(await begins(first, second)))
      throw new Refused("The log does not go on from what this browser has seen of it. Nothing was sent; keep your receipts, and tell the umpire.");
    if (second === old) return old;
  }
  mine.seen = { size: String(next.size), root: base64(next.root) };
  await alter((now) => { if (!(BigInt(now.seen?.size ?? 0) > next.size)) now.seen = mine.seen; });
  return next;
};

// A tree that holds the question: nobody signs an answer to something that is not in the log.
const holding = async (mine, index) => {
  for (let tries = 0; tries < 40; tries += 1) {
    const next = await tree(mine, index);
    if (index === undefined || next.size > BigInt(index)) return next;
    await new Promise((done) => { setTimeout(done, 100); });
  }
  throw new Waits("The log does not hold this question yet, and this browser signs nothing before.");
};

// Seals the values, and signs the seals where this browser holds the seat's key. The signature covers whether they are final.
export const seal = async (form, values, { mine, signs }, final) => {
  const { decision, asked, index } = form.dataset;
  const [commitments, openings] = [[], []];
  for (const { field, value } of values) {
    const secret = crypto.getRandomValues(new Uint8Array(32));
    const message = ["matchbook/seal/1", origin, match, decision, place, field, asked, value].join("\n");
    const mac = await subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    commitments.push(hex(new Uint8Array(await subtle.sign("HMAC", mac, text.encode(message)))));
    openings.push({ field, key: hex(secret), value });
  }
  if (!signs) return { commitments, openings };
  const { size, root } = await holding(mine, index);
  const submit = form.elements.submit.value;
  const lines = [`matchbook/submit/${final ? 2 : 1}`, origin, match, decision, place, ...commitments, submit, asked, String(size), base64(root)];
  if (final) lines.push("final");
  const signature = await subtle.sign({ name: "Ed25519" }, mine.key, text.encode(lines.join("\n")));
  return { commitments, openings, signature: base64(new Uint8Array(signature)), size: Number(size), root: hex(root) };
};
export const seals = Boolean(subtle);
