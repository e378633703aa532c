// A seat's share of coming draws: made here, kept here until the list of both shares is in a tree of the log that this
// browser has checked, and then opened with a signature over that list. docs/record-format.md has the bytes.
import { base64, hash, hex, subtle, text, unbase64 } from "./crypto.js";
import { LEFT_OUT, Refused, alter, load, node, same, seal, tree } from "./play-seal.js";

const seat = document.querySelector("[data-play]");
const { origin, match, seat: place, home } = seat?.dataset ?? {};
const OTHER = "The list of shares holds another one than this browser sent for your seat, so it was not opened. If you did not send it from another device of yours, tell the umpire.";
const NOT_THERE = "An entry that this page was shown is not in the log. Nothing was opened or sent; tell the umpire.";
const random = (many) => crypto.getRandomValues(new Uint8Array(many));

// Makes a share, and seals it without giving it away. What the player types is mixed in, and stays here.
export const commit = async (form, mine) => {
  const value = hex(await hash(random(32), text.encode(form.elements.move.value)));
  const { openings, ...sealed } = await seal(form, [{ field: "share", value }], mine);
  const [{ key }] = openings;
  // Kept first: a share that is sealed and lost counts as none.
  await alter((now) => { (now.shares ??= {})[sealed.commitments[0]] = { decision: form.dataset.decision, key, value }; });
  return { ...sealed, openings: [] };
};

// RFC 9162, section 2.1.3.2.
const included = async (leaf, index, { size, root }, path) => {
  let [at, last, up] = [index, size - 1n, leaf];
  for (const beside of path) {
    if (last === 0n) return false;
    if (at & 1n || at === last) {
      up = await node(beside, up);
      while (at !== 0n && !(at & 1n)) { at >>= 1n; last >>= 1n; }
    } else {
      up = await node(up, beside);
    }
    at >>= 1n;
    last >>= 1n;
  }
  return last === 0n && same(up, root);
};

// A stored entry of this match, with the tree that holds it and that this browser has checked; nothing until there is one.
const entryOf = async (mine, { entry, proof }) => {
  const index = /^index (\d+)$/m.exec(proof ?? "")?.[1];
  if (!entry || !index) return null;
  const seen = await tree(mine, index);
  if (BigInt(index) >= seen.size) return null;
  const answer = await fetch(`/api/v1/proof/inclusion?index=${index}&size=${seen.size}`);
  if (!answer.ok) throw new Error("the proof");
  const leaf = await hash([0], text.encode(entry));
  const { path } = await answer.json();
  if (!(await included(leaf, BigInt(index), seen, path.map(unbase64)))) throw new Refused(NOT_THERE);
  const read = JSON.parse(entry);
  if (read.match !== match || read.kind !== "drawn") throw new Refused(NOT_THERE);
  return { body: read.body, leaf: hex(leaf), seen };
};

const listed = () => (seat.dataset.shares ? JSON.parse(seat.dataset.shares) : null);
const leafOf = async ({ entry }) => (entry ? hex(await hash([0], text.encode(entry))) : "");

// Signs the opening of the listed share, and keeps what is sent, so that the same bytes are sent again.
const sign = async (mine, { decision }, list, kept) => {
  const { size, root } = list.seen;
  const lines = ["matchbook/open/1", origin, match, decision, place, list.leaf, kept.value, String(size), base64(root)];
  const signature = await subtle.sign({ name: "Ed25519" }, mine.key, text.encode(lines.join("\n")));
  const opened = { key: kept.key, value: kept.value, signature: base64(new Uint8Array(signature)), size: Number(size), root: hex(root) };
  const body = new URLSearchParams({ decision, submit: hex(random(16)), opened: JSON.stringify(opened) }).toString();
  return { list: list.leaf, key: kept.key, value: kept.value, body };
};

// Opens the share that this browser keeps, once the list is in a tree that it has checked.
const open = async (mine, shown) => {
  if (mine.opened?.list !== await leafOf(shown.list)) {
    const list = await entryOf(mine, shown.list);
    if (!list) return "later";
    const { purpose, decision, commitments } = list.body;
    const kept = Object.hasOwn(mine.shares ?? {}, commitments?.[place] ?? "") ? mine.shares[commitments[place]] : null;
    const own = purpose === "shares" && decision === shown.decision && kept?.decision === decision;
    if (!own) {
      if (Object.values(mine.shares ?? {}).some((share) => share.decision === shown.decision)) throw new Refused(OTHER);
      return "elsewhere";
    }
    const opened = await sign(mine, shown, list, kept);
    mine = await alter((now) => { if (now.opened?.list !== opened.list) now.opened = opened; });
  }
  const answer = await fetch(`${home}/open`, { method: "POST", body: new URLSearchParams(mine.opened.body), headers: { Accept: "application/json" } });
  if (answer.status >= 500 || answer.status === 429) throw new Error("the opening");
  if (!answer.ok) throw new Refused((await answer.json().catch(() => ({}))).detail ?? "Your share could not be opened.");
  return "opened";
};

// Looks for this browser's opening in the list of openings. Where it is left out, this browser signs nothing more.
const check = async (mine, shown) => {
  const openings = await entryOf(mine, shown.openings);
  if (!openings) return "later";
  const { purpose, openings: all } = openings.body;
  const own = ({ field, key, value }) => field === "share" && key === mine.opened.key && value === mine.opened.value;
  const found = purpose === "openings" && all.some(own);
  await alter((now) => { if (found) now.opened.found = true; else now.leftOut = true; });
  if (!found) throw new Refused(LEFT_OUT);
  return "found";
};

// The next step with this seat's share: "later" until it can be done, and a word for what was done.
export const share = async () => {
  const [mine, shown] = [await load().catch(() => null), listed()];
  if (mine?.leftOut) throw new Refused(LEFT_OUT);
  if (!mine?.key || !shown) return null;
  // Where the list holds another share than this browser's, its player is told, whoever signs for the seat.
  const gave = Object.values(mine.shares ?? {}).some((share) => share.decision === shown.decision);
  if (!gave && mine.public !== seat.dataset.key) return null;
  if (shown.awaited) return open(mine, shown);
  const mineIsShown = mine.opened && !mine.opened.found && mine.opened.list === await leafOf(shown.list);
  return mineIsShown && shown.openings ? check(mine, shown) : null;
};

// Before anything is signed: what this browser opened is in the list of openings, or the shares were given up.
export const settled = async () => {
  const mine = await load().catch(() => null);
  if (mine?.leftOut) throw new Refused(LEFT_OUT);
  const shown = listed();
  if (!mine?.opened || mine.opened.found || !shown || mine.opened.list !== await leafOf(shown.list)) return;
  if (!shown.openings || await check(mine, shown) === "later") throw new Refused("The openings of the shares are not in a tree that this browser has checked yet. Send it again in a moment.");
};

export const SHARE_WORDS = {
  opened: "This browser has opened your share: the list of both is in the log, and your own is on it.",
  found: "Your share is opened in the record.",
  elsewhere: "Your share is kept in another browser of yours. Open this page there within a minute, or it counts as none.",
};
