// A private key as a code that a person can carry: 56 letters and digits, with a check against slips.
// docs/record-format.md has the code. The server sees nothing of it.
import { hash, hex, subtle, text, unbase64, unhex } from "./crypto.js";

// Without I, L, O and U; who reads 1 or 0 as a letter is understood.
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 56;
const SEED_BYTES = 32;

// What is wrong with a code, for whoever typed it.
export class Wrong extends Error {}

// A code typed by a person, as letters alone.
export const letters = (typed) => typed.toUpperCase().replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1");

// The code of one kind of key: the check of another kind does not fit.
export const codes = (domain) => {
  const check = async (seed) => (await hash(text.encode(`${domain}\n`), seed)).slice(0, 3);
  const write = async (seed) => {
    let number = BigInt(`0x${hex(seed)}${hex(await check(seed))}`);
    let code = "";
    for (let at = 0; at < LENGTH; at += 1) {
      code = LETTERS[Number(number & 31n)] + code;
      number >>= 5n;
    }
    return code.match(/..../g).join(" ");
  };
  const read = async (typed, slip) => {
    const code = [...letters(typed)];
    const strange = code.find((letter) => !LETTERS.includes(letter));
    if (strange) throw new Wrong(`No code has “${strange}” in it: codes are digits and capital letters, without I, L, O and U.`);
    if (code.length !== LENGTH) throw new Wrong(`A code has 14 groups of four; here are ${code.length} letters and digits instead of ${LENGTH}.`);
    const number = code.reduce((sum, letter) => (sum << 5n) | BigInt(LETTERS.indexOf(letter)), 0n);
    const all = unhex(number.toString(16).padStart(70, "0"));
    const [seed, sum] = [all.slice(0, SEED_BYTES), all.slice(SEED_BYTES)];
    if (hex(await check(seed)) !== hex(sum)) throw new Wrong(slip);
    return seed;
  };
  return { write, read };
};

// The key of a seed. RFC 8410 has the form around it.
export const keyOf = (seed, extractable) =>
  subtle.importKey("pkcs8", new Uint8Array([...unhex("302e020100300506032b657004220420"), ...seed]), { name: "Ed25519" }, extractable, ["sign"]);

// The seed of a key that can be read out.
export const seedOf = async (key) => {
  const { d } = await subtle.exportKey("jwk", key);
  return unbase64(d.replaceAll("-", "+").replaceAll("_", "/"));
};
